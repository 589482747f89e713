"""Whoever points to what is not lit is told which rule refuses it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.client.conftest import Service
from tests.client.visitors import Visitor

COVERED = """tip => [...document.querySelectorAll('.board [data-target]')].some(target => {
    const one = tip.getBoundingClientRect(), other = target.getBoundingClientRect();
    return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
})"""
"""Whether a tip covers something that can be chosen."""


def play(visitor: Visitor, title: str = "Ragusa") -> None:
    visitor.go("/")
    card = visitor.page.get_by_role("listitem").filter(has_text=title)
    card.locator("button.main").click()
    visitor.wait()
    visitor.page.locator(".why").wait_for(state="attached")


def tip(visitor: Visitor) -> Locator:
    return visitor.page.locator(".why")


def told(visitor: Visitor, element: str, **headers: Any) -> str:
    path = f"/v1/games/{visitor.game}/refusal?element={element}"
    answer = visitor.client().get(path, **headers)
    return f"{answer['what']}. {answer['label']}"


def questions(visitor: Visitor) -> list[str]:
    return [url for url in visitor.asked if "/refusal" in url]


def by_mouse(visitor: Visitor, place: Locator) -> None:
    place.hover(force=True)


def by_click(visitor: Visitor, place: Locator) -> None:
    place.click(force=True)


@pytest.mark.parametrize("point", [by_mouse, by_click])
def test_what_is_not_lit_says_why(
    visitor: Visitor, point: Callable[[Visitor, Locator], None]
) -> None:
    play(visitor)
    place = visitor.page.locator(".board-sheet [data-place='r05']")
    expect(tip(visitor)).to_be_hidden()
    point(visitor, place)
    expect(tip(visitor)).to_contain_text(told(visitor, "place:r05"))
    assert tip(visitor).get_attribute("role") == "status"
    assert not tip(visitor).evaluate(COVERED)
    assert visitor.page.locator("[data-confirm]").count() == 0
    visitor.page.keyboard.press("Escape")
    expect(tip(visitor)).to_be_empty()
    count = len(questions(visitor))
    point(visitor, visitor.page.locator(".board-sheet [data-place='r09']"))
    expect(tip(visitor)).not_to_be_empty()
    point(visitor, place)
    expect(tip(visitor)).to_contain_text(told(visitor, "place:r05"))
    asked = [url for url in questions(visitor) if url.endswith("r05")]
    assert len(asked) == 1, "an answer is kept as long as the question is open"
    assert len(questions(visitor)) > count


def test_a_click_that_chooses_asks_nothing(visitor: Visitor) -> None:
    play(visitor, "Santiago")
    visitor.page.mouse.move(0, 0)
    count = len(questions(visitor))
    with visitor.page.expect_request("**/preview"):
        visitor.page.locator(".board-sheet [data-target]").first.click(force=True)
    visitor.page.wait_for_timeout(200)
    assert len(questions(visitor)) == count


def test_a_reason_is_in_the_language_of_the_page(browser: Browser, service: Service) -> None:
    with Visitor.at(browser, service.port, locale="es-ES") as visitor:
        play(visitor)
        visitor.page.locator(".board-sheet [data-place='r05']").click(force=True)
        expect(tip(visitor)).to_contain_text(told(visitor, "place:r05", Accept_Language="es"))


def test_keys_lead_to_what_is_not_lit_without_a_further_stop(visitor: Visitor) -> None:
    play(visitor, "Santiago")
    page = visitor.page
    stops = page.locator(".board [tabindex='0']")
    lit = page.locator(".board-sheet [data-target][tabindex='0']")
    lit.focus()
    focused = lit.get_attribute("data-target")
    for _ in range(12):
        page.keyboard.press("Shift+ArrowUp")
        if page.locator(".board [data-asked]:not([data-target])").count():
            break
        page.keyboard.press("Shift+ArrowLeft")
        if page.locator(".board [data-asked]:not([data-target])").count():
            break
    expect(page.locator(".board [data-asked]")).to_have_count(1)
    assert page.evaluate("document.activeElement.dataset.target") == focused
    meanwhile = stops.count()
    page.keyboard.press("Escape")
    expect(page.locator(".board [data-asked]")).to_have_count(0)
    assert stops.count() == meanwhile
    expect(tip(visitor)).to_be_empty()


def test_nothing_is_shown_where_nobody_answers(visitor: Visitor) -> None:
    play(visitor)
    visitor.page.route("**/refusal?*", lambda route: route.abort())
    place = visitor.page.locator(".board-sheet [data-place='r05']")
    with visitor.page.expect_event("requestfailed"):
        place.click(force=True)
    expect(tip(visitor)).to_be_empty()
    visitor.page.goto("about:blank")  # so that it asks for no further element at that point
    visitor.faults.clear()


def test_a_service_that_cannot_tell_is_asked_once(visitor: Visitor) -> None:
    play(visitor)
    missing = {"status": 404, "json": {"code": "not_found", "detail": "there is no such path"}}
    visitor.page.route("**/refusal?*", lambda route: route.fulfill(**missing))
    with visitor.page.expect_response("**/refusal?*"):
        visitor.page.locator(".board-sheet [data-place='r05']").click(force=True)
    for place in ("r09", "r12"):
        visitor.page.locator(f".board-sheet [data-place='{place}']").click(force=True)
    visitor.page.wait_for_timeout(500)
    expect(tip(visitor)).to_be_empty()
    assert len(questions(visitor)) == 1
    visitor.faults.clear()


@pytest.fixture
def phone(browser: Browser, service: Service) -> Iterator[Visitor]:
    screen = {"width": 390, "height": 844}
    with Visitor.at(browser, service.port, viewport=screen, has_touch=True) as visitor:
        yield visitor


def test_a_finger_asks_too(phone: Visitor) -> None:
    play(phone)
    place = phone.page.locator(".board-sheet [data-place='r05']")
    place.scroll_into_view_if_needed()
    place.tap(force=True)
    expect(tip(phone)).to_contain_text(told(phone, "place:r05"))
    box = tip(phone).bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
