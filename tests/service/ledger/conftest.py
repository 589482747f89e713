"""A ledger on a real Redis, and a table of ``sealed`` with four seats."""

from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

import rules.registry
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event, dump
from rules.kernel.record.game import Game
from service.games.commands import TableCommands
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.store import Retry, Store
from service.redis.keys import game_key

REGISTRY = Registry((*rules.registry.PACKAGES, "tests.sealed"))
PLAYERS = ("p-ana", "p-bea", "p-ciro", "p-dani")


class Moment:
    """The contents of the Redis; ``come_back`` restores them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._held: dict[Any, Any] = {key: redis.dump(key) for key in redis.scan_iter()}

    def come_back(self) -> None:
        self._redis.flushall()
        for key, value in self._held.items():
            self._redis.restore(key, 0, value, replace=True)  # including writes of the service


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


@pytest.fixture
def new_ledger(store: Store) -> Callable[[], Ledger]:
    """Make ledgers that share only a store, like separate processes."""
    return lambda: Ledger(store, REGISTRY)


@pytest.fixture
def tables(new_ledger: Callable[[], Ledger]) -> TableCommands:
    return TableCommands(new_ledger())


def seat_all(count: int) -> list[JsonObject | None]:
    return [{"player": player} for player in PLAYERS[:count]]


def start(tables: TableCommands, ruleset: str = "sealed", seats: int = 3, **kwargs: object) -> Game:
    """Start a game with all seats taken."""
    done = tables.create(PLAYERS[0], ruleset, {}, seat_all(seats), **kwargs)  # type: ignore[arg-type]  # keywords of create
    assert isinstance(done, AppendedBatch)
    return done.game


def choose(game: Game, seat: Seat) -> JsonObject:
    """Return the last legal move of the seat, which passes, skips, or bids everything."""
    move: JsonObject = game.ruleset.legal_moves(game.state, seat)[-1].to_json()
    return move


def play(tables: TableCommands, game_id: str, decisions: int, key: str = "") -> Game:
    """Play some decisions, each with the idempotency key ``key`` + its number."""
    for number in range(decisions):
        game = tables.ledger.table(game_id).game
        if game.over:
            break
        seat = min(game.asked)
        player = PLAYERS[seat]
        retry = Retry.of(player, f"{key}{number}", b"f" * 16)
        tables.move(game_id, seat, choose(game, seat), game.version, player, retry=retry)
    return tables.ledger.table(game_id).game


def state_of(game: Game) -> object:
    """Return the whole folded state, to compare."""
    return (
        game.version, game.head, game.status, game.asked, game.asked_at, game.result,
        game.last_by_seat, sorted(game.sealed.items()), game.access.over,
        game.state and game.ruleset.to_json(game.state),
    )  # fmt: skip


def newest_snapshot(redis: Redis, game_id: str) -> tuple[bytes, int]:
    """Return the newest stored snapshot of a game, and its version."""
    found: Any = redis.zrange(game_key(game_id, "snapshots"), -1, -1, withscores=True)
    ((raw, version),) = found
    return raw, int(version)


def lay(store: Store, game_id: str, events: list[Event]) -> None:
    """Write events into a stream directly, without the service's checks."""
    for event in events:
        record, proofs = dump(event)
        fields: Any = {"e": record, "p": proofs}
        store.redis.xadd(game_key(game_id, "events"), fields, id=f"{event.seq}-0")
