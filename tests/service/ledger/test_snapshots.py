"""Snapshots: they are used if possible, verified always, and never required."""

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from redis import Redis

from laws.games import sample_game
from laws.streams import Stream, batches
from rules.kernel.canonical import digest, encode
from rules.kernel.contract.registry import Registry
from rules.kernel.record import snapshot
from service.games.commands import TableCommands
from service.ledger import snapshots
from service.ledger.ledger import Ledger
from service.ledger.snapshots import Snapshots
from service.ledger.store import Store
from service.redis.format import check_format
from service.redis.keys import game_key
from tests.contract.tables import DEFAULT_TABLES
from tests.service.ledger.conftest import (
    PLAYERS,
    REGISTRY,
    newest_snapshot,
    play,
    start,
    state_of,
)

SHAPES = {
    1: "ac5df205",
    2: "96b0b8e8",
    3: "127d8f7a",
    4: "127d8f7a",
    5: "534c3c62",
    6: "8d6ee3c7",
    7: "c95c8d4c",
    8: "09be726a",
    9: "c65592b7",
    10: "c65592b7",
    11: "99b745ff",
}
"""A digest of the stored form by ``SHAPE``; if the form changes, raise ``SHAPE``, add a line."""

Spoil = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 4)


def fields(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of each value in a JSON document, with its type."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from fields(item, f"{path}.{name}")
    elif isinstance(value, list):
        yield f"{path} list"
        for item in value:
            yield from fields(item, f"{path}[]")
    else:
        yield f"{path} {type(value).__name__}"


def stored_fields(redis: Redis) -> set[str]:
    """Return all fields in the snapshots of some games, at all their positions.

    Two games are used, because the fields of one depend on its luck.
    """
    table = next(t for t in DEFAULT_TABLES if t.name == "sealed-3")
    game_id = "g00-aaaaaaaaaaaaaaaaaaaa"
    kept, found = Snapshots(redis), set()
    for seed in (3, 6):
        redis.delete(game_key(game_id, "snapshots"))
        stream = Stream.of(table)
        for batch in batches(table, sample_game(table, seed).events, stream, take_back=True):
            stream.append(batch)
            kept.write_if_time(stream.game, stream.game.version)
            if redis.exists(game_key(game_id, "snapshots")):
                found |= set(fields(orjson.loads(newest_snapshot(redis, game_id)[0])))
    return found


def shape_of(redis: Redis) -> str:
    return digest(encode(sorted(stored_fields(redis)))).hex()[:8]


@pytest.fixture
def shaped(redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Redis:
    monkeypatch.setattr("laws.streams.GAME_ID", "g00-aaaaaaaaaaaaaaaaaaaa")
    return redis_client


def test_what_is_stored_has_a_number(shaped: Redis) -> None:
    assert SHAPES[snapshot.SHAPE] == shape_of(shaped)
    assert max(SHAPES) == snapshot.SHAPE


def test_a_change_of_what_is_stored_would_be_noticed(
    shaped: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = snapshot.take
    monkeypatch.setattr(snapshot, "take", lambda game: {**take(game), "version": "1"})
    assert SHAPES[snapshot.SHAPE] != shape_of(shaped)


class Reads:
    """The versions from which a ledger reads a stream."""

    def __init__(self, redis: Redis) -> None:
        self.from_: list[int] = []
        store = Store(redis)
        look = store.look

        def spy(game_id: str, seq: int, hash_: bytes, *more: Any) -> Any:
            self.from_.append(seq)
            return look(game_id, seq, hash_, *more)

        store.look = spy  # type: ignore[assignment, method-assign]
        self.ledger = Ledger(store, REGISTRY)


def test_other_code_of_the_same_version_reads_them(
    tables: TableCommands, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play(tables, start(tables).id, 8)
    monkeypatch.setattr(Registry, "digest", lambda _self, _ruleset: "ff" * 32)
    reads = Reads(redis_client)
    assert state_of(reads.ledger.table(game.id).game) == state_of(game)
    assert min(reads.from_) > 0


def spoil_game(**members: Any) -> Spoil:
    return lambda data: {**data, **members}


GARBAGE: dict[str, Spoil] = {
    "nothing": lambda _data: "",
    "a number": lambda _data: 5,
    "no game": lambda _data: {},
    "another version of the rules": spoil_game(taken_by="0.9.0"),
    "another shape": spoil_game(shape=snapshot.SHAPE + 1),
    "another head": spoil_game(head="00" * 32),
    "no head": spoil_game(head=None),
    "a state that is none": spoil_game(state={"phase": []}),
    "a state of another type": spoil_game(state=[7]),
    "seats that are none": spoil_game(seats=[[]]),
    "a later version": spoil_game(version=999),
    "no created": spoil_game(created={}),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_what_cannot_be_used_is_folded_anew(
    tables: TableCommands, redis_client: Redis, name: str
) -> None:
    game = play(tables, start(tables).id, 8)
    raw, version = newest_snapshot(redis_client, game.id)
    data = GARBAGE[name](orjson.loads(raw))
    key = game_key(game.id, "snapshots")
    redis_client.zrem(key, raw)
    redis_client.zadd(key, {orjson.dumps(data) if data != "" else b"\xff": version})
    reads = Reads(redis_client)
    ledger = reads.ledger
    assert state_of(ledger.table(game.id).game) == state_of(game)
    assert min(reads.from_) == 0, "the snapshot was used"
    assert ledger.table(game.id).damage is None
    assert state_of(play(TableCommands(ledger), game.id, 1, key="on")) != state_of(game)


def test_a_key_of_another_type_is_no_snapshot(tables: TableCommands, redis_client: Redis) -> None:
    game = play(tables, start(tables).id, 8)
    key = game_key(game.id, "snapshots")
    redis_client.delete(key)
    redis_client.rpush(key, "x")
    assert state_of(Ledger(Store(redis_client), REGISTRY).table(game.id).game) == state_of(game)


def test_what_can_be_taken_back_is_kept(
    tables: TableCommands,
    new_ledger: Callable[[], Ledger],
    redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another process, which begins with a snapshot, takes back what the first one has played."""
    check_format(redis_client)
    monkeypatch.setattr(snapshots, "EVERY", 1)
    game = play(tables, start(tables, take_back=True).id, 2)
    assert newest_snapshot(redis_client, game.id)[1] == game.version
    (first, _second), other = game.points, TableCommands(new_ledger())
    other.take_back(game.id, first.seat, first.to, PLAYERS[first.seat])
    found = tables.ledger.table(game.id).game
    assert state_of(found) == state_of(other.ledger.table(game.id).game)
    assert state_of(found) == state_of(new_ledger().table(game.id).game)
    before = new_ledger().game_at(game.id, first.to)
    assert encode(found.ruleset.to_json(found.state)) == encode(
        before.ruleset.to_json(before.state)
    )
    assert (found.asked, found.asked_at) == (before.asked, before.asked_at)
