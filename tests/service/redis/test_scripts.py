import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from service.redis import client as redis_client
from service.redis.client import make_client
from service.redis.scripts import Script
from service.redis.server import RedisServer

COUNT = 'return {redis.call("INCRBY", KEYS[1], ARGV[1]), ARGV[2]}'


def test_a_script_answers_in_bytes(redis_client: Redis) -> None:
    count = Script(redis_client, COUNT)
    assert count(["k"], [2, "a"]) == [2, b"a"]
    assert count(["k"], [3, b"\xff"]) == [5, b"\xff"]


def test_a_script_that_the_server_forgot_is_sent_again(redis_client: Redis) -> None:
    count = Script(redis_client, COUNT)
    count(["k"], [1, "a"])
    redis_client.script_flush()
    assert count(["k"], [1, "a"]) == [2, b"a"]


def test_an_error_of_a_script_is_raised_and_the_connection_goes_on(redis_client: Redis) -> None:
    redis_client.set("k", "no number")
    with pytest.raises(ResponseError, match="not an integer"):
        Script(redis_client, COUNT)(["k"], [1, "a"])
    assert Script(redis_client, COUNT)(["other"], [1, "a"]) == [1, b"a"]


def test_a_script_runs_though_its_connection_was_closed_meanwhile(
    redis_client: Redis, redis_server: RedisServer
) -> None:
    count = Script(redis_client, COUNT)
    count(["k"], [1, "a"])
    with make_client(redis_server.url) as other:
        other.client_kill_filter(_type="normal", skipme=True)
    assert count(["k"], [1, "a"]) == [2, b"a"]


def test_a_script_survives_a_restart_of_the_server(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    with RedisServer(tmp_path, binary=redis_binary) as server, make_client(server.url) as client:
        count = Script(client, COUNT)
        count(["k"], [1, "a"])
        os.kill(server.pid, signal.SIGKILL)
        while server.running:
            time.sleep(0.01)
        with pytest.raises(RedisConnectionError):
            count(["k"], [1, "a"])
        server.start()
        assert count(["k"], [1, "a"])[1] == b"a"


def test_scripts_share_the_connections_of_their_client(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_client, "MAX_CONNECTIONS", 1)
    monkeypatch.setattr(redis_client, "COMMAND_TIMEOUT_S", 0.05)
    with make_client(redis_server.url) as client:
        count = Script(client, COUNT)
        taken = client.connection_pool.get_connection()
        with pytest.raises(RedisConnectionError, match="No connection available"):
            count(["k"], [1, "a"])
        client.connection_pool.release(taken)
        assert count(["k"], [1, "a"])[1] == b"a"
        assert client.ping()


def test_scripts_run_at_once_over_connections_of_their_own(redis_client: Redis) -> None:
    count = Script(redis_client, COUNT)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda n: count([f"k{n % 7}"], [1, str(n)]), range(500)))
    assert [text for _n, text in answers] == [str(n).encode() for n in range(500)]
    assert sum(int(redis_client.get(f"k{n}") or 0) for n in range(7)) == 500
