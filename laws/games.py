"""Random games: how they are played, and how their positions are sampled."""

import random
import sysconfig
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from laws.law import Breach
from laws.tables import Table, default_tables, tables_of
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, Nature, uniform
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import BrokenRules
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import (
    ChanceEvent,
    Decision,
    GameOver,
    MoveEvent,
    ResignationEvent,
    Ruleset,
)
from rules.kernel.contract.seats import Seat, all_seats

SEEDS = (1, 2, 3)
SAMPLES = 12
"""Number of positions of a game that are sampled for the expensive checks."""
UNLIKE = 60
"""Number of games for each table in which rare moves and effects are looked for."""
RESIGNATIONS = (0.0, 0.05, 0.5)
TEMPERS = (min, min, None, max)
"""How a seat chooses in these games: the move that looks worst, any move, or the move that looks
best.
"""
COMPARED = 8
"""Number of moves that a seat compares in these games."""
RUNAWAY = 50
"""A game counts as endless after this multiple of its ``max_events`` (``RulesetInfo``)."""
LEAST_RUNAWAY, MOST_RUNAWAY = 10_000, 100_000
"""Minimum and maximum of the number of events after which a game counts as endless."""
RARE = 0.5
"""Probability that a random move is of the type that was played least so far, so that no type is
rare.
"""
ENDLESS = (
    "have every move lead nearer to the end: put the next question to the next seat, and end the"
    " game by state.wait(phase)"
)
LEFT_ASKED = "the phase asks nobody, and a seat is still asked: set it by state.wait(phase)"
UNDRAWN = "the sizes of the draw and what its picks mean disagree: a pick is below its size"
RESIGNED = (
    "ask a seat that has resigned as any other, for default_move answers; or have resign and the"
    " sequence of play go on without it"
)
_PRODUCT = Path(__file__).parents[1]
_OURS = tuple(f"{_PRODUCT / name}/" for name in ("laws", "rules/kernel", "service"))
_PYTHON = sysconfig.get_paths()["stdlib"]

RulesEvent = MoveEvent[Any] | ChanceEvent | ResignationEvent


@dataclass(frozen=True, eq=False)
class SampleGame:
    """A game, given by its events; ``seed`` is the seed of a random game, 0 for other games."""

    table: Table
    events: tuple[RulesEvent, ...]
    name: str
    seed: int = 0
    broken: str = ""
    """The error that ended the game too early, in words; empty if there was none."""
    origin: str = ""
    """The origin of the error that ended the game too early (``origin``); empty if there was none.
    """
    advice: str = ""
    """The advice on that error; empty if the position does not show its cause."""
    refusals: set[str] = field(default_factory=set)
    """The codes with which moves were refused while laws examined the game."""

    def __str__(self) -> str:
        return self.name

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rules of the game."""
        return self.table.ruleset

    def positions(self) -> Iterator["Spot"]:
        """Yield the positions of the game.

        All positions share one state, which is changed in place: use each position before the next.
        """
        state = self.table.initial()
        for number, event in enumerate(self.events):
            yield Spot(self, state, number)
            self.ruleset.reduce(state, event)
        yield Spot(self, state, len(self.events))


@dataclass(frozen=True, eq=False)
class Spot:
    """A position of a game, after ``number`` events.

    A law that plays on must do so with a copy of ``state``.
    """

    game: SampleGame
    state: Any
    number: int
    written: bytes = b""
    """The bytes of ``state`` when the spot was sampled, before any law used it."""

    @property
    def table(self) -> Table:
        """The table of the game."""
        return self.game.table

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rules of the game."""
        return self.game.ruleset

    @property
    def next(self) -> RulesEvent | None:
        """The event of this game after the position; None at its end."""
        events = self.game.events
        return events[self.number] if self.number < len(events) else None

    @property
    def where(self) -> str:
        """The name of the position; the name also seeds the random choices in this position."""
        at = "at the end" if self.next is None else f"event {self.number}"
        return f"{self.game}, {at}"

    def bytes(self) -> bytes:
        """Return the canonical bytes of the state."""
        return state_bytes(self.ruleset, self.state)

    def copy(self) -> Any:
        """Return a copy of the state, made by the rules."""
        return self.ruleset.copy(self.state)


