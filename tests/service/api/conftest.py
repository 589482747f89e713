"""The API on a real Redis, and its clients."""

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask import Flask
from redis import Redis

from service.api.app import create_app
from service.api.http import limits
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests import running
from tests.service.api.people import METRICS_TOKEN, House


@pytest.fixture(autouse=True)
def logs() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as captured:
        yield captured


@pytest.fixture(autouse=True)
def _requests_count_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count each request once, though the first requests of a new process cost more."""
    monkeypatch.setattr(limits, "UNIT_NS", 10**15)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a service that the test starts."""
    return tmp_path_factory.mktemp("log") / "web.log"


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    environ = {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_METRICS_TOKEN": METRICS_TOKEN,
    }
    return open_runtime(load(environ))


@pytest.fixture
def app(runtime: Runtime) -> Flask:
    return create_app(runtime)


@pytest.fixture
def following(runtime: Runtime) -> Iterator[None]:
    """Run a follower that writes players' notices."""
    with running.following(runtime):
        yield


@pytest.fixture
def house(app: Flask) -> House:
    return House(app)
