"""The replay of a game: by rounds, automatically, and with the moves that were not played."""

import re

import pytest
from playwright.sync_api import expect

from tests.client.services import Service
from tests.client.test_table import bots_game
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json, wait_for

ROUNDS = ("held", "lost")
"""The effects that end a turn of Pig."""


@pytest.fixture(scope="module")
def ended(service: Service) -> str:
    """A game of bots that ended after two rounds or more."""
    client = Client(service.port)
    while True:
        found = bots_game(service.port)
        wait_for(lambda game=found: client.get(f"/v1/games/{game}")["status"] == "ended")  # type: ignore[misc]
        if len(rounds_of(client, found)) >= 2:  # the game may end in its first turn
            return found


@pytest.fixture
def game(visitor: Visitor, ended: str) -> str:
    """The same game, and the page at its newest event."""
    visitor.go(f"/games/{ended}")
    expect(visitor.page.locator(".table")).to_have_attribute("data-status", "ended")
    return ended


def rounds_of(client: Client, game: str) -> list[Json]:
    log = client.get(f"/v1/games/{game}/log?limit=1000")
    return [line for line in log["effects"] if line["type"] in ROUNDS]


def drawn(visitor: Visitor, seq: int) -> None:
    expect(visitor.page.locator(".table")).to_have_attribute("data-shown", str(seq))


def test_rounds_are_gone_through_by_keys_and_events_by_themselves(
    visitor: Visitor, game: str
) -> None:
    page, rounds = visitor.page, rounds_of(Client(visitor.port), game)
    expect(page.locator("[data-rounds]")).to_have_attribute("data-rounds", str(len(rounds)))
    slider = page.get_by_role("slider")
    slider.press("Home")
    drawn(visitor, 1)
    expect(page.get_by_text("The game has not begun here")).to_be_visible()
    for line in rounds[:2]:
        slider.press("PageUp")
        drawn(visitor, line["seq"])
        expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(line["text"])))
    page.get_by_role("button", name="Previous round").click()
    drawn(visitor, rounds[0]["seq"])
    page.keyboard.press("}")
    drawn(visitor, rounds[1]["seq"])
    page.get_by_role("button", name="Play", exact=True).click()
    drawn(visitor, Client(visitor.port).get(f"/v1/games/{game}")["version"])
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def test_an_address_leads_to_an_event_through_the_eyes_it_names(
    visitor: Visitor, game: str
) -> None:
    page = visitor.page
    visitor.go("/settings")
    visitor.go(f"/games/{game}#v=6&seat=1")
    drawn(visitor, 6)
    expect(page.get_by_label("Seen by")).to_have_value("1")
    page.get_by_role("button", name="On", exact=True).click()
    expect(page).to_have_url(re.compile("#v=7&seat=1$"))
    page.add_init_script("addEventListener('DOMContentLoaded', () => location.hash = 'v=5')")
    page.reload()  # while the page loads, the visitor follows a link to another event
    drawn(visitor, 5)


def test_moves_of_an_earlier_position_are_tried_and_none_is_sent(
    visitor: Visitor, game: str
) -> None:
    page = visitor.page
    visitor.go("/settings")
    visitor.go(f"/games/{game}#v=4")
    page.locator("[data-suppose]").click()
    expect(page.get_by_text("Only supposed")).to_be_visible()
    expect(page).to_have_url(re.compile(r"#v=4&seat=\d$"))
    label = page.locator("[data-target]").first.get_attribute("aria-label") or ""
    page.locator("[data-target]").first.press("Enter")
    expect(page.locator(".confirm .whole")).to_contain_text("What if: ")
    assert page.locator(".confirm .whole").inner_text().removeprefix("What if: ") in label
    expect(page.locator(".foreseen-effects li").first).to_be_visible()
    assert page.locator("[data-confirm]").count() == 0
    page.keyboard.press("Escape")
    expect(page.locator("[data-target]").first).to_be_focused()
    page.locator("[data-unsuppose]").click()
    expect(page.locator("[data-suppose]")).to_be_visible()
    asked = [url for url in visitor.asked if "/preview" in url]
    assert asked
    assert all(url.endswith("/preview?at=4") for url in asked)
    assert not any(url.endswith("/moves") for url in visitor.asked)


def test_a_player_tries_own_earlier_moves_while_the_game_goes_on(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.get_by_role("listitem").filter(has_text="Pig").get_by_role("button").click()
    visitor.wait()
    before = visitor.client().get(f"/v1/games/{visitor.game}")["version"]
    page.locator("[data-target]").first.click()
    page.locator("[data-confirm]").click()
    expect(page.locator(f".table[data-shown='{before}']")).to_have_count(0)
    page.evaluate(f"location.hash = 'v={before}'")
    page.get_by_role("button", name="What if I had").click()
    page.locator("[data-target]").first.click()
    expect(page.locator("[data-again]")).to_be_focused()
    expect(page.locator(".foreseen-effects")).to_contain_text("something is drawn")
    page.get_by_role("button", name="Back to the present").click()
    visitor.wait()
    assert page.locator(".supposed").count() == 0


def test_a_number_among_many_is_typed_stepped_or_picked(visitor: Visitor) -> None:
    ana, page = Client(visitor.port).player(), visitor.page
    bot = {"holder": "bot", "bot": "greedy"}
    form = {"ruleset": "manila", "seats": [{"holder": "me"}, bot, bot]}
    visitor.come_as(ana)
    visitor.go(f"/games/{ana.post('/v1/games', form)['id']}")
    visitor.wait()
    page.get_by_role("button", name=re.compile("^Bid")).first.click()
    number = page.get_by_role("spinbutton")
    expect(number).to_be_focused()
    least, most = (int(number.get_attribute(f"aria-value{end}") or 0) for end in ("min", "max"))
    assert most - least > 12
    page.keyboard.type(str(most + 1))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Not possible")).to_be_visible()
    assert page.locator("[data-confirm]").count() == 0
    page.keyboard.press("ArrowDown")
    expect(number).to_have_value(str(most))
    page.get_by_role("button", name="Less").click()
    expect(number).to_have_value(str(most - 1))
    number.press("Enter")
    expect(page.locator(".confirm .whole")).to_contain_text(str(most - 1))
    page.keyboard.press("Escape")
    page.locator(".numbers .options button").first.click()
    expect(page.locator(".confirm .whole")).to_contain_text(str(least))
