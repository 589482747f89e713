"""A table on the page: following, replaying, lost connections, and two players."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.client.conftest import Service
from tests.client.robots import Pointer
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import wait_for

WATCH_FOR_THE_BANNER = """() => new MutationObserver(() => {
    window.cutShown ||= document.querySelector('.banner') !== null;
}).observe(document.body, {childList: true, subtree: true})"""
HAS_SHOWN_IT = "() => new Promise(tell => setTimeout(() => tell(window.cutShown === true), 2000))"
"""Waits two seconds by the page's own clock, which is slower on a busy machine."""
HOSTILE = "<img src=x onerror=alert(1)>"


def bots_game(port: int, name: str = "Ana") -> str:
    """Open a game of two bots; return its id."""
    seats = [{"holder": "bot", "bot": "greedy"}, {"holder": "bot", "bot": "random"}]
    body: Json = {"ruleset": "pig", "options": {"target": 20}, "seats": seats}
    made = Client(port).player(name).post("/v1/games", body)
    return str(made["id"])


def shown(page: Page) -> int:
    return int(page.locator(".table").get_attribute("data-shown") or 0)


def test_a_game_is_followed_to_its_end_and_replayed(visitor: Visitor) -> None:
    game = bots_game(visitor.port)
    page = visitor.page
    visitor.go(f"/games/{game}")
    expect(page.locator(".table")).to_have_attribute("data-status", "ended", timeout=60_000)
    told = Client(visitor.port).get(f"/v1/games/{game}/log?limit=1000")
    newest = told["version"]
    expect(page.locator(f".table[data-shown='{newest}']")).to_be_visible()
    need_log(page, told["effects"])

    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(f".table[data-shown='{newest - 1}']")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"#v={newest - 1}$"))
    slider = page.get_by_role("slider")
    slider.press("Home")
    expect(page.locator(".table[data-shown='1']")).to_be_visible()
    slider.press("ArrowRight")
    expect(page.locator(".table[data-shown='2']")).to_be_visible()
    slider.press("PageUp")
    expect(page.locator(".table[data-shown='2']")).to_have_count(0)
    between = shown(page)
    assert 2 < between < newest
    page.reload()  # the address leads to the same event
    expect(page.locator(f".table[data-shown='{between}']")).to_be_visible()
    state = Client(visitor.port).get(f"/v1/games/{game}/state?at={between}")["state"]
    page.get_by_text("The board in words").click()
    expect(page.locator(".described .view")).to_contain_text(str(state["scores"][0]))
    line = page.locator(".log [data-seq]").first
    first = int(line.get_attribute("data-seq") or 0)
    line.click()
    expect(page.locator(f".table[data-shown='{first}']")).to_be_visible()
    page.keyboard.press("]")
    expect(page.locator(f".table[data-shown='{first + 1}']")).to_be_visible()

    log = page.get_by_role("tree", name="What happened")
    expect(log.locator("[tabindex='0']")).to_have_count(1)
    log.locator("[tabindex='0']").press("Home")
    while log.locator(":focus[aria-expanded='false']").count() == 0:
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(log.locator(":focus")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    seq = log.locator(":focus").get_attribute("data-seq")
    page.keyboard.press("Enter")
    expect(page.locator(f".table[data-shown='{seq}']")).to_be_visible()
    expect(log.locator("[tabindex='0']")).to_have_count(1)


def sentences(page: Page) -> list[str]:
    """Unfold all turns of the log, and return its sentences."""
    folded = page.locator(".log .folded-turn .twisty")
    while folded.count():
        folded.first.click()
    return [text.strip() for text in page.locator(".log .effect").all_text_contents()]


def need_log(page: Page, effects: list[Json]) -> None:
    """Wait until the log has the texts of these effects, whose turns it may still group."""
    texts = [effect["text"] for effect in effects]
    wait_for(lambda: sentences(page) == texts)


def test_whose_clock_ran_out_is_told(visitor: Visitor) -> None:
    ana = Client(visitor.port).player("Ana")
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "greedy"}]
    clock = {"decision_seconds": 2}
    game = ana.post("/v1/games", {"ruleset": "ragusa", "seats": seats, "clock": clock})["id"]
    visitor.come_as(ana)
    visitor.go(f"/games/{game}")
    page = visitor.page
    log = page.get_by_role("tree", name="What happened")
    expect(page.locator(".out-of-time")).to_contain_text("Your time ran out at")
    line = log.get_by_role("treeitem", name="Ana’s time is up.", exact=True).first
    expect(line).to_be_attached()
    expect(log.locator("em", has_text="The rules answer:").first).to_be_attached()


def test_a_name_is_text_wherever_it_stands(visitor: Visitor) -> None:
    ana = Client(visitor.port).player(HOSTILE)
    game = ana.post(
        "/v1/games", {"ruleset": "pig", "seats": [{"holder": "me"}, {"holder": "open"}]}
    )
    for path in (f"/games/{game['id']}", "/lobby", f"/players/{ana.id}"):
        visitor.go(path)
        expect(visitor.page.get_by_text(HOSTILE).first).to_be_visible()
        assert visitor.page.locator("img").count() == 0


