"""What a position comes to: everybody plays on, in the same few futures wherever a game is.

A future is the luck to come. Its draws go by their names, so a position before a draw and the one
after it meet the same luck but for that draw: their difference is what the draw did.
"""

from typing import Any

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import Chance, draw
from rules.kernel.contract.ruleset import Chanced, Ruleset
from workers.bots.lookahead import DECISIONS
from workers.bots.worlds import Explorer, Luck, Position, leads

FUTURES = 32
BOUNDLESS = 1 << 62
"""Nodes to try out, where no budget is to be kept."""


class Future(Luck):
    """Nature as one key decides it, in whatever order its draws come."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        super().__init__(0)
        self._key = key

    def __call__(self, chance: Chance) -> tuple[int, ...]:
        """Return one pick for each size."""
        name = chance.label, chance.n, chance.sizes
        picks = self._drawn.get(name)
        if picks is None:
            picks = self._drawn[name] = draw(self._key, *name)
        return picks


class Futures:
    """The futures of one game; ``key`` (bytes) decides them."""

    def __init__(self, ruleset: Ruleset[Any], key: bytes) -> None:
        self._ruleset = ruleset
        self._explorer = Explorer(ruleset, BOUNDLESS)
        self._all = [Future(derive(key, "future", number)) for number in range(FUTURES)]

    def leads(self, state: Any) -> list[list[int]]:
        """Return how far each seat gets ahead of the mean of the others, by future and seat.

        In thousandths of a point; ``state`` is not changed.
        """
        return [leads(self._outcome(state, future)) for future in self._all]

    def _outcome(self, state: Any, future: Future) -> list[int]:
        ruleset = self._ruleset
        reached = ruleset.copy(state)
        turn = ruleset.turn(reached)
        while isinstance(turn, Chance):
            ruleset.reduce(reached, Chanced(turn.label, turn.n, future(turn)))
            turn = ruleset.turn(reached)
        return self._explorer.play_out(Position(reached, future, turn), DECISIONS)
