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
from workers.bots.worlds import BOUNDLESS, MILLI, Explorer, Luck, Position, leads

FUTURES = 32


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
    """The futures of one game; ``key`` (bytes) decides them. Play goes on for so many decisions."""

    def __init__(self, ruleset: Ruleset[Any], key: bytes, decisions: int) -> None:
        self._ruleset = ruleset
        self._decisions = decisions
        self._explorer = Explorer(ruleset, BOUNDLESS)
        self._all = [Future(derive(key, "future", number)) for number in range(FUTURES)]

    def leads(self, state: Any) -> list[list[int]]:
        """Return how far each seat gets ahead of the mean of the others, by future and seat.

        In thousandths of a point, by how it looks; ``state`` is not changed.
        """
        return [leads(self._worth(state, future)) for future in self._all]

    def result(self, state: Any) -> list[list[int]]:
        """Return the same of a game that has ended, by the scores."""
        seats = len(self._ruleset.heuristic(state))
        sides = self._ruleset.result(state).standings[:seats]
        return [leads([MILLI * side.score for side in sides])] * len(self._all)

    def _worth(self, state: Any, future: Future) -> list[int]:
        ruleset, explorer = self._ruleset, self._explorer
        reached = ruleset.copy(state)
        turn = ruleset.turn(reached)
        while isinstance(turn, Chance):
            ruleset.reduce(reached, Chanced(turn.label, turn.n, future(turn)))
            turn = ruleset.turn(reached)
        return explorer.worth(played_on(explorer, Position(reached, future, turn), self._decisions))


def horizon(settings: Mapping[str, Any]) -> int:
    """Return how many decisions a bot that judges looks ahead: as many as lookahead if unsaid."""
    decisions: int = settings.get("decisions", DECISIONS)
    return decisions


def played_on(explorer: Explorer, position: Position, decisions: int) -> Position:
    """Return where it leads if everybody takes what looks best, as ``lookahead`` plays on.

    There the game may be over or not: how it looks and how it ended are two measures, so positions
    are compared by one of them.
    """
    while decisions > 0 and (seat := position.seat) is not None:
        moves = explorer.legal(position, seat)
        decisions -= len(moves) > 1
        position = explorer.best_looking(position, seat, moves)
    return position
