"""Checks and repairs of a ledger in use."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.games.commands import TableCommands
from service.ids import new_game_id, shard_of
from service.ledger import notices, streams
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.notices import LOWS
from service.ledger.store import Store
from service.redis.keys import game_key, shard_key
from service.upkeep import maintenance
from tests.running import wait_for
from tests.service.ledger.conftest import PLAYERS, REGISTRY, choose

BOT: JsonObject = {"bot": "random", "version": "1", "settings": {}}


def open_game(tables: TableCommands) -> str:
    """Open a game in which a bot has a decision, and a player's time runs."""
    done = tables.create(
        PLAYERS[0], "sealed", {}, [{"player": PLAYERS[0]}, BOT],
        clock_limits={"decision_seconds": 600},
    )  # fmt: skip
    assert isinstance(done, AppendedBatch)
    game = done.game
    while 1 not in game.asked:
        done = tables.move(game.id, Seat(0), choose(game, Seat(0)), game.version, PLAYERS[0])
        assert isinstance(done, AppendedBatch)
        game = done.game
    return game.id


def findings(store: Store) -> list[str]:
    return [finding.problem for finding in maintenance.check(store, REGISTRY) if finding]


@pytest.fixture
def openings(store: Store) -> Iterator[list[str]]:
    """A growing list of games that a thread opens and plays."""
    opened: list[str] = []
    stop = threading.Event()

    def go_on() -> None:
        tables = TableCommands(Ledger(Store(store.redis), REGISTRY))
        while not stop.wait(0.02):
            opened.append(open_game(tables))

    thread = threading.Thread(target=go_on)
    thread.start()
    yield opened
    stop.set()
    thread.join()


def test_a_repair_of_a_live_service_takes_nothing_away(
    store: Store, openings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games are opened after the check has listed all games, and before it reads obligations."""
    listed = streams.game_ids

    def slowly(redis: Redis) -> Iterator[str]:
        yield from listed(redis)
        known = len(openings)
        wait_for(lambda: len(openings) >= known + 3)

    monkeypatch.setattr(maintenance, "game_ids", slowly)
    for _ in range(2):
        assert [found.problem for found in maintenance.repair(store, REGISTRY) if found] == []
    assert len(openings) >= 6
    for game_id in openings:
        due = shard_key(shard_of(game_id), "due")
        assert store.redis.zscore(due, game_id) is not None


def test_a_game_that_is_opened_before_its_orphan_is_removed_keeps_what_is_owed(
    tables: TableCommands, store: Store
) -> None:
    game_id = open_game(tables)
    events, due = game_key(game_id, "events"), shard_key(shard_of(game_id), "due")
    whole = store.redis.dump(events)
    store.redis.delete(events)
    for finding in maintenance.repair(store, REGISTRY):
        assert finding is not None
        if not store.redis.exists(events):
            store.redis.restore(events, 0, whole)  # type: ignore[arg-type]  # bytes are fine
    assert store.redis.zscore(due, game_id) is not None


def test_real_orphans_are_found_and_removed(store: Store) -> None:
    game_id = new_game_id()
    shard = shard_of(game_id)
    for name in ("due", "deadlines"):
        store.redis.zadd(shard_key(shard, name), {game_id: 1, "nonsense": 1})
    assert sorted(findings(store)) == ["orphan_deadlines"] * 2 + ["orphan_due"] * 2
    assert all(found for found in maintenance.repair(store, REGISTRY))
    assert findings(store) == []


def test_wrong_obligations_are_found_and_put_right(tables: TableCommands, store: Store) -> None:
    game_id = open_game(tables)
    shard = shard_of(game_id)
    owed = [store.redis.zscore(shard_key(shard, name), game_id) for name in ("due", "deadlines")]
    store.redis.zrem(shard_key(shard, "due"), game_id)
    store.redis.zadd(shard_key(shard, "deadlines"), {game_id: 5})
    assert findings(store) == ["wrong_due", "wrong_deadline"]
    list(maintenance.repair(store, REGISTRY))
    assert findings(store) == []
    now = [store.redis.zscore(shard_key(shard, name), game_id) for name in ("due", "deadlines")]
    assert now == owed


def test_clocks_that_are_yet_to_get_low_are_listed_again(
    tables: TableCommands, store: Store
) -> None:
    """A clock that stands still sends no notice."""
    game_id = open_game(tables)
    shard = shard_of(game_id)
    key = shard_key(shard, LOWS)
    wanted: Any = store.redis.zrange(key, 0, -1, withscores=True)
    assert wanted
    for strange in ({}, {wanted[0][0]: 5}):
        store.redis.delete(key)
        if strange:
            store.redis.zadd(key, strange)
        assert findings(store) == ["wrong_clock_low"]
        list(maintenance.repair(store, REGISTRY))
        assert store.redis.zrange(key, 0, -1, withscores=True) == wanted
        assert findings(store) == []
    store.redis.delete(key)
    tables.ledger.change(game_id, lambda batch: batch.suspend({"admin": "ana"}))
    assert findings(store) == []
    maintenance.owe_again(store, REGISTRY, game_id)
    assert not store.redis.exists(key)


def test_a_clock_that_is_low_is_not_listed_again(
    tables: TableCommands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "LOW_PART", 1)  # each decision has little time at once
    game_id = open_game(tables)
    key = shard_key(shard_of(game_id), LOWS)
    store.redis.delete(key)
    assert findings(store) == []
    maintenance.owe_again(store, REGISTRY, game_id)
    assert not store.redis.exists(key)


def test_an_index_that_was_lost_is_made_again(tables: TableCommands, store: Store) -> None:
    game_id = open_game(tables)
    key = game_key(game_id, "index")
    wanted: Any = store.redis.hgetall(key)
    store.redis.hdel(key, next(iter(wanted)))
    assert findings(store) == ["wrong_index"]
    list(maintenance.repair(store, REGISTRY))
    assert store.redis.hgetall(key) == wanted
    assert findings(store) == []


def test_a_game_that_goes_on_while_it_is_checked_is_looked_at_again(
    tables: TableCommands, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = open_game(tables)
    looked: list[int] = []
    owed = store.owed

    def after_a_move(stream_id: str) -> Any:
        if not looked:
            tables.resign(game_id, Seat(0), PLAYERS[0])
        found = owed(stream_id)
        looked.append(found[0])
        return found

    monkeypatch.setattr(store, "owed", after_a_move)
    assert maintenance.check_stream(store, REGISTRY, game_id) == []
    assert len(looked) == 2


def test_what_is_owed_no_more_is_no_orphan(store: Store) -> None:
    """The obligation was listed at the first read, and is gone at the second."""
    game_id = new_game_id()
    shard = shard_of(game_id)
    assert not [*maintenance._check_orphan(store.redis, shard, "due", game_id)]
    store.redis.zadd(shard_key(shard, "due"), {game_id: 1})
    assert [*maintenance._check_orphan(store.redis, shard, "due", game_id)]
