"""Pairs of games that differ only in one hidden fact, to compare what other viewers see."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat

Position = tuple[Any, Any]
"""The states of both games, at the same event."""


@dataclass(frozen=True)
class Twins:
    """Two courses of a game that ``blind`` viewers (seats; None: spectators) cannot distinguish."""

    name: str
    table: Table
    courses: tuple[tuple[RulesEvent, ...], tuple[RulesEvent, ...]]
    blind: tuple[Seat | None, ...]
    opens_next: bool
    """Whether the next move may reveal the difference."""

    def __str__(self) -> str:
        return f"{self.table.ruleset.info.id}: {self.name}"


Differ = Callable[[Position, RulesEvent], tuple[RulesEvent, RulesEvent] | None]
"""Gets the next event of both games, and returns a pair of events to play instead."""


def twins(
    name: str,
    table: Table,
    differ: Differ,
    blind: Iterable[int | None],
    *,
    until: Callable[[Position], bool],
    opens_next: bool = False,
    seed: int = 1,
) -> Twins:
    """Play both games at random: the same draws, and moves that are legal in both.

    ``differ`` makes the difference; ``until`` ends the pair at a decision, before the difference is
    revealed.
    """
    ruleset, rng = table.ruleset, random.Random(f"twins {table} {name} {seed}")
    nature = uniform(rng)
    states = (table.initial(), table.initial())
    courses: tuple[list[RulesEvent], list[RulesEvent]] = ([], [])
    while not (isinstance(turn := ruleset.turn(states[0]), Decision) and until(states)):
        assert turn == ruleset.turn(states[1]), f"{name}: the turns differ"
        assert not isinstance(turn, GameOver), f"{name}: the game ended"
        event: RulesEvent
        if isinstance(turn, Chance):
            event = ChanceEvent(turn.label, turn.n, nature(turn))
        else:
            event = _shared_move(ruleset, states, turn, rng)
        events = differ(states, event) or (event, event)
        for state, course, own in zip(states, courses, events, strict=True):
            if isinstance(own, MoveEvent):
                ruleset.check(state, own.seat, own.move)
            ruleset.reduce(state, own)
            course.append(own)
    one, other = (tuple(course) for course in courses)
    assert one != other, f"{name}: nothing differs"
    viewers = tuple(None if seat is None else Seat(seat) for seat in blind)
    return Twins(name, table, (one, other), viewers, opens_next)


def _shared_move(
    ruleset: Ruleset[Any], states: Position, turn: Decision, rng: random.Random
) -> MoveEvent[Any]:
    seat = rng.choice(turn.seats)
    one, other = (ruleset.legal_moves(state, seat) for state in states)
    shared = [move for move in one if move in set(other)]
    return MoveEvent(
        seat, rng.choice(shared or one)
    )  # if no move is legal in both, ``differ`` may choose
