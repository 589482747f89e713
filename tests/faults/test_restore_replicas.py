"""``lonja restore`` into a primary with replicas: they have all data, or it reports that."""

import math
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service.cli import main
from service.redis.client import UnsuitableServerError, make_client
from service.redis.format import check_format
from service.redis.server import RedisServer
from service.upkeep import restore
from tests import running
from tests.campaigns import Figure
from tests.faults import command
from tests.faults.conftest import Whole, proves
from tests.faults.failover import pair
from tests.faults.sentinels import installation
from tests.running import bot, open_game
from workers.turns import Turns


class Backup:
    """A backup with one finished game."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        runtime = running.runtime_on(redis_url, announce=False)
        self.game_id = open_game(runtime, "sealed", bot("greedy"), bot("greedy"))
        Turns(runtime, seconds=math.inf).play(self.game_id)
        self.path, self._folder = folder / "backup.gz", folder
        assert self.run("backup", redis_url)[0] == 0

    def run(self, verb: str, redis_url: str, **more: str) -> tuple[int | None, list[str]]:
        env = running.environment(redis_url, **more)
        return command.run(verb, str(self.path), environment=env, folder=self._folder)

    def said(self) -> str:
        return (self._folder / "said.log").read_text()


@pytest.fixture
def backup(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Backup:
    return Backup(redis_server.url, tmp_path)


def restored(backup: Backup, url: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> Result:
    """Restore in this process; it needs one replica, and the time limit is 0."""
    for name, value in running.environment(url, LONJA_REPLICAS_TO_WAIT="1").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(restore, "CONFIRM_SECONDS", 0.0)
    return CliRunner().invoke(main, ["restore", str(backup.path), *more])


def test_it_says_whether_replicas_hold_all(
    backup: Backup, tmp_path: Path, redis_binary: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pair(tmp_path, redis_binary) as servers:
        result = restored(backup, servers.url, monkeypatch)
        assert result.exit_code == 0, result.output
        assert "1 replicas hold all of it." in result.output
        assert servers.replica.dbsize() == servers.primary.dbsize()
        servers.cut_off()
        servers.primary.flushall()
        result = restored(backup, servers.url, monkeypatch)
        assert result.exit_code == 1
        assert "0 of 1 replicas hold all of it: a failover now could lose it." in result.output
        servers.primary.flushall()
        result = restored(backup, servers.url, monkeypatch, "--json")
        assert result.exit_code == 1
        assert orjson.loads(result.stdout)["replicas"] == {"wanted": 1, "holding": 0}


def test_it_is_broken_off_by_a_failover_and_repeated(
    backup: Backup, tmp_path: Path, redis_binary: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = restore.fill
    with pair(tmp_path, redis_binary) as servers:

        def failing_over(redis: Redis, path: Path) -> Iterator[str]:
            yield from fill(redis, path)
            servers.fail_over()

        with monkeypatch.context() as once:
            once.setattr(restore, "fill", failing_over)
            result = restored(backup, servers.url, monkeypatch)
        assert result.exit_code == 2
        assert "another server became the primary meanwhile" in result.output
        with make_client(servers.url) as client, pytest.raises(UnsuitableServerError):
            check_format(client)
        result = restored(backup, servers.url, monkeypatch)
        assert result.exit_code == 0, result.output
        proves(running.runtime_on(servers.url), backup.game_id)


@pytest.mark.campaign("failover")
@pytest.mark.timeout(600)
def test_behind_sentinels(
    backup: Backup,
    tmp_path: Path,
    redis_binary: Path | None,
    whole: Whole,
    record_property: Figure,
) -> None:
    """Restore through the sentinels, lose the primary, back up from both others, and repeat."""
    with installation(tmp_path / "sentinels", redis_binary) as made:
        with make_client(made.url) as client:
            client.flushall()  # the server was asked whether replicas follow
        assert backup.run("restore", made.url, LONJA_REPLICAS_TO_WAIT="2")[0] == 0, backup.said()
        assert "2 replicas hold all of it." in backup.said()
        primary = made.primary()
        primary.kill()
        made.wait_for_another_than(primary)
        runtime = running.runtime_on(made.url)
        whole(runtime)
        proves(runtime, backup.game_id)
        replica = next(node for node in made.servers if node not in (primary, made.primary()))
        backup.path = tmp_path / "of_the_primary.gz"
        assert backup.run("backup", made.url)[0] == 0
        backup.path = tmp_path / "of_a_replica.gz"
        url = f"redis://127.0.0.1:{replica.port}"
        assert backup.run("backup", url)[0] == 0, backup.said()
        runtime.redis.flushall()
        assert backup.run("restore", made.url, LONJA_REPLICAS_TO_WAIT="1")[0] == 0
        proves(running.runtime_on(made.url), backup.game_id)
        record_property("restores", 2)
