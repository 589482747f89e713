"""The expected outcome of a position, in a few futures that stay the same all game long.

A future is a source of luck. In a future, the result of a draw depends only on the draw's label and
on its occurrence: whether it is the first draw with that label, the second, and so on. So in one
future, the positions before and after a draw have the same luck in all other draws, and the
difference of their outcomes is the effect of the draw.
"""

from collections.abc import Mapping
from typing import Any

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import Chance, draw
from rules.kernel.contract.ruleset import ChanceEvent, Ruleset
from workers.bots.lookahead import DECISIONS
from workers.bots.worlds import BOUNDLESS, Explorer, Position, WorldLuck

FUTURES = 32


class Future(WorldLuck):
    """A source of luck that follows from a key and does not depend on the order of draws."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        super().__init__(0)
        self._key = key

    def __call__(self, chance: Chance) -> tuple[int, ...]:
        """Return the results of a draw: for each size in ``sizes``, a number from 0 to size - 1."""
        name = chance.label, chance.n, chance.sizes
        picks = self._drawn.get(name)
        if picks is None:
            picks = self._drawn[name] = draw(self._key, *name)
        return picks


class Futures:
    """The futures of one game. They are derived from ``key`` (bytes).

    From any position and in each future, the seats play on for the same number of turns. This
    number is chosen so that the seats make about ``decisions`` decisions when they begin at
    ``first``, the first state of the game.
    """

    def __init__(self, ruleset: Ruleset[Any], key: bytes, decisions: int, first: Any) -> None:
        self._ruleset = ruleset
        self._explorer = Explorer(ruleset, BOUNDLESS)
        self._all = [Future(derive(key, "future", number)) for number in range(FUTURES)]
        self._turns = self._explorer.turns(self._asked(first, self._all[0]), decisions)

    def reached(self, state: Any) -> list[Position]:
        """Return the position that each future reaches from a state; the state is not changed."""
        positions = [self._asked(state, future) for future in self._all]
        for position in positions:
            position.left = self._turns
        return [self._explorer.play_on(position) for position in positions]

    def _asked(self, state: Any, future: Future) -> Position:
        """Return the position after the draws that a state waits for."""
        ruleset, reached = self._ruleset, self._ruleset.copy(state)
        turn = ruleset.turn(reached)
        while isinstance(turn, Chance):
            ruleset.reduce(reached, ChanceEvent(turn.label, turn.n, future(turn)))
            turn = ruleset.turn(reached)
        return Position(reached, future, turn)


def horizon(settings: Mapping[str, Any]) -> int:
    """Return the setting ``decisions``; the bot ``lookahead`` has the same setting.

    It is the number of decisions that the seats make before a position is judged.
    """
    decisions: int = settings.get("decisions", DECISIONS)
    return decisions
