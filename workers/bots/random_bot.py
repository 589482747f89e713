"""``random``: any legal move, each as likely as the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import BotRandom, Choice


def choose(
    ruleset: Ruleset[Any],  # noqa: ARG001 - every bot is given the same
    information: JsonObject,  # noqa: ARG001
    seat: Seat,  # noqa: ARG001
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],  # noqa: ARG001
) -> Choice:
    """Pick a move."""
    return Choice(legal[rng.randrange(len(legal))], 0, {})
