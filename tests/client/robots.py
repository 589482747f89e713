"""Robots that play whole games on the page: one points, one has no pointer."""

import random

from playwright.sync_api import Locator

from tests.client.visitors import Visitor

MAX_STEPS = 12
"""No move has so many parts."""
MAX_TABS = 40
"""So many presses of Tab lead from the head of the page to what can be chosen."""
CHOICES = "[data-target]:focus, [data-option]:focus"


class Pointer:
    """Clicks on the board where it can, else on what is offered beside it; never on the list."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.random = random.Random(seed)
        self.on_board = 0

    def move(self) -> None:
        """Choose and confirm one move."""
        page = self.visitor.page
        for _ in range(MAX_STEPS):
            self.visitor.wait()
            if page.locator("[data-confirm]").count():
                page.locator("[data-confirm]").click()
                page.locator("[data-confirm]").wait_for(state="detached")
                return
            targets, options = page.locator(".board [data-target]"), page.locator("[data-option]")
            pool = targets if targets.count() else options
            self.on_board += pool is targets
            self._click(pool.nth(self.random.randrange(pool.count())))
        raise AssertionError("a move is never whole")

    def _click(self, target: Locator) -> None:
        """Click where it is, through what may stand upon it."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.visitor.page.mouse.click(x, y)


class Keys:
    """Presses keys alone: Tab, arrows and Enter, on what has the focus."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.random = random.Random(seed)

    def move(self) -> None:
        """Choose and confirm one move."""
        page = self.visitor.page
        for _ in range(MAX_STEPS):
            self.visitor.wait()
            if page.locator("[data-confirm]").count():
                page.wait_for_selector("[data-confirm]:focus")  # it comes there by itself
                page.keyboard.press("Enter")
                page.locator("[data-confirm]").wait_for(state="detached")
                return
            self._look_around()
            page.keyboard.press("Enter")
        raise AssertionError("a move is never whole")

    def _look_around(self) -> None:
        """Go to something that can be chosen, and from there to another one."""
        page = self.visitor.page
        for _ in range(MAX_TABS):
            if page.locator(CHOICES).count():
                break
            page.keyboard.press("Tab")
        on_board = page.locator("[data-target]:focus").count() == 1
        keys = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown") if on_board else ("Tab",)
        for _ in range(self.random.randrange(4)):
            page.keyboard.press(self.random.choice(keys))
            if not page.locator(CHOICES).count():
                page.keyboard.press("Shift+Tab")
        assert page.locator(CHOICES).count() == 1, "focus is lost"
