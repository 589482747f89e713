"""Robots that play on the page: one points, one has no pointer, and one reads the list of moves."""

import random
from abc import ABC, abstractmethod

from playwright.sync_api import Locator

from tests.client.visitors import Visitor

MAX_STEPS = 12
"""More steps than any move has."""
MAX_TABS = 60
"""Maximum presses of Tab from the head of the page to the choices."""
CHOICES = "[data-target]:focus, [data-option]:focus"


class Robot(ABC):
    """A robot that chooses at random; ``seed`` determines its choices."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.random = random.Random(seed)

    def move(self) -> None:
        """Choose and confirm one move."""
        self.visitor.wait()
        for _ in range(MAX_STEPS):
            if self.page.locator("[data-confirm]").count():
                self.confirm()
                self.page.locator("[data-confirm]").wait_for(state="detached")
                return
            before = self.visitor.shown
            self.choose()
            if not self.visitor.goes_on_choosing(before):
                return  # a move that can be taken back is sent at once
        raise AssertionError("a move is never whole")

    @abstractmethod
    def choose(self) -> None:
        """Choose one option of the open question."""

    @abstractmethod
    def confirm(self) -> None:
        """Send the move that was chosen."""


class Pointer(Robot):
    """Clicks on the board or on the options beside it; never on the list of moves."""

    def choose(self) -> None:
        targets, options = (
            self.page.locator(".board [data-target]"),
            self.page.locator("[data-option]"),
        )
        on_board = targets.count() and (not options.count() or self.random.random() < 0.75)
        pool = targets if on_board else options
        self._click(pool.nth(self.random.randrange(pool.count())))

    def confirm(self) -> None:
        self._click(self.page.locator("[data-confirm]"))

    def _click(self, target: Locator) -> None:
        """Click at the element's position, even if another element covers it."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.click(x, y)


class Keys(Robot):
    """Uses only the keys Tab, Enter and the arrows, on the focused element."""

    def choose(self) -> None:
        self._look_around()
        self.page.keyboard.press("Enter")

    def confirm(self) -> None:
        self.page.wait_for_selector("[data-confirm]:focus")  # the page focuses it
        self.page.keyboard.press("Enter")

    def _look_around(self) -> None:
        """Move the focus to an option, and from there to another option."""
        for _ in range(MAX_TABS):
            if self.page.locator(CHOICES).count():
                break
            self.page.keyboard.press("Tab")
        on_board = self.page.locator("[data-target]:focus").count() == 1
        keys = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown") if on_board else ("Tab",)
        for _ in range(self.random.randrange(4)):
            self.page.keyboard.press(self.random.choice(keys))
            if not self.page.locator(CHOICES).count():
                self.page.keyboard.press("Shift+Tab")
        assert self.page.locator(CHOICES).count() == 1, "focus is lost"


class Reader(Robot):
    """Picks a move from the list of all moves, which are sentences and can be searched."""

    def choose(self) -> None:
        listed = self.page.locator(".all-moves")
        if not listed.evaluate("list => list.open"):
            listed.locator("summary").click()
            self.visitor.check_board()  # the list has all moves
        labels = listed.locator("[data-move]").all_inner_texts()
        wanted = self.random.choice(labels)
        listed.get_by_role("searchbox").fill(wanted)
        found = listed.locator("[data-move]").get_by_text(wanted, exact=True)
        found.first.click()

    def confirm(self) -> None:
        self.page.locator("[data-confirm]").click()


def play_to_the_end(visitor: Visitor, robot: Robot) -> int:
    """Play until the game is over, compare the page with the API, and return the player's moves."""
    moves = 0
    while not _is_over(visitor):
        robot.move()
        moves += 1
    told = visitor.client().get(f"/v1/games/{visitor.game}")
    assert told["status"] == "ended"
    result = visitor.page.locator(".result").inner_text()
    assert [s for s in told["result"]["standings"] if str(s["score"]) not in result] == []
    return moves


def _is_over(visitor: Visitor) -> bool:
    visitor.wait()
    visitor.check_board()
    return visitor.over
