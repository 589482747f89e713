"""What a move costs late in a game, and beside many games; and how large an event is."""

import time
from itertools import count

from redis import Redis

from rules.registry import Registry
from service.ledger.keys import game_key
from service.ledger.ledger import Ledger
from service.ledger.store import Store
from service.tables import Tables, make_retry
from tests.bench.games import HOLDER, Script, stalling
from tests.bench.measure import Row, alternate, at_most

MOVES = 200
MANY_GAMES = 10_000
EARLY, LATE = 10, 1_000
_keys = count()


def late_moves(store: Store, registry: Registry, ruleset: str) -> Row:
    """Return the cost of a move at event 1,000 over one at event 10."""
    early, late = (Cost(store, registry, ruleset, version) for version in (EARLY, LATE))
    figures = alternate(late, early)
    return at_most(
        "a move at event 1,000 against event 10", figures[2], 1.2,
        late_ms=figures[0], early_ms=figures[1],
    )  # fmt: skip


def many_games(redis: Redis, store: Store, registry: Registry, ruleset: str) -> Row:
    """Return the cost of a move beside 10,000 stored games over one beside 10.

    Half of the rounds cannot alternate with the other half in one Redis, so the few are
    measured first and again after the many were removed.
    """
    redis.flushdb()
    for seed in range(10):
        Script(registry, ruleset, 2, seed).store(store, 50)
    few = [Cost(store, registry, ruleset, EARLY)() for _ in range(3)]
    for seed in range(MANY_GAMES):
        Script(registry, ruleset, 2, seed).store(store, 20)
    many = [Cost(store, registry, ruleset, EARLY)() for _ in range(5)]
    redis.flushdb()
    few += [Cost(store, registry, ruleset, EARLY)() for _ in range(2)]
    ratio = sorted(many)[2] / sorted(few)[2]
    return at_most("a move beside 10,000 games against 10", ratio, 1.2, many_ms=many, few_ms=few)


def event_bytes(redis: Redis, store: Store, registry: Registry, ruleset: str) -> Row:
    """Return the memory of an event in Redis, the mean over a whole game."""
    script = Script(registry, ruleset, 3, seed=1)
    game = script.store(store)
    used = redis.memory_usage(game_key(game.id, "events"), samples=0)
    assert used is not None
    return at_most("memory of an event (bytes)", used / game.version, 500.0, events=game.version)


class Cost:
    """Plays moves from ``version`` on, on fresh games of which the process knows nothing new."""

    def __init__(self, store: Store, registry: Registry, ruleset: str, version: int) -> None:
        self._parts = (store, registry, ruleset, version)

    def __call__(self) -> float:
        """Return the mean milliseconds of a move, over ``MOVES`` moves on several games."""
        store, registry, ruleset, version = self._parts
        spent = 0.0
        moves = 0
        while moves < MOVES:
            script = Script(registry, ruleset, 4, next(_keys), stalling)
            game = script.store(store, version)
            if game.over:
                raise RuntimeError(f"the game ended before event {version}")
            tables = Tables(Ledger(store, registry))
            tables.ledger.table(game.id)
            for _ in range(20):
                game = tables.ledger.table(game.id).game
                if game.over:
                    break
                seat = min(game.asked)
                move = stalling(game, seat)
                retry = make_retry(HOLDER["player"], str(next(_keys)), b"f" * 16)
                start = time.perf_counter()
                tables.move(game.id, seat, move, game.version, HOLDER["player"], retry=retry)
                spent += time.perf_counter() - start
                moves += 1
        return 1000 * spent / moves
