"""Never returns from its first choice, and ignores exceptions and signals."""

import signal

from service.catalogue.bots import BotOffer
from tests.bots.choices import at_choices

BOT = BotOffer("stubborn", "1")


@at_choices
def choose() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            sum(range(1_000))
        except BaseException:  # noqa: BLE001 - see above
            continue
