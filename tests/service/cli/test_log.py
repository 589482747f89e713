"""`lonja log` on the folder of a real process, which is killed and goes on."""

import signal
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from service.cli.log import LOG
from service.publishing.marker import MARKER
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.settings import load
from service.upkeep.survey import Surveyor
from tests import running
from tests.faults.processes import started
from tests.running import ME, open_game, wait_for
from tests.service.cli.conftest import Lonja
from tests.service.publishing import logs


def test_the_process_builds_a_log_that_is_checked(
    lonja: Lonja,
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = running.runtime_on(redis_server.url)
    path = tmp_path / "log"
    settings = {
        "LONJA_PUBLIC_LOG": str(path),
        "LONJA_PUBLIC_LOG_NAME": "games.example/log",
        "REDIS_URL": redis_server.url,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    env = running.environment(redis_server.url, **settings)

    def ask(*words: str, exit_code: int = 0) -> Any:
        result = lonja("log", *words, "--json")
        assert result.exit_code == exit_code, result.output
        return orjson.loads(result.stdout)

    with started(*LOG[1:], env=env, log=tmp_path / "first.log") as process:
        wait_for((path / "public/checkpoint").exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    assert ask("key")["log"].startswith("games.example/log+")
    game_id = open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)  # the process would wait until the next minute
    found = ask("check")
    assert found["leaves"] == {"begun": 1, "created": 1, "head": 1}
    assert (found["origin"], found["size"], found["failures"]) == ("games.example/log", 3, [])
    newest: Any = redis_client.xrevrange(game_key(game_id, "events"), count=1)
    redis_client.xdel(game_key(game_id, "events"), newest[0][0])
    (failure,) = ask("check", exit_code=1)["failures"]
    assert game_id in failure
    redis_client.flushall()
    assert ask("adopt") == {"folder": str(path)}
    logs.build(runtime.ledger.store, path)
    assert ask("check")["leaves"] == {
        "begun": 1, "created": 1, "head": 1, "rewound": 1, "restarted": 1,
    }  # fmt: skip
    assert lonja("log", "check").output.endswith("all is as it must be.\n")


def test_nothing_waits_for_a_log_that_has_ended(
    lonja: Lonja,
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime, path = running.runtime_on(redis_server.url), tmp_path / "log"
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("LONJA_PUBLIC_LOG", str(path))
    game_id = open_game(runtime, "sealed", ME, ME)
    builder = logs.Builder.open(runtime.ledger.store, path)
    builder.build()
    builder.follower.catch_up()
    refused = lonja("log", "end")
    assert refused.exit_code == 2
    assert "A process builds the public log of this store" in refused.stderr
    builder.die()
    size = len(logs.entries(path))
    surveyor = Surveyor(load({"REDIS_URL": redis_server.url}))
    assert surveyor.survey().public_log is not None
    monkeypatch.setenv("LONJA_PUBLIC_LOG", "no")
    assert orjson.loads(lonja("log", "end", "--json").stdout) == {"ended": True}
    assert surveyor.survey().public_log is None
    assert not redis_client.hexists(MARKER, "indexed")  # games that are over wait for nothing
    assert not [*redis_client.scan_iter("*:logged")]
    assert len(logs.entries(path)) == size
    logs.build(runtime.ledger.store, path)  # and it may go on
    assert logs.chains(path)[game_id][-1].seq == running.game(runtime, game_id).version


def test_there_may_be_no_log(lonja: Lonja, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LONJA_PUBLIC_LOG", "no")
    assert "LONJA_PUBLIC_LOG is no" in lonja("log", "key").stderr
    monkeypatch.setenv("LONJA_PUBLIC_LOG", str(tmp_path))
    assert "There is no public log in" in lonja("log", "key").stderr


def test_a_policy_of_witnesses_that_cannot_be_used(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path
) -> None:
    policy = tmp_path / "policy"
    policy.write_text("witness one\nquorum none\n")
    settings = {"LONJA_PUBLIC_LOG": str(tmp_path / "log"), "LONJA_WITNESSES": str(policy)}
    env = running.environment(redis_server.url, **settings)
    with started(*LOG[1:], env=env, log=tmp_path / "output") as process:
        assert process.wait(100) == 2
    told = (tmp_path / "output").read_text()
    assert f"LONJA_WITNESSES: {policy} cannot be used: line 1: 'witness one' is no line" in told
