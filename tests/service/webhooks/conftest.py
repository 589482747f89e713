"""The API with webhooks on loopback allowed, without TLS."""

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
import structlog
from flask import Flask
from redis import Redis

from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests import running
from tests.service.api.people import House


@pytest.fixture(autouse=True)
def logs() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as captured:
        yield captured


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    environ = {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_OUTBOUND_NETWORKS": "127.0.0.1",
        "LONJA_OUTBOUND_HTTP": "yes",
        "LONJA_SECRETS_KEY": "5c" * 32,
        "LONJA_PUSH_CONTACT": "mailto:operator@example.org",
    }
    return open_runtime(load(environ))


@pytest.fixture(autouse=True)
def _following(runtime: Runtime) -> Iterator[None]:
    with running.following(runtime):
        yield


@pytest.fixture
def app(runtime: Runtime) -> Flask:
    return create_app(runtime)


@pytest.fixture
def house(app: Flask) -> House:
    return House(app)
