"""A real Redis for the tests: one server a test process, emptied before each test.

It is newer than the oldest one that Lonja supports, so each test also shows that it, and what it
tests, keeps to that one's commands.
"""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from playwright.sync_api import Browser, sync_playwright
from redis import Redis

from service.process import logs
from service.redis.binary import bundled_path
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.redis.version import OLDEST_SUPPORTED
from tests import slots
from workers import bots

os.environ["LC_ALL"] = "C.UTF-8"  # commands speak the language of whoever runs the tests
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
pytest_plugins = ["pytester", "tests.campaigns", "tests.sentences"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect thousands of tests, none of which is garbage: nothing looks for it among them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _scripts_work_in_one_slot() -> Iterator[None]:
    yield from slots.held()


@pytest.fixture(autouse=True)
def _the_log_is_set_up_anew() -> Iterator[None]:
    """A command that sets up the log, as each does, must not hide it from the next test.

    Nor must the id of a request that was answered here be taken for the next one's.
    """
    yield
    structlog.reset_defaults()
    logs.about(None)


@pytest.fixture(autouse=True)
def _bots_of_ones_own_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test, or a command that it runs, installs must not be offered to the next."""
    monkeypatch.setattr(bots, "FUNCTIONS", dict(bots.FUNCTIONS))
    monkeypatch.setattr(bots, "SOURCES", dict(bots.SOURCES))


def browser_path() -> str | None:
    """Return where a browser is; None if there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser. For a module alone: as long as it runs, nothing else can use asyncio."""
    with chromium() as launched:
        yield launched


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser that is on the PATH; without one, a test is skipped."""
    found = browser_path()
    if found is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is on the PATH")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def redis_binary() -> Path | None:
    """LONJA_REDIS_SERVER's program, or else the bundled one."""
    chosen = os.environ.get("LONJA_REDIS_SERVER")
    return Path(chosen) if chosen else bundled_path()


@pytest.fixture(scope="session")
def redis_server(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis"), binary=redis_binary) as server:
        yield server


@pytest.fixture(scope="session")
def newer_commands(redis_server: RedisServer) -> frozenset[str]:
    """What this server knows and the oldest one that Lonja supports does not."""
    redis_server.start()
    with make_client(redis_server.url) as client:
        listed = client.eval("return redis.call('COMMAND', 'DOCS')", 0)
        return frozenset(_newer(listed)) - {"client|setinfo"}  # the client sends it at a venture


def _newer(listed: list[Any]) -> Iterator[str]:
    for name, described in _pairs(listed):
        told = dict(_pairs(described))
        since = tuple(map(int, told[b"since"].split(b".")))
        if since[:2] > OLDEST_SUPPORTED:
            yield name.decode()
        yield from _newer(told.get(b"subcommands", []))


def _pairs(flat: list[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(flat[::2], flat[1::2], strict=True)


@pytest.fixture
def redis_client(redis_server: RedisServer, newer_commands: frozenset[str]) -> Iterator[Redis]:
    redis_server.start()  # a test may have killed it
    with make_client(redis_server.url) as client:
        client.flushall()
        client.config_resetstat()
        yield client
        if redis_server.running:
            used = {name.removeprefix("cmdstat_") for name in client.info("commandstats")}
            assert not used & newer_commands, "a Redis 7.0 has no such command"


@pytest.fixture
def own_client(tmp_path: Path, redis_binary: Path | None) -> Iterator[Redis]:
    """A client of a server that a test may spoil, and that no other test has left anything on."""
    with (
        RedisServer(tmp_path, binary=redis_binary) as server,
        make_client(server.url) as client,
    ):
        yield client
