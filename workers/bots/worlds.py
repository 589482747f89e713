"""Guessed worlds, in which bots play on: the common part of ``lookahead`` and ``search``.

All values are integers and derived from the decision's random source, so they can be recomputed
anywhere. A tried event is a *node*, and the budget is a number of nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import BotRandom

T = TypeVar("T")

MILLI = 1000
GLANCED = 12
"""Number of moves that a seat other than the decider compares (``some``)."""
LEARN = 8
"""Number of comparisons of a move before its rate of looking best counts."""
RARELY = 8
"""Moves that looked best less often than once in so many comparisons are skipped."""
BOUNDLESS = 1 << 62
"""A number of nodes without a limit."""
FAR = 1_000
"""A number of turns beyond any bot's horizon."""
PLACE = 20
"""At the end, each opponent behind adds this part of a mean score."""


class OutOfNodesError(Exception):
    """The budget ran out during a trial."""


class WorldLuck:
    """Nature in one world: a draw has the same picks on every path of play.

    So all moves that are compared in one world meet the same luck.
    """

    __slots__ = ("_drawn", "_rng")

    def __init__(self, seed: int) -> None:
        self._rng = BotRandom(seed)
        self._drawn: dict[tuple[str, int, tuple[int, ...]], tuple[int, ...]] = {}

    def __call__(self, chance: Chance) -> tuple[int, ...]:
        """Return one pick for each size."""
        name = chance.label, chance.n, chance.sizes
        picks = self._drawn.get(name)
        if picks is None:
            picks = tuple([self._rng.randrange(size) for size in chance.sizes])
            self._drawn[name] = picks
        return picks


@dataclass(slots=True)
class Position:
    """A state in a world with its luck; a seat has a decision, or the game is over.

    ``left`` is how many more times the turn may pass from one seat to another until the state is
    evaluated, -1 for now. Moves are compared at the same point of the game: otherwise a move that
    ends a turn and one that continues it would be evaluated with different seats to move.
    """

    state: Any
    luck: WorldLuck
    turn: Decision | GameOver
    left: int = FAR

    @property
    def seat(self) -> Seat | None:
        """The decider, the first of several concurrent ones; None for evaluation."""
        return None if self.left < 0 or isinstance(self.turn, GameOver) else self.turn.seats[0]


class Explorer:
    """Tries events in guessed worlds, as many as there are nodes."""

    __slots__ = ("_budget", "_ruleset", "nodes")

    def __init__(self, ruleset: Ruleset[Any], budget: int) -> None:
        self._ruleset = ruleset
        self._budget = budget
        self.nodes = 0

    def guess(self, information: JsonObject, rng: BotRandom, turns: int = FAR) -> Position:
        """Return a world that is possible by ``information`` of a deciding seat.

        It is evaluated when the turn has passed ``turns`` times and would pass again.
        """
        state = self._ruleset.determinize(information, rng)
        turn = self._ruleset.turn(state)
        assert isinstance(turn, Decision)  # noqa: S101 - only those are asked who may decide
        return Position(state, WorldLuck(rng.seed()), turn, turns)

    def legal(self, position: Position, seat: Seat) -> Sequence[Move[Any]]:
        """Return the legal moves of ``seat``."""
        return self._ruleset.legal_moves(position.state, seat)

    def after(self, position: Position, seat: Seat, move: Move[Any]) -> Position:
        """Return the position after a move and the draws that follow it. Raises OutOfNodesError."""
        if self.nodes >= self._budget:
            raise OutOfNodesError
        ruleset, luck = self._ruleset, position.luck
        state = ruleset.copy(position.state)
        ruleset.reduce(state, MoveEvent(seat, move))
        self.nodes += 1
        turn = ruleset.turn(state)
        drew = type(turn) is Chance
        while type(turn) is Chance:
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, luck(turn)))
            self.nodes += 1
            turn = ruleset.turn(state)
        assert not isinstance(turn, Chance)  # noqa: S101 - for mypy: the loop is over
        return Position(
            state, luck, turn, position.left - _passes(position.turn, turn, seat, drew=drew)
        )

    def worth(self, position: Position) -> list[int]:
        """Return the heuristic for each seat, in thousandths of a point."""
        return self._ruleset.heuristic(position.state)

    def look(self, position: Position, seat: Seat) -> int:
        """Return the heuristic for ``seat``."""
        return self._ruleset.look(position.state, seat)

    def best_looking(self, position: Position, seat: Seat, moves: Sequence[Move[Any]]) -> Position:
        """Return the position after the best-looking move of ``seat``, the first of equal ones."""
        best: Position | None = None
        most = 0
        for move in some(moves):
            reached = self.after(position, seat, move)
            value = self.look(reached, seat)
            if best is None or value > most:
                best, most = reached, value
        assert best is not None  # noqa: S101 - who is asked has a legal move
        return best

    def turns(self, position: Position, decisions: int, nodes: int = BOUNDLESS) -> int:
        """Return how often the turn passes until the last of so many decisions is reached.

        Every seat takes what looks best; forced decisions do not count. It stops after ``nodes``.
        Raises OutOfNodesError.
        """
        last, stop = position, self.nodes + nodes
        while (seat := position.seat) is not None:
            moves = self.legal(position, seat)
            if len(moves) == 1:
                position = self.after(position, seat, moves[0])
                continue
            last = position
            decisions -= 1
            if not decisions or self.nodes >= stop:
                break
            position = self.best_looking(position, seat, moves)
        return FAR - last.left

    def play_out(self, position: Position) -> list[int]:
        """Return every seat's outcome when all seats take what looks best until evaluation.

        See ``outcome`` for the values. Raises OutOfNodesError.
        """
        return self.outcome(self.play_on(position))

    def play_on(self, position: Position) -> Position:
        """Return the position at evaluation, when all seats take what looks best."""
        while (seat := position.seat) is not None:
            moves = self.legal(position, seat)
            if len(moves) == 1:
                position = self.after(position, seat, moves[0])
            else:
                position = self.best_looking(position, seat, moves)
        return position

    def outcome(self, position: Position) -> list[int]:
        """Return the heuristic for each seat; once the game is over, the result.

        The result is the score, plus a bonus for each opponent behind.
        """
        if not isinstance(position.turn, GameOver):
            return self.worth(position)
        seats = len(self.worth(position))
        sides = self._ruleset.result(position.state).standings[:seats]
        place = MILLI * sum(abs(side.score) for side in sides) // (PLACE * seats)
        return [
            MILLI * side.score + place * sum(side.rank < other.rank for other in sides)
            for side in sides
        ]


