"""A Redis that tests may kill and start again on its folder, and checks of the ledger."""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rules.kernel.proof.verify import verify
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.upkeep import maintenance
from tests import running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if not sys.platform.startswith("linux") and here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="finds processes in /proc"))


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("faults"), binary=redis_binary) as server:
        yield server


@pytest.fixture
def runtime(server: RedisServer) -> Runtime:
    """The service in this process, to examine what the killed processes left."""
    server.start()  # the previous test may have killed it
    return running.runtime_on(server.url)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


Whole = Callable[[Runtime], None]


@pytest.fixture(scope="session")
def whole() -> Whole:
    """Fail unless the ledger is consistent, so that nothing needs repair."""

    def check(runtime: Runtime) -> None:
        found = [f for f in maintenance.check(runtime.ledger.store, runtime.registry) if f]
        assert found == []
        assert not any(maintenance.repair(runtime.ledger.store, runtime.registry))

    return check


def proves(runtime: Runtime, game_id: str) -> None:
    """Fail unless the record of a finished game verifies."""
    report = verify(game_id, running.copies(runtime, game_id), runtime.registry)
    assert report.ok, report.to_json()
    assert report.status == "ended"


def kill_redis(server: RedisServer) -> None:
    os.kill(server.pid, signal.SIGKILL)
    running.wait_for(lambda: not server.running)
