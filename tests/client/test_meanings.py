"""Whoever points to an icon or a number is told what it is called and what it means."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from rules.registry import PACKAGES
from tests.campaigns import left_to
from tests.client.positions import Tables
from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client

GAMES = [package.removeprefix("rules.") for package in PACKAGES]


def watched(visitor: Visitor, tables: Tables, game: str) -> Page:
    """Watch a table, at which nothing is asked of the visitor."""
    visitor.go(tables[game].path)
    visitor.page.locator(".meaning").wait_for(state="attached")
    return visitor.page


def names(page: Page, selector: str) -> list[str]:
    """Point to each of these elements; return the tips."""
    found = []
    for element in page.locator(selector).all():
        page.mouse.move(0, 0)
        element.hover(force=True)
        expect(page.locator(".meaning")).to_be_visible()
        found.append(page.locator(".meaning").inner_text())
    return found


@pytest.mark.parametrize("game", left_to("client", GAMES, "plus_ultra"))
def test_every_number_of_the_table_says_whose_and_what_it_is(
    visitor: Visitor, tables: Tables, game: str
) -> None:
    page = watched(visitor, tables, game)
    row = page.locator(".glance tbody tr").first
    who = row.locator("th").inner_text().strip()
    heads = [head.strip() for head in page.locator(".glance thead th .sr").all_inner_texts()]
    numbers = row.locator("td").all_inner_texts()
    told = names(page, ".glance tbody tr:first-child td")
    expected = [f"{who}: {head}: {n}" for head, n in zip(heads, numbers, strict=True)]
    assert told == expected


def test_a_place_tells_its_name_its_number_and_its_meaning(
    visitor: Visitor, tables: Tables
) -> None:
    page = watched(visitor, tables, "manila")
    cash = tables["manila"].ana.get(f"/v1{tables['manila'].path}/state")["state"]["players"][0]
    (told,) = names(page, ".mat[data-owner='0'] [data-place='cash']")
    assert told.endswith(f": Cash: {cash['cash']}")
    page.mouse.move(0, 0)
    expect(page.locator(".meaning")).to_be_hidden()
    judge(page, "meanings")


def test_a_name_that_two_seats_share_has_the_colour_once(
    visitor: Visitor, service: Service
) -> None:
    ana = Client(service.port).player("Ana")
    table = {"ruleset": "manila", "seats": 3 * [{"holder": "me"}]}
    game = ana.post("/v1/games", table)["id"]
    visitor.go(f"/games/{game}")
    visitor.page.locator(".meaning").wait_for(state="attached")
    (told,) = names(visitor.page, ".mat[data-owner='1'] [data-place='cash']")
    assert told == "Ana (Blue): Cash: 30"


def test_a_piece_tells_its_name_and_its_meaning(visitor: Visitor, tables: Tables) -> None:
    page = watched(visitor, tables, "macao")
    filled = names(page, ".board-sheet [data-piece='slots_filled:']")
    assert all(re.fullmatch(r"(\d+ spaces|1 space) filled", one) for one in filled), filled
    (ship,) = names(page, ".board-sheet [data-piece='ship:1']")
    assert ship == "ship: Bea (White)"


def test_a_button_tells_when_it_is_focused(visitor: Visitor, tables: Tables) -> None:
    table = tables["manila"]
    visitor.sit(table.ana)
    visitor.go(table.path)
    visitor.wait()
    page = visitor.page
    page.locator(".meaning").wait_for(state="attached")
    page.locator(".board-sheet [data-target]").first.focus()
    page.keyboard.press("End")
    expect(page.locator(".meaning")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".meaning")).to_be_hidden()


def test_arrow_keys_lead_from_a_name_to_its_numbers(visitor: Visitor, tables: Tables) -> None:
    page = watched(visitor, tables, "manila")
    tip, keyboard = page.locator(".meaning"), page.keyboard
    name = page.locator(".glance tbody button").first
    head = page.locator(".glance thead th").first.inner_text().strip()
    number = page.locator(".glance tbody tr:first-child td").first.inner_text()
    name.focus()
    keyboard.press("ArrowRight")
    expect(tip).to_have_text(f"{name.inner_text().strip()}: {head}: {number}")
    judge(page, "the table of numbers")
    keyboard.press("ArrowUp")
    expect(tip).to_have_text(head)
    keyboard.press("ArrowUp")  # there is nothing above it
    expect(tip).to_have_text(head)
    keyboard.press("ArrowDown")
    keyboard.press("ArrowLeft")
    expect(name).to_be_focused()
    expect(tip).to_be_hidden()


def test_a_finger_asks_by_a_tap(browser: Browser, service: Service, tables: Tables) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with Visitor.at(browser, service.port, **phone) as visitor:
        page = watched(visitor, tables, "santiago_de_cuba")
        page.locator(".mat[data-owner='0'] [data-place='pesos']").tap()
        expect(page.locator(".meaning")).to_contain_text("Pesos")
