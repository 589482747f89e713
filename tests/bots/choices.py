"""Makes bots that run some code at each choice, and then play a random move."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import Bot, BotRandom, Choice


def at_choices(act: Callable[[], None]) -> Bot:
    """Return a bot that calls ``act`` at each choice, and then plays a random legal move."""

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
