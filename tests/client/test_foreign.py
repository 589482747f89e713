"""The kit with another service of the standard (`tests/standard/nim.py`), on another origin."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lonja_client import Client
from playwright.sync_api import Browser, expect

from rules.kernel.contract.bindings import standing
from tests.client.embedding import Guest
from tests.client.robots import Keys, Pointer, Robot
from tests.client.test_embed import HEARD, SHOWN, kit, pages
from tests.standard.nim import DOCUMENTS
from tests.standard.serving import serving, somebody

__all__ = ["kit"]


def asked(guest: Guest, red: Client) -> bool:
    """Wait until the page shows that it is Red's turn; False if the game is over."""
    while True:
        state = red.table("nim").state()
        if state["status"] == "ended":
            guest.page.locator('.table[data-status="ended"]').wait_for()
            return False
        if any(decision["seat"] == 0 for decision in state["decisions"]):
            guest.page.locator(f'.table[data-shown="{state["version"]}"]').wait_for()
            return True
        guest.page.wait_for_timeout(20)


@pytest.mark.parametrize(
    "robot", [Pointer, pytest.param(Keys, marks=pytest.mark.campaign("embed"))]
)
def test_the_kit_plays_a_whole_game(browser: Browser, kit: Path, robot: type[Robot]) -> None:
    """The Python client has the other seat: both play at a service that was not made for them."""
    with serving() as url, somebody(url, "black") as took, Client(url, "red") as red:
        port = urlsplit(url).port or 0
        with Guest.of(browser, port, kit, pages(url, "nim")) as guest:
            guest.page.goto(f"{guest.origin}/#key=red")
            guest.page.evaluate(HEARD)
            player, moves = robot(guest, 1), 0
            while asked(guest, red):
                player.move()
                moves += 1
            expect(guest.page.locator(".ranks li")).to_have_count(2)
            heard = guest.page.evaluate("heard.map(([type]) => type)")
            assert heard.count("over") == 1
            assert "error" not in heard
            assert "receipt" not in heard, "nobody signs anything here"
            assert moves == len(took) or moves == len(took) + 1
            log = guest.page.get_by_role("log").inner_text()
            assert log.count("Red takes") == moves
            expect(guest.page.get_by_role("status").last).to_contain_text("seat:0")
            missing = [fault for fault in guest.faults if "404" in fault]
            assert guest.faults == missing, "a browser tells of what the service leaves out"
            guest.faults.clear()


BOARD = '<lonja-board ruleset="nim" service="URL" state=\'{"sticks": [1, 2, 12]}\' lang="es">'


def test_a_board_is_drawn_of_its_documents(browser: Browser, kit: Path) -> None:
    with serving() as url:
        told = pages("", "", BOARD.replace("URL", url) + "</lonja-board>")
        with Guest.of(browser, urlsplit(url).port or 0, kit, told) as guest:
            guest.page.goto(guest.origin)
            guest.page.locator("lonja-board [data-place=hand_3]").wait_for()
            shown = guest.page.evaluate(SHOWN)
            board = DOCUMENTS["board"]
            assert Counter(shown["places"]) == Counter(f"place:{key}" for key in board["places"])
            stands = [*standing(board["pieces"], {"sticks": [1, 2, 12]})]
            assert len(shown["pieces"]) == len(stands) == 3
            told_so = guest.page.locator("lonja-board").get_by_text("2 sticks")
            expect(told_so.first).to_be_attached()  # this service has no Spanish texts


def test_a_game_without_a_board_is_told_in_words(
    browser: Browser, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DOCUMENTS["ruleset"]["documents"], "board", None)
    with serving() as url:
        told = pages(url, "nim")
        with Guest.of(browser, urlsplit(url).port or 0, kit, told) as guest:
            guest.page.goto(guest.origin)
            shown = guest.page.locator("lonja-game .members")
            expect(shown).to_contain_text("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")
            guest.faults.clear()


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(DOCUMENTS["ruleset"], "table_version", 2)
    with serving() as url:
        yield url


def test_a_version_that_is_not_known_is_said_and_not_guessed(
    browser: Browser, kit: Path, newer: str
) -> None:
    told = pages(newer, "nim")
    with Guest.of(browser, urlsplit(newer).port or 0, kit, told) as guest:
        guest.page.goto(guest.origin)
        alert = guest.page.locator("lonja-game").get_by_role("alert")
        expect(alert).to_contain_text("version 2 of the standard")
        assert guest.page.locator("lonja-game [data-place]").count() == 0
        guest.faults.clear()
