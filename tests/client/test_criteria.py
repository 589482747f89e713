"""Criteria of WCAG 2.2 AA that axe cannot check: focus, targets, reflow, titles, errors, time."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.client.positions import Position, Tables, position
from tests.client.services import Service
from tests.client.test_axe import GAMES, ROOMS
from tests.client.visitors import WIDEST, Visitor
from tests.faults.people import Client

SMALLEST: dict[str, Any] = {"width": 320, "height": 640}
"""A screen of 1280 pixels at 400 %."""
TABS = 45
SPACED = """
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important; }
    p { margin-bottom: 2em !important; }
"""
"""The text spacing that a reader may set (WCAG 1.4.12)."""
ADOPT = """style => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
}"""
TOO_WIDE = f"{WIDEST} - innerWidth"
CUT_OFF = """[...document.querySelectorAll('button, a, summary, h1, h2, h3, dt, dd, label, p')]
    .filter(each => each.checkVisibility() && !each.closest('.sr')
        && getComputedStyle(each).overflow !== 'visible' && each.scrollWidth > each.clientWidth + 1)
    .map(each => each.outerHTML.slice(0, 200))"""
SMALL = """() => {
    const half = 12;
    const scrolledAway = each => {
        const frame = each.closest('.log, .moves')?.getBoundingClientRect();
        const {top, bottom} = each.getBoundingClientRect();
        return frame && (top < frame.top || bottom > frame.bottom);
    };
    const targets = [...document.querySelectorAll('a, button, input, select, summary')]
        .filter(each => each.checkVisibility() && !each.closest('.sr') && !scrolledAway(each))
        .map(each => ({each, box: (each.closest('label') ?? each).getBoundingClientRect()}));
    const small = ({box}) => box.width < 2 * half - 0.1 || box.height < 2 * half - 0.1;
    const bar = ({each}) => each.closest('.play > .side.first');  // over whatever is scrolled there
    const middle = ({box}) => [box.x + box.width / 2, box.y + box.height / 2];
    const crowded = target => targets.some(other => {
        if (other === target || other.each.contains(target.each)) return false;
        if (bar(other) !== bar(target)) return false;
        const [x, y] = middle(target);
        const {left, right, top, bottom} = other.box;
        const [dx, dy] = [Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)];
        return Math.hypot(dx, dy) < half;
    });
    const inSentence = ({each}) => getComputedStyle(each).display === 'inline'
        && [...each.parentElement.childNodes]
            .some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    return targets.filter(each => small(each) && crowded(each) && !inSentence(each))
        .map(({each}) => each.outerHTML.slice(0, 200));
}"""
"""A script that returns targets of less than 24 pixels, outside of sentences, with others near
(WCAG 2.5.8)."""
STILL = """async () => {
    const log = document.querySelector('.play .log .line');
    const height = document.body.scrollHeight;
    await new Promise(again => setTimeout(again, 300));
    return log !== null && document.body.scrollHeight === height;
}"""
"""A script that tells whether a table is drawn with its log, and grows no more."""
FOCUSED = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const {left, right, top: high, bottom} = focused.getBoundingClientRect();
    const edges = [Math.max(left, 0), Math.min(right, innerWidth)];
    const heights = [Math.max(high, 0), Math.min(bottom, innerHeight)];
    const [across, down] = [edges, heights].map(([from, to]) => (from + to) / 2);
    const top = document.elementFromPoint(across, down);
    const halo = focused.querySelector(':scope > .halo, :scope > .moving > .halo');
    const style = getComputedStyle(halo ?? focused);
    return {
        name: focused.outerHTML.slice(0, 200),
        inside: edges[0] < edges[1] && heights[0] < heights[1],
        covered: !(top && (focused.contains(top) || top.contains(focused))) && !halo,
        shown: halo ? parseFloat(style.strokeWidth) >= 6 : parseFloat(style.outlineWidth) >= 2,
    };
}"""


def check_narrow(visitor: Visitor, where: str) -> None:
    """Check that even wide letters fit into the page's width, and the size of targets."""
    page = visitor.page
    assert page.evaluate(TOO_WIDE) <= 0, where
    assert page.evaluate(SMALL) == [], where
    page.evaluate(ADOPT, SPACED)
    assert page.evaluate(TOO_WIDE) <= 0, f"{where}, spaced"
    assert page.evaluate(CUT_OFF) == [], f"{where}, spaced"


