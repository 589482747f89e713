"""Phones and tablets: narrow pages, used by touch."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.client.conftest import Service
from tests.client.visitors import WIDEST, Visitor

WIDTH, HEIGHT = 360, 740
BELOW = """() => {
    const asked = document.querySelector('.side.first').getBoundingClientRect();
    return [asked.top, asked.bottom, innerHeight];
}"""
"""A script that returns the top and bottom of the question, and the height of the screen."""


@pytest.fixture
def phone(browser: Browser, service: Service) -> Iterator[Visitor]:
    screen = {"width": WIDTH, "height": HEIGHT}
    with Visitor.at(browser, service.port, viewport=screen, has_touch=True) as visitor:
        yield visitor


def play(phone: Visitor, title: str) -> None:
    phone.go("/")
    phone.page.get_by_role("listitem").filter(has_text=title).get_by_role(
        "button", name="Play now"
    ).tap()
    phone.wait()


def test_a_first_tap_looks_and_a_second_one_chooses(phone: Visitor) -> None:
    play(phone, "Macao")
    page = phone.page
    card, other = page.locator(".board-sheet [data-target^='piece:card']").all()[:2]
    large = page.locator(".board-sheet .macao-large >> visible=true")
    expect(large).to_have_count(0)
    card.tap()
    expect(large).to_have_count(1)
    assert page.locator("[data-confirm]").count() == 0
    other.tap()  # enlarges another card instead
    expect(large).to_have_count(1)
    assert page.locator("[data-confirm]").count() == 0
    before = page.locator(".table").get_attribute("data-shown")
    other.tap()
    chosen = page.locator("[data-confirm]")
    sent = page.locator(f".table:not([data-shown='{before}'])")  # a card that can be given back
    expect(chosen.or_(sent).first).to_be_visible()


def test_the_question_stays_in_sight(phone: Visitor) -> None:
    play(phone, "Manila")
    page = phone.page
    assert page.evaluate(WIDEST) <= WIDTH
    for place in (".board-sheet", ".mats", ".log"):
        page.locator(place).scroll_into_view_if_needed()
        top, bottom, height = page.evaluate(BELOW)
        assert height / 2 < top < bottom <= height, place


def test_what_has_no_layout_for_a_phone_is_moved_under_the_finger(phone: Visitor) -> None:
    play(phone, "Pig")
    page = phone.page
    expect(page.locator(".sheet.larger")).not_to_have_count(0)
    page.get_by_role("button", name="Larger board").tap()
    expect(page.locator(".sheet.larger")).to_have_count(0)
    page.reload()  # the choice stays
    phone.wait()
    expect(page.locator(".board-sheet")).to_be_visible()
    expect(page.locator(".sheet.larger")).to_have_count(0)


def test_a_large_card_is_seen_whole_on_a_board_that_is_moved(phone: Visitor) -> None:
    play(phone, "Ragusa")
    page = phone.page
    expect(page.locator(".sheet.larger")).to_have_count(1)
    market = page.locator(".board-sheet [data-place=market]")
    market.evaluate("each => each.scrollIntoView({ block: 'center', inline: 'center' })")
    market.tap()
    expect(page.locator(".board-sheet [data-looked]")).to_have_count(1)
    pane = page.locator(".sheet.larger").bounding_box()
    card = page.locator(".ragusa-large-market").bounding_box()
    assert pane is not None
    assert card is not None
    assert pane["x"] <= card["x"]
    assert card["x"] + card["width"] <= pane["x"] + pane["width"]
    assert card["y"] >= 0


def test_a_tablet_has_a_board_of_its_width_and_a_larger_one_if_asked(
    browser: Browser, service: Service
) -> None:
    screen = {"width": 800, "height": 900}
    with Visitor.at(browser, service.port, viewport=screen, has_touch=True) as tablet:
        play(tablet, "Ragusa")
        page, board = tablet.page, tablet.page.locator(".board-sheet")
        assert board.evaluate("each => each.getBoundingClientRect().width") <= 800
        page.get_by_role("button", name="Larger board").tap()
        expect(page.locator(".sheet.larger").first).to_be_visible()
        assert board.evaluate("each => each.getBoundingClientRect().width") > 1000
        assert page.evaluate(WIDEST) <= 800


TARGETS = """() => {
    const floor = document.querySelector('.side.first').getBoundingClientRect().top;
    const boxes = [...document.querySelectorAll('.board [data-target] > .halo')].map(
        halo => halo.getBoundingClientRect());
    return [boxes.filter(({top, bottom}) => top >= 0 && bottom <= floor).length, boxes.length];
}"""
"""A script that returns how many targets are seen whole above the question, and how many there
are."""
SCROLLED = "document.body.scrollTop"
REDRAWN = 500
"""Milliseconds in which a page is drawn at another size."""
DRAWN = f"new Promise(drawn => setTimeout(drawn, {REDRAWN}))"


def test_what_can_be_chosen_comes_into_sight_but_stays_where_a_hand_has_moved_it(
    phone: Visitor,
) -> None:
    play(phone, "Santiago de Cuba")
    page = phone.page
    page.wait_for_function(f"() => ({TARGETS})()[0] > 0")
    page.mouse.move(WIDTH / 2, 200)
    # What is loaded late may draw the board anew, and bring them back: the hand moves on then.
    while page.evaluate(TARGETS)[0] > 0:
        page.mouse.wheel(0, 10_000)
        page.evaluate(DRAWN)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT + 20})
    page.wait_for_function(f"() => ({TARGETS})()[0] > 0")
    before = page.evaluate(SCROLLED)
    page.mouse.wheel(0, 20 if before == 0 else -20)
    page.wait_for_function(f"() => {SCROLLED} !== {before}")
    moved = page.evaluate(SCROLLED)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.evaluate(DRAWN)
    assert page.evaluate(TARGETS)[0] > 0
    assert page.evaluate(SCROLLED) == moved
