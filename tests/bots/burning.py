"""Takes three tenths of a second of its processor for each choice, whatever that is on the wall."""

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
