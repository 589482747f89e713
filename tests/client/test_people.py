"""Whoever comes, with any language, theme or screen."""

import pytest
from playwright.sync_api import Browser

from tests.client.conftest import Service
from tests.client.visitors import Visitor
from tests.running import ROOT

CLIENT = ROOT / "service/web/client"
ROOMS = ("/", "/lobby#pig", "/settings", "/you", "/rules", "/rules/ragusa", "/players/p-nobody")
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
    for path in ("/", "/lobby", "/settings", "/you", "/rules/ragusa"):
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    visitor.go("/")
    page.get_by_role("listitem").filter(has_text="Macao").get_by_role("button").click()
    page.wait_for_selector(".board-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
