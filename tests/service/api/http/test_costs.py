"""Costs of requests: whole units of processor time; the first unit counts at the arrival.

The clock is one that the test moves, so that each figure is exact.
"""

import re
import time
from collections.abc import Iterator

import pytest
from flask import Flask, request
from greenlet import getcurrent
from redis import Redis
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.api.http import limits
from service.process import task_time
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests.service.api.people import House, Person, problem
from tests.service.api.test_stream import streaming

UNIT_MS = 5
HERE = "/v1/rulesets"


class Clock:
    """A processor clock that advances only by the cost that a request names."""

    def __init__(self) -> None:
        self.ms = 0.0

    def now_ns(self) -> int:
        return int(self.ms * 1_000_000)

    def work(self) -> None:
        self.ms += float(request.headers.get("X-Request-Id", "0"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    getcurrent().__dict__.pop("task_time", None)  # it belongs to another clock
    monkeypatch.setattr(task_time, "now_ns", made.now_ns)
    monkeypatch.setattr(limits, "UNIT_NS", UNIT_MS * 1_000_000)
    yield made
    getcurrent().__dict__.pop("task_time", None)


@pytest.fixture
def house(clock: Clock, redis_server: RedisServer, redis_client: Redis) -> House:
    environ = {"LONJA_RATE_LIMIT": "100 per minute", "LONJA_ADDRESS_RATE_LIMIT": "300 per hour"}
    runtime = open_runtime(
        load({"REDIS_URL": redis_server.url, "LONJA_EXTRA_RULESETS": "tests.sealed", **environ})
    )
    app: Flask = create_app(runtime)
    app.before_request(clock.work)
    return House(app)


def ask(who: Person, ms: float, path: str = HERE) -> TestResponse:
    """Send a request with this cost, and read the answer."""
    answer = who.get(path, X_Request_Id=str(ms))
    answer.close()
    return answer


def left(answer: TestResponse) -> tuple[int, int]:
    """Return the remaining units of the key and of the address."""
    found = re.findall(r'"(?:key|address)-[0-9]+s";r=([0-9]+)', answer.headers["RateLimit"])
    key, address = map(int, found)
    return key, address


@pytest.mark.parametrize("ms", [0, 1, 4.9, 5, 9.9])
def test_a_usual_request_counts_one_however_often_it_is_asked(house: House, ms: float) -> None:
    told = []
    for _ in range(40):
        answer = ask(house.visitor, ms)
        told.append((left(answer), answer.headers["Server-Timing"]))
    assert told == [((100 - n, 300 - n), 'processor;dur=5;desc="1"') for n in range(1, 41)], (
        "less than a unit tells nothing, nor does a sum of it: twins may differ by that"
    )


def test_what_a_dear_one_costs_above_one_rides_on_the_next(house: House) -> None:
    first = ask(house.visitor, 23)
    assert first.headers["Server-Timing"] == 'processor;dur=20;desc="4"'
    assert left(first) == (99, 299), "the first is counted before it is known"
    assert left(ask(house.visitor, 1)) == (100 - 1 - 3 - 1, 300 - 1 - 3 - 1)
    assert left(ask(house.visitor, 1)) == (94, 294), "once"


def test_it_is_owed_by_the_key_and_by_the_address(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    ask(ana, 53)
    assert left(ask(bea, 1)) == (99, 300 - 2 - 1 - 9 - 1)
    assert left(ask(ana, 1)) == (100 - 1 - 9 - 1, 300 - 2 - 1 - 9 - 2)
    elsewhere = house.client.get(HERE, environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert left(elsewhere) == (99, 299)


def test_it_passes_limits_and_costs_no_round_trip(house: House, redis_client: Redis) -> None:
    ask(house.visitor, 0)
    redis_client.config_resetstat()
    ask(house.visitor, 5 * 120)
    told = problem(ask(house.visitor, 0), 429, "rate_limited")
    assert (told["scope"], told["limit"]) == ("key", 100)
    counted = redis_client.info("commandstats")["cmdstat_evalsha"]["calls"]
    assert counted == 2, "each request is one"


def test_what_is_owed_is_forgotten_with_its_window(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ask(house.visitor, 23)
    now[0] += 61
    key, address = left(ask(house.visitor, 0))
    assert (key, address) == (98, 300 - 1 - 3 - 1), "a minute is over, and an hour is not"


def test_other_limits_count_requests(house: House) -> None:
    house.visitor.post("/v1/players", {"name": "Ana"}, X_Request_Id="50").close()
    answer = house.visitor.post("/v1/players", {"name": "Ana"}, X_Request_Id="0")
    assert '"sign_up-3600s";r=28' in answer.headers["RateLimit"]


def test_a_refused_one_costs_what_it_costs(house: House) -> None:
    answer = house.visitor.post("/v1/tournaments/preview", {}, X_Request_Id="23")
    assert (answer.status_code, answer.headers["Server-Timing"]) == (
        422, 'processor;dur=20;desc="4"',
    )  # fmt: skip
    answer.close()
    assert left(ask(house.visitor, 0)) == (100 - 1 - 3 - 1, 300 - 1 - 3 - 1)


def test_a_stream_is_counted_as_it_goes(house: House, clock: Clock) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    url = house.table(ana, bea)
    with streaming(ana, f"{url}/stream?last=1") as stream:
        stream.event()
        before, _ = left(ask(ana, 0))
        clock.ms += 42  # and while the stream is open
        ana.move(url, 0).close()
        stream.event()
        after, _ = left(ask(ana, 0))
    assert before - after >= 7


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_what_balancers_ask_tells_and_costs_nothing(house: House, path: str) -> None:
    assert "Server-Timing" not in ask(house.visitor, 100, path).headers
    assert left(ask(house.visitor, 0)) == (99, 299)
