"""The runtimes of a web process and of a worker."""

import math

import pytest
from redis import Redis

from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from workers.turns import Turns


@pytest.fixture
def web(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def worker(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url, announce=False)


@pytest.fixture
def turns(worker: Runtime) -> Turns:
    return Turns(worker, seconds=math.inf)
