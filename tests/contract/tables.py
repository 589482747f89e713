"""What the contract suite plays: rulesets, seats and options, and random games over them."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, Nature, uniform
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.fields import (
    Choice,
    Either,
    Field,
    Flag,
    Installed,
    Integer,
    Maybe,
    Permutation,
)
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Chanced, Finished, Moved, Resigned, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.registry import PACKAGES

REGISTRY = Registry((*PACKAGES, "tests.sealed", "tests.pig"))
RULESETS: list[Ruleset[Any]] = list(REGISTRY)
SEEDS = (1, 2, 3)
SAMPLES = 12
"""How many positions of a game get the expensive checks."""
RUNAWAY = 100_000

RulesEvent = Moved[Any] | Chanced | Resigned


@dataclass(frozen=True, eq=False)
class Table:
    """A ruleset with a number of seats and all its options."""

    ruleset: Ruleset[Any]
    seats: int
    options: JsonObject
    name: str

    def __str__(self) -> str:
        return self.name

    def initial(self) -> Any:
        return self.ruleset.initial(self.seats, self.options)

    @property
    def viewers(self) -> list[Seat | None]:
        return [*all_seats(self.seats), None]


@dataclass(frozen=True, eq=False)
class Spot:
    """A position met in a random game. Tests play on with copies, never with ``state`` itself."""

    table: Table
    state: Any
    where: str
    written: bytes = b""
    """The bytes of ``state`` as it was when the spot was sampled, before any test asked it."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        return self.table.ruleset

    def bytes(self) -> bytes:
        return state_bytes(self.ruleset, self.state)

    def copy(self) -> Any:
        return self.ruleset.copy(self.state)


def state_bytes(ruleset: Ruleset[Any], state: Any) -> bytes:
    return encode(ruleset.to_json(state))


def worth_trying(kind: Field[Any]) -> list[Any]:
    """Values of a kind that differ in what they do."""
    match kind:
        case Choice(values):
            return list(values)
        case Flag():
            return [False, True]
        case Integer(minimum, maximum):
            return sorted({minimum, min(minimum + 1, maximum), maximum})
        case Permutation():
            ids = list(kind.item.values())
            return [ids, ids[::-1]]
        case Installed(editions, _offered):
            return list(editions)
        case Maybe(inner):
            return [None, *worth_trying(inner)]
        case Either(kinds):
            return [value for inner in kinds for value in worth_trying(inner)]
    raise TypeError(f"say in worth_trying what to try of {kind!r}")


def _tables(ruleset: Ruleset[Any]) -> Iterator[Table]:
    info = ruleset.info
    counts = range(info.min_seats, info.max_seats + 1)
    for seats in counts:
        yield Table(ruleset, seats, ruleset.parse_options(seats, {}), f"{info.id}-{seats}")
    for option in info.options:
        for number, value in enumerate(worth_trying(option.kind)):
            if value == option.default:
                continue
            for seats in [*counts[-1 - number % len(counts) :], *counts]:  # the next that takes it
                try:
                    options = ruleset.parse_options(seats, {option.name: value})
                except BadOptions:
                    continue
                shown = str(value) if not isinstance(value, list) else f"order{number}"
                yield Table(ruleset, seats, options, f"{info.id}-{seats}-{option.name}-{shown}")
                break


TABLES = [table for ruleset in RULESETS for table in _tables(ruleset)]


def default_tables(ruleset: Ruleset[Any] | None = None) -> list[Table]:
    """Return the tables with default options, one for each number of seats."""
    return [
        t for t in TABLES if "-" not in t.name.partition("-")[2] and ruleset in (None, t.ruleset)
    ]


def play(
    ruleset: Ruleset[Any], state: Any, rng: random.Random, resignations: float = 0.0
) -> Iterator[RulesEvent]:
    """Play ``state`` to its end at random, in place; yields each event before it is reduced."""
    nature: Nature = uniform(rng)
    gone: set[int] = set()
    for _ in range(RUNAWAY):
        turn = ruleset.turn(state)
        if isinstance(turn, Finished):
            return
        event: RulesEvent
        if isinstance(turn, Chance):
            event = Chanced(turn.label, turn.n, nature(turn))
        elif resignations and rng.random() < resignations and turn.seats[-1] not in gone:
            gone.add(turn.seats[-1])
            event = Resigned(turn.seats[-1])
        else:
            seat = rng.choice(turn.seats)
            move = (
                ruleset.default_move(state, seat)
                if seat in gone
                else rng.choice(ruleset.legal_moves(state, seat))
            )
            event = Moved(seat, move)
        yield event
        ruleset.reduce(state, event)
    raise AssertionError(f"{ruleset.info.id} does not end within {RUNAWAY} events")


def play_out(ruleset: Ruleset[Any], state: Any, seed: int = 0) -> Any:
    """Play ``state`` to its end at random, in place, and return it."""
    for _event in play(ruleset, state, random.Random(seed)):
        pass
    return state


def resignation_rate(seed: int) -> float:
    """Every third game has resignations in it."""
    return 0.05 if seed % 3 == 0 else 0.0


@cache
def record(table: Table, seed: int) -> tuple[RulesEvent, ...]:
    """Return the events of the random game that ``seed`` gives at this table."""
    rng = random.Random(f"{table} {seed}")
    return tuple(play(table.ruleset, table.initial(), rng, resignation_rate(seed)))


def positions(table: Table, seed: int) -> Iterator[tuple[Spot, RulesEvent | None]]:
    """Replay a recorded game: each position and the event that follows, None at the end.

    Every position is one state, reduced in place: use it before the next is asked for.
    """
    state = table.initial()
    for number, event in enumerate(record(table, seed)):
        yield Spot(table, state, f"{table}, seed {seed}, event {number}"), event
        table.ruleset.reduce(state, event)
    yield Spot(table, state, f"{table}, seed {seed}, at the end"), None


@cache
def spots(table: Table, seed: int) -> tuple[Spot, ...]:
    """Return samples of a recorded game: the start, the end, and others spread between them."""
    count = len(record(table, seed)) + 1
    rng = random.Random(f"spots {table} {seed}")
    chosen = {0, count - 1, *range(2, min(count, 7), 2)}
    chosen |= set(rng.sample(range(count), min(count, SAMPLES - len(chosen))))
    return tuple(
        Spot(table, spot.copy(), spot.where, spot.bytes())
        for number, (spot, _event) in enumerate(positions(table, seed))
        if number in chosen
    )


@cache
def move_pool(ruleset: Ruleset[Any]) -> tuple[JsonObject, ...]:
    """Return moves of every type that were legal somewhere: mostly illegal anywhere else."""
    rng = random.Random(f"pool {ruleset.info.id}")
    met: dict[bytes, Move[Any]] = {}
    for table in default_tables(ruleset):
        for spot, _event in positions(table, SEEDS[0]):
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
    """Return a copy of ``state`` after ``event``, its effects, and what it opened."""
    after = ruleset.copy(state)
    log = EffectLog()
    ruleset.reduce(after, event, log)
    return after, log.effects, log.opened


def sampled(items: Iterable[Any], count: int, rng: random.Random) -> list[Any]:
    """Return at most ``count`` of the items, in their order."""
    everything = list(items)
    chosen = sorted(rng.sample(range(len(everything)), min(count, len(everything))))
    return [everything[number] for number in chosen]
