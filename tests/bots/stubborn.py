"""Thinks for ever as soon as it has a choice, whatever anybody raises in it or sends it."""

import signal
from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("stubborn", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: int,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while len(legal) > 1:
        try:
            legal = [*legal]
        except BaseException:  # noqa: BLE001 - see above
            continue
    return Choice(legal[0], 0, {})
