"""Tests of the embedded server, with real processes, which only the tests' own may be killed."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis.exceptions import ResponseError

from service.redis import lock
from service.redis.aof import Tail, what_was_cut
from service.redis.binary import RedisServerError
from service.redis.client import check_server, make_client
from service.redis.lock import running_url
from service.redis.server import RedisServer
from service.redis.version import ServerVersion

LAUNCHER = """
import sys, time
from pathlib import Path
from service.redis import lock
from service.redis.server import RedisServer

lock.WAIT_S = 1.0
server = RedisServer(Path(sys.argv[1]), binary=Path(sys.argv[2]) if sys.argv[2] else None)
server.start()
print(server.pid, server.url, flush=True)
time.sleep(600)
"""

ServerOn = Callable[[Path], RedisServer]


@pytest.fixture
def server_on(redis_binary: Path | None) -> ServerOn:
    return lambda data_dir: RedisServer(data_dir, binary=redis_binary)


def kill(server: RedisServer) -> None:
    os.kill(server.pid, signal.SIGKILL)
    while server.running:
        time.sleep(0.01)


def socket_dir(url: str) -> Path:
    return Path(url.removeprefix("unix://")).parent


def alive(pid: int) -> bool:
    """Whether the process runs and is not a zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_it_keeps_what_it_was_told(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        client.set("move", "1")
        assert client.config_get("appendfsync") == {"appendfsync": "always"}
        assert client.config_get("save") == {"save": ""}
        assert client.config_get("port") == {"port": "0"}
    with server_on(tmp_path) as server, make_client(server.url) as client:
        assert client.get("move") == b"1"


def test_nothing_acknowledged_is_lost_by_kill_9(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        url = server.url
        for number in range(200):
            client.xadd("events", {"n": number}, id=f"{number + 1}-0")
        kill(server)
        server.start()
        assert server.url == url
        assert client.xlen("events") == 200


def test_everysec_is_passed_on(tmp_path: Path, redis_binary: Path | None) -> None:
    with (
        RedisServer(tmp_path, "everysec", redis_binary) as server,
        make_client(server.url) as client,
    ):
        assert client.config_get("appendfsync") == {"appendfsync": "everysec"}


def test_only_this_user_reaches_it(tmp_path: Path, server_on: ServerOn) -> None:
    data_dir = tmp_path / "var"
    with server_on(data_dir) as server:
        assert socket_dir(server.url).stat().st_mode & 0o777 == 0o700
        assert (socket_dir(server.url) / "r.sock").stat().st_mode & 0o777 == 0o700
        assert data_dir.stat().st_mode & 0o777 == 0o700


def test_a_deep_folder_with_spaces_will_do(tmp_path: Path, server_on: ServerOn) -> None:
    data_dir = tmp_path.joinpath(*["a long name with spaces"] * 8)
    with server_on(data_dir) as server, make_client(server.url) as client:
        assert client.ping()
        assert len(str(data_dir)) > 107


def test_stopping_leaves_no_process_and_no_socket(tmp_path: Path, server_on: ServerOn) -> None:
    server = server_on(tmp_path)
    server.stop()
    server.start()
    pid, url = server.pid, server.url
    server.start()
    assert server.pid == pid
    server.stop()
    server.stop()
    assert not alive(pid)
    assert not socket_dir(url).exists()
    assert not server.running
    with pytest.raises(RuntimeError):
        _ = server.url
    with pytest.raises(RuntimeError):
        _ = server.pid


def test_it_ends_with_a_launcher_that_is_killed(
    tmp_path: Path, redis_binary: Path | None, server_on: ServerOn
) -> None:
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, tmp_path, redis_binary or ""],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdout
    with launcher:
        pid, url = launcher.stdout.readline().split()
        with make_client(url) as client:
            client.set("move", "1")
        launcher.kill()
    # The new server waits for the end of the old one, and removes its files.
    with server_on(tmp_path) as server, make_client(server.url) as client:
        assert not alive(int(pid))
        assert client.get("move") == b"1"
        assert not socket_dir(url).exists()


def test_two_servers_never_share_a_folder(
    tmp_path: Path, server_on: ServerOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "WAIT_S", 0.1)
    with server_on(tmp_path) as first:
        with pytest.raises(RedisServerError) as refusal:
            server_on(tmp_path).start()
        assert str(refusal.value) == (
            f"Another Redis (process {first.pid}) runs on {tmp_path}: stop it, or set"
            " LONJA_DATA_DIR to another folder."
        )
        assert first.running


def test_a_server_on_a_copied_folder_leaves_the_first_one_alone(
    tmp_path: Path, server_on: ServerOn
) -> None:
    """The copy's lock file names the first server, which runs."""
    with server_on(tmp_path / "one") as first:
        shutil.copytree(tmp_path / "one", tmp_path / "copy")
        with server_on(tmp_path / "copy") as second:
            assert second.url != first.url
            assert make_client(first.url).ping()


def test_of_two_that_start_at_once_one_wins(
    tmp_path: Path, redis_binary: Path | None, server_on: ServerOn
) -> None:
    launchers = [
        subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, tmp_path, redis_binary or ""],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    while all(launcher.poll() is None for launcher in launchers):
        time.sleep(0.05)
    loser, winner = sorted(launchers, key=lambda launcher: launcher.poll() is None)
    with winner, loser:
        assert loser.stderr
        assert "Another Redis (process " in loser.stderr.read()
        assert winner.poll() is None
        winner.kill()
    with server_on(tmp_path):
        pass  # removes the files of the killed server


def test_others_can_find_the_server_that_runs(tmp_path: Path, server_on: ServerOn) -> None:
    assert running_url(tmp_path) is None
    with server_on(tmp_path) as server:
        assert running_url(tmp_path) == server.url
        kill(server)
        assert running_url(tmp_path) is None
        server.start()
        assert running_url(tmp_path) == server.url
    assert running_url(tmp_path) is None


def test_many_may_look_at_once(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path):
        pass
    with (tmp_path / "redis.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_SH)  # as another command does to find the server
        assert running_url(tmp_path) is None


def test_the_data_folder_says_who_wrote_it(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        version = ServerVersion.of_info(client.info("server"))
    written = json.loads((tmp_path / "server.json").read_text())
    assert written == {"name": version.name, "version": version.number}


def test_a_downgrade_is_refused_before_the_data_is_touched(
    tmp_path: Path, server_on: ServerOn
) -> None:
    (tmp_path / "server.json").write_text('{"name": "redis", "version": "99.0.0"}')
    with pytest.raises(RedisServerError, match=r"written by redis 99\.0\.0"):
        server_on(tmp_path).start()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["redis.lock", "server.json"]


def test_a_server_that_ends_at_once_is_quoted(tmp_path: Path, server_on: ServerOn) -> None:
    (tmp_path / "redis.log").write_text("an older complaint\n")
    (tmp_path / "appendonly.aof").write_text("this is no log of commands\n")
    server = server_on(tmp_path)
    with pytest.raises(RedisServerError, match="Bad file format reading the append only file") as e:
        server.start()
    assert "an older complaint" not in str(e.value)
    assert not server.running
    assert running_url(tmp_path) is None


def test_a_half_written_last_command_is_dropped(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        client.set("first", "1")
        client.set("second", "2")
        kill(server)
        (log,) = tmp_path.rglob("*.aof")
        log.write_bytes(log.read_bytes()[:-3])
        server.start()
        assert client.get("first") == b"1"
        assert client.get("second") is None


def stream(number: int) -> str:
    """Return the key of a game's stream."""
    return f"lonja:{{s07}}:game:g07-{'a' * 19}{'bcdefgh'[number]}:events"


def told(logs: Sequence[MutableMapping[str, Any]]) -> list[str]:
    return [entry["reason"] for entry in logs if entry["event"] == "store_cut"]


def test_what_was_cut_is_told(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        client.xadd(stream(0), {"event": "x"})
        (log,) = tmp_path.rglob("*.aof")
        whole = log.stat().st_size
        client.xadd(stream(1), {"event": "x"})
        cut = log.stat().st_size - 3 - whole
        kill(server)
        log.write_bytes(log.read_bytes()[:-3])
        with structlog.testing.capture_logs() as logs:
            server.start()
        (sentence,) = told(logs)
        assert f"Redis cut the last {cut} bytes of {log}" in sentence
        assert f"They were of g07-{'a' * 19}c." in sentence
        assert "Run `lonja ledger check`" in sentence
        assert client.exists(stream(0))
        assert not client.exists(stream(1))
        with structlog.testing.capture_logs() as logs:  # complete files give no warning
            kill(server)
            server.start()
        assert told(logs) == []


@pytest.fixture
def left_by_6_2(tmp_path: Path) -> Path:
    """A data folder of Redis 6.2.14: a rewritten log, followed by commands and a script."""
    return Path(shutil.copytree(Path(__file__).with_name("redis_6_2"), tmp_path / "var"))


def test_the_folder_of_a_redis_6_2_is_read_and_kept(left_by_6_2: Path, server_on: ServerOn) -> None:
    for written in (5, 6):  # first in the old form, then in the form of this server
        with server_on(left_by_6_2) as server, make_client(server.url) as client:
            check_server(client)
            assert client.xrange(stream(0)) == [
                (b"%d-0" % n, {b"e": b"event %d" % n, b"p": b"\x00\r\n\xff"})
                for n in range(1, written + 1)
            ]
            assert client.hgetall("lonja:{s07}:secrets") == {b"salt": b"pepper"}
            due = client.zrange("lonja:{s07}:due", 0, -1, withscores=True)
            assert due == [[b"g05", 1.0], [b"g07", 5.0]]
            assert client.get("lonja:{meta}:player") == b"\x00\xff"
            assert client.smembers("lonja:{games}:all") == {b"g05", b"g07"}
            assert client.lrange("lonja:{games}:line", 0, -1) == [b"one", b"two"]
            assert client.dbsize() == 7
            if written == 5:
                with pytest.raises(ResponseError, match="equal or smaller"):
                    client.xadd(stream(0), {"e": "late"}, id="5-0")
                client.xadd(stream(0), {"e": "event 6", "p": b"\x00\r\n\xff"}, id="6-0")


def test_what_was_cut_off_the_log_of_a_redis_6_2_is_told(
    left_by_6_2: Path, server_on: ServerOn
) -> None:
    log = left_by_6_2 / "appendonly.aof"
    log.write_bytes(log.read_bytes()[:-3])
    with structlog.testing.capture_logs() as logs, server_on(left_by_6_2) as server:
        with make_client(server.url) as client:
            assert client.xlen(stream(0)) == 5
            assert not client.exists("lonja:{games}:line")
        (log,) = left_by_6_2.rglob("appendonly.aof")
    (sentence,) = told(logs)
    assert f"bytes of {log}, the rest of a write that was broken off" in sentence


def test_many_games_in_what_was_cut_are_not_all_listed() -> None:
    end = b"".join(stream(number).encode() for number in range(7))
    before = {Path("a/appendonly.aof.1.incr.aof"): Tail(1_000 + len(end), end)}
    redis_7 = "# !!! Truncating the AOF appendonly.aof.1.incr.aof at offset 1000 !!!"
    sentence = what_was_cut(before, ["* Loading", redis_7])
    assert sentence is not None
    assert f"Redis cut the last {len(end)} bytes of a/appendonly.aof.1.incr.aof" in sentence
    assert sentence.count("g07-") == 5
    assert "and others." in sentence
    assert what_was_cut(before, ["# !!! Truncating the AOF at offset 3 !!!"]) is None


def test_a_lock_that_a_full_disk_left_without_a_name_does_no_harm(
    tmp_path: Path, server_on: ServerOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "redis.lock").write_text('{"pid": 1')
    with server_on(tmp_path):
        (tmp_path / "redis.lock").write_text('{"pid": 1')
        monkeypatch.setattr(lock, "WAIT_S", 0.1)
        assert running_url(tmp_path) is None
        with pytest.raises(RedisServerError, match="Another Redis runs on"):
            server_on(tmp_path).start()


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, server_on: ServerOn) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RedisServerError, match="set LONJA_DATA_DIR to one"):
        server_on(tmp_path / "file").start()


def test_it_starts_from_the_main_thread_only(tmp_path: Path, server_on: ServerOn) -> None:
    errors: list[Exception] = []

    def start() -> None:
        try:
            server_on(tmp_path).start()
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert len(errors) == 1
