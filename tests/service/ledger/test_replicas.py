"""``LONJA_REPLICAS_TO_WAIT``: an acknowledged event is on a replica too."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from service.ledger.keys import game_key
from service.ledger.ledger import Appended, Ledger
from service.ledger.store import Store, TooFewReplicasError
from service.redis_binary import choose
from service.redis_client import make_client
from service.tables import Replayed, Tables, make_retry
from tests.service.ledger.conftest import PLAYERS, REGISTRY, seat_all
from tests.service.ledger.conftest import choose as pick

HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(folder: Path, binary: Path | None, *more: str) -> Iterator[tuple[Redis, int]]:
    """A server that others can reach over loopback, which the embedded one is not."""
    folder.mkdir()
    port = free_port()
    command = [str(choose(folder, binary).path), "--port", str(port), "--bind", HOST]
    process = subprocess.Popen(
        [*command, "--dir", str(folder), "--save", "", *more], stdout=subprocess.DEVNULL
    )
    client = make_client(f"redis://{HOST}:{port}")
    try:
        wait_for(client.ping)
        yield client, port
    finally:
        client.close()
        process.kill()
        process.wait()


def wait_for(ready: object) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if ready():  # type: ignore[operator]
                return
        except RedisConnectionError:
            pass
        time.sleep(0.05)
    raise TimeoutError


def test_an_event_is_acknowledged_when_a_replica_holds_it(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    retry = make_retry(PLAYERS[0], "move 1", b"f" * 16)
    with server(tmp_path / "master", redis_binary) as (redis, port):
        tables = Tables(Ledger(Store(redis, replicas=1), REGISTRY))
        again = Tables(Ledger(Store(redis, replicas=1), REGISTRY))
        with server(tmp_path / "replica", redis_binary, "--replicaof", HOST, str(port)) as (
            replica,
            _port,
        ):
            wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
            done = tables.create(PLAYERS[0], "sealed", {}, seat_all(3))
            assert isinstance(done, Appended)
            game, key = done.game, game_key(done.game.id, "events")
            assert replica.xlen(key) == game.version
        move = pick(game, 0)
        with pytest.raises(TooFewReplicasError, match="0 of 1 replicas"):
            tables.move(game.id, 0, move, game.version, PLAYERS[0], retry=retry)
        with pytest.raises(TooFewReplicasError):  # nor does another process promise it
            again.move(game.id, 0, move, game.version, PLAYERS[0], retry=retry)
        with server(tmp_path / "new", redis_binary, "--replicaof", HOST, str(port)) as (
            replica,
            _port,
        ):
            wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
            for one in (tables, again):
                answer = one.move(game.id, 0, move, game.version, PLAYERS[0], retry=retry)
                assert isinstance(answer, Replayed)
                assert answer.first == game.version + 1
                assert replica.xlen(key) == answer.last