def test_players_at_one_address_are_told_that_their_game_is_not_rated(visitor: Visitor) -> None:
    ana, bea = (Client(visitor.port).player(name) for name in ("Ana", "Bea"))
    seats = [{"holder": "me"}, {"holder": "open"}]
    body = {"ruleset": "macao", "seats": seats, "table": {"rated": True}}
    game = f"/games/{ana.post('/v1/games', body)['id']}"
    assert bea.ask("PUT", f"/v1{game}/seats/1", {}).status == 200
    visitor.go(game)
    told = visitor.page.get_by_text("Not rated: two players came from one address.")
    shown = told.locator("visible=true")
    expect(visitor.page.locator(".seats, .log-panel").last).to_be_attached()
    expect(told).to_have_count(0)
    visitor.come_as(ana)
    visitor.go(game)
    expect(shown).to_have_count(1)
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    expect(shown).to_have_count(1)


def test_what_is_not_there_is_said(browser: Browser, service: Service) -> None:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{service.port}/games/g07-mfrggzdfmztwq2lknnwg")
    expect(page.get_by_role("alert")).to_contain_text("there is no game")
    page.close()


def test_two_play_each_other_by_a_link_while_the_server_is_killed(
    browser: Browser, service: Service
) -> None:
    with Visitor.at(browser, service.port) as ana, Visitor.at(browser, service.port) as bea:
        ana.go("/lobby#pig")
        form = ana.page.locator("form.form")
        form.get_by_label("Blue").select_option("open")
        form.get_by_label("Who sees the table").select_option("private")
        form.get_by_label("Your name").fill("Ana")
        form.get_by_role("button", name="Open the table").click()
        ana.page.get_by_role("button", name="Invite somebody").click()
        link = ana.page.get_by_label("Invite somebody").input_value()

        bea.page.goto(link)
        assert "invitation" not in bea.page.url  # the address is not in the browser's history
        bea.page.get_by_label("Your name").fill("Bea")
        bea.page.get_by_role("button", name="Sit here").click()
        bea.page.wait_for_selector(".board-sheet")
        ana.page.wait_for_selector(".board-sheet")

        for number in range(6):
            mover = next(one for one in (ana, bea) if asked(one))
            Pointer(mover, number).move()
            if number == 2:
                for one in (ana, bea):
                    one.page.evaluate(WATCH_FOR_THE_BANNER)
                service.kill_web()
                assert all(one.page.evaluate(HAS_SHOWN_IT) for one in (ana, bea))
                for one in (ana, bea):
                    expect(one.page.locator(".banner")).to_have_count(0)
        version = ana.client().get(f"/v1/games/{ana.game}")["version"]
        for one in (ana, bea):
            expect(one.page.locator(f".table[data-shown='{version}']")).to_be_visible()
            told = one.client().get(f"/v1/games/{ana.game}/log?limit=1000")["effects"]
            need_log(one.page, told)
        ana.faults.clear()  # requests to a killed server fail
        bea.faults.clear()


def asked(visitor: Visitor) -> bool:
    """Wait until the page agrees with the API; return whether the visitor has a decision."""
    game = visitor.client().get(f"/v1/games/{visitor.game}")
    visitor.page.wait_for_selector(f".table[data-shown='{game['version']}']")
    seats = {seat["seat"] for seat in game["seats"] if seat.get("player") == visitor.client().id}
    return any(decision["seat"] in seats for decision in game["decisions"])


def test_a_move_that_comes_too_late_is_explained(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.get_by_role("listitem").filter(has_text="Pig").get_by_role("button").click()
    visitor.wait()
    page.route("**/stream?*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('offline'))")
    client = visitor.client()
    before = client.get(f"/v1/games/{visitor.game}")["version"]

    def be_late(preview: Route) -> None:
        """Make the same player move on another device before the request of this page arrives."""
        body = {"seat": 0, "move": {"type": "roll"}, "expected_version": before}
        client.post(f"/v1/games/{visitor.game}/moves", body)
        preview.continue_()

    page.route("**/preview", be_late, times=1)
    with page.expect_response("**/preview") as previewed:
        page.locator("[data-target]").first.click()
    assert previewed.value.status == 409
    expect(page.get_by_role("alert")).to_contain_text("went on before your move")
    page.goto("about:blank")  # so that the stream is not tried any more
    visitor.faults.clear()  # the refused preview, and the stream


@pytest.mark.parametrize(
    "language", ["en-GB", pytest.param("es-ES", marks=pytest.mark.campaign("client"))]
)
def test_the_key_stands_in_no_address(browser: Browser, service: Service, language: str) -> None:
    with Visitor.at(browser, service.port, locale=language) as visitor:
        visitor.go("/")
        visitor.page.locator(".cards button.main").first.click()
        visitor.page.wait_for_selector(".board-sheet")
        visitor.go("/you")
        visitor.page.locator("main button").nth(1).click()
        link = visitor.page.locator(".copyable input").first.input_value()
        key = json.loads(visitor.page.evaluate("localStorage['lonja:identity']"))["key"]
        assert link.startswith(f"{visitor.url}/you#key=")
        assert not any("lk_" in url or key in url for url in visitor.asked)
        with Visitor.at(browser, service.port, locale=language) as other:
            other.page.goto(link)
            assert "lk_" not in other.page.url
            other.page.locator("main button").first.click()
            expect(other.page.locator(".lead")).to_contain_text(
                visitor.page.locator(".top nav a").last.inner_text()
            )
            assert not any("lk_" in url for url in other.asked)
