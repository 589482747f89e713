"""Games on a phone in portrait format, by touch: the first tap on a card only enlarges it."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator

from rules.registry import PACKAGES
from tests.client.conftest import Service
from tests.client.test_play import open_table
from tests.client.visitors import WIDEST, Visitor
from tests.faults.people import Client

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
GAMES = [package.removeprefix("rules.") for package in PACKAGES]
FIRST = 4
"""Number of moves of one game that every run of the tests plays."""
MAX_MOVES = 2000
MAX_STEPS = 12
"""More steps than any move has."""
SETTLED = """element => new Promise(settled => {
    let last = null, still = 0;
    const look = () => {
        const { x, y } = element.getBoundingClientRect();
        still = last && last.x === x && last.y === y ? still + 1 : 0;
        last = { x, y };
        if (still === 6) settled(true);
        else setTimeout(look, 50);
    };
    look();
})"""
"""Resolves when the page no longer scrolls under an element."""


class Finger:
    """Taps on the board if possible, otherwise on the options below it."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.random = random.Random(seed)

    def move(self) -> None:
        """Choose and confirm one move."""
        page = self.visitor.page
        self.visitor.wait()
        for _ in range(MAX_STEPS):
            confirm = page.locator("[data-confirm]")
            if confirm.count():
                confirm.tap()
                confirm.wait_for(state="detached")
                return
            targets, options = page.locator(".board [data-target]"), page.locator("[data-option]")
            pool = targets if targets.count() else options
            before = self.visitor.shown
            self._choose(pool.nth(self.random.randrange(pool.count())))
            if not self.visitor.goes_on_choosing(before):
                return  # a move that can be taken back is sent at once
        raise AssertionError("a move is never whole")

    def _choose(self, target: Locator) -> None:
        """Tap on the element, and once more if the first tap only enlarged it."""
        page, ref = self.visitor.page, target.get_attribute("data-target")
        looks = target.get_attribute("data-looks") is not None
        looked = page.locator(f"[data-target='{ref}'][data-looked]")
        known = looked.count() > 0
        target.evaluate("element => element.scrollIntoView({ block: 'start' })")
        self._tap(target)
        if looks and not known:
            looked.wait_for()
            self._tap(looked)

    def _tap(self, target: Locator) -> None:
        target.evaluate(SETTLED)
        box = target.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.visitor.page.touchscreen.tap(x, y)


@pytest.fixture
def visitor(browser: Browser, service: Service) -> Iterator[Visitor]:
    with Visitor.at(browser, service.port, **PHONE) as visitor:
        yield visitor


def test_first_moves_by_finger(visitor: Visitor) -> None:
    play(visitor, "santiago_de_cuba", FIRST)


@pytest.mark.campaign("client")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_by_finger(visitor: Visitor, ruleset: str) -> None:
    play(visitor, ruleset, MAX_MOVES)
    assert visitor.over


def play(visitor: Visitor, ruleset: str, moves: int) -> None:
    """Play; check that pages are no wider than the phone and agree with the API."""
    open_table(visitor, Client(visitor.port).get(f"/v1/rulesets/{ruleset}")["title"])
    finger = Finger(visitor, 4)
    for _ in range(moves):
        visitor.wait()
        visitor.check_board()
        assert visitor.page.evaluate(f"{WIDEST} <= innerWidth")
        if visitor.over:
            return
        finger.move()