class Habit:
    """How often a move was compared with others, and how often it looked best."""

    __slots__ = ("best", "compared")

    def __init__(self) -> None:
        self.best = self.compared = 0

    @property
    def is_open(self) -> bool:
        """Whether the move may look best again."""
        return self.compared < LEARN or self.best * RARELY > self.compared


class Learner(Explorer):
    """An explorer for one decision, which learns what is worth comparing.

    The move that looks best in one position mostly looks best in the next similar one (the history
    heuristic; Schaeffer, 1989). So the learner remembers the best-looking moves of each seat, and
    skips the others: playing on takes a third to two thirds of the nodes.
    """

    __slots__ = ("_habits",)

    def __init__(self, ruleset: Ruleset[Any], budget: int) -> None:
        super().__init__(ruleset, budget)
        self._habits: dict[tuple[Seat, Move[Any]], Habit] = {}

    def best_looking(self, position: Position, seat: Seat, moves: Sequence[Move[Any]]) -> Position:
        """Return the position after the best-looking move of ``seat``, the first of equal ones.

        Of more than two moves, it compares those that may look best by its memory. Raises
        OutOfNodesError.
        """
        moves = some(moves)
        habits = [self._habit(seat, move) for move in moves]
        found: tuple[Position, Habit] | None = None
        most = 0
        for at in worth_comparing(habits):
            reached = self.after(position, seat, moves[at])
            value = self.look(reached, seat)
            habits[at].compared += 1
            if found is None or value > most:
                found, most = (reached, habits[at]), value
        assert found is not None  # noqa: S101 - who is asked has a legal move
        best, habit = found
        habit.best += 1
        return best

    def _habit(self, seat: Seat, move: Move[Any]) -> Habit:
        habit = self._habits.get((seat, move))
        if habit is None:
            habit = self._habits[seat, move] = Habit()
        return habit


def _passes(
    before: Decision | GameOver, after: Decision | GameOver, seat: Seat, *, drew: bool
) -> bool:
    """Whether a move of ``seat`` has ended its turn: now somebody else is asked, or nobody.

    Whoever was the last in a round and is the first in the next has another turn, too: nature has
    drawn, and the question is another one.
    """
    if isinstance(before, GameOver) or isinstance(after, GameOver) or after.seats[0] != seat:
        return True
    return drew and after.name != before.name


def some(moves: Sequence[Move[Any]]) -> Sequence[Move[Any]]:
    """Return all moves, or the first of each type and ``GLANCED`` more from all over the list.

    Neighbours in the list are much alike, but a seat that never sees "pass" would bid for ever.
    """
    if len(moves) <= GLANCED:
        return moves
    first: dict[str, int] = {}
    for number, move in enumerate(moves):
        first.setdefault(move.type, number)
    chosen = {*first.values(), *(number * len(moves) // GLANCED for number in range(GLANCED))}
    return [moves[number] for number in sorted(chosen)]


def worth_comparing(habits: Sequence[Habit]) -> Sequence[int]:
    """Return the positions of moves that may look best, in order; at least two of several moves."""
    places = [at for at, habit in enumerate(habits) if habit.is_open]
    if len(places) >= min(2, len(habits)):
        return places
    # A stable sort: equal moves keep their order.
    often = sorted(range(len(habits)), key=lambda at: -habits[at].best)
    return sorted(often[:2])


def by_looks(
    explorer: Explorer, position: Position, seat: Seat, legal: Sequence[Move[Any]]
) -> list[tuple[int, Move[Any]]]:
    """Return moves with their immediate values for ``seat``, best first.

    If the nodes suffice only for some moves, the others are left out, but never all.
    """
    seen: list[tuple[int, Move[Any]]] = []
    try:
        for move in legal:
            seen.append((explorer.look(explorer.after(position, seat, move), seat), move))  # noqa: PERF401 - it keeps what it has
    except OutOfNodesError:
        pass
    return sorted(seen or [(0, legal[0])], key=lambda each: -each[0])


def halvings(candidates: int, spent: int, budget: int) -> list[int]:
    """Return the numbers of nodes after which half of the candidates is dropped, down to two.

    Each stage has as many nodes (sequential halving; Karnin, Koren and Somekh, 2013).
    """
    stages = max(1, (candidates - 1).bit_length())
    return [spent + (budget - spent) * stage // stages for stage in range(1, stages)]


def better_half(candidates: Sequence[T]) -> Sequence[T]:
    """Return the first half of candidates, but at least two."""
    return candidates[: max(2, (len(candidates) + 1) // 2)]


def leads(values: Sequence[int]) -> list[int]:
    """Return each seat's lead over the mean of the others, negative if behind."""
    total, others = sum(values), max(len(values) - 1, 1)
    return [(value * len(values) - total) // others for value in values]
