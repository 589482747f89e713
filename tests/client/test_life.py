"""What the page tells a player: the turn, missed events, receipts, and the player's identity."""

import json
import random
import re

import pytest
from playwright.sync_api import Browser, expect

from tests.client.conftest import Service
from tests.client.robots import Pointer
from tests.client.test_play import open_table
from tests.client.test_table import shown
from tests.client.visitors import QUICK, Visitor
from tests.faults.people import Client, Json

CALLS = """
    window.calls = [];
    window.Notification = class {
        static permission = 'granted';
        constructor(title) { window.calls.push(title); }
        close() {}
    };
    const play = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        window.calls.push('tone');
        return play.apply(this, when);
    };
    Object.defineProperty(document, 'visibilityState', {
        get: () => window.away ? 'hidden' : 'visible',
    });
"""
"""A script that records the page's notifications; with `away`, the page takes itself for hidden."""

GOES_ON = "before => Number(document.querySelector('.table').dataset.shown) > before"


@pytest.mark.parametrize("wanted", [False, True])
def test_whoever_looks_elsewhere_is_called_if_that_is_wanted(
    visitor: Visitor, *, wanted: bool
) -> None:
    page = visitor.page
    page.add_init_script(CALLS)
    chosen = json.dumps(json.dumps({**QUICK, "sound": wanted, "notify": wanted}))
    page.add_init_script(f"localStorage['lonja:settings'] = {chosen}")
    open_table(visitor, "Pig")
    visitor.wait()
    expect(page).to_have_title("(1) ● Your turn – Pig")
    assert page.evaluate("calls") == []
    page.evaluate("window.away = true")
    seen: list[str] = []
    while not seen:  # the bot's turn follows the last roll, and ends with a notification
        visitor.wait()
        before = shown(page)
        Pointer(visitor, before).move()
        page.wait_for_function(GOES_ON, arg=before)
        visitor.wait()
        seen = page.evaluate("calls") if wanted else ["nothing is to come"]
    assert page.evaluate("calls") == (["tone", "tone", "Your turn"] if wanted else [])
    visitor.go("/")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator(".rows strong").first).to_have_text("Your turn")


def test_whoever_comes_back_sees_what_happened_meanwhile(visitor: Visitor) -> None:
    page = visitor.page
    open_table(visitor, "Pig")
    visitor.wait()
    left, game = shown(page), visitor.game
    visitor.go("/settings")
    client = visitor.client()
    body = {"seat": 0, "move": {"type": "roll"}, "expected_version": left}
    client.post(f"/v1/games/{game}/moves", body)
    client.next_move(f"/v1/games/{game}", random.Random(1))  # after the bot's turn, if any
    happened = client.get(f"/v1/games/{game}/log?after={left}")["effects"]
    visitor.go(f"/games/{game}")
    missed = page.locator(".missed")
    expect(missed.locator("li")).to_have_text([effect["text"] for effect in happened])
    missed.get_by_role("button", name="Show it turn by turn").click()
    expect(missed).to_have_count(0)
    visitor.wait()
    visitor.go("/settings")
    visitor.go(f"/games/{game}")
    visitor.wait()
    assert missed.count() == 0


def test_a_receipt_is_held_against_the_game(visitor: Visitor) -> None:
    page, ana = visitor.page, Client(visitor.port).player("Ana")
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "greedy"}]
    body: Json = {"ruleset": "pig", "seats": seats}
    game = ana.post("/v1/games", body)["id"]
    visitor.go("/settings")
    identity = json.dumps({"id": ana.id, "name": "Ana", "key": ana.key})
    page.evaluate("kept => localStorage['lonja:identity'] = kept", identity)
    visitor.go(f"/games/{game}")
    visitor.wait()
    Pointer(visitor, 1).move()
    visitor.wait()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.locator("[data-receipt=fits]").wait_for(timeout=60_000)
    kept = json.loads(page.evaluate("localStorage['lonja:receipts']"))
    kept[game]["hash"] = "0" * 64
    page.evaluate("kept => localStorage['lonja:receipts'] = kept", json.dumps(kept))
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("not the one that you have a receipt of")
    page.evaluate("localStorage['lonja:receipts'] = 'lost'")
    page.reload()
    page.wait_for_selector(".result")
    assert page.locator("[data-receipt]").count() == 0


def test_a_player_has_several_devices_and_leaves_none_behind(
    browser: Browser, service: Service
) -> None:
    with Visitor.at(browser, service.port) as first, Visitor.at(browser, service.port) as second:
        open_table(first, "Pig")
        first.wait()
        first.go("/you")
        first.page.get_by_label("Your name").fill("Ana")
        first.page.get_by_role("button", name="Change the name").click()
        expect(first.page.locator(".top nav a").last).to_have_text("Ana")
        first.page.get_by_role("button", name="Make a link").click()
        key = first.page.get_by_label("Key", exact=True).first.input_value()

        second.go("/you")
        second.page.get_by_label("Have you a key").fill(key)
        second.page.get_by_role("button", name="Sign in").click()
        expect(second.page.locator(".lead")).to_contain_text("You are Ana")
        expect(second.page.locator(".owned > li")).to_have_count(2)

        first.page.reload()
        first.page.get_by_role("button", name="Revoke").click()
        first.page.get_by_role("button", name="Revoke the key").click()
        expect(first.page.locator(".owned > li")).to_have_count(1)
        second.page.reload()
        expect(second.page.get_by_text("was revoked")).to_be_visible()
        second.page.locator(".banner").get_by_role("button", name="Sign out").click()
        second.faults.clear()  # the requests with that key
        expect(second.page.get_by_label("Have you a key")).to_be_visible()

        first.page.get_by_role("button", name="Sign out of this browser").click()
        assert first.page.get_by_label("Key", exact=True).last.input_value().startswith("lk_")
        first.page.get_by_role("button", name="Yes").click()
        assert first.page.evaluate("Object.keys(localStorage)") == ["lonja:settings"]
        first.go("/")
        expect(first.page.get_by_text("Your games")).to_have_count(0)


