"""What bots do where they have a choice, before they take a move by chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import Bot, BotRandom, Choice


def at_choices(act: Callable[[], None]) -> Bot:
    """Make a bot of what it does where it has a choice."""

    def choose(
        ruleset: Ruleset[Any],
        information: JsonObject,
        seat: Seat,
        legal: Sequence[Move[Any]],
        rng: BotRandom,
        settings: Mapping[str, Any],
    ) -> Choice:
        if len(legal) > 1:
            act()
        return Choice(legal[rng.randrange(len(legal))], 0, {})

    return choose
