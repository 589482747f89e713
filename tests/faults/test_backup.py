"""``lonja backup`` and ``lonja restore``, killed at any point: no part counts as complete."""

import math
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.redis.client import UnsuitableServerError, make_client
from service.redis.format import FORMAT_KEY, check_format
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import command
from tests.faults.conftest import Whole, kill_redis, proves
from tests.faults.failover import pair
from tests.running import ME, bot, open_game
from tests.service.tournaments.conftest import hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
KILLED = -signal.SIGKILL
UNFINISHED = "repeat `lonja restore` with the same file"


@pytest.fixture
def played(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    """A store with a tournament, and games that are over, in progress, or waiting for a bot."""
    runtime = running.runtime_on(redis_server.url, announce=False)
    for holders in ((GREEDY, GREEDY), (GREEDY, ME)):
        game_id = open_game(runtime, "sealed", *holders)
        Turns(runtime, seconds=math.inf).play(game_id)
    open_game(runtime, "sealed", GREEDY, ME)
    hall_on(redis_server.url).hold(format={"type": "round_robin", "games": 6})
    return runtime


@pytest.fixture
def empty(server: RedisServer) -> Iterator[Redis]:
    server.start()
    with make_client(server.url) as client:
        _empty(client)
        yield client


def _empty(redis: Redis) -> None:
    redis.flushall()
    redis.script_flush()  # so that every run sends the same commands


def backed_up(runtime: Runtime, folder: Path, order: str = "") -> int | None:
    env = running.environment(runtime.settings.redis_url or "")
    code, _points = command.run(
        "backup", str(folder / "backup.gz"), environment=env, folder=folder, order=order
    )
    return code


def restored(server: RedisServer, folder: Path, order: str = "") -> tuple[int | None, list[str]]:
    return command.run(
        "restore", str(folder / "backup.gz"), environment=running.environment(server.url),
        folder=folder, order=order,
    )  # fmt: skip


def contents(redis: Redis) -> dict[bytes, Any]:
    """Return the restored keys, each as the server dumps it.

    Of followers, only who has read: how far, and under which lead, goes by the clock.
    """
    return {
        key: sorted(redis.hkeys(key)) if b":follow" in key else redis.dump(key)
        for key in redis.scan_iter("lonja:*")
    }


def test_a_backup_that_is_killed_leaves_no_file(played: Runtime, tmp_path: Path) -> None:
    """Its temporary file has another name, and the next backup is complete."""
    for point in (8, 12, 16, 20):
        assert backed_up(played, tmp_path, f"{point} before 0") == KILLED
        assert not (tmp_path / "backup.gz").exists()
    assert len([*tmp_path.glob(".backup.gz.*")]) == 4
    assert backed_up(played, tmp_path) == 0
    assert (tmp_path / "backup.gz").exists()


def torture(
    played: Runtime, server: RedisServer, empty: Redis, folder: Path, most: float, whole: Whole
) -> int:
    """Kill restores, each at another command (of many, at some); return the number of kills."""
    assert backed_up(played, folder) == 0
    code, points = restored(server, folder)
    assert code == 0
    wanted = contents(empty)
    kills = 0
    for point in range(1, len(points) + 1, max(1, math.ceil(len(points) / most))):
        _empty(empty)
        code, _ = restored(server, folder, f"{point} after 0")
        assert code in (KILLED, 2), points[point - 1]  # 2: one of several processes was killed
        kills += 1
        if (noted := empty.get(FORMAT_KEY)) is None:
            assert contents(empty).keys() <= {b"lonja:server"}
        elif noted != b"lonja/2":
            with pytest.raises(UnsuitableServerError, match=UNFINISHED):
                check_format(empty)
            assert restored(server, folder)[0] == 0
            assert contents(empty) == wanted, points[point - 1]
        else:
            assert contents(empty) == wanted, points[point - 1]
    whole(running.runtime_on(server.url))
    return kills


def test_a_restore_that_is_killed_is_repeated(
    played: Runtime, server: RedisServer, empty: Redis, tmp_path: Path, whole: Whole
) -> None:
    torture(played, server, empty, tmp_path, 5, whole)


@pytest.mark.campaign("crashes")
@pytest.mark.timeout(900)
def test_a_restore_that_is_killed_anywhere_is_repeated(
    played: Runtime, server: RedisServer, empty: Redis, tmp_path: Path, whole: Whole,
    record_property: Any,
) -> None:  # fmt: skip
    record_property("kills", torture(played, server, empty, tmp_path, math.inf, whole))


def test_a_replica_can_be_backed_up(
    tmp_path: Path, redis_binary: Path | None, server: RedisServer, empty: Redis, whole: Whole
) -> None:
    with pair(tmp_path, redis_binary) as servers:
        runtime = running.runtime_on(servers.url, announce=False)
        game_id = open_game(runtime, "sealed", GREEDY, GREEDY)
        Turns(runtime, seconds=math.inf).play(game_id)
        servers.cut_off()
        port = servers.replica.get_connection_kwargs()["port"]
        env = running.environment(f"redis://127.0.0.1:{port}")
        path = str(tmp_path / "backup.gz")
        assert command.run("backup", path, environment=env, folder=tmp_path)[0] == 0
    assert restored(server, tmp_path)[0] == 0
    restored_runtime = running.runtime_on(server.url)
    whole(restored_runtime)
    proves(restored_runtime, game_id)


def test_a_restore_whose_redis_is_killed_says_what_to_do(
    played: Runtime, server: RedisServer, empty: Redis, tmp_path: Path, whole: Whole
) -> None:
    assert backed_up(played, tmp_path) == 0
    code, _ = restored(server, tmp_path, f"20 after {server.pid}")
    assert code == 2
    assert "Repeat the restore with the same file." in (tmp_path / "said.log").read_text()
    start_again(server)
    assert restored(server, tmp_path)[0] == 0
    kill_redis(server)
    start_again(server)
    whole(running.runtime_on(server.url))


def start_again(server: RedisServer) -> None:
    running.wait_for(lambda: not server.running)
    server.start()
