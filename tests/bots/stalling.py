"""Thinks for ever as soon as it has a choice."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("stalling", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    while len(legal) > 1:
        rng.randrange(2)
    return Choice(legal[0], 0, {})