@dataclass(frozen=True, eq=False)
class Subject:
    """A ruleset to check against the laws, with the games to examine."""

    ruleset: Ruleset[Any]
    seeds: tuple[int, ...] = SEEDS
    tables: tuple[Table, ...] = ()
    """The tables of the games; if empty, all tables of ``tables_of``."""
    replays: tuple[SampleGame, ...] = ()
    """Games to examine in addition to the random ones, for example because something rare happens
    in them.
    """
    mutant: str = ""
    """The name of the mutant that was put into the ruleset (``laws.mutants``), "" if none was."""

    def games(self) -> Iterator[SampleGame]:
        """Yield the random games of all tables, then the replays."""
        for table in self.tables or tables_of(self.ruleset):
            for seed in self.seeds:
                yield sample_game(table, seed)
        yield from self.replays

    def positions(self) -> Iterator[Spot]:
        """Yield all positions of all games; use each position before the next."""
        for game in self.games():
            yield from game.positions()

    def unlike_games(self) -> Iterator[SampleGame]:
        """Yield games in which rare things happen: seats choose by ``TEMPERS``, and many resign."""
        for seed in range(UNLIKE):
            for table in self.tables or tables_of(self.ruleset):
                yield unlike_game(table, seed)


def state_bytes(ruleset: Ruleset[Any], state: Any) -> bytes:
    """Return the canonical bytes of a state's JSON."""
    return encode(ruleset.to_json(state))


def raised(error: Exception) -> str:
    """Return a description of an error of the rules, with the line of the author's code."""
    at = _place(error)
    return f"{type(error).__name__}: {error}{at and f', in {at}'}"


def origin(error: Exception) -> str:
    """Return an error's type and line of code; errors of one origin have one cause."""
    return f"{type(error).__name__} in {_place(error)}"


