"""Plays its first legal move, and crashes at every fourth decision that leaves it a choice."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("crashing", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    if len(legal) > 1 and rng.randrange(4) == 0:
        raise ZeroDivisionError("a bot's own mistake")
    return Choice(legal[0], 0, {})
