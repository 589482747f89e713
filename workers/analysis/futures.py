"""What a position comes to: everybody plays on, in the same few futures wherever a game is.

A future is the luck to come. Its draws go by their names, so a position before a draw and the one
after it meet the same luck but for that draw: their difference is what the draw did.
"""

from collections.abc import Mapping
from typing import Any

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import Chance, draw
from rules.kernel.contract.ruleset import Chanced, Ruleset
from workers.bots.lookahead import DECISIONS
from workers.bots.worlds import BOUNDLESS, Explorer, Position, WorldLuck

FUTURES = 32


class Future(WorldLuck):
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
    """The futures of one game; ``key`` (bytes) decides them.

    Play goes on for as many turns as about so many ``decisions`` take from ``first``, its first
    state: all positions of a game are judged equally far ahead, at the same point of a turn.
    """

    def __init__(self, ruleset: Ruleset[Any], key: bytes, decisions: int, first: Any) -> None:
        self._ruleset = ruleset
        self._explorer = Explorer(ruleset, BOUNDLESS)
        self._all = [Future(derive(key, "future", number)) for number in range(FUTURES)]
        self._turns = self._explorer.turns(self._asked(first, self._all[0]), decisions)

    def reached(self, state: Any) -> list[Position]:
        """Return the position that each future reaches from a state, which is not changed."""
        positions = [self._asked(state, future) for future in self._all]
        for position in positions:
            position.left = self._turns
        return [self._explorer.play_on(position) for position in positions]

    def _asked(self, state: Any, future: Future) -> Position:
        """Return the position after the draws that a state waits for."""
        ruleset, reached = self._ruleset, self._ruleset.copy(state)
        turn = ruleset.turn(reached)
        while isinstance(turn, Chance):
            ruleset.reduce(reached, Chanced(turn.label, turn.n, future(turn)))
            turn = ruleset.turn(reached)
        return Position(reached, future, turn)


def horizon(settings: Mapping[str, Any]) -> int:
    """Return how many decisions a judging bot looks ahead; by default as many as lookahead."""
    decisions: int = settings.get("decisions", DECISIONS)
    return decisions
