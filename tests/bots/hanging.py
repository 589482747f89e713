"""Never comes back as soon as it has a choice, nor hears an alarm: its process has to be ended."""

import signal
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("hanging", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: int,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    if len(legal) > 1:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(3600)
    return Choice(legal[0], 0, {})
