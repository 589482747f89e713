"""A Redis that becomes unfit after the start: the answers, the log and the metrics."""

from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.api.app import create_app
from service.metrics import STORE_UNFIT, UNCOUNTED
from service.redis import health
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.full_disk import SmallDisk, shrink
from tests.running import wait_for
from tests.service.api.people import METRICS_TOKEN, SCRAPER, House, Person, data, problem
from workers import process
from workers.sweeper import Sweeper

Logs = list[MutableMapping[str, Any]]
Act = Callable[[Redis], Any]


@pytest.fixture(scope="module")
def own_server(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[RedisServer]:
    """A server that tests may damage."""
    folder = tmp_path_factory.mktemp("spoilt")
    program = SmallDisk(folder, redis_binary).program
    with RedisServer(folder / "data", binary=program) as server:
        yield server


@pytest.fixture
def redis(own_server: RedisServer) -> Iterator[Redis]:
    with make_client(own_server.url) as client:
        yield client


@pytest.fixture
def runtime(own_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    monkeypatch.setattr(health, "EVERY_S", 0.0)
    environ = {
        "REDIS_URL": own_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_METRICS_TOKEN": METRICS_TOKEN,
    }
    return open_runtime(load(environ))


@pytest.fixture
def house(runtime: Runtime) -> House:
    return House(create_app(runtime))


@pytest.fixture
def ana(house: House) -> Person:
    return house.player()


def config(name: str, value: str) -> Act:
    return lambda redis: redis.config_set(name, value)


REFUSING: dict[str, tuple[Act, Act, str]] = {
    "memory": (config("maxmemory", "1"), config("maxmemory", "0"), "used memory > 'maxmemory'"),
    "replica": (
        lambda redis: redis.replicaof("127.0.0.1", "1"),
        lambda redis: redis.replicaof("NO", "ONE"),
        "read only replica",
    ),
    "alone": (
        config("min-replicas-to-write", "1"),
        config("min-replicas-to-write", "0"),
        "Not enough good replicas",
    ),
}
"""By cause: how to make a server refuse writes, how to undo that, and the server's error."""

SPOILT: dict[str, tuple[Act, Act, str]] = {
    "evicting": (
        config("maxmemory-policy", "allkeys-lru"),
        config("maxmemory-policy", "noeviction"),
        "Its maxmemory-policy is allkeys-lru",
    ),
    "forgetful": (config("appendonly", "no"), config("appendonly", "yes"), "set appendonly yes"),
    "late": (
        config("appendfsync", "everysec"),
        config("appendfsync", "always"),
        "Its appendfsync is everysec, and LONJA_APPENDFSYNC is always",
    ),
}
"""The same for settings with which a server refuses nothing, but could lose events."""


def only(logs: Logs, event: str) -> MutableMapping[str, Any]:
    (found,) = [entry for entry in logs if entry["event"] == event]
    return found


@pytest.mark.parametrize("why", [*REFUSING, *SPOILT])
def test_readiness_ends_with_the_fitness_of_the_store_and_returns(
    redis: Redis, house: House, ana: Person, logs: Logs, why: str
) -> None:
    spoil, mend, reason = {**REFUSING, **SPOILT}[why]
    assert ana.get("/readyz").status_code == 200
    spoil(redis)
    try:
        for _ in range(2):
            answer = problem(ana.get("/readyz"), 503, "store_unavailable")
            assert reason in answer["detail"]
        assert ana.get("/healthz").status_code == 200
        assert ana.get("/v1/rulesets").status_code == 200
        assert "lonja_store_unfit 1.0" in ana.get("/metrics", **SCRAPER).text
    finally:
        mend(redis)
    assert ana.get("/readyz").status_code == 200
    assert reason in only(logs, "store_unfit")["reason"], "one line, however often it is asked"
    assert only(logs, "store_fit_again")
    assert "lonja_store_unfit 0.0" in ana.get("/metrics", **SCRAPER).text


@pytest.mark.parametrize("why", REFUSING)
def test_all_can_be_read_while_nothing_can_be_written(
    redis: Redis, house: House, ana: Person, runtime: Runtime, logs: Logs, why: str
) -> None:
    spoil, mend, _reason = REFUSING[why]
    bea = house.player("Bea")
    url = house.table(ana, bea)  # the lists do not have it yet
    before = data(ana.get(url))["version"]
    uncounted = UNCOUNTED._value.get()
    reads = ("", "/state", "/events", "/legal_moves?seat=0", "/head", "/log")
    paths = ["/v1/games", "/v1/rulesets", "/v1/players/me", *(f"{url}{path}" for path in reads)]
    move = ana.legal(url, 0)["moves"][0]
    form = {"seat": 0, "move": move, "expected_version": before}
    spoil(redis)
    try:
        for path in paths:
            answer = ana.get(path)
            assert answer.status_code == 200, answer.text
            assert "RateLimit-Limit" not in answer.headers
        for path, body in ((f"{url}/moves", form), ("/v1/players", {"name": "Cleo"})):
            problem(ana.post(path, body), 503, "store_unavailable")
        again = House(create_app(open_runtime(runtime.settings)))  # a process that starts now
        assert again.client.get(url).status_code == 200
        assert UNCOUNTED._value.get() >= uncounted + len(paths) + 2
    finally:
        mend(redis)
    assert data(ana.get(url))["version"] == before
    answer = ana.post(f"{url}/moves", form)
    assert answer.status_code == 201
    assert "RateLimit-Limit" in answer.headers
    assert [entry["event"] for entry in logs].count("rate_limits_off") == 2, "once a process"
    assert only(logs, "rate_limits_back")


def test_a_disk_that_fills_up_under_everysec_stops_writing_alone(
    tmp_path: Path, redis_binary: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "EVERY_S", 0.0)
    program = SmallDisk(tmp_path, redis_binary).program
    with RedisServer(tmp_path / "data", "everysec", program) as server:
        settings = load({"REDIS_URL": server.url, "LONJA_APPENDFSYNC": "everysec"})
        house = House(create_app(open_runtime(settings)))
        ana = house.player()
        (aof,) = (tmp_path / "data").rglob("*.aof")
        shrink(server.pid, aof.stat().st_size)
        while house.client.post("/v1/players", json={"name": "x"}).status_code == 201:
            pass
        assert "MISCONF" in problem(ana.get("/readyz"), 503, "store_unavailable")["detail"]
        assert ana.get("/v1/players/me").status_code == 200
        assert ana.get("/v1/games").status_code == 200
        assert server.running
        shrink(server.pid, None)
        wait_for(lambda: ana.get("/readyz").status_code == 200)
        assert house.player().id


def test_the_server_is_asked_once_in_a_while_however_often_the_service_is(
    redis: Redis, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "EVERY_S", 3600.0)
    assert ana.get("/readyz").status_code == 200
    redis.config_resetstat()
    for _ in range(20):
        assert ana.get("/readyz").status_code == 200
    assert "cmdstat_info" not in redis.info("commandstats")


def test_asking_makes_the_log_no_longer(redis: Redis, ana: Person) -> None:
    assert ana.get("/readyz").status_code == 200
    before = redis.info("persistence")["aof_current_size"]
    for _ in range(5):
        assert ana.get("/readyz").status_code == 200
    assert redis.info("persistence")["aof_current_size"] == before


def test_a_worker_tells_too(redis: Redis, runtime: Runtime, logs: Logs) -> None:
    sweeper = Sweeper(process.make(runtime))
    sweeper.sweep()
    spoil, mend, reason = SPOILT["evicting"]
    spoil(redis)
    try:
        sweeper.sweep()
        sweeper.sweep()
    finally:
        mend(redis)
    assert reason in only(logs, "store_unfit")["reason"]
    assert STORE_UNFIT._value.get() == 1
    sweeper.sweep()
    assert only(logs, "store_fit_again")
    assert STORE_UNFIT._value.get() == 0
