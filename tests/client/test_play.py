"""Whole games on the page, against a bot: by pointer, by keyboard, and from the list of moves."""

import pytest

from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.robots import Keys, Pointer, Reader, Robot, play_to_the_end
from tests.client.visitors import Visitor
from tests.faults.people import Client

GAMES = [package.removeprefix("rules.") for package in PACKAGES]


def open_table(visitor: Visitor, title: str) -> None:
    """Open a table with "Play now" on the first page."""
    visitor.go("/")
    card = visitor.page.get_by_role("listitem").filter(has_text=title)
    card.get_by_role("button", name="Play now").click()
    visitor.page.wait_for_url("**/games/*")


def test_a_game_by_pointer(visitor: Visitor) -> None:
    visitor.go("/lobby#pig")
    form = visitor.page.locator("form.form")
    form.get_by_text("Options").click()
    form.get_by_label("Points to win").fill("40")
    form.get_by_role("button", name="Open the table").click()
    visitor.page.wait_for_url("**/games/*")
    play_to_the_end(visitor, Pointer(visitor, 1))


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.get_by_role("listitem").filter(has_text="Sealed").wait_for()
    focus = "document.activeElement.closest('li')?.textContent ?? ''"
    while not page.evaluate(focus).startswith("Sealed"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*")
    play_to_the_end(visitor, Keys(visitor, 2))


def test_moves_from_the_list(visitor: Visitor) -> None:
    """After a move that was searched for, the next list has all moves again."""
    open_table(visitor, "Santiago de Cuba")
    robot = Reader(visitor, 3)
    for _ in range(6):
        robot.move()
        visitor.wait()
        visitor.check_board()


@pytest.mark.campaign("client")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("robot", [Pointer, Keys, Reader])
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game(
    visitor: Visitor, ruleset: str, robot: type[Robot], record_property: Figure
) -> None:
    title = Client(visitor.port).get(f"/v1/rulesets/{ruleset}")["title"]
    open_table(visitor, title)
    record_property("games", 1)
    record_property("moves", play_to_the_end(visitor, robot(visitor, 3)))
    record_property("positions compared", visitor.compared)
