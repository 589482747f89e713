import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from service.redis.client import (
    MAX_CONNECTIONS,
    UnsuitableServerError,
    blocking_client,
    check_server,
    make_client,
)
from service.redis.server import RedisServer


def test_answers_are_bytes_in_one_shape(redis_client: Redis) -> None:
    redis_client.xadd("s", {"k": "v"}, id="1-0")
    assert redis_client.xrange("s") == [(b"1-0", {b"k": b"v"})]
    assert redis_client.get("nothing") is None


def test_a_client_survives_a_restart_of_the_server(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    with RedisServer(tmp_path, binary=redis_binary) as server, make_client(server.url) as client:
        client.set("k", "v")
        first = server.pid
        os.kill(first, signal.SIGKILL)
        while server.running:
            time.sleep(0.01)
        with pytest.raises(RedisConnectionError):
            client.get("k")
        server.start()
        assert client.get("k") == b"v"


def test_a_blocking_client_waits_longer_than_a_command_may_take(redis_server: RedisServer) -> None:
    with make_client(redis_server.url) as client, blocking_client(redis_server.url) as reader:
        assert client.get_connection_kwargs()["socket_timeout"] == 5
        assert reader.get_connection_kwargs()["socket_timeout"] is None


def paused(server: Redis, ms: int) -> None:
    """Make a server accept commands without answering them for a while."""
    server.execute_command("CLIENT", "PAUSE", ms, "ALL")


def test_more_commands_at_once_than_connections_wait_for_one(own_client: Redis) -> None:
    crowd = MAX_CONNECTIONS + 50
    paused(own_client, 500)
    with ThreadPoolExecutor(crowd) as pool:
        answers = list(pool.map(lambda _: own_client.ping(), range(crowd)))
    assert answers == [True] * crowd
    own_client.ping()
    assert len(own_client.client_list()) <= MAX_CONNECTIONS


def test_nobody_waits_for_a_connection_for_ever(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis.client.MAX_CONNECTIONS", 1)
    monkeypatch.setattr("service.redis.client.COMMAND_TIMEOUT_S", 0.05)
    with make_client(redis_server.url) as client:
        taken = client.connection_pool.get_connection()
        with pytest.raises(RedisConnectionError, match="No connection available"):
            client.ping()
        client.connection_pool.release(taken)
        assert client.ping()


def test_the_embedded_server_is_suitable(own_client: Redis) -> None:
    report = check_server(own_client)
    assert report.version[1:3] >= (7, 0)
    assert report.appendfsync == "always"
    assert report.warnings == ()
    assert check_server(own_client)._replace(memory=report.memory) == report


def test_a_server_that_evicts_games_is_refused(own_client: Redis) -> None:
    own_client.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(UnsuitableServerError, match="set it to noeviction"):
        check_server(own_client)


def test_a_server_without_a_log_is_refused(own_client: Redis) -> None:
    own_client.config_set("appendonly", "no")
    with pytest.raises(UnsuitableServerError, match="set appendonly yes"):
        check_server(own_client)


@pytest.mark.parametrize("appendfsync", ["everysec", "no"])
def test_a_weaker_promise_than_ours_is_refused(own_client: Redis, appendfsync: str) -> None:
    own_client.config_set("appendfsync", appendfsync)
    with pytest.raises(UnsuitableServerError, match=f"Its appendfsync is {appendfsync}"):
        check_server(own_client, "always")


def test_everysec_is_enough_where_it_is_the_promise(own_client: Redis) -> None:
    own_client.config_set("appendfsync", "everysec")
    assert check_server(own_client, "everysec").appendfsync == "everysec"
    own_client.config_set("appendfsync", "no")
    with pytest.raises(UnsuitableServerError):
        check_server(own_client, "everysec")


def test_all_reasons_are_named_at_once(own_client: Redis) -> None:
    own_client.config_set("maxmemory-policy", "volatile-ttl")
    own_client.config_set("appendonly", "no")
    with pytest.raises(UnsuitableServerError) as refusal:
        check_server(own_client)
    assert len(str(refusal.value).splitlines()) == 3


def test_a_server_older_than_its_data_is_refused(own_client: Redis) -> None:
    own_client.hset("lonja:server", mapping={"name": "redis", "version": "99.0.0"})
    with pytest.raises(UnsuitableServerError, match=r"held by redis 99\.0\.0"):
        check_server(own_client)


def test_a_server_too_old_is_refused(own_client: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    info = {**own_client.info(), "redis_version": "6.2.14"}
    info.pop("valkey_version", None)
    monkeypatch.setattr(own_client, "info", lambda *_sections: info)
    with pytest.raises(UnsuitableServerError, match=r"Lonja needs 7\.0 or newer"):
        check_server(own_client)


def test_a_server_that_hides_its_settings_gives_a_warning(own_client: Redis) -> None:
    own_client.acl_setuser("default", enabled=True, commands=["-config"])
    report = check_server(own_client)
    assert report.appendfsync is None
    assert "appendfsync" in report.warnings[0]
