"""A service with everything, a small game besides, and a browser."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.client.visitors import Visitor
from tests.faults import processes

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        assert "CI" not in os.environ, "install chromium: the client is tested in it"
        pytest.skip(f"none of {', '.join(BROWSERS)} is on the PATH")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port = processes.free_port()
    folder = tmp_path_factory.mktemp("service")
    with processes.serve(folder, port, LONJA_EXTRA_RULESETS="tests.pig", LONJA_EXHIBITION="off"):
        yield port


@pytest.fixture
def visitor(browser: Browser, port: int) -> Iterator[Visitor]:
    """Somebody with a browser of their own, who saw nothing go wrong in it."""
    with Visitor.at(browser, port) as visitor:
        yield visitor
