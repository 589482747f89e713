"""Players sign on the page, with a key that no script can read; what is told if it is elsewhere."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.client.conftest import Service
from tests.client.robots import Pointer, play_to_the_end
from tests.client.test_entropy import notes
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.signing import SeatKey

DATABASE = "lonja:signing_keys"
KEPT = f"""async () => {{
    const all = await indexedDB.databases();
    if (!all.some(({{name}}) => name === '{DATABASE}')) return [];
    const answer = request => new Promise((resolve, reject) => {{
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    }});
    const database = await answer(indexedDB.open('{DATABASE}'));
    const keys = await answer(database.transaction('keys').objectStore('keys').getAll());
    database.close();
    return await Promise.all(keys.map(async ({{name, public: told, pair: {{privateKey}}}}) => {{
        const read = await crypto.subtle.exportKey('pkcs8', privateKey).catch(({{name}}) => name);
        return [name, told, privateKey.extractable, read];
    }}));
}}"""
"""A script that returns the kept keys, and what comes of reading each."""
WEAK_BROWSER = """crypto.subtle.generateKey = async () => {
    throw new DOMException('Unrecognized name.', 'NotSupportedError');
};"""


def open_signed(page: Page, game: str = "Pig", *, language: str = "en") -> None:
    """Open a table at which players sign with the form of the lobby."""
    words = {
        "en": ("Players sign their moves, so", "Open the table"),
        "es": ("Los jugadores firman sus jugadas, para", "Abrir la mesa"),
    }[language]
    form = page.locator("form.form").filter(has=page.locator(".seats-form"))
    form.get_by_label(words[0]).check()
    expect(form.locator(".signs")).to_be_visible()
    form.get_by_role("button", name=words[1]).click()


def signed_table(somebody: Client, key: str, ruleset: str = "pig", **more: object) -> str:
    """Open a table for a player and a bot, at which the player signs with a key."""
    seats = [{"holder": "me", "signing_key": key}, {"holder": "bot", "bot": "random"}]
    asked = {"ruleset": ruleset, "seats": seats, "signatures": "required", **more}
    return str(somebody.post("/v1/games", asked)["id"])


def test_a_signed_game_by_pointer(visitor: Visitor, service: Service, tmp_path: Path) -> None:
    page = visitor.page
    visitor.go("/lobby#pig")
    form = page.locator("form.form")
    form.get_by_text("Options").click()
    form.get_by_label("Points to win").fill("20")
    open_signed(page)
    page.wait_for_url("**/games/*")
    moves = play_to_the_end(visitor, Pointer(visitor, 1))
    client = visitor.client()
    game = client.get(f"/v1/games/{visitor.game}")
    assert page.evaluate(KEPT) == [
        [client.id, game["seats"][0]["signing_key"], False, "InvalidAccessError"]
    ]
    signed = [
        event
        for event in client.get(f"/v1/games/{visitor.game}/events?limit=1000")["events"]
        if "signature" in event["body"]
    ]
    assert len(signed) == moves
    told, findings = notes(service, visitor.game, tmp_path)
    assert "signatures: every move of a player is signed" in told
    assert "sign_worth" in findings
    expect(page.locator("[data-key=elsewhere]")).to_have_count(0)
    page.get_by_text("Players sign their moves: what that is worth").click()
    expect(page.locator(".signs")).to_contain_text("comes from the operator of the service, too")

    first = visitor.game
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("first => !location.pathname.endsWith(first)", arg=first)
    visitor.wait()
    again = client.get(f"/v1/games/{visitor.game}")
    assert again["seats"][1]["signing_key"] == game["seats"][0]["signing_key"]


def test_a_move_whose_answer_is_lost_is_sent_again_as_it_was(
    visitor: Visitor, service: Service
) -> None:
    page, sent = visitor.page, list[Json]()

    def lose_the_first_answer(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or ""))
        if len(sent) == 1:
            route.fetch()
            route.abort("aborted")
        else:
            route.continue_()

    visitor.go("/lobby#pig")
    open_signed(page)
    page.wait_for_url("**/games/*")
    visitor.wait()
    page.route("**/moves", lose_the_first_answer)
    with page.expect_response("**/moves"):  # the stream may bring the move before its answer
        Pointer(visitor, 1).move()
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert re.fullmatch("[0-9a-f]{128}", sent[0]["signature"]["sig"])


def test_who_sits_down_brings_a_key(browser: Browser, service: Service) -> None:
    with Visitor.at(browser, service.port) as ana, Visitor.at(browser, service.port) as bea:
        ana.go("/lobby#pig")
        ana.page.locator(".seats-form select").nth(1).select_option("open")
        open_signed(ana.page)
        ana.page.wait_for_url("**/games/*")
        bea.go(f"/games/{ana.game}")
        bea.page.get_by_text("Players sign their moves: what").click()
        expect(bea.page.locator(".signs")).to_contain_text("your browser makes a key")
        bea.page.get_by_role("button", name="Sit here").click()
        bea.page.wait_for_selector(".board-sheet")
        seats = ana.client().get(f"/v1/games/{ana.game}")["seats"]
        assert len({seat["signing_key"] for seat in seats}) == 2
        for visitor in (ana, bea):
            (kept,) = visitor.page.evaluate(KEPT)
            assert kept[1] in {seat["signing_key"] for seat in seats}


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_seat_whose_key_is_elsewhere(
    browser: Browser, service: Service, tmp_path: Path, language: str
) -> None:
    """It says so before one moves; another key is bound only after it is told what that means."""
    ana = Client(service.port).player("Ana")
    game = signed_table(ana, SeatKey.of(1).public, options={"target": 20})
    with Visitor.at(browser, service.port, locale=language) as visitor:
        page = visitor.page
        visitor.come_as(ana)
        visitor.go(f"/games/{game}")
        told = page.locator("[data-key=elsewhere]")
        expect(told).to_contain_text(ELSEWHERE[language])
        visitor.wait()
        anew = told.locator("details", has_text=BIND[language])
        bind = anew.get_by_role("button")
        expect(bind).not_to_be_visible()
        anew.locator("summary").click()
        event = ana.get(f"/v1/games/{game}")["version"] + 1
        expect(told).to_contain_text(ALONE[language].format(event))
        bind.click()
        expect(told).to_have_count(0)
        bound = ana.get(f"/v1/games/{game}/events?after={event - 1}&limit=1")["events"]
        assert [each["kind"] for each in bound] == ["key_changed"]
        (kept,) = page.evaluate(KEPT)
        assert bound[0]["body"]["key"] == {"key": kept[1], "seat": 0, "sig": None}
        expect(page.locator(f".log [data-seq='{event}']")).to_contain_text(SAID[language])
        play_to_the_end(visitor, Pointer(visitor, 1))
        lines, findings = notes(service, game, tmp_path)
        assert f"From event {event} on, the service alone says who seat 0 is" in lines
        assert "sign_service" in findings


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_seat_goes_on_in_another_browser(
    browser: Browser, service: Service, tmp_path: Path, language: str
) -> None:
    """The key of the first signs that of the second, so the record has no gap in who plays."""
    words = HANDED_OVER[language]
    with (
        Visitor.at(browser, service.port, locale=language) as first,
        Visitor.at(browser, service.port, locale=language) as second,
    ):
        first.go("/lobby#pig")
        first.page.locator("form.form").get_by_text(words["options"]).click()
        first.page.get_by_label(words["target"]).fill("20")
        open_signed(first.page, language=language)
        first.page.wait_for_url("**/games/*")
        first.wait()
        Pointer(first, 1).move()
        ana = first.client()
        second.come_as(ana)
        second.go(f"/games/{first.game}")
        told = second.page.locator("[data-key=elsewhere]")
        told.get_by_text(words["here"]).click()
        own = told.get_by_label(words["own"])
        expect(own).to_have_value(re.compile("^[0-9a-f]{64}$"))

        hand = first.page.locator("details.signs", has_text=words["elsewhere"])
        hand.locator("summary").click()
        hand.get_by_role("textbox").fill(" abc")
        hand.get_by_role("button").click()
        expect(hand.get_by_role("alert")).to_contain_text("abc")
        hand.get_by_role("textbox").fill(f" {own.input_value().upper()} ")
        hand.get_by_role("button").click()
        expect(told).to_have_count(0)
        expect(first.page.locator("[data-key=elsewhere]")).to_be_visible()
        expect(hand).to_have_count(0)

        events = ana.get(f"/v1/games/{first.game}/events?limit=1000")["events"]
        (changed,) = [each for each in events if each["kind"] == "key_changed"]
        (kept,) = second.page.evaluate(KEPT)
        assert changed["body"]["key"]["key"] == kept[1]
        assert changed["body"]["key"]["sig"] is not None
        play_to_the_end(second, Pointer(second, 1))
        lines, findings = notes(service, first.game, tmp_path)
        assert "signatures: every move of a player is signed" in lines
        assert "sign_service" not in findings


HANDED_OVER = {
    "en": {
        "options": "Options",
        "target": "Points to win",
        "here": "Play here, signed by the key",
        "own": "This browser’s key",
        "elsewhere": "Go on in another browser",
    },
    "es": {
        "options": "Opciones",
        "target": "Puntos para ganar",
        "here": "Jugar aquí, con la firma",
        "own": "La clave de este navegador",
        "elsewhere": "Seguir en otro navegador",
    },
}
ELSEWHERE = {
    "en": "Another device or program has the key with which this seat signs",
    "es": "Otro dispositivo o programa tiene la clave con la que firma este asiento",
}
BIND = {"en": "Play here, with another key", "es": "Jugar aquí con otra clave"}
ALONE = {
    "en": "from event {} on, the service alone says who this is",
    "es": "desde el evento {}, solo el servicio dice quién es",
}
SAID = {
    "en": "from here on, the service alone says who this is",
    "es": "desde aquí solo el servicio dice quién es",
}


def test_a_browser_that_cannot_sign_says_what_it_lacks(visitor: Visitor) -> None:
    visitor.page.add_init_script(WEAK_BROWSER)
    visitor.go("/lobby#pig")
    open_signed(visitor.page)
    alert = visitor.page.locator("form.form").get_by_role("alert")
    expect(alert).to_contain_text("this browser lacks Ed25519: Chromium has it from version 137 on")


def test_who_signs_out_leaves_no_key(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/lobby#pig")
    open_signed(page)
    page.wait_for_url("**/games/*")
    visitor.wait()
    assert len(page.evaluate(KEPT)) == 1
    visitor.go("/you")
    page.get_by_role("button", name="Sign out of this browser").click()
    expect(page.locator(".banner")).to_contain_text("the key that signs your moves")
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text("You have no name here yet")).to_be_visible()
    page.wait_for_function(f"async () => (await ({KEPT})()).length === 0")