def _place(error: Exception) -> str:
    """Return the file and line of the innermost frame in the author's code.

    If there is no such frame, return the innermost one outside of ``laws``, or "" if there is none
    either.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_OURS[0], "<"))
    ]
    authors = [frame for frame in frames if _is_authors(frame.filename)]
    return next((f"{f.filename}:{f.lineno}" for f in reversed(authors or frames)), "")


def _is_authors(filename: str) -> bool:
    installed = "site-packages" in filename
    return not filename.startswith(_OURS) and (installed or not filename.startswith(_PYTHON))


def play(
    ruleset: Ruleset[Any], state: Any, rng: random.Random, resignations: float = 0.0
) -> Iterator[RulesEvent]:
    """Play ``state`` to its end at random, in place; yield each event before applying it.

    Raises:
        Breach: a seat with a decision has no legal move, or the game does not end.
    """
    nature: Nature = uniform(rng)
    gone: set[int] = set()
    moved: Counter[type[Move[Any]]] = Counter()
    for _ in range(runaway(ruleset)):
        turn = ruleset.turn(state)
        if isinstance(turn, GameOver):
            return
        event: RulesEvent
        if isinstance(turn, Chance):
            event = ChanceEvent(turn.label, turn.n, nature(turn))
        elif resignations and rng.random() < resignations and turn.seats[-1] not in gone:
            gone.add(turn.seats[-1])
            event = ResignationEvent(turn.seats[-1])
        else:
            seat = rng.choice(turn.seats)
            move = (
                ruleset.default_move(state, seat)
                if seat in gone
                else _chosen(ruleset, state, seat, rng, moved)
            )
            moved[type(move)] += 1
            event = MoveEvent(seat, move)
        yield event
        ruleset.reduce(state, event)
    often = ", ".join(f"{type_.type} {times} times" for type_, times in moved.most_common(2))
    told = f"{ruleset.info.id} does not end within {runaway(ruleset)} events: {often}"
    raise Breach(told, advice=ENDLESS)


def runaway(ruleset: Ruleset[Any]) -> int:
    """Return the number of events at which a game is considered endless."""
    return min(max(RUNAWAY * ruleset.info.max_events, LEAST_RUNAWAY), MOST_RUNAWAY)


def _chosen(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    rng: random.Random,
    moved: Counter[type[Move[Any]]],
) -> Move[Any]:
    legal = ruleset.legal_moves(state, seat)
    if not legal:
        raise Breach(f"seat {seat} is asked in the phase {_phase(state)}, and has no legal move")
    if len(legal) > 1 and rng.random() < RARE:
        rarest = min(dict.fromkeys(map(type, legal)), key=moved.__getitem__)
        legal = [move for move in legal if type(move) is rarest]
    return rng.choice(legal)


def _phase(state: Any) -> str:
    return repr(getattr(state, "phase", "that it is in"))


def _asked(state: Any) -> str:
    """Describe the phase and the deciding seat of a state, if the state has the usual fields."""
    phase, decider = getattr(state, "phase", None), getattr(state, "decider", -1)
    asked = f" and asks seat {decider}" if decider >= 0 else ""
    return "" if phase is None else f" (the state is in the phase {phase!r}{asked})"


def play_out(ruleset: Ruleset[Any], state: Any, seed: int = 0) -> Any:
    """Play ``state`` to its end at random, in place, and return it."""
    for _event in play(ruleset, state, random.Random(seed)):
        pass
    return state


def resignation_rate(seed: int) -> float:
    """Return the rate of resignations in a game: only every third game has any."""
    return 0.05 if seed % 3 == 0 else 0.0


def random_game(table: Table, seed: int) -> SampleGame:
    """Return the random game of ``seed`` at this table, up to its end or an error of the rules."""
    rng, broken, began, advice = random.Random(f"{table} {seed}"), "", "", ""
    events: list[RulesEvent] = []
    state = None
    try:
        state = table.initial()
        events.extend(play(table.ruleset, state, rng, resignation_rate(seed)))
    except Breach as breach:
        broken, advice = str(breach), breach.advice
    except Exception as error:  # noqa: BLE001 - whatever rules raise
        broken, began = f"{raised(error)}{_asked(state)}", origin(error)
        advice = _advice(table.ruleset, state, events)
        if not _happens(table, events):
            drawn = isinstance(events.pop(), ChanceEvent)
            advice = UNDRAWN if drawn and isinstance(error, IndexError) else advice
    name = f"{table}, seed {seed}"
    return SampleGame(table, tuple(events), name, seed, broken, began, advice)


def _advice(ruleset: Ruleset[Any], state: Any, events: Sequence[RulesEvent]) -> str:
    """Return advice on an error of the rules; "" if the position does not show the cause."""
    phase = ruleset.phases.get(getattr(state, "phase", ""))
    if phase and not phase.moves and getattr(state, "decider", -1) >= 0:
        return LEFT_ASKED
    gone = any(isinstance(event, ResignationEvent) for event in events)
    return RESIGNED if gone and isinstance(_turn(ruleset, state), BrokenRules) else ""


def _turn(ruleset: Ruleset[Any], state: Any) -> Any:
    try:
        return ruleset.turn(state)
    except Exception as error:  # noqa: BLE001 - whatever rules raise
        return error


def _happens(table: Table, events: Sequence[RulesEvent]) -> bool:
    """Whether the rules apply all these events without an error."""
    state = table.initial()
    try:
        for event in events:
            table.ruleset.reduce(state, event)
    except Exception:  # noqa: BLE001 - whatever rules raise
        return False
    return True


sample_game = cache(random_game)
"""Return ``random_game`` from a cache, for the few seeds that most laws use."""


def unlike_game(table: Table, seed: int) -> SampleGame:
    """Return a game in which each seat has a temper: it chooses the worst, any or the best move."""
    rng = random.Random(f"golden {table} {seed}")
    events = tuple(_play_by_tempers(table, rng, RESIGNATIONS[seed % len(RESIGNATIONS)]))
    return SampleGame(table, events, f"{table}, by tempers, seed {seed}")


def _play_by_tempers(table: Table, rng: random.Random, resignations: float) -> Iterator[RulesEvent]:
    ruleset, state, nature = table.ruleset, table.initial(), uniform(rng)
    tempers = [rng.choice(TEMPERS) for _ in range(table.seats)]
    staying = list(all_seats(table.seats))
    for _ in range(runaway(ruleset)):
        turn = ruleset.turn(state)
        if isinstance(turn, GameOver):
            return
        event: RulesEvent
        if not isinstance(turn, Decision):
            event = ChanceEvent(turn.label, turn.n, nature(turn))
        elif staying and rng.random() < resignations:
            event = ResignationEvent(staying.pop(rng.randrange(len(staying))))
        else:
            seat = rng.choice(turn.seats)
            moves = ruleset.legal_moves(state, seat)
            if temper := tempers[seat]:
                some = rng.sample(moves, min(len(moves), COMPARED))
                moves = [temper(some, key=_judge(ruleset, state, seat))]
            event = MoveEvent(seat, rng.choice(moves))
        yield event
        ruleset.reduce(state, event)


def _judge(ruleset: Ruleset[Any], state: Any, seat: Seat) -> Callable[[Move[Any]], int]:
    def value(move: Move[Any]) -> int:
        after = ruleset.copy(state)
        ruleset.reduce(after, MoveEvent(seat, move))
        return ruleset.heuristic(after)[seat]

    return value


@cache
def spots(game: SampleGame) -> tuple[Spot, ...]:
    """Return sampled positions of a game: the start, the end, and some between them."""
    count = len(game.events) + 1
    rng = random.Random(f"spots {game.table} {game.seed}")
    chosen = {0, count - 1, *range(2, min(count, 7), 2)}
    chosen |= set(rng.sample(range(count), min(count, SAMPLES - len(chosen))))
    return tuple(
        Spot(game, spot.copy(), spot.number, spot.bytes())
        for spot in game.positions()
        if spot.number in chosen
    )


@cache
def move_pool(ruleset: Ruleset[Any]) -> tuple[JsonObject, ...]:
    """Return moves of every type that were legal in some position, to try them in others."""
    rng = random.Random(f"pool {ruleset.info.id}")
    met: dict[bytes, Move[Any]] = {}
    for table in default_tables(ruleset):
        for spot in sample_game(table, SEEDS[0]).positions():
            for seat in all_seats(table.seats):
                met.update((encode(m.to_json()), m) for m in ruleset.legal_moves(spot.state, seat))
    pool: list[JsonObject] = []
    for type_ in ruleset.move_types:
        of_type = [move.to_json() for move in met.values() if isinstance(move, type_)]
        pool += rng.sample(of_type, min(len(of_type), 6))
    return tuple(pool)


def reduced(
    ruleset: Ruleset[Any], state: Any, event: RulesEvent
) -> tuple[Any, list[Effect], list[tuple[str, str, int]]]:
    """Apply ``event`` to a copy of ``state``.

    Return the copy, the effects of the event, and the keys of the parts that it revealed.
    """
    after = ruleset.copy(state)
    log = EffectLog()
    ruleset.reduce(after, event, log)
    return after, log.effects, log.opened


def possible(ruleset: Ruleset[Any], state: Any, event: RulesEvent) -> bool:
    """Whether a move may come next; for draws and resignations, always true."""
    return not isinstance(event, MoveEvent) or event.move in ruleset.legal_moves(state, event.seat)


def shown(event: RulesEvent) -> str:
    """Return an event in words."""
    if isinstance(event, MoveEvent):
        return f"seat {event.seat} plays {encode(event.move.to_json()).decode()}"
    if isinstance(event, ChanceEvent):
        return f"{event.label} {event.n} is drawn: {[*event.picks]}"
    return f"seat {event.seat} resigns"


def written(event: RulesEvent) -> JsonObject:
    """Return an event as JSON."""
    if isinstance(event, MoveEvent):
        return {"seat": event.seat, "move": event.move.to_json()}
    if isinstance(event, ChanceEvent):
        return {"label": event.label, "n": event.n, "picks": list(event.picks)}
    return {"resigned": event.seat}


def sampled(items: Iterable[Any], count: int, rng: random.Random) -> list[Any]:
    """Return at most ``count`` of the items, in their order."""
    everything = list(items)
    chosen = sorted(rng.sample(range(len(everything)), min(count, len(everything))))
    return [everything[number] for number in chosen]