def test_the_games_that_wait_are_first_and_lead_on(visitor: Visitor) -> None:
    """At home and at each table; and a table begins as the player last chose."""
    ana, page = Client(visitor.port).player("Ana"), visitor.page
    waiting = [opened(ana, {"holder": "bot", "bot": "random"}) for _ in range(2)]
    opened(ana, {"holder": "open"})
    visitor.come_as(ana)
    rows = page.locator("#yours ~ .rows > li")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="Your turn")).to_have_count(2)
    expect(rows.last).to_contain_text("waiting for players")
    picture = page.locator("img.picture").first
    page.wait_for_function("picture => picture.naturalWidth > 0", arg=picture.element_handle())
    card = page.locator(".games > li", has_text="Pig")
    card.locator("summary").click()
    card.get_by_label("Players").select_option("3")
    card.get_by_label("Against").select_option("random")
    expect(card.locator("summary")).to_have_text("3 players, against Tito")
    page.reload()
    card.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/games/*")
    seats = ana.get(f"/v1/games/{visitor.game}")["seats"]
    assert [seat.get("bot") for seat in seats] == [None, "random", "random"]
    visited = {visitor.game}
    for _ in waiting:
        page.get_by_role("link", name="Next game: your turn in 2").click()
        page.wait_for_function(
            "visited => visited.every(id => !location.pathname.includes(id))", arg=[*visited]
        )
        visited.add(visitor.game)
    assert {*waiting} < visited


def opened(player: Client, other: Json) -> str:
    seats = [{"holder": "me"}, other]
    game: str = player.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"]
    return game


def test_a_list_goes_on_page_by_page_whatever_is_clicked_twice(visitor: Visitor) -> None:
    ana = Client(visitor.port).player("Ana")
    seats = [{"holder": "me"}, {"holder": "open"}]
    made = {ana.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"] for _ in range(23)}
    page = visitor.page
    visitor.go(f"/players/{ana.id}")
    rows = page.locator(".rows li a[href^='/games/']")
    expect(rows).to_have_count(20)
    page.get_by_role("button", name="Show more").evaluate("more => { more.click(); more.click(); }")
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    shown = rows.evaluate_all("all => all.map(each => each.pathname.split('/').at(-1))")
    assert (len(shown), {*shown}) == (23, made)


def test_the_exhibition_is_one_click_from_home(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    live = page.locator(".live-board")
    expect(live.locator("a > div > svg")).to_be_visible()
    live.get_by_role("button", name="Play").click()
    expect(live.locator("span")).not_to_be_empty()
    live.get_by_role("button", name="Pause").click()
    page.get_by_role("link", name="Watch the exhibition").click()
    page.wait_for_selector(".board-sheet")
    assert "· You" not in page.locator(".seats").inner_text(), "bots are nobody's own"
    before = shown(page)
    page.wait_for_function(GOES_ON, arg=before)


@pytest.mark.parametrize(
    "spanish", [pytest.param(False, marks=pytest.mark.campaign("client")), True]
)
def test_a_program_is_marked_wherever_it_is_named(
    browser: Browser, service: Service, *, spanish: bool
) -> None:
    robbie, ana = (Client(service.port).player(name) for name in ("Robbie", "Ana"))
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = robbie.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"]
    with Visitor.at(browser, service.port, locale="es" if spanish else "en") as visitor:
        page = visitor.page
        visitor.come_as(robbie)
        visitor.go("/you")
        page.get_by_text("¿Es un programa" if spanish else "Is it a program").click()
        says = page.get_by_role("button", name="Soy un programa" if spanish else "I am a program")
        says.click()
        says.click()
        expect(page.locator(".card", has_text="Robbie").locator(".bot-mark")).to_be_visible()
        for path in ("/lobby", f"/games/{table}", f"/players/{robbie.id}"):
            visitor.go(path)
            mark = page.locator(".bot-mark").first
            expect(mark).to_be_visible()
            expect(mark).to_have_text("bot")
            assert mark.locator("svg").is_visible()
        visitor.faults.clear()  # the page asks for a bot account, which this program has not
    assert ana.ask("PUT", f"/v1/games/{table}/seats/1", {"holder": "me"}).status == 200
    with Visitor.at(browser, service.port, locale="es" if spanish else "en") as visitor:
        page = visitor.page
        visitor.go(f"/games/{table}")
        expect(page.locator(".seats li").first).to_contain_text("Robbie bot")
        expect(page.locator(".seats li").last).not_to_contain_text("bot")
        expect(page.locator("[data-announcer]")).to_contain_text("(bot)")
