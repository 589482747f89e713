"""Whole games in another browser than that of the other tests: Firefox, as people have it."""

import os
import shutil
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.campaigns import Figure
from tests.client import firefox
from tests.client.robots import Keys, Pointer, Robot, play_to_the_end
from tests.client.services import Service
from tests.client.test_play import GAMES, open_table
from tests.client.visitors import Visitor
from tests.faults.people import Client

NAMES = ("firefox-esr", "firefox")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The Firefox on the PATH; without one, the tests are skipped."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"none of {', '.join(NAMES)} is on the PATH")
    program = tmp_path_factory.mktemp("firefox") / "firefox"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {firefox.__file__} "$@"\n')
    program.chmod(0o700)
    with sync_playwright() as playwright:
        launched = playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=program,
            env={**os.environ, firefox.PATH: found},
        )
        yield launched
        launched.close()


@pytest.mark.campaign("firefox")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("robot", [Pointer, Keys])
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game(
    browser: Browser,
    service: Service,
    ruleset: str,
    robot: type[Robot],
    record_property: Figure,
) -> None:
    title = Client(service.port).get(f"/v1/rulesets/{ruleset}")["title"]
    with Visitor.at(browser, service.port) as visitor:
        open_table(visitor, title)
        record_property("games", 1)
        record_property("moves", play_to_the_end(visitor, robot(visitor, 4)))
        record_property("positions compared", visitor.compared)
