"""A robot with a mouse saves records from the page, and checks them on the page for that."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from service.cli import main
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import wait_for

PIG: Json = {"ruleset": "pig", "options": {"target": 20}}


def play_out(ana: Client, **more: object) -> str:
    """Return a game that somebody has played against a bot to its end."""
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
    game: str = ana.post("/v1/games", {**PIG, "seats": seats, **more})["id"]
    path = f"/v1/games/{game}"

    def moved() -> bool:
        """Move if it is one's turn; whether it is all over."""
        told = ana.get(path)
        if any(decision["seat"] == 0 for decision in told["decisions"]):
            legal = ana.get(f"{path}/legal_moves?seat=0")
            form = {"seat": 0, "move": legal["moves"][-1], "expected_version": legal["version"]}
            ana.post(f"{path}/moves", form)
        return bool(told["status"] == "ended")

    wait_for(moved)
    return game


def saved(page: Page, click: str, to: Path) -> Path:
    """Save what a button or link of this name has, by mouse."""
    found = page.get_by_text(click, exact=True)
    with page.expect_download() as download:
        found.click()
    download.value.save_as(to)
    return to


def checked(page: Page, url: str, path: Path) -> str | None:
    """Check a file on the page that checks records, by mouse; return the verdict."""
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


DAMAGED: Json = {"code": "game_damaged", "title": "The record of this game is damaged"}
