"""Takes three tenths of a second of its processor for each choice, whatever that is on the wall."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("burning", "1")
SECONDS = 0.3


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: int,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    ends = time.process_time() + (SECONDS if len(legal) > 1 else 0)
    while time.process_time() < ends:
        pass
    return Choice(legal[rng.randrange(len(legal))], 0, {})
