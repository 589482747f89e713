"""The guides in a browser: panes at each width, the keyboard, and examples in a chosen language."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.client.services import Service

OPERATION = "/docs/reference/games/createGame"
LONG = ("/docs/reference/play/playMove", "/docs/reference/tournaments/createTournament")


@pytest.fixture
def page(browser: Browser, service: Service) -> Iterator[Page]:
    address = f"http://127.0.0.1:{service.port}"
    with browser.new_context(base_url=address, viewport={"width": 1280, "height": 800}) as context:
        yield context.new_page()


def left_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"]


@pytest.mark.parametrize(("width", "panes"), [(1280, 3), (768, 1), (390, 1)])
def test_an_operation_has_its_panes_at_every_width(page: Page, width: int, panes: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in (OPERATION, *LONG):
        page.goto(path)
        height, over = page.evaluate(
            "[document.body.scrollHeight, document.documentElement.scrollWidth - innerWidth]"
        )
        assert over <= 0, path
        assert height < 5_000, path
        if panes == 3:
            places = [left_of(page, each) for each in (".shelf", "article", ".samples")]
            assert places == sorted(places)
            assert len({*places}) == 3


def test_examples_are_in_the_chosen_language_by_keyboard(page: Page) -> None:
    page.goto(OPERATION)
    shown = page.locator("[data-language]:visible")
    assert "curl" in shown.inner_text()
    page.get_by_role("radio", name="curl").focus()
    page.keyboard.press("ArrowRight")
    assert "lonja_client" in shown.inner_text()
    page.goto(LONG[0])
    assert "lonja_client" in shown.inner_text(), "the choice is kept"


def test_the_search_leads_to_an_operation_by_keyboard(page: Page) -> None:
    page.goto("/docs/")
    page.keyboard.press("/")
    page.keyboard.type("preview the effects of a move")
    page.wait_for_selector("#found:not([hidden])")
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/reference/play/previewMove")
