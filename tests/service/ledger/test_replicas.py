"""``LONJA_REPLICAS_TO_WAIT``: an acknowledged event is also on a replica."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service import settings
from service.api.app import create_app
from service.cli import main
from service.games.commands import TableCommands
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.store import (
    LOWERED,
    WAIT_MS,
    LostError,
    RepeatedRequest,
    Retry,
    Store,
    TooFewReplicasError,
    online_replicas,
    switch_warning,
)
from service.redis.binary import choose
from service.redis.client import make_client
from service.redis.keys import game_key
from service.runtime import open_runtime
from service.upkeep.maintenance import end_damaged
from tests.faults.processes import free_port
from tests.running import environment
from tests.service.api.people import House, problem
from tests.service.ledger.conftest import PLAYERS, REGISTRY, seat_all
from tests.service.ledger.conftest import choose as pick

HOST = "127.0.0.1"


@contextmanager
def server(folder: Path, binary: Path | None, *more: str) -> Iterator[tuple[Redis, int]]:
    """A server that other servers can reach on loopback, unlike the embedded one."""
    folder.mkdir()
    port = free_port()
    command = [str(choose(folder, binary).path), "--port", str(port), "--bind", HOST]
    command += ["--dir", str(folder), "--save", "", "--repl-diskless-sync-delay", "0"]
    process = subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL)
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
    retry = Retry.of(PLAYERS[0], "move 1", b"f" * 16)
    with server(tmp_path / "master", redis_binary) as (redis, port):
        tables = TableCommands(Ledger(Store(redis, replicas=1), REGISTRY))
        again = TableCommands(Ledger(Store(redis, replicas=1), REGISTRY))
        with server(tmp_path / "replica", redis_binary, "--replicaof", HOST, str(port)) as (
            replica,
            _port,
        ):
            wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
            done = tables.create(PLAYERS[0], "sealed", {}, seat_all(3))
            assert isinstance(done, AppendedBatch)
            game, key = done.game, game_key(done.game.id, "events")
            assert replica.xlen(key) == game.version
        move = pick(game, Seat(0))
        with pytest.raises(TooFewReplicasError, match="0 of 1 replicas"):
            tables.move(game.id, Seat(0), move, game.version, PLAYERS[0], retry=retry)
        with pytest.raises(TooFewReplicasError):  # another process does not acknowledge it either
            again.move(game.id, Seat(0), move, game.version, PLAYERS[0], retry=retry)
        with server(tmp_path / "new", redis_binary, "--replicaof", HOST, str(port)) as (
            replica,
            _port,
        ):
            wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
            for one in (tables, again):
                answer = one.move(game.id, Seat(0), move, game.version, PLAYERS[0], retry=retry)
                assert isinstance(answer, RepeatedRequest)
                assert answer.first == game.version + 1
                assert replica.xlen(key) == answer.last


def test_the_number_can_be_lowered_while_the_service_runs(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    with server(tmp_path / "alone", redis_binary) as (redis, _port):
        store = Store(redis, replicas=1)
        tables = TableCommands(Ledger(store, REGISTRY))
        retry = Retry.of(PLAYERS[0], "open", b"f" * 16)
        with pytest.raises(TooFewReplicasError):
            tables.create(PLAYERS[0], "sealed", {}, seat_all(3))
        redis.set(LOWERED, 0)
        done = tables.create(PLAYERS[0], "sealed", {}, seat_all(3))  # it still waits, once
        assert isinstance(done, AppendedBatch)
        game, seat = done.game, min(done.game.asked)
        began = time.monotonic()
        for _ in range(3):
            tables.resign(game.id, seat, PLAYERS[seat], retry)
        assert time.monotonic() - began < WAIT_MS / 1000
        redis.delete(LOWERED)
        with pytest.raises(TooFewReplicasError, match="0 of 1"):
            store.confirm(game.id, game.version, game.head)


def is_confirmed(store: Store, game: Game) -> bool:
    try:
        store.confirm(game.id, game.version, game.head)
    except TooFewReplicasError:
        return False
    return True


def test_all_are_as_many_as_there_were(tmp_path: Path, redis_binary: Path | None) -> None:
    with server(tmp_path / "master", redis_binary) as (redis, port):
        operator = CliRunner(env={"REDIS_URL": f"redis://{HOST}:{port}"})
        store = Store(redis, replicas="all")
        done = TableCommands(Ledger(Store(redis), REGISTRY)).create(
            PLAYERS[0], "sealed", {}, seat_all(3)
        )
        assert isinstance(done, AppendedBatch)
        game = done.game
        follow = ("--replicaof", HOST, str(port))
        with (
            server(tmp_path / "one", redis_binary, *follow),
            server(tmp_path / "two", redis_binary, *follow),
        ):
            wait_for(lambda: online_replicas(redis.info("replication")) == 2)
            assert "can lose some" in (switch_warning(redis, 1) or "")
            assert switch_warning(redis, "all") is None
            store.note_replicas()
            wait_for(lambda: is_confirmed(store, game))
        wait_for(lambda: online_replicas(redis.info("replication")) == 0)
        for _ in range(2):  # a smaller number is not recorded
            store.note_replicas()
            with pytest.raises(TooFewReplicasError, match="0 of 2 replicas"):
                store.confirm(game.id, game.version, game.head)
        assert operator.invoke(main, ["ledger", "replicas", "0"]).exit_code == 0
        store.confirm(game.id, game.version, game.head)
        assert operator.invoke(main, ["ledger", "replicas", "--as-set"]).exit_code == 0
        # ``all`` means none here.
        store.confirm(game.id, game.version, game.head)


def test_nothing_unconfirmed_stays_in_a_cache(tmp_path: Path, redis_binary: Path | None) -> None:
    with server(tmp_path / "alone", redis_binary) as (redis, _port):
        open_tables = TableCommands(Ledger(Store(redis), REGISTRY))
        done = open_tables.create(PLAYERS[0], "sealed", {}, seat_all(3))
        assert isinstance(done, AppendedBatch)
        game, seat = done.game, min(done.game.asked)
        tables, behind = (
            TableCommands(Ledger(Store(redis, replicas=1), REGISTRY)) for _ in range(2)
        )
        retry = Retry.of(PLAYERS[seat], "k", b"f" * 16)
        for one in (tables, behind):
            one.ledger.table(game.id)
        for one in (tables, behind):  # ``behind`` learns of the answer at its append
            with pytest.raises(TooFewReplicasError):
                one.move(game.id, seat, pick(game, seat), game.version, PLAYERS[seat], retry=retry)
            assert not one.ledger._cache
        redis.xdel(game_key(game.id, "events"), "1-0")
        with pytest.raises(TooFewReplicasError):
            end_damaged(tables.ledger.store, REGISTRY, game.id, {"admin": "Ana"})


def test_what_is_stored_and_not_confirmed_is_said_so(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    with server(tmp_path / "alone", redis_binary) as (redis, port):
        env = environment(f"redis://{HOST}:{port}", LONJA_REPLICAS_TO_WAIT="1")
        house = House(create_app(open_runtime(settings.load(env))))
        ana = house.player()
        table = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
        for _ in range(2):  # a repetition waits again
            answer = ana.post("/v1/games", table, Idempotency_Key="k")
            told = problem(answer, 503, "unconfirmed")
            assert "is stored, but 0 of 1 replicas" in told["detail"]
            assert answer.headers["Retry-After"]
        redis.set(LOWERED, 0)
        answer = ana.post("/v1/games", table, Idempotency_Key="k")
        assert answer.status_code == 201
        assert answer.headers["Idempotent-Replayed"] == "true"
        assert answer.json is not None
        assert answer.json["version"] == 2
        head = ana.get(f"{answer.headers['Location']}/head")
        assert head.status_code == 200
        redis.delete(LOWERED)
        problem(ana.get(f"{answer.headers['Location']}/head"), 503, "unconfirmed")


def test_what_a_failover_lost_is_not_confirmed_by_the_new_primary(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    """The old primary answers the append, and the new one the following WAIT."""
    with (
        server(tmp_path / "new", redis_binary) as (redis, port),
        server(tmp_path / "follows", redis_binary, "--replicaof", HOST, str(port)) as (replica, _),
    ):
        wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
        store = Store(redis, replicas=1)
        tables = TableCommands(Ledger(store, REGISTRY))
        done = tables.create(PLAYERS[0], "sealed", {}, seat_all(3))
        assert isinstance(done, AppendedBatch)
        game = done.game
        store.confirm(game.id, game.version, game.head)
        with pytest.raises(LostError, match=f"{game.id} has lost its event {game.version + 1}"):
            store.confirm(game.id, game.version + 1, b"h" * 32)
        with pytest.raises(LostError):
            store.confirm(game.id, game.version, Retry.of(PLAYERS[0], "move 1", b"f" * 16))
