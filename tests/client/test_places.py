"""Every address answers as a page, in the reader's language; a lost connection is told."""

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.client.conftest import Service
from tests.client.visitors import PATIENCE, Visitor
from tests.faults.people import Client

TOLD_WITHIN = 3000
"""Milliseconds of the page's own clock until a lost connection is told."""
NOTHING = {"en-GB": "There is nothing here.", "es-ES": "Aquí no hay nada."}
NO_GAME = {"en-GB": "There is no such game", "es-ES": "No existe esa partida"}
FIRST_BANNER = """() => {
    const TICK = 20;
    let ran = 0, before = performance.now();
    const count = () => {
        const now = performance.now();
        ran += Math.min(now - before, 2 * TICK);
        before = now;
    };
    setInterval(count, TICK);
    window.told = new Promise(tell => new MutationObserver(() => {
        count();
        if (document.querySelector('.banner')) tell(ran);
    }).observe(document.body, {childList: true, subtree: true}));
}"""
"""Counts the milliseconds in which the page ran until its banner came: on a busy machine it stands
still now and then."""


def own_table(port: int, **table: str) -> tuple[Client, str]:
    """Open a table with an open seat; return its host and its id."""
    ana = Client(port).player("Ana")
    seats = [{"holder": "me"}, {"holder": "open"}]
    body: Any = {"ruleset": "pig", "seats": seats, "table": table}
    return ana, str(ana.post("/v1/games", body)["id"])


@pytest.mark.parametrize("language", NOTHING)
def test_a_wrong_address_says_so_and_leads_on(
    browser: Browser, service: Service, language: str
) -> None:
    with Visitor.at(browser, service.port, locale=language) as visitor:
        page = visitor.page
        for path in ("/nothing", "/players", "/games/x/y", "/%E0%A4%A"):
            answer = page.goto(visitor.url + path)
            assert answer is not None
            assert answer.status == 404, path
            expect(page.get_by_role("heading", level=1)).to_have_text(NOTHING[language])
        page.goto(f"{visitor.url}/games/x%2Fy")  # the API has no such path either
        heading = page.get_by_role("alert").get_by_role("heading", level=1)
        expect(heading).to_have_text(NOTHING[language].removesuffix("."))
        visitor.faults.clear()  # the browser reports each 404
        page.locator("main a[href='/games']").click()
        expect(page).to_have_url(f"{visitor.url}/games")


@pytest.mark.parametrize("language", NO_GAME)
def test_what_is_refused_is_told_in_the_readers_language(
    browser: Browser, service: Service, language: str
) -> None:
    with Visitor.at(browser, service.port, locale=language) as visitor:
        for path in ("/games/g07-mfrggzdfmztwq2lknnwg", "/games/%E0%A4%A"):
            visitor.go(path)
            alert = visitor.page.get_by_role("alert")
            expect(alert.get_by_role("heading", level=1)).to_have_text(NO_GAME[language])
            expect(alert.locator("a[href='/games']")).to_be_visible()
        visitor.faults.clear()


def test_all_games_have_a_page(visitor: Visitor) -> None:
    ana, game = own_table(visitor.port)
    seats = [{"holder": "bot", "bot": "random"}] * 2
    shown = ana.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"]
    visitor.come_as(ana)
    visitor.go("/games/")
    page = visitor.page
    expect(page).to_have_title("Games – Lonja")
    yours = page.get_by_role("region", name="Your games")
    expect(yours.locator(f"a[href='/games/{game}']")).to_be_visible()
    expect(page.locator(f"a[href='/games/{shown}']").first).to_be_visible()


def test_the_games_of_a_busy_player_leave_room_for_the_others(visitor: Visitor) -> None:
    ana, _ = own_table(visitor.port)
    for _ in range(11):
        ana.post("/v1/games", {"ruleset": "pig", "seats": [{"holder": "me"}, {"holder": "open"}]})
    visitor.come_as(ana)
    page = visitor.page
    expect(page.get_by_role("region", name="Your games").get_by_role("listitem")).to_have_count(12)
    games = page.get_by_role("heading", name="The games").bounding_box()
    assert games is not None
    assert games["y"] < 800


def test_an_invitation_is_taken_in_a_tab_that_is_open(visitor: Visitor) -> None:
    ana, game = own_table(visitor.port, visibility="private")
    token = ana.post(f"/v1/games/{game}/invitations", {})["token"]
    page = visitor.page
    visitor.go(f"/games/{game}")
    expect(page.get_by_role("alert")).to_be_visible()
    page.evaluate(f"location.hash = 'invitation={token}'")  # as a click on the link does
    expect(page.get_by_role("button", name="Sit here")).to_be_visible()
    assert token not in page.url
    visitor.faults.clear()  # what was refused without an invitation


