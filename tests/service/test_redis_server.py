"""Everything here starts real servers, and kills only processes that it started."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service import redis_lock
from service.redis_binary import RedisServerError
from service.redis_client import make_client
from service.redis_lock import running_url
from service.redis_server import RedisServer

LAUNCHER = """
import sys, time
from pathlib import Path
from service import redis_lock
from service.redis_server import RedisServer

redis_lock.WAIT_S = 1.0
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
    """Whether the process runs; one that has ended and waits to be reaped does not."""
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
    # The new server waits for the old one to end, and clears away what it left.
    with server_on(tmp_path) as server, make_client(server.url) as client:
        assert not alive(int(pid))
        assert client.get("move") == b"1"
        assert not socket_dir(url).exists()


def test_two_servers_never_share_a_folder(
    tmp_path: Path, server_on: ServerOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_lock, "WAIT_S", 0.1)
    with server_on(tmp_path) as first:
        with pytest.raises(RedisServerError) as refusal:
            server_on(tmp_path).start()
        assert str(refusal.value) == (
            f"Another Redis (process {first.pid}) runs on {tmp_path}: stop it, or set"
            " LONJA_DATA_DIR to another folder."
        )
        assert first.running


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
        pass  # clears away what the killed one left


def test_others_can_find_the_server_that_runs(tmp_path: Path, server_on: ServerOn) -> None:
    assert running_url(tmp_path) is None
    with server_on(tmp_path) as server:
        assert running_url(tmp_path) == server.url
        kill(server)
        assert running_url(tmp_path) is None
        server.start()
        assert running_url(tmp_path) == server.url
    assert running_url(tmp_path) is None


def test_the_data_folder_says_who_wrote_it(tmp_path: Path, server_on: ServerOn) -> None:
    with server_on(tmp_path) as server, make_client(server.url) as client:
        version = client.info("server")["redis_version"]
    assert json.loads((tmp_path / "server.json").read_text())["version"] == version


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
