"""How much a move costs late in a game, and beside many games; and the size of an event."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BOTS
from service.games.commands import TableCommands
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.store import Retry, Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.scripted import HOLDER, Script, stalling
from tools.bench.measure import Row, alternate, at_most
from workers.turns import Turns

MOVES = 1_000
MOVES_OF_A_GAME = 20
MANY_GAMES = 10_000
FEW_GAMES = 10
BOTS_GAMES = 10
EARLY, LATE = 10, 1_000
_keys = count()


def late_moves(store: Store, registry: Registry, ruleset: str) -> Row:
    """Return the cost of a move at event 1,000, divided by the cost of a move at event 10."""
    early, late = (Cost(store, registry, ruleset, version) for version in (EARLY, LATE))
    figures = alternate(late, early)
    return at_most(
        "time of a move at event 1,000 of a game, against event 10", figures[2], 1.2,
        late_ms=figures[0], early_ms=figures[1],
    )  # fmt: skip


def many_games(registry: Registry, ruleset: str) -> Row:
    """Return the cost of a move beside 10,000 stored games, divided by its cost beside 10.

    Each set of games has a server of its own, so that both can be timed in turn.
    """
    with _server() as much, _server() as little:
        for seed in range(MANY_GAMES):
            Script(registry, ruleset, 2, seed).store(much, 20)
        for seed in range(FEW_GAMES):
            Script(registry, ruleset, 2, seed).store(little, 20)
        many, few = (Cost(store, registry, ruleset, EARLY) for store in (much, little))
        figures = alternate(many, few)
    return at_most(
        "time of a move with 10,000 stored games, against 10 stored games", figures[2], 1.2,
        many_ms=figures[0], few_ms=figures[1],
    )  # fmt: skip


@contextmanager
def _server() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "everysec") as server:
        yield Store(make_client(server.url))


def game_bytes(registry: Registry) -> Iterator[Row]:
    """Yield, for each ruleset, the bytes that an event of a finished game of bots takes for good.

    This includes all keys of the game (events, secrets, index, snapshots) and its entries in the
    lists. The bots are ``greedy``, and fill all seats.
    """
    for ruleset in registry:
        with (
            tempfile.TemporaryDirectory() as folder,
            RedisServer(Path(folder), "everysec") as server,
        ):
            runtime = open_runtime(load({"REDIS_URL": server.url}))
            before = _kept_for_ever(runtime.redis)
            events = sum(_bots_play(runtime, ruleset) for _ in range(BOTS_GAMES))
            used = _kept_for_ever(runtime.redis) - before
        yield at_most(
            "bytes in Redis for each event of a game with `greedy` on all seats, including secrets,"
            f" index, snapshots and lists: {ruleset.info.title['en']}", used / events, 600.0,
            games=BOTS_GAMES, seats=ruleset.info.max_seats, events=events,
            game_kb=used / BOTS_GAMES / 1000,
        )  # fmt: skip


def _bots_play(runtime: Runtime, ruleset: Ruleset[Any]) -> int:
    """Let bots play a whole game; return its number of events."""
    bots: list[JsonObject | None] = [BOTS["greedy"].holder(ruleset)] * ruleset.info.max_seats
    opened = runtime.tables.create(HOLDER["player"], ruleset.info.id, {}, bots)
    assert isinstance(opened, AppendedBatch)
    game_id = opened.game.id
    turns = Turns(runtime, seconds=float("inf"))
    while not (game := runtime.ledger.table(game_id).game).over:
        turns.play(game_id)
    return game.version


def _kept_for_ever(redis: Redis) -> int:
    """Return the bytes of all keys that stay: of games and lists; queues and feeds expire."""
    keys = [key for kind in (":game:", ":lists", ":listed") for key in redis.scan_iter(f"*{kind}*")]
    return sum(redis.memory_usage(key, samples=0) or 0 for key in keys)


class Cost:
    """The cost of moves from ``version`` on, in fresh games that the process has not cached."""

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

    def _start(self) -> tuple[TableCommands, list[str]]:
        """Store all games before any move is timed, so that the process is warm for all moves."""
        store, registry, ruleset, version = self._parts
        tables = TableCommands(Ledger(store, registry))
        games = []
        for _ in range(MOVES // MOVES_OF_A_GAME):
            game = Script(registry, ruleset, 4, next(_keys), stalling).store(store, version)
            tables.ledger.table(game.id)
            games.append(game.id)
        return tables, games
