"""The restarts of a private Redis, with real servers and files."""

import os
import signal
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis import Redis
from redis.exceptions import RedisError

from service.process.launcher import ChildEnd
from service.redis.client import make_client
from service.redis.keeper import Keeper
from service.redis.server import RedisServer
from tests.full_disk import PLENTY, SmallDisk
from tests.running import wait_for


@pytest.fixture
def disk(tmp_path: Path, redis_binary: Path | None) -> SmallDisk:
    return SmallDisk(tmp_path, redis_binary)


@pytest.fixture
def server(tmp_path: Path, disk: SmallDisk) -> Iterator[RedisServer]:
    with RedisServer(tmp_path / "data", binary=disk.program) as server:
        yield server


@pytest.fixture
def keeper(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    """A keeper without pauses."""
    monkeypatch.setattr("service.redis.keeper.PAUSES_S", (0.0,))
    return Keeper(server)


@pytest.fixture
def client(server: RedisServer) -> Iterator[Redis]:
    with make_client(server.url) as client:
        yield client


@pytest.fixture
def logs() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as captured:
        yield captured


def kill(server: RedisServer) -> None:
    os.kill(server.pid, signal.SIGKILL)
    while server.running:
        time.sleep(0.01)


def test_a_server_that_dies_is_started_again_at_once(
    server: RedisServer, client: Redis, logs: list[MutableMapping[str, Any]]
) -> None:
    keeper = Keeper(server)
    assert keeper.look_after()
    assert logs == []
    client.set("move", "1")
    kill(server)
    wait_for(keeper.look_after)
    assert client.get("move") == b"1"
    (told,) = logs
    assert told["event"] == "store_ended"
    assert told["reason"].startswith("Redis has ended.")


def test_one_that_keeps_dying_gets_longer_and_longer_pauses(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis.keeper.PAUSES_S", (0.0, 3600.0))
    keeper = Keeper(server)
    kill(server)
    wait_for(keeper.look_after)
    for _ in range(3):
        if server.running:
            kill(server)
        assert not keeper.look_after()


def test_an_end_at_its_start_is_told_too(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis.keeper.PAUSES_S", (0.0,))
    ends: list[ChildEnd] = []
    keeper = Keeper(server, ends.append)
    for _ in range(3):
        kill(server)
        while not server.running:
            keeper.look_after()
    wait_for(keeper.look_after)
    assert [(end.code, end.in_a_row) for end in ends] == [(-signal.SIGKILL, n) for n in (1, 2, 3)]


def test_one_that_ran_for_long_counts_as_well_again(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis.keeper.PAUSES_S", (0.0, 3600.0))
    monkeypatch.setattr("service.process.pauses.STEADY_SECONDS", 0.0)
    keeper = Keeper(server)
    for _ in range(2):
        kill(server)
        wait_for(keeper.look_after)


def test_a_start_that_fails_is_told_and_tried_again(
    server: RedisServer,
    keeper: Keeper,
    client: Redis,
    tmp_path: Path,
    logs: list[MutableMapping[str, Any]],
) -> None:
    client.set("move", "1")
    kill(server)
    (aof,) = (tmp_path / "data").rglob("*.aof")
    kept = aof.read_bytes()
    aof.write_bytes(b"this is no log of commands\n")
    while len(logs) < 3:
        assert not keeper.look_after()
    aof.write_bytes(kept)
    wait_for(keeper.look_after)
    assert client.get("move") == b"1"
    assert [told["event"] for told in logs] == ["store_ended", *["store_not_started"] * 2]
    assert "Bad file format reading the append only file" in logs[1]["reason"]


def test_a_disk_that_fills_up_costs_no_acknowledged_write(
    server: RedisServer,
    keeper: Keeper,
    client: Redis,
    disk: SmallDisk,
    logs: list[MutableMapping[str, Any]],
) -> None:
    disk.allow(8)  # 4 kB, which acknowledged data do not exceed
    kill(server)
    wait_for(keeper.look_after)
    written = 0
    with suppress(RedisError):
        while client.set(f"move-{written}", "x" * 200):
            written += 1
    assert 10 < written < 30
    while server.running:
        time.sleep(0.01)
    disk.allow(PLENTY)
    wait_for(keeper.look_after)
    assert client.set("more", "1")
    assert client.exists(*(f"move-{number}" for number in range(written))) == written
    assert "the AOF fsync policy is 'always'" in logs[-1]["reason"]
