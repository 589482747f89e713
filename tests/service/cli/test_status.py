"""``lonja status`` on a real Redis, with a real worker and without one."""

import os
import signal
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.publishing.keys import LogKeys
from service.publishing.marker import MARKER
from service.publishing.witnesses import WITNESSES
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.upkeep import maintenance, survey
from service.upkeep.survey import Surveyor
from tests import running
from tests.faults.conftest import kill_redis
from tests.faults.processes import free_port
from tests.running import ME, bot, environment, open_game, process, wait_for
from tests.service.cli.conftest import Lonja
from tests.service.ledger.test_replicas import HOST, server


@pytest.fixture
def runtime(
    redis_server: RedisServer, redis_client: object, monkeypatch: pytest.MonkeyPatch
) -> Runtime:
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    return running.runtime_on(redis_server.url)


def test_it_tells_of_workers_queues_and_games(lonja: Lonja, runtime: Runtime) -> None:
    open_game(runtime, "sealed", ME, bot("greedy"))
    alone = lonja("status")
    assert alone.exit_code == 1
    assert "LonjaNoWorker: the queue live has no worker that is alive" in alone.output
    url = runtime.settings.redis_url or ""
    with process("-m", "workers.worker", env=environment(url)) as worker:
        wait_for(lambda: lonja("status").exit_code == 0)
        shown = lonja("status").output
        assert "1 running" in shown
        assert str(worker.pid) in shown
        assert "All is well." in shown
        told = orjson.loads(lonja("status", "--json").output)
        assert told["healthy"] is True
        assert told["games"]["by_status"]["running"] == 1
        assert [one["pid"] for one in told["queues"][0]["workers"]] == [worker.pid]
        worker.terminate()
        worker.wait(20)
    told = orjson.loads(lonja("status", "--json").output)
    assert [one["alert"] for one in told["troubles"]] == ["LonjaNoWorker"]


def test_a_damaged_game_counts_until_it_is_ended(lonja: Lonja, runtime: Runtime) -> None:
    game_id = open_game(runtime, "sealed", ME, bot("greedy"))
    runtime.redis.xdel(game_key(game_id, "events"), "2-0")
    assert lonja("ledger", "check").exit_code == 1
    assert "LonjaGamesDamaged: games with a damaged stream: 1" in lonja("status").output
    runtime.redis.delete(f"lonja:{{{game_id.replace('g', 's')[:3]}}}:damaged")
    list(maintenance.check(runtime.ledger.store, runtime.registry))
    assert "LonjaGamesDamaged" in lonja("status").output
    assert lonja("ledger", "end", game_id, "--by", "Ana", "--reason", "lost").exit_code == 0
    assert "LonjaGamesDamaged" not in lonja("status").output


def test_a_redis_that_is_away_or_unfit_is_told(
    lonja: Lonja, runtime: Runtime, redis_server: RedisServer
) -> None:
    runtime.redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        unfit = lonja("status")
        assert unfit.exit_code == 1
        assert "set it to noeviction" in unfit.stdout
        told = orjson.loads(lonja("status", "--json").stdout)
        assert told["troubles"][0]["alert"] == "LonjaStoreUnfit"
    finally:
        runtime.redis.config_set("maxmemory-policy", "noeviction")
    kill_redis(redis_server)
    told = orjson.loads(lonja("status", "--json").stdout)
    assert {one["alert"] for one in told["troubles"]} == {"LonjaStoreUnfit", "LonjaQueueDown"}
    assert told["store"] is told["owed"] is told["queues"] is None


def test_nobody_waits_long_for_a_store_that_hangs(
    runtime: Runtime, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "ANSWER_SECONDS", 0.2)
    surveyor = Surveyor(runtime.settings)
    assert surveyor.survey().store is not None
    os.kill(redis_server.pid, signal.SIGSTOP)
    try:
        found = surveyor.latest()
        assert found.store is None
        assert found.queues is None
        assert found.seconds < 2
        assert surveyor.latest() is found
    finally:
        os.kill(redis_server.pid, signal.SIGCONT)


def test_a_url_is_asked_too(lonja: Lonja, runtime: Runtime) -> None:
    away = lonja("status", "--url", "http://127.0.0.1:9")
    assert "LonjaWebDown: http://127.0.0.1:9 does not answer" in away.output
    assert lonja("status", "--url", "127.0.0.1:9").exit_code == 2


def test_without_a_service_it_says_so(lonja: Lonja) -> None:
    assert lonja("status").exit_code == 2


def test_a_node_of_a_cluster_is_called_so(
    lonja: Lonja, tmp_path: Path, redis_binary: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node answers every command for a key with an error."""
    cluster = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with server(tmp_path / "node", redis_binary, *cluster) as (_client, port):
        monkeypatch.setenv("REDIS_URL", f"redis://{HOST}:{port}")
        told = orjson.loads(lonja("status", "--json").output)
    assert {one["alert"] for one in told["troubles"]} == {"LonjaStoreUnfit", "LonjaQueueDown"}
    for one in told["troubles"]:
        assert "is a node of a cluster" in one["detail"]


def test_it_tells_of_the_witnesses_of_the_public_log(lonja: Lonja, runtime: Runtime) -> None:
    now = runtime.ledger.store.clock.now_ms() // 1000
    note = LogKeys.generate(None).signed(7, bytes(32), now)
    tree: Any = {"size": 7, "root": bytes(32).hex(), "note": note, "indexed": 7}
    runtime.redis.hset(MARKER, mapping=tree)
    told = [["one", now, 7, "", False], ["two", None, None, "no answer: timeout", False]]
    runtime.redis.set(WITNESSES, orjson.dumps({"witnesses": told, "since": now - 4000}))
    shown = " ".join(lonja("status").output.split())
    assert "Public log: 7 leaves, signed" in shown
    assert "Witness one: co-signed 7 leaves" in shown
    assert "Witness two: co-signed nothing yet; now no answer: timeout." in shown
    assert "LonjaPublicLogUnwitnessed: too few witnesses have co-signed the public log for" in shown
    found = orjson.loads(lonja("status", "--json").output)["public_log"]["witnesses"]
    assert [(one["name"], one["size"]) for one in found] == [("one", 7), ("two", None)]
