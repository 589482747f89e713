"""Never returns from its first choice, and ignores alarms, so that its process must be killed."""

import signal
import time

from service.catalogue.bots import BotOffer
from tests.bots.choices import at_choices

BOT = BotOffer("hanging", "1")


@at_choices
def choose() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(3600)
