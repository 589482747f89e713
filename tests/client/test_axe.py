"""axe, as it is, finds nothing: every room and every game, in each language, colours and size."""

import pytest
from playwright.sync_api import Browser, Page

from rules.registry import PACKAGES
from tests.client.looks import LOOKS, SOME, Look
from tests.client.positions import Position, Tables, position
from tests.client.services import Service
from tests.client.visitors import Visitor
from tests.running import ROOT

AXE = ROOT / "service/web/client/node_modules/axe-core/axe.min.js"
ROOMS = (
    "/",
    "/lobby#pig",
    "/games",
    "/settings",
    "/you",
    "/rules",
    "/rules/ragusa",
    "/players/p-nobody",
    "/tournaments",
    "/docs/reference/games/createGame",
    "/docs/reference/schemas/Game",
    "/docs/problems/stale_version",
    "/docs/games",
    "/docs/settings",
)
MORE_ROOMS = ("/of-nothing", "/verify.html")
GAMES = ["pig", *(package.removeprefix("rules.") for package in PACKAGES)]
REPLAYED = 8
"""The number of an event long before each position."""
PROBLEMS = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .map(({id, nodes}) => `${id}: ${nodes.map(node => node.html).join('\\n')}`)"""
"""A script for what axe finds by all the rules that it has on."""


def judge(page: Page, where: object) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(PROBLEMS)
    assert not found, "\n".join([f"{where}:", *found])


def judge_room(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    visitor.page.wait_for_load_state("networkidle")
    judge(visitor.page, path)
    visitor.faults.clear()  # the page says that there is nothing at the address of this room


def judge_question(visitor: Visitor, table: Position) -> None:
    visitor.sit(table.ana)
    visitor.go(table.path)
    visitor.wait()
    judge(visitor.page, table.ruleset)


def judge_on(visitor: Visitor) -> None:
    """Judge the page after a first choice, with the texts of the board, and in the replay."""
    page = visitor.page
    page.locator(".board [data-target], [data-option]").first.focus()
    page.keyboard.press("Enter")
    visitor.wait()
    page.locator(".described > summary").click()
    page.locator(".whole > summary").click()
    page.locator(".all-moves > summary").click()
    judge(page, "choosing")
    page.evaluate(f"location.hash = 'v={REPLAYED}'")
    page.wait_for_selector(f".table[data-shown='{REPLAYED}']")
    judge(page, "replay")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", range(len(SOME)), ids=[str(look) for look in SOME])
def test_some_rooms_and_games(
    browser: Browser, service: Service, tables: Tables, number: int
) -> None:
    """Each room and each game in one of the looks, and one choice with all its lists."""
    with Visitor.at(browser, service.port, **SOME[number].context) as visitor:
        for path in ROOMS[number :: len(SOME)]:
            judge_room(visitor, path)
        for game in GAMES[number :: len(SOME)]:
            judge_question(visitor, tables[game])
        if number == 0:
            judge_on(visitor)


@pytest.fixture(scope="module")
def ended(service: Service) -> Position:
    """A game that is over."""
    return position(service, "pig", "ended", moves=10**9)


@pytest.mark.campaign("client")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_every_room_and_game(
    browser: Browser, service: Service, tables: Tables, ended: Position, look: Look
) -> None:
    with Visitor.at(browser, service.port, **look.context) as visitor:
        for path in (*ROOMS, *MORE_ROOMS):
            judge_room(visitor, path)
        for game in GAMES:
            judge_question(visitor, tables[game])
            judge_on(visitor)
        judge_room(visitor, ended.path)
