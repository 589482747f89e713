"""A real Redis for the tests: one server a test process, emptied before each test."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.redis_binary import bundled_path
from service.redis_client import make_client
from service.redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_binary() -> Path | None:
    """The bundled server, so that the code keeps to its commands, or LONJA_REDIS_SERVER's."""
    chosen = os.environ.get("LONJA_REDIS_SERVER")
    if chosen:
        return Path(chosen)
    return bundled_path() if bundled_path().exists() else None


@pytest.fixture(scope="session")
def redis_server(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis"), binary=redis_binary) as server:
        yield server


@pytest.fixture
def redis_client(redis_server: RedisServer) -> Iterator[Redis]:
    redis_server.start()  # a test may have killed it
    with make_client(redis_server.url) as client:
        client.flushall()
        yield client
