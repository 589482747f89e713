"""Helpers for the tests of all games: positions that are played on, and random games."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Self

import pytest

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import BadOptions, IllegalMove
from rules.kernel.contract.phases import Phase
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat

Json = dict[str, Any]

JUNK: tuple[object, ...] = (
    *(None, True, False, 0, -1, 99, 10**30, 10**5000, 1.5),
    *("", "x", "rojo", "seda", "reyes", "vino", "ron", "\udc80"),
    *([], [[]], {}, {"a": 1}, {"red": 0}, {"red": True}),
)
"""Values that a client may send for any field, including words that are labels but not ids."""


class Playing:
    """A position of a game: played through the public contract, and checked at every step.

    Each game's ``Table`` is a subclass, whose ``__init__`` builds a position as JSON.
    """

    ruleset: ClassVar[Ruleset[Any]]
    state: Any
    log: list[Effect]
    """All effects since the position was built."""

    @property
    def json(self) -> Json:
        return self.ruleset.to_json(self.state)

    def __getitem__(self, key: str) -> Any:
        return self.json[key]

    def player(self, seat: int) -> Json:
        player: Json = self["players"][seat]
        return player

    def asked(self) -> tuple[str, Any] | None:
        """The phase with the deciding seat or seats, or the draw; None at the end of the game."""
        turn = self.ruleset.turn(self.state)
        if isinstance(turn, GameOver):
            return None
        if isinstance(turn, Chance):
            return turn.label, turn.n
        return turn.name, turn.seats[0] if len(turn.seats) == 1 else list(turn.seats)

    def legal(self, type_: str | None = None) -> list[Json]:
        """The legal moves of the first deciding seat; if all of one type, without the type."""
        moves = [move.to_json() for move in self.ruleset.legal_moves(self.state, self._first())]
        if type_ is None:
            return moves
        return [{k: v for k, v in m.items() if k != "type"} for m in moves if m["type"] == type_]

    def default(self, seat: int | None = None) -> Json:
        """The default move of a seat, or of the first deciding seat."""
        who = self._first() if seat is None else Seat(seat)
        return self.ruleset.default_move(self.state, who).to_json()

    def _first(self) -> Seat:
        turn = self.ruleset.turn(self.state)
        assert isinstance(turn, Decision)
        return turn.seats[0]

    def play(self, seat: int, type_: str, **params: object) -> Self:
        """Play one move, which must be in the list of legal moves."""
        mover = Seat(seat)
        move = self.ruleset.read_move(self.state, mover, self._move(type_, params))
        assert move in self.ruleset.legal_moves(self.state, mover)
        return self._reduce(MoveEvent(mover, move))

    def draw(self, *picks: int) -> Self:
        """Make the draw that the state waits for."""
        turn = self.ruleset.turn(self.state)
        assert isinstance(turn, Chance)
        assert len(picks) == len(turn.sizes)
        return self._reduce(ChanceEvent(turn.label, turn.n, picks))

    def refused(self, seat: int, type_: object, /, **params: object) -> str:
        """The error code of a refused move; check that the refusal changed nothing."""
        return self.refused_json(seat, self._move(type_, params))

    def refused_json(self, seat: int, move: Json) -> str:
        """The same for the JSON of a move."""
        before = self.json
        with pytest.raises(IllegalMove) as error:
            self.ruleset.read_move(self.state, Seat(seat), move)
        assert self.json == before
        assert error.value.message
        assert error.value.code in self.ruleset.error_codes
        return error.value.code

    def effects(self, type_: str) -> Iterator[Json]:
        return (effect.data for effect in self.log if effect.type == type_)

    def result(self) -> list[tuple[int, int]]:
        """Rank and score of each seat."""
        return [(s.rank, s.score) for s in self.ruleset.result(self.state).standings]

    def _move(self, type_: object, params: Mapping[str, object]) -> Json:
        return {"type": type_, **params}

    def _reduce(self, event: MoveEvent[Any] | ChanceEvent) -> Self:
        log = EffectLog()
        self.ruleset.reduce(self.state, event, log)
        assert {effect.type for effect in log.effects} <= set(self.ruleset.effect_types)
        self.log += log.effects
        self._check()
        return self

    def _check(self) -> None:
        assert self.ruleset.violations(self.state) == []
        self._check_json()

    def _check_json(self) -> None:
        data = self.json
        assert self.ruleset.to_json(self.ruleset.from_json(data)) == data


def start(ruleset: Ruleset[Any], seats: int, options: Mapping[str, object]) -> Any:
    return ruleset.initial(seats, ruleset.parse_options(seats, options))


# Refusals


def check_junk(ruleset: Ruleset[Any], state: Any, seats: Iterable[int], data: Json) -> None:
    """Fail unless a move is refused with a code, or is one of the seat's legal moves."""
    for seat in map(Seat, seats):
        try:
            ruleset.read_move(state, seat, data)
        except IllegalMove as refused:
            assert refused.code in ruleset.error_codes  # noqa: PT017 - it may be legal
        else:
            assert data in [move.to_json() for move in ruleset.legal_moves(state, seat)]


def bad_option(ruleset: Ruleset[Any], seats: int, options: Json) -> str:
    """The name of the refused option."""
    with pytest.raises(BadOptions) as error:
        ruleset.parse_options(seats, options)
    return error.value.option


# Random games


class Step(NamedTuple):
    """A copy of a state, the event applied to it, and the effects of the event."""

    before: Any
    event: MoveEvent[Any] | ChanceEvent
    log: EffectLog


class Game(NamedTuple):
    """A finished game."""

    final: Any
    steps: list[Step]

    @property
    def states(self) -> list[Any]:
        """All states, in order."""
        return [*(step.before for step in self.steps), self.final]

    @property
    def phases(self) -> list[str]:
        """The phase of each state."""
        return [state.phase for state in self.states]


def random_game(ruleset: Ruleset[Any], seed: int, seats: int, **options: object) -> Game:
    """Play legal moves at random."""
    *steps, (final, _nothing, _log) = [
        Step(ruleset.copy(state), event, log)
        for state, event, log in _at_random(ruleset, seed, seats, options)
    ]
    return Game(final, steps)


def random_phases(ruleset: Ruleset[Any], seed: int, seats: int, **options: object) -> list[str]:
    """The phases of ``random_game``, computed faster."""
    return [state.phase for state, *_ in _at_random(ruleset, seed, seats, options)]


def _at_random(
    ruleset: Ruleset[Any], seed: int, seats: int, options: Mapping[str, object]
) -> Iterator[tuple[Any, Any, EffectLog]]:
    """Yield the state (changed in place), the next event (None at the end), and its effects."""
    rng = random.Random(seed)
    nature = uniform(rng)
    state = start(ruleset, seats, options)
    while not isinstance(turn := ruleset.turn(state), GameOver):
        event: MoveEvent[Any] | ChanceEvent
        if isinstance(turn, Chance):
            event = ChanceEvent(turn.label, turn.n, nature(turn))
        else:
            seat = rng.choice(turn.seats)
            event = MoveEvent(seat, rng.choice(ruleset.legal_moves(state, seat)))
        log = EffectLog()
        yield state, event, log
        ruleset.reduce(state, event, log)
    yield state, None, EffectLog()


def never_followed(
    table: Mapping[str, Phase], games: Iterable[Sequence[str]]
) -> set[tuple[str, str]]:
    """Check the phases of games by a table; return the allowed steps that did not occur."""
    followed = {pair for phases in games for pair in pairwise(phases)}
    allowed = {(phase, after) for phase, row in table.items() for after in row.leads_to}
    assert followed <= allowed
    return allowed - followed