def check_focus(visitor: Visitor, where: str) -> None:
    """Check that every element that Tab reaches is visible, and shows that it has the focus."""
    page = visitor.page
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    for _ in range(TABS):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None:
            return
        assert found["inside"], (where, found)
        assert not found["covered"], (where, found)
        assert found["shown"], (where, found)


def check_table(visitor: Visitor, table: Position) -> None:
    visitor.sit(table.ana)
    visitor.go(table.path)
    visitor.wait()
    # What is loaded after the board moves what has the focus.
    visitor.page.wait_for_function(STILL)
    check_focus(visitor, table.ruleset)
    visitor.page.locator(".described > summary").click()
    visitor.page.locator(".whole > summary").click()
    visitor.page.locator(".all-moves > summary").click()
    check_narrow(visitor, table.ruleset)


def test_rooms_on_the_smallest_screen(browser: Browser, service: Service) -> None:
    titles = []
    with Visitor.at(browser, service.port, viewport=SMALLEST, locale="es-ES") as visitor:
        for path in ROOMS:
            visitor.go(path)
            visitor.page.wait_for_load_state("networkidle")
            check_focus(visitor, path)
            check_narrow(visitor, path)
            titles.append(visitor.page.title())
            assert visitor.page.locator("html").get_attribute("lang") == "es"
        visitor.faults.clear()  # the page says that there is no player with the id of this room
    assert len({*titles}) == len(ROOMS), titles
    assert all("Lonja" in title for title in titles)


def test_a_table_on_the_smallest_screen(browser: Browser, service: Service, tables: Tables) -> None:
    with Visitor.at(browser, service.port, viewport=SMALLEST) as visitor:
        check_table(visitor, tables["santiago_de_cuba"])


@pytest.mark.campaign("client")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("width", [320, 640, 1280])
@pytest.mark.parametrize("game", GAMES)
def test_every_table_at_every_zoom(
    browser: Browser, service: Service, tables: Tables, game: str, width: int
) -> None:
    """A screen of 1280 pixels at 400, 200 and 100 %."""
    size = {"width": width, "height": 720}
    with Visitor.at(browser, service.port, viewport=size) as visitor:
        check_table(visitor, tables[game])


def test_the_skip_link_leads_to_the_content(visitor: Visitor) -> None:
    visitor.go("/rules")
    visitor.page.keyboard.press("Tab")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("main")).to_be_focused()


def test_what_is_no_invitation_is_said(visitor: Visitor) -> None:
    visitor.go("/lobby")
    link = visitor.page.get_by_label("Have you been sent an invitation?")
    link.fill("nonsense, all of it")
    link.press("Enter")
    expect(visitor.page.get_by_role("alert")).to_contain_text("nonsense, all of it")
    expect(link).to_have_attribute("aria-invalid", "true")
    expect(link).to_have_accessible_description(re.compile("is no invitation"))


def test_the_last_minute_is_told(visitor: Visitor) -> None:
    ana = Client(visitor.port).player("Ana")
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    clock = {"decision_seconds": 66}
    game = ana.post("/v1/games", {"ruleset": "pig", "seats": seats, "clock": clock})
    visitor.sit(ana)
    visitor.go(f"/games/{game['id']}")
    visitor.wait()
    told = visitor.page.locator("[data-announcer]")
    expect(told).to_contain_text("one minute left", timeout=30_000)


def test_nothing_moves_for_who_wants_less_motion(browser: Browser, service: Service) -> None:
    table = position(service, "pig", "still")
    with Visitor.at(browser, service.port, reduced_motion="reduce") as visitor:
        visitor.page.add_init_script("localStorage['lonja:settings'] = '{\"pace\": 0}'")
        visitor.sit(table.ana)
        visitor.go(table.path)
        visitor.wait()
        visitor.page.evaluate(
            "void (Element.prototype.animate = () => { throw new Error('it moves'); })"
        )
        table.play(least=1)
        version = table.ana.get(f"/v1{table.path}")["version"]
        visitor.page.wait_for_selector(f".table[data-shown='{version}']")
