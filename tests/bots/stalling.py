"""Never returns from its first choice."""

from service.catalogue.bots import BotOffer
from tests.bots.choices import at_choices

BOT = BotOffer("stalling", "1")


@at_choices
def choose() -> None:
    while True:
        pass
