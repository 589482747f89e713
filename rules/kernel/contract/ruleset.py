"""The contract: what the rules of one game offer to all other code (docs/architecture.md).

A ruleset has no state of its own. A state is a plain mutable object that belongs to the caller:
``reduce`` changes it in place, and ``copy`` returns an independent state.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module, resources
from itertools import groupby
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn, Protocol, Self, cast

import orjson

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract import generic
from rules.kernel.contract.chance import Chance, Draw, Random
from rules.kernel.contract.drawing import Drawing
from rules.kernel.contract.edition import BadEditionError, Edition
from rules.kernel.contract.effects import EffectLog, Effects
from rules.kernel.contract.errors import BadOptions, BrokenRules, ErrorCode, IllegalMove, shown
from rules.kernel.contract.fields import BadValue, Field
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import BadParameter, MalformedMove, Move, State
from rules.kernel.contract.phases import Phase
from rules.kernel.contract.pieces import Piece, plain, written
from rules.kernel.contract.scores import Scores
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.contract.state import GameState


@dataclass(frozen=True, slots=True)
class Decision:
    """The rules wait for the ``seats`` (ascending) to answer the question ``name``."""

    name: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is over; nobody is asked."""


FINISHED = GameOver()
Turn = Chance | Decision | GameOver


class MoveEvent(Generic[State]):
    """A move of a seat, whoever chose it."""

    __slots__ = ("move", "seat")

    def __init__(self, seat: Seat, move: Move[State]) -> None:
        self.seat = seat
        self.move = move


class ChanceEvent:
    """Nature's answer to a draw."""

    __slots__ = ("label", "n", "picks")

    def __init__(self, label: str, n: int, picks: Sequence[int]) -> None:
        self.label = label
        self.n = n
        self.picks = picks


class ResignationEvent:
    """A seat resigns; its decisions get the ``default_move``."""

    __slots__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat = seat


@dataclass(frozen=True, slots=True)
class Option:
    """An option of new games; every option has a default."""

    name: str
    default: object
    kind: Field[Any]
    doc: str

    def schema(self) -> JsonObject:
        """JSON Schema of the option, with its default and meaning."""
        return {**self.kind.schema(), "default": self.default, "description": self.doc}


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """A ruleset's entry in the catalogue.

    ``plays`` are the versions of the rules that this code can play, including ``version``.
    No game with default options has more decisions or events than ``max_decisions`` and
    ``max_events``.
    """

    id: str
    version: str
    plays: tuple[str, ...]
    title: Mapping[str, str]
    designer: str
    year: int
    min_seats: int
    max_seats: int
    max_decisions: int
    max_events: int
    options: tuple[Option, ...] = ()
    stage: str = "complete"

    @classmethod
    def of(cls, edition: Edition, **more: Any) -> Self:
        """Make the entry; ``more`` has the fields that the tables do not have.

        The name, the designer, the year and the numbers of seats are taken from the tables.
        """
        tables = edition.tables
        return cls(
            title=tables["name"],
            designer=tables["designer"],
            year=tables["year"],
            min_seats=tables["players"]["min"],
            max_seats=tables["players"]["max"],
            **more,
        )


class Standing(NamedTuple):
    """A side in the ranking, which is a seat ("seat:0") or an automaton ("automaton:bot_a").

    Ranks begin with 1. Equal sides have the same rank, and the ranks after it are left out, as in
    1, 2, 2, 4.
    """

    side: str
    rank: int
    score: int
    breakdown: JsonObject


class Result(NamedTuple):
    """The result of a game: the reason of its end, and the standings of seats, then of automata."""

    reason: str
    standings: tuple[Standing, ...]

    def to_json(self) -> JsonObject:
        """Return ``{"reason", "standings": [{"side", "rank", "score", "breakdown"}, …]}``."""
        return {"reason": self.reason, "standings": [s._asdict() for s in self.standings]}


