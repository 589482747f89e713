"""A ruleset without a board: the page and the kit show its view in words."""

import json
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.client.conftest import Service
from tests.client.embedding import Guest
from tests.client.test_embed import opened, pages
from tests.client.visitors import Visitor
from tools.kit import build


def without_a_board(page: Page) -> None:
    """Remove the board of ``sealed`` from the service's answers."""

    def answer(route: Route) -> None:
        given = route.fetch()
        summary = given.json()
        summary["documents"] |= {"board": None, "renderer": None}
        route.fulfill(response=given, body=json.dumps(summary))

    page.route("**/v1/rulesets/sealed", answer)


def check(members: Locator) -> None:
    """Check that a table shows the values of each seat by name, without empty ones."""
    expect(members.get_by_role("columnheader")).to_have_text(["Coins", "Prizes", "Tiles"])
    assert members.get_by_role("rowheader").all_inner_texts()[:2] == ["Seat 1", "Seat 2"]
    named = members.locator("dt").all_inner_texts()
    assert "Leader" in named
    assert not {"Phase", "Resigned", "Reason", "Bids"} & set(named), "said elsewhere, or empty"
    assert not [name for name in named if name.endswith(".")], "a sentence of the schema"
    fits = "members => members.scrollWidth <= document.documentElement.clientWidth"
    assert members.evaluate(fits)


def test_the_page(browser: Browser, service: Service) -> None:
    _, game = opened(service.port, "sealed")
    with Visitor.at(browser, service.port) as visitor:
        without_a_board(visitor.page)
        visitor.go(f"/games/{game}")
        for width in (1280, 390):
            visitor.page.set_viewport_size({"width": width, "height": 844})
            check(visitor.page.locator(".members"))


def test_the_kit(browser: Browser, service: Service, tmp_path: Path) -> None:
    player, game = opened(service.port, "sealed")
    build(tmp_path / "kit")
    told = pages(f"http://127.0.0.1:{service.port}", game)
    with Guest.of(browser, service.port, tmp_path, told) as guest:
        without_a_board(guest.page)
        guest.page.goto(f"{guest.origin}/#key={player.key}")
        check(guest.page.locator("lonja-game .members"))
