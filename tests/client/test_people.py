"""Whoever comes, with any language, theme or screen; and it stays small."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.client.conftest import Service
from tests.client.visitors import Visitor
from tests.running import ROOT

CLIENT = ROOT / "service/web/client"
APP = ROOT / "service/web/static/app"
SHELL_LIMIT = 60_000
BOARD_LIMIT = 40_000
"""Bytes, compressed."""
LATER_LIMIT = 40_000
"""Bytes, compressed: what is loaded when somebody first opens a room that few come for."""
ROOMS = (
    "/", "/lobby#pig", "/settings", "/you", "/rules", "/rules/ragusa", "/players/p-nobody",
    "/tournaments", "/tournaments/t07-mfrggzdfmztwq2lknnwg",
)  # fmt: skip
PROBLEMS = """async () => {
    const found = await axe.run(document, {resultTypes: ['violations']});
    return found.violations
        .filter(({impact}) => impact === 'serious' || impact === 'critical')
        .map(({id, nodes}) => `${id}: ${nodes.map(node => node.html).join('\\n')}`);
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    return (CLIENT / "node_modules/axe-core/axe.min.js").read_text()


@pytest.mark.parametrize(("language", "theme"), [("en-GB", "light"), ("es-ES", "dark")])
def test_nothing_keeps_anybody_out(
    browser: Browser, service: Service, axe: str, language: str, theme: str
) -> None:
    with Visitor.at(browser, service.port, locale=language, color_scheme=theme) as visitor:
        page = visitor.page

        def judge(where: str) -> None:
            page.evaluate(axe)
            assert page.evaluate(PROBLEMS) == [], where

        for path in ROOMS:
            visitor.go("/settings")  # a fragment alone would load nothing
            visitor.go(path)
            page.wait_for_load_state("networkidle")
            judge(path)
        visitor.faults.clear()  # nobody has that id, as the page says
        for title in ("Santiago", "Pig"):
            visitor.go("/")
            page.get_by_role("listitem").filter(has_text=title).get_by_role("button").click()
            visitor.wait()
            judge(title)
            page.locator("[data-option]").first.click()
            visitor.wait()
            judge(f"{title}, choosing")


@pytest.mark.parametrize("size", [(360, 740), (800, 1000), (1400, 900)])
def test_nothing_is_wider_than_the_screen(visitor: Visitor, size: tuple[int, int]) -> None:
    width, height = size
    page = visitor.page
    page.set_viewport_size({"width": width, "height": height})
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa", "/tournaments"):
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role("button").click()
    page.wait_for_selector(".board-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_small() -> None:
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in APP.iterdir()}
    later = [name for name in sizes if name.startswith("later-")]
    assert sum(sizes.pop(name) for name in later) < LATER_LIMIT
    assert sum(sizes.values()) < SHELL_LIMIT
    boards = {
        file.parent.parent.name: len(gzip.compress(file.read_bytes()))
        for file in Path(ROOT / "rules").glob("*/aids/board.js")
    }
    assert {name: size for name, size in boards.items() if size >= BOARD_LIMIT} == {}
