"""Robots that play whole games on the page: one points, one has no pointer."""

import random

from tests.client.visitors import Visitor

MAX_STEPS = 12
"""No move has so many parts."""


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
            pool.nth(self.random.randrange(pool.count())).click()
        raise AssertionError("a move is never whole")


class Keys:
    """Presses keys alone: Tab, arrows, Enter; focus says where it is."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.random = random.Random(seed)

    def move(self) -> None:
        """Choose and confirm one move; focus goes from step to step by itself."""
        page = self.visitor.page
        for _ in range(MAX_STEPS):
            self.visitor.wait()
            whole = page.locator("[data-confirm]").count() == 1
            page.wait_for_selector("[data-first]:focus", timeout=30_000)
            if not whole:
                for _ in range(self.random.randrange(page.locator("[data-option]").count())):
                    page.keyboard.press("Tab")
                assert page.locator("[data-option]:focus").count() == 1
            page.keyboard.press("Enter")
            if whole:
                page.locator("[data-confirm]").wait_for(state="detached")
                return
        raise AssertionError("a move is never whole")