def test_an_invitation_that_is_pasted_is_taken(visitor: Visitor) -> None:
    ana, game = own_table(visitor.port, visibility="private")
    token = ana.post(f"/v1/games/{game}/invitations", {})["token"]
    page = visitor.page
    visitor.go("/lobby")
    link = page.get_by_label("Have you been sent an invitation?")
    link.fill(f"{visitor.url}/games/{game}#invitation={token}")
    link.press("Enter")
    expect(page.get_by_role("button", name="Sit here")).to_be_visible()
    assert token not in page.url


def told_in_time(page: Page) -> bool:
    milliseconds: float = page.evaluate("told")
    return milliseconds <= TOLD_WITHIN


def test_a_browser_without_network_is_told_and_goes_on(visitor: Visitor) -> None:
    page = visitor.page
    _ana, game = own_table(visitor.port)
    visitor.go("/lobby")
    page.evaluate(FIRST_BANNER)
    page.context.set_offline(True)
    assert told_in_time(page)
    visitor.turn_to(f"/games/{game}")
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_have_count(0)
    expect(page.get_by_role("button", name="Sit here")).to_be_visible()
    visitor.faults.clear()  # requests without a network fail


def test_a_service_that_does_not_answer_is_told_and_asked_again(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/settings")
    page.wait_for_load_state("networkidle")

    def silent(_route: Route) -> None:
        """Let the request wait for ever."""

    for api in ("**/v1/**", "**/healthz"):
        page.route(api, silent)
    page.evaluate(FIRST_BANNER)
    visitor.turn_to("/tournaments")
    assert told_in_time(page)
    page.unroute_all()
    expect(page.locator(".banner")).to_have_count(0)
    visitor.faults.clear()


def test_links_of_earlier_releases_lead_where_they_led(visitor: Visitor) -> None:
    ana, _ = own_table(visitor.port)
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    game = ana.post("/v1/games", {"ruleset": "pig", "seats": seats})["id"]
    visitor.come_as(ana)
    deadline = time.monotonic() + PATIENCE
    while ana.get(f"/v1/games/{game}")["version"] < 5:
        assert time.monotonic() < deadline
        listed = ana.get(f"/v1/games/{game}/legal_moves?seat=0")
        if listed["moves"]:
            move = {"seat": 0, "move": listed["moves"][0], "expected_version": listed["version"]}
            ana.ask("POST", f"/v1/games/{game}/moves", move)
    for fragment in ("#3", "#v=3", "#v=3&seat=spectator"):
        visitor.go(f"/games/{game}{fragment}")
        visitor.page.reload()
        expect(visitor.page.locator(".table[data-shown='3']")).to_be_visible()
    visitor.go("/lobby#pig")
    expect(visitor.page.locator("form.form select").first).to_have_value("pig")


def test_saved_settings_are_kept_and_what_is_not_understood_is_not(
    browser: Browser, service: Service
) -> None:
    kept = {"language": "es", "theme": "sepia", "motion": False, "pace": "slow", "colour": 3}
    with Visitor.at(browser, service.port) as visitor:
        text = json.dumps(json.dumps(kept))
        visitor.page.add_init_script(f"localStorage['lonja:settings'] = {text}")
        visitor.go("/settings")
        page = visitor.page
        expect(page.get_by_role("heading", level=1)).to_have_text("Ajustes")
        expect(page.get_by_label("Colores")).to_have_value("system")
        expect(page.get_by_label("Las piezas se mueven")).not_to_be_checked()


@pytest.mark.parametrize("theme", ["dark", "contrast"])
def test_the_page_that_checks_records_looks_like_the_rest_and_leads_on(
    browser: Browser, service: Service, theme: str
) -> None:
    with Visitor.at(browser, service.port) as visitor:
        kept = json.dumps(json.dumps({"language": "es", "theme": theme}))
        visitor.page.add_init_script(f"localStorage['lonja:settings'] = {kept}")
        page, ground = visitor.page, "getComputedStyle(document.body).backgroundColor"
        visitor.go("/lobby")
        chosen = page.evaluate(ground)
        page.get_by_role("link", name="Comprobar un registro").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Comprobar un registro")
        assert page.evaluate(ground) == chosen
        page.get_by_role("link", name="Partidas").click()
        expect(page).to_have_url(f"{visitor.url}/games")


def test_a_stored_player_that_was_damaged_is_none(visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script("""localStorage['lonja:identity'] ??= '{"id": "p-1"}'""")
    visitor.go("/lobby#pig")
    expect(page.get_by_label("Your name").first).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("undefined")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".table")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link", name="Guest")).to_be_visible()


def test_a_name_and_a_title_of_spaces_are_none(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/lobby#pig")
    for field in ("Your name", "Title"):
        page.get_by_label(field).first.fill("   ")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".table")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link", name="Guest")).to_be_visible()
