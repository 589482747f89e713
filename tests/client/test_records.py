"""A robot saves records from the page with the mouse, and verifies them on `/verify.html`."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from service.cli import main
from tests.client.conftest import Service
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import wait_for

PIG: Json = {"ruleset": "pig", "options": {"target": 20}}


def play_out(ana: Client, **more: object) -> str:
    """Play a game against a bot to its end, and return its id."""
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    game: str = ana.post("/v1/games", {**PIG, "seats": seats, **more})["id"]
    path = f"/v1/games/{game}"

    def moved() -> bool:
        """Move if seat 0 has a decision; return whether the game is over."""
        told = ana.get(path)
        if any(decision["seat"] == 0 for decision in told["decisions"]):
            legal = ana.get(f"{path}/legal_moves?seat=0")
            form = {"seat": 0, "move": legal["moves"][-1], "expected_version": legal["version"]}
            ana.post(f"{path}/moves", form)
        return bool(told["status"] == "ended")

    wait_for(moved)
    return game


def saved(page: Page, click: str, to: Path) -> Path:
    """Click on the button or link of this name, and save the file."""
    found = page.get_by_text(click, exact=True)
    with page.expect_download() as download:
        found.click()
    download.value.save_as(to)
    return to


def checked(page: Page, url: str, path: Path) -> str | None:
    """Choose a file on `/verify.html`, and return the verdict."""
    page.goto(f"{url}/verify.html")
    with page.expect_file_chooser() as chooser:
        page.locator("#record").click()
    chooser.value.set_files(path)
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_be_visible()
    return verdict.get_attribute("data-verdict")


def proved(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.pig,tests.sealed")
    return CliRunner().invoke(main, ["verify", str(path)]).output


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_record_that_is_saved_from_the_page_is_sound_and_proved(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visibility: str
) -> None:
    ana = Client(visitor.port).player()
    game = play_out(ana, table={"visibility": visibility})
    visitor.sit(ana)
    visitor.go(f"/games/{game}")
    path = saved(visitor.page, "Save the record", tmp_path / "game.ndjson")
    assert checked(visitor.page, visitor.url, path) == "sound"
    assert "Every check passed." in proved(path, monkeypatch)


def test_what_went_wrong_with_saving_is_told(visitor: Visitor) -> None:
    game = play_out(Client(visitor.port).player())
    visitor.go(f"/games/{game}")
    visitor.page.route("**/record", lambda route: route.fulfill(status=409, json=DAMAGED))
    visitor.page.get_by_text("Save the record", exact=True).click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("damaged")
    visitor.faults.clear()  # it was refused


@pytest.fixture
def game(visitor: Visitor) -> str:
    """A finished game that the visitor played, whose browser keeps a receipt."""
    ana = Client(visitor.port).player()
    game = play_out(ana)
    keep(visitor, ana.get(f"/v1/games/{game}/head"))
    visitor.sit(ana)
    return game


def keep(visitor: Visitor, receipt: Json) -> None:
    kept = json.dumps(json.dumps({receipt["game_id"]: receipt}))
    visitor.page.add_init_script(f"localStorage['lonja:receipts'] = {kept}")


def test_a_game_is_checked_in_place_by_one_click(visitor: Visitor, game: str) -> None:
    page = visitor.page
    visitor.go(f"/games/{game}")
    page.get_by_role("button", name="Check this game").click()
    verdict = page.locator("[data-checked]")
    expect(verdict).to_have_attribute("data-checked", "sound")
    expect(verdict).to_be_focused()
    first = verdict.locator("p").first
    expect(first).to_have_text(re.compile("^Whether the moves were legal was not judged here"))
    command = f"lonja export {game} --url {visitor.url} --output - | lonja verify -"
    expect(verdict.locator("code").first).to_have_text(command)
    expect(verdict).to_contain_text("A receipt that this browser keeps fits the record.")
    expect(page.locator(".checking [role=status]")).to_have_text("The record was checked.")
    assert f"/v1/games/{game}/record" in "".join(visitor.asked)
    judge(page, "a verdict")
    page.get_by_role("button", name="Check again").press("Enter")
    expect(verdict).to_have_attribute("data-checked", "sound")


def test_a_receipt_of_another_history_fails_it(visitor: Visitor, game: str) -> None:
    head = Client(visitor.port).get(f"/v1/games/{game}/head")
    keep(visitor, {**head, "hash": "0" * 64})
    visitor.go(f"/games/{game}#check")
    verdict = visitor.page.locator("[data-checked]")
    expect(verdict).to_have_attribute("data-checked", "failed")
    expect(verdict.locator("[data-code=receipt_hash]")).to_be_visible()
    expect(verdict.locator("p").first).to_contain_text("not judged here")


def test_whoever_has_the_link_checks_a_game_and_one_that_goes_on_is_open(
    browser: Browser, service: Service
) -> None:
    ana = Client(service.port).player()
    game = ana.open("pig", "random").rpartition("/")[2]
    look = {"viewport": {"width": 360, "height": 740}, "locale": "es-ES"}
    with Visitor.at(browser, service.port, **look) as visitor:
        visitor.go(f"/games/{game}#check")
        verdict = visitor.page.locator("[data-checked]")
        expect(verdict).to_have_attribute("data-checked", "open")
        expect(verdict.locator("h3")).to_contain_text("Pendiente: la partida sigue")
        expect(verdict.locator("p").first).to_contain_text("no se ha juzgado")
        assert visitor.page.url.endswith("#check"), "the address stays, to be sent to somebody"
        assert visitor.page.evaluate("document.documentElement.scrollWidth") == 360
        judge(visitor.page, "a verdict, narrow")


def test_a_check_is_stopped_and_what_went_wrong_is_told(visitor: Visitor, game: str) -> None:
    page = visitor.page
    page.route("**/record", lambda route: None)  # the answer never comes
    visitor.go(f"/games/{game}#check")
    page.get_by_role("button", name="Stop").click()
    page.unroute("**/record")
    page.route("**/record", lambda route: route.fulfill(status=409, json=DAMAGED))
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("alert")).to_contain_text("damaged")
    visitor.faults.clear()  # it was refused
    page.unroute("**/record")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-checked]")).to_have_attribute("data-checked", "sound")


DAMAGED: Json = {"code": "game_damaged", "title": "The record of this game is damaged"}
