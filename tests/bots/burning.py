"""Takes 0.3 s of processor time for each choice, however much wall time that is."""

import time

from service.catalogue.bots import BotOffer
from tests.bots.choices import at_choices

BOT = BotOffer("burning", "1")
SECONDS = 0.3


@at_choices
def choose() -> None:
    ends = time.process_time() + SECONDS
    while time.process_time() < ends:
        pass
