"""Whole games on the page, against a bot: by pointer, and without one."""

from collections.abc import Callable

import pytest

from rules.registry import PACKAGES
from tests.client.robots import Keys, Pointer
from tests.client.visitors import Visitor
from tests.faults.people import Client

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
MAX_MOVES = 2000


def open_table(visitor: Visitor, title: str) -> None:
    """Play now, from the first page."""
    visitor.go("/")
    card = visitor.page.get_by_role("listitem").filter(has_text=title)
    card.get_by_role("button", name="Play now").click()
    visitor.page.wait_for_url("**/games/*")


def test_a_game_by_pointer(visitor: Visitor) -> None:
    open_table(visitor, "Pig")
    play_to_the_end(visitor, Pointer(visitor, 1).move)


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.get_by_role("listitem").filter(has_text="Pig").wait_for()
    focus = "document.activeElement.closest('li')?.textContent ?? ''"
    while not page.evaluate(focus).startswith("Pig"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*")
    play_to_the_end(visitor, Keys(visitor, 2).move)


@pytest.mark.campaign("client")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("robot", [Pointer, Keys])
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game(visitor: Visitor, ruleset: str, robot: type[Pointer] | type[Keys]) -> None:
    title = Client(visitor.port).get(f"/v1/rulesets/{ruleset}")["title"]
    open_table(visitor, title)
    play_to_the_end(visitor, robot(visitor, 3).move)


def play_to_the_end(visitor: Visitor, move: Callable[[], None]) -> None:
    """Play until the game is over; after each move the page shows what the API says."""
    for _ in range(MAX_MOVES):
        visitor.wait()
        visitor.check_board()
        if visitor.over:
            break
        move()
    told = visitor.client().get(f"/v1/games/{visitor.game}")
    assert told["status"] == "ended"
    result = visitor.page.locator(".result")
    for standing in told["result"]["standings"]:
        assert str(standing["score"]) in result.inner_text()