class GeneralChecks(NamedTuple):
    """A game's codes for the general errors of moves.

    ``order`` has the names of the five codes, in the order in which a move is checked. If ``types``
    is true, a value of the wrong JSON type makes a move malformed, even if the parameter declares a
    code of its own.
    """

    over: str = "game_over"
    unknown: str = "unknown_action"
    malformed: str = "malformed_parameters"
    phase: str = "wrong_phase"
    seat: str = "not_your_decision"
    order: tuple[str, ...] = ("over", "unknown", "malformed", "phase", "seat")
    types: bool = False


class Views(Protocol):
    """The interface of a game's module of views."""

    def view(self, state: Any, viewer: Seat | None, /) -> JsonObject:
        """See ``Ruleset.view``."""
        ...

    def information(self, state: Any, seat: Seat, /) -> JsonObject:
        """See ``Ruleset.information``."""
        ...

    def determinize(self, information: JsonObject, rng: Random, /) -> Any:
        """See ``Ruleset.determinize``."""
        ...


class Scoring(Protocol):
    """The interface of a game's module of scoring."""

    def result(self, state: Any, /) -> Result:
        """See ``Ruleset.result``."""
        ...


class Aids(Protocol):
    """The functions in a game's package ``aids``: a heuristic, and a check of states."""

    def heuristic(self, state: Any, /) -> list[int]:
        """See ``Ruleset.heuristic``."""
        ...

    def violations(self, state: Any, /) -> list[str]:
        """See ``Ruleset.violations``."""
        ...


PARTS = {
    "data": "data.EDITION",
    "state_type": "state.State",
    "phases": "play.PHASES",
    "draws": "chance.DRAWS",
    "effects": "effects.EFFECTS",
    "errors": "errors.Error",
    "views": "views",
    "scoring": "scoring",
    "scores": "scoring.SCORES",
    "aids": "aids",
}
"""The place of each part of a ruleset in a game's package: its module, and its name in the
module.
"""


