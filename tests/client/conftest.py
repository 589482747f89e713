"""A service with everything, a small game besides, and a browser."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from service.redis.server import RedisServer
from tests.client.visitors import Visitor
from tests.faults import processes

EXTRA = {"LONJA_EXTRA_RULESETS": "tests.pig"}


class Service(NamedTuple):
    """Everything runs; its web process can be killed, and the launcher starts another."""

    pid: int
    port: int
    redis_url: str

    def kill_web(self) -> None:
        for child in processes.descendants(self.pid):
            if b"gunicorn" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    """Run everything on this folder, on a Redis that a test can open tables on."""
    port = processes.free_port()
    with (
        RedisServer(folder / "redis") as redis,
        processes.serve(folder, port, REDIS_URL=redis.url, **EXTRA) as process,
    ):
        yield Service(process.pid, port, redis.url)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture
def visitor(browser: Browser, service: Service) -> Iterator[Visitor]:
    """Somebody with a browser of their own, who saw nothing go wrong in it."""
    with Visitor.at(browser, service.port) as visitor:
        yield visitor
