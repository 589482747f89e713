"""Plays a move that the rules refuse as soon as it has a choice."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, next_seat
from service.catalogue.bots import BotOffer
from workers.bots.bot import BotRandom, Choice

BOT = BotOffer("cheating", "1")


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    if len(legal) > 1:
        state = ruleset.determinize(information, rng)
        for type_ in ruleset.move_types:
            for move in type_.legal(state, next_seat(seat, 2)):
                try:
                    ruleset.check(state, seat, move)
                except IllegalMove:
                    return Choice(move, 0, {})
    return Choice(legal[0], 0, {})
