"""The rules beside the board, at the passage of the question, from every game's table."""

import re

import pytest
from playwright.sync_api import Page, expect

from rules.registry import PACKAGES
from tests.campaigns import left_to
from tests.client.positions import Tables
from tests.client.test_axe import judge
from tests.client.visitors import WIDEST, Visitor

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
PHONE = {"width": 390, "height": 844}
READ_THROUGH = """async () => {
    const pages = document.querySelector('.drawer .pages');
    for (let top = 0; top < pages.scrollHeight; top += pages.clientHeight / 2) {
        pages.scrollTop = top;
        await new Promise(painted => requestAnimationFrame(() => setTimeout(painted, 20)));
    }
}"""
"""Scrolls from the first line of the rules to the last."""
CUT = """all => all.flatMap(picture => {
    const edge = picture.getBoundingClientRect();
    return [...picture.querySelectorAll('.touched > .halo, .touched > .moving > .halo')]
        .map(halo => halo.getBoundingClientRect())
        .filter(({left, right, top, bottom}) => left < edge.left - 1 || right > edge.right + 1
            || top < edge.top - 1 || bottom > edge.bottom + 1)
        .map(() => picture.getAttribute('aria-label'));
})"""
"""Names each picture once for each of its lit places that it does not show whole."""


def opened(visitor: Visitor, tables: Tables, game: str) -> Page:
    """Open the rules at a table at which Ana is asked."""
    table = tables[game]
    visitor.sit(table.ana)
    visitor.go(table.path)
    visitor.wait()
    visitor.page.keyboard.press("?")
    expect(visitor.page.locator(".drawer .passage")).to_be_in_viewport()
    return visitor.page


@pytest.mark.parametrize("game", left_to("client", GAMES, "plus_ultra"))
def test_the_rules_open_at_the_question(visitor: Visitor, tables: Tables, game: str) -> None:
    page, table = opened(visitor, tables, game), tables[game]
    (decision, *_) = table.ana.get(f"/v1{table.path}")["decisions"]
    drawer = page.get_by_role("complementary", name="Rules: ")
    expect(drawer).to_contain_text(f"Asked now: {decision['label']}")
    moves = {move["type"] for move in table.ana.get(f"/v1{table.path}/legal_moves?seat=0")["moves"]}
    names = {f"decision-{decision['name']}", *(f"move-{type_}" for type_ in moves)}
    anchors = page.evaluate(
        """() => {
            const passage = document.querySelector('.drawer .passage');
            const before = [passage, passage.previousElementSibling];
            return before.flatMap(block =>
                [...block.querySelectorAll('span[id]')].map(({id}) => id));
        }"""
    )
    assert names & set(anchors)
    expect(page.locator(".board-sheet")).to_be_in_viewport()
    page.evaluate(READ_THROUGH)
    pictures = page.locator(".drawer .detail svg[role=img]")
    labels = pictures.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    of_places = [label for label in labels if re.match(r"On the board: \S", label)]
    assert of_places, "passages about other moves have pictures of their places"
    assert pictures.evaluate_all(CUT) == []
    judge(page, game)


def test_the_drawer_is_left_as_it_was_entered(visitor: Visitor, tables: Tables) -> None:
    page = opened(visitor, tables, "manila")
    expect(page.get_by_role("heading", name="Rules: Manila")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)
    expect(page.get_by_role("link", name="Rules", exact=True).last).to_be_focused()
    page.get_by_role("link", name="Rules", exact=True).last.click()
    expect(page.locator(".drawer .passage")).to_be_in_viewport()
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".drawer")).to_have_count(0)


def test_on_a_phone_the_question_stays_below_the_rules(visitor: Visitor, tables: Tables) -> None:
    visitor.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of its keys
    page = opened(visitor, tables, "macao")
    box = page.locator(".drawer").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, PHONE["width"])
    question = page.locator(".side.first").bounding_box()
    assert question is not None
    assert box["y"] > 100
    assert box["y"] + box["height"] <= question["y"] + 1
    assert page.evaluate(WIDEST) <= PHONE["width"]