class Ruleset(ABC, Generic[State]):
    """The rules of one game. Methods never change a state, except ``reduce``.

    If a subclass names its ``package``, its parts are taken from this package (``PARTS``), except
    those that the subclass defines itself.
    """

    info: ClassVar[RulesetInfo]
    data: ClassVar[Edition]
    labels: ClassVar[Labels]
    state_type: ClassVar[type[GameState]]
    phases: ClassVar[Mapping[str, Phase]] = {}
    draws: ClassVar[Mapping[str, Draw[Any]]] = {}
    """The draw of each phase."""
    move_types: ClassVar[tuple[type[Move[Any]], ...]]
    effects: ClassVar[Effects]
    errors: ClassVar[type[ErrorCode]]
    views: ClassVar[Views]
    scoring: ClassVar[Scoring]
    aids: ClassVar[Aids]
    result_effects: ClassVar[tuple[str, ...]] = ("game_ended",)
    """The types of effects that only repeat the result; a log that shows the result omits them."""
    hidden_errors: ClassVar[tuple[str, ...]] = ()
    """Codes of refusals that depend on something hidden, so that other seats cannot check them
    during the game. Public facts alone decide every other refusal of a move that is not secret, and
    which seats have a decision (``laws/book/guesses.py``).
    """
    end_reasons: ClassVar[tuple[str, ...]]
    scores: ClassVar[Scores | None] = None
    """The members of a breakdown; by default, all are parts that add up to the score."""
    general_checks: ClassVar = GeneralChecks()

    def __init_subclass__(cls, package: str = "") -> None:
        """Find the parts of a game in its package."""
        super().__init_subclass__()
        missing = [name for name in PARTS if name not in vars(cls)] if package else []
        for name in missing:
            module, _, value = PARTS[name].partition(".")
            found = import_module(f"{package}.{module}")
            setattr(cls, name, getattr(found, value) if value else found)
        if package and "labels" not in vars(cls):
            cls.labels = Labels(load_labels(package))

    @cached_property
    def effect_types(self) -> tuple[str, ...]:
        """Names of all types of effects."""
        return tuple(effect.type for effect in self.effects)

    @cached_property
    def error_codes(self) -> tuple[str, ...]:
        """All codes of refusals."""
        return tuple(error.value for error in self.errors)

    # Setting up

    def parse_options(self, seats: int, given: Mapping[str, object]) -> JsonObject:
        """Return all options, with defaults filled in.

        Raises: BadOptions: an unknown option, an invalid value, or a number of seats that the game
            does not offer.
        """
        if not self.info.min_seats <= seats <= self.info.max_seats:
            raise BadOptions(
                "seats",
                f"{self.info.id} has {self.info.min_seats} to {self.info.max_seats} seats,"
                f" not {seats}",
            )
        known = {option.name: option for option in self.info.options}
        for name, value in given.items():
            if name not in known:
                raise BadOptions(name, f"{self.info.id} has no option {name!r}")
            try:
                known[name].kind.read(value)
            except BadValue as error:
                message = f"option {name} does not take {shown(value)}: {error}"
                raise BadOptions(name, message) from None
        return {name: given.get(name, option.default) for name, option in known.items()}

    def edition(self, options: JsonObject) -> Edition:
        """Return the tables for a game with these options."""
        return self.data

    def editions(self) -> list[Edition]:
        """Return the editions that new games may use, the published one first."""
        return [self.data]

    def install(self, tables: object, *, offer: bool = True) -> None:
        """Add an edition to this game's editions; repeating it changes nothing.

        If ``offer`` is false, new games cannot choose the edition; only recorded games have it.

        Raises:
            BadEditionError: the tables are invalid, or another edition has their id.
        """
        raise BadEditionError(f"{self.info.id} is played with its own tables only")

    @abstractmethod
    def initial(self, seats: int, options: JsonObject) -> State:
        """Return the state before the first draw; ``options`` come from ``parse_options``."""

    # Playing

    def turn(self, state: State) -> Turn:
        """Return the draw or decision that the state waits for, or the end of the game.

        By default the state waits for the phase's draw, for the decider's answer to the phase's
        question, or for the answers of all seats of ``asked_together``.

        Raises:
            BrokenRules: no seat has a decision, but the phase is not an end of the game.
        """
        if state.decider >= 0:
            return self._decisions[state.phase][state.decider]
        if draw := self.draws.get(state.phase):
            return draw.asks(state)
        if together := self.asked_together(state):
            return _together(state.phase, together)
        if state.phase not in self.phases or self.phases[state.phase].leads_to:
            raise BrokenRules(f"nobody is asked in the phase {state.phase!r}, which is not the end")
        return FINISHED

    def asked_together(self, state: State) -> tuple[Seat, ...]:
        """Return the seats (ascending) that may answer now in any order, if there is no decider."""
        return ()

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        """Return the move types of the current phase, in the order of ``move_types``."""
        return self._moves_in[state.phase]

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move[State]]:
        """Return every legal move of ``seat``, in order; none if it has no decision."""
        turn = self.turn(state)
        if type(turn) is not Decision or seat not in turn.seats:
            return ()
        legal: list[Move[State]] = []
        for listed, judged, free in _ways(self.moves_now(state)):
            if judged:
                legal += [move for move in judged if not move.refusal(state, seat)]
            elif not listed:
                legal += free
            elif found := listed(state, seat):
                legal += found
        return legal

    def is_asked(self, state: State, seat: Seat) -> bool:
        """Whether ``seat`` has an open decision."""
        turn = self.turn(state)
        return type(turn) is Decision and seat in turn.seats

    def may_address(self, state: State, seat: Seat) -> bool:
        """Whether the rules check a move of ``seat`` any further.

        By default, they do so if the seat has a decision. Rules override this to give a better
        error to a seat that has already answered.
        """
        return self.is_asked(state, seat)

    def spelled_out(self, state: State, seat: Seat, data: JsonObject) -> JsonObject:
        """Return a client's move as ``read_move`` needs it, with null members added or removed.

        Many clients cannot distinguish a member that is null from a missing one. Rules for which
        the two differ override this. ``seat`` need not have a decision.
        """
        return data

    def read_move(self, state: State, seat: Seat, data: JsonObject) -> Move[State]:
        """Return the legal move that ``data`` describes.

        Raises:
            IllegalMove: the rules refuse the move; the error is the first one in the game's order
                of checks.

        """
        try:
            move = self.recorded_move(data)
        except (KeyError, TypeError, MalformedMove):
            self._refuse_unread(state, seat, data)
        self._check_general(state, seat, type(move), "", move.type)
        move.check(state, seat)
        return move

    def _refuse_unread(self, state: State, seat: Seat, data: JsonObject) -> NoReturn:
        """Raise the reason why a move that cannot be read is refused."""
        named = data.get("type")
        type_ = self._types.get(named) if isinstance(named, str) else None
        malformed = ""
        bad: BadParameter | None = None
        if type_ is not None:
            try:
                type_.from_json(data)
            except BadParameter as first:
                wrong = type_.wrong_parameters(data)
                malformed = next((str(error) for error in wrong if self._is_malformed(error)), "")
                bad = next((error for error in wrong if error.wrong_type), first)
            except MalformedMove as error:
                malformed = str(error)
        name = shown(named) if type_ is None else type_.type
        self._check_general(state, seat, type_, malformed, name)
        assert type_ is not None and bad is not None  # noqa: S101, PT018 - that has raised, or not
        raise self._first_refusal(state, seat, type_, data, bad)

    def _first_refusal(
        self,
        state: State,
        seat: Seat,
        type_: type[Move[State]],
        data: JsonObject,
        bad: BadParameter,
    ) -> IllegalMove:
        """Return the refusal of a move with a value that is not of its parameter's kind.

        A value of the wrong JSON type is refused at once, with the parameter's error code. For any
        other value, the rules try every valid value of the parameter instead. If the rules refuse
        all valid values with the same error, and the game lists this error before the parameter's
        error code, the move is refused with this error. Otherwise the move is refused with the
        parameter's error code.
        """
        refused = cast("ErrorCode", bad.refused)
        said = {**data, **bad.given, "value": bad.value}
        own = IllegalMove.of(refused, said)
        others: dict[str, IllegalMove] = {}
        for json in [] if bad.wrong_type else bad.instead():
            try:
                move = type_.from_json({**data, **json})
            except MalformedMove:
                return own
            other = move.refusal(state, seat)
            if not other:
                return own
            illegal = IllegalMove.of(other, said)
            others[illegal.code] = illegal
        codes = self.error_codes
        before = [code for code in others if codes.index(code) < codes.index(refused)]
        return others[before[0]] if len(others) == len(before) == 1 else own

    def _is_malformed(self, error: BadParameter) -> bool:
        return error.refused is None or (error.wrong_type and self.general_checks.types)

    def check(self, state: State, seat: Seat, move: Move[State]) -> None:
        """Raise IllegalMove unless ``seat`` may play ``move`` now."""
        self._check_general(state, seat, type(move), "", move.type)
        move.check(state, seat)

    def _check_general(
        self,
        state: State,
        seat: Seat,
        type_: type[Move[State]] | None,
        malformed: str,
        name: str,
    ) -> None:
        if (
            type_ is not None
            and not malformed
            and type_ in self.moves_now(state)
            and self.may_address(state, seat)
            and type(self.turn(state)) is not GameOver
        ):
            return  # no check would fail, so the order of the checks does not matter
        codes = self.general_checks
        for check in codes.order:
            if check == "over" and type(self.turn(state)) is GameOver:
                raise IllegalMove(codes.over, "the game is over")
            if check == "unknown" and type_ is None:
                raise IllegalMove(codes.unknown, f"there is no move {name}", type=name)
            if check == "malformed" and malformed:
                raise IllegalMove(codes.malformed, malformed)
            if check == "phase" and (type_ is None or type_ not in self.moves_now(state)):
                raise IllegalMove(codes.phase, f"{name} is not for this phase", type=name)
            if check == "seat" and not self.may_address(state, seat):
                raise IllegalMove(codes.seat, f"seat {seat} is not asked", seat=seat)

    def recorded_move(self, data: JsonObject) -> Move[State]:
        """Return the move that ``data`` describes, which need not be legal.

        Raises:
            KeyError, TypeError: there is no such type of move.
            MalformedMove: its parameters do not fit the type.
        """
        try:
            return self._recorded(**data)
        except TypeError:  # a list in the data cannot be in a key of the cache
            return self._types[data["type"]].from_json(data)

    @abstractmethod
    def default_move(self, state: State, seat: Seat) -> Move[State]:
        """Return the move that is played for a deciding ``seat`` that does not answer."""

    def reduce(
        self,
        state: State,
        event: MoveEvent[State] | ChanceEvent | ResignationEvent,
        log: EffectLog | None = None,
    ) -> None:
        """Apply an event to ``state``. The caller owns ``state``, and the rules allow the event."""
        if type(event) is MoveEvent:
            event.move.apply(state, event.seat, log)
        elif type(event) is ChanceEvent:
            self.chance(state, event, log)
        elif type(event) is ResignationEvent:
            self.resign(state, event.seat, log)

    def chance(self, state: State, event: ChanceEvent, log: EffectLog | None) -> None:
        """Apply the picks of the draw that ``state`` waits for."""
        self.draws[state.phase].does(state, event.picks, log)

    def resign(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        """Apply a resignation; in most games it changes nothing."""

    # Copies and codecs

    def copy(self, state: State) -> State:
        """Return an equal state that shares no mutable object with ``state``."""
        return state.copy()

    def to_json(self, state: State, piece: Piece = plain) -> JsonObject:
        """Return the whole state as canonical JSON; equal states have equal bytes."""
        return state.to_json(piece)

    def to_bytes(self, state: State) -> bytes:
        """Return the canonical bytes of ``to_json``, which each event's state proof covers.

        Unchanged pieces are encoded only once (``pieces``).
        """
        return encode_known(self.to_json(state, written))

    def from_json(self, data: JsonObject) -> State:
        """Return the state that ``to_json`` wrote."""
        return cast("State", self.state_type.from_json(data))

    # What viewers know

    def view(self, state: State, viewer: Seat | None) -> JsonObject:
        """Return the view of ``viewer``, which is a seat, or None for a spectator.

        The view is an allow-list: it has only the values that the game chose to show.
        """
        return self.views.view(state, viewer)

    def information(self, state: State, seat: Seat) -> JsonObject:
        """Return everything that ``seat`` knows: it remembers all that it has been shown."""
        return self.views.information(state, seat)

    def determinize(self, information: JsonObject, rng: Random) -> State:
        """Return a random state among those that a seat with this information cannot rule out."""
        return cast("State", self.views.determinize(information, rng))

    # Ends and evaluation

    def result(self, state: State) -> Result:
        """Rank the sides of a finished game."""
        return self.scoring.result(state)

    def heuristic(self, state: State) -> list[int]:
        """Return the heuristic value for each seat, in thousandths of a point."""
        return self.aids.heuristic(state)

    def look(self, state: State, seat: Seat) -> int:
        """Return the heuristic value for one ``seat``, ``heuristic(state)[seat]``.

        A game may compute it faster than the values of all seats.
        """
        return self._look(state, seat) if self._look else self.heuristic(state)[seat]

    def violations(self, state: State) -> list[str]:
        """Return a sentence for each invariant of the game that ``state`` violates."""
        return self.aids.violations(state)

    def draw(self, view: JsonObject, language: str, columns: int) -> Drawing:
        """Draw a view for a terminal of ``columns`` columns, which are at least 60.

        See ``rules.kernel.contract.drawing``. This draws the view of any game; most games have a
        drawing of their own, which is easier to read.
        """
        if draw := getattr(getattr(self, "aids", None), "draw", None):
            return cast("Drawing", draw(view, self.labels, language, columns))
        return generic.draw(view, self.labels, self.view_schema, language, columns)

    # Tables that are made once

    @cached_property
    def view_schema(self) -> JsonObject:
        """The schema of the view, from ``aids/view.json``; empty if there is none."""
        package = type(self).__module__.removesuffix(".ruleset")
        file = resources.files(package).joinpath("aids/view.json")
        return orjson.loads(file.read_bytes()) if file.is_file() else {}

    @cached_property
    def _look(self) -> Callable[[State, Seat], int] | None:
        return getattr(getattr(self, "aids", None), "look", None)

    @cached_property
    def _types(self) -> Mapping[object, type[Move[State]]]:
        return {type_.type: type_ for type_ in self.move_types}

    @cached_property
    def _recorded(self) -> Callable[..., Move[State]]:
        """A cached function that makes a move from the members of a recorded move.

        It is cached because the same moves occur again and again.
        """

        @lru_cache(maxsize=4096, typed=True)  # typed, or the cache would take true for 1
        def read(**data: Any) -> Move[State]:
            return self._types[data["type"]].from_json(data)

        return read

    @cached_property
    def _moves_in(self) -> Mapping[str, tuple[type[Move[State]], ...]]:
        return moves_in(self.phases, self.move_types)

    @cached_property
    def _decisions(self) -> Mapping[str, tuple[Decision, ...]]:
        return decisions(self.phases, self.info.max_seats)


Moves = tuple[Move[Any], ...]
Way = tuple[Callable[[Any, Seat], Sequence[Move[Any]]] | None, Moves, Moves]


@cache
def _ways(types: tuple[type[Move[Any]], ...]) -> tuple[Way, ...]:
    """Return how to list the legal moves of these types: one way for each type or group of types.

    There are three kinds of ways: the function ``legal`` of a type, a pool of moves that the rules
    may refuse, and a pool of moves that the rules never refuse. Neighbouring types share a pool if
    it is of the same kind for all of them.
    """
    ways: list[Way] = []
    for (by_pool, judged), some in groupby(types, lambda t: (_lists_its_pool(t), _judges(t))):
        if by_pool:
            pool = tuple(move for type_ in some for move in type_.pool())
            ways.append((None, pool, ()) if judged else (None, (), pool))
        else:
            ways += [(type_.legal, (), ()) for type_ in some]
    return tuple(ways)


def _lists_its_pool(type_: type[Move[Any]]) -> bool:
    own: Any = (type_.legal, type_.candidates)
    inherited: Any = (Move.legal, Move.candidates)
    return [method.__func__ for method in own] == [method.__func__ for method in inherited]


def _judges(type_: type[Move[Any]]) -> bool:
    return type_.refusal is not Move.refusal


@cache
def _together(phase: str, seats: tuple[Seat, ...]) -> Decision:
    return Decision(phase, seats)


def decisions(phases: Mapping[str, Phase], seats: int) -> dict[str, tuple[Decision, ...]]:
    """Return the ``Decision`` of each seat, for each phase in which one seat at a time decides.

    The keys are the names of the phases. A value has one decision for each of ``seats`` seats.
    """
    return {
        name: tuple(Decision(name, (seat,)) for seat in all_seats(seats))
        for name, phase in phases.items()
        if phase.moves
    }


def moves_in(
    phases: Mapping[str, Phase], move_types: Sequence[type[Move[Any]]]
) -> dict[str, tuple[type[Move[Any]], ...]]:
    """Return, for each phase, its types of move in the order of ``move_types``."""
    return {
        name: tuple(type_ for type_ in move_types if type_.type in phase.moves)
        for name, phase in phases.items()
    }
