"""What a move costs late in a game, and beside many games; and how large an event is."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from redis import Redis

from rules.kernel.contract.registry import Registry
from service.games.commands import Tables
from service.ledger.ledger import Ledger
from service.ledger.store import Retry, Store
from service.redis.client import make_client
from service.redis.keys import game_key
from service.redis.server import RedisServer
from tests.bench.games import HOLDER, Script, stalling
from tests.bench.measure import Row, alternate, at_most

MOVES = 1_000
MOVES_OF_A_GAME = 20
MANY_GAMES = 10_000
FEW_GAMES = 10
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


def many_games(registry: Registry, ruleset: str) -> Row:
    """Return the cost of a move beside 10,000 stored games over one beside 10.

    Each lot has a server of its own, so that the two can be timed in turn.
    """
    with _server() as much, _server() as little:
        for seed in range(MANY_GAMES):
            Script(registry, ruleset, 2, seed).store(much, 20)
        for seed in range(FEW_GAMES):
            Script(registry, ruleset, 2, seed).store(little, 20)
        many, few = (Cost(store, registry, ruleset, EARLY) for store in (much, little))
        figures = alternate(many, few)
    return at_most(
        "a move beside 10,000 games against 10", figures[2], 1.2,
        many_ms=figures[0], few_ms=figures[1],
    )  # fmt: skip


@contextmanager
def _server() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "everysec") as server:
        yield Store(make_client(server.url))


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
        tables, games = self._start()
        spent = 0.0
        for game_id in games * MOVES_OF_A_GAME:
            game = tables.ledger.table(game_id).game
            seat = min(game.asked)
            move = stalling(game, seat)
            retry = Retry.of(HOLDER["player"], str(next(_keys)), b"f" * 16)
            start = time.perf_counter()
            tables.move(game_id, seat, move, game.version, HOLDER["player"], retry=retry)
            spent += time.perf_counter() - start
        return 1000 * spent / MOVES

    def _start(self) -> tuple[Tables, list[str]]:
        """Store all games before any move is timed, so that none begins in a colder process."""
        store, registry, ruleset, version = self._parts
        tables = Tables(Ledger(store, registry))
        games = []
        for _ in range(MOVES // MOVES_OF_A_GAME):
            game = Script(registry, ruleset, 4, next(_keys), stalling).store(store, version)
            tables.ledger.table(game.id)
            games.append(game.id)
        return tables, games
