"""A real Redis for the tests: one server a test process, emptied before each test.

The server is newer than the oldest that Lonja supports, so each test also checks that only commands
of the oldest are used.
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

os.environ["LC_ALL"] = "C.UTF-8"  # commands print in the environment's language
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"
"""The browser without windows. It takes a quarter of the time to start and to open pages, and is
preferred; what only windows have, such as notifications, needs one of the others."""
pytest_plugins = ["pytester", "tests.campaigns", "tests.sentences"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn garbage collection off while thousands of tests are collected, and collect less later.

    With the default settings, the collector takes an eighth of the time of tests that make
    applications.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _scripts_work_in_one_slot() -> Iterator[None]:
    yield from slots.held()


@pytest.fixture(autouse=True)
def _the_log_is_set_up_anew() -> Iterator[None]:
    """Reset the log after each test, because every command configures it.

    Also forget the id of a request that was answered in this process.
    """
    yield
    structlog.reset_defaults()
    logs.about(None)


@pytest.fixture(autouse=True)
def _bots_of_ones_own_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uninstall the bots that a test, or a command in it, has installed."""
    monkeypatch.setattr(bots, "FUNCTIONS", dict(bots.FUNCTIONS))
    monkeypatch.setattr(bots, "SOURCES", dict(bots.SOURCES))


def browser_path(*, windows: bool = False) -> str | None:
    """Return the path of a browser, which can open windows if so asked; None if there is none."""
    names = BROWSERS if windows else (SHELL, *BROWSERS)
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, only for one module: while it runs, nothing else can use asyncio."""
    with chromium() as launched:
        yield launched


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser on the PATH; without one, skip the test."""
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
    """The commands of this server that the oldest supported server lacks."""
    redis_server.start()
    with make_client(redis_server.url) as client:
        listed = client.eval("return redis.call('COMMAND', 'DOCS')", 0)
        return frozenset(_newer(listed)) - {"client|setinfo"}  # the client sends it to every server


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
    """A client of a new server, which the test may damage."""
    with (
        RedisServer(tmp_path, binary=redis_binary) as server,
        make_client(server.url) as client,
    ):
        yield client
