"""How many clicks and keys a move takes, with a newcomer's settings.

A move that can be taken back is sent by its last pick; any other is shown before, and confirmed.
"""

import pytest
from playwright.sync_api import Locator

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.robots import Pointer, Robot
from tests.client.visitors import Visitor
from tests.faults.people import Client

REGISTRY = Registry(PACKAGES)
GAMES = [package.removeprefix("rules.") for package in PACKAGES]
MOVES = 60
MORE_CLICKS, MORE_KEYS = 0.5, 3
"""What a move takes at most beside its picks, in the mean of a game."""


class Clicker(Pointer):
    """Counts its picks, and its clicks."""

    picks = clicks = 0

    def choose(self) -> None:
        self.picks += 1
        super().choose()

    def _click(self, target: Locator) -> None:
        self.clicks += 1
        super()._click(target)


class Typist(Robot):
    """Types an amount that is asked for, or else the number of a move; counts its keys."""

    keys = 0

    def choose(self) -> None:
        amount = self.page.locator("[data-number]")
        if amount.count():
            typed = amount.get_attribute("aria-valuemax") or ""
        else:
            count = self.page.locator(".all-moves .count").inner_text()
            typed = str(self.random.randint(1, int(count)))
        for key in (*typed, "Enter"):
            self._press(key)

    def confirm(self) -> None:
        self.page.wait_for_selector("[data-confirm]:focus")
        self._press("Enter")

    def _press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)


def seated(visitor: Visitor, ruleset: str) -> str:
    """Open a table at which one player holds all seats; return its path."""
    ana = Client(visitor.port).player()
    seats = [{"holder": "me"}] * REGISTRY.find(ruleset).info.max_seats
    form = {"ruleset": ruleset, "seats": seats, "take_back": True}
    path = f"/games/{ana.post('/v1/games', form)['id']}"
    visitor.come_as(ana)
    visitor.turn_to(path)
    return path


def goes_on(visitor: Visitor) -> bool:
    visitor.wait()
    return not visitor.over


@pytest.mark.campaign("client")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_move_takes_hardly_more_than_its_picks(
    visitor: Visitor, ruleset: str, record_property: Figure
) -> None:
    seated(visitor, ruleset)
    clicker, typist = Clicker(visitor, 1), Typist(visitor, 2)
    clicked = typed = 0
    while clicked < MOVES and goes_on(visitor):
        clicker.move()
        clicked += 1
        if goes_on(visitor):
            typist.move()
            typed += 1
    record_property("moves by clicks", clicked)
    record_property("their picks", clicker.picks)
    record_property("their clicks", clicker.clicks)
    record_property("moves by keys", typed)
    record_property("their keys", typist.keys)
    assert clicker.clicks <= clicker.picks + MORE_CLICKS * clicked
    assert typist.keys <= (1 + MORE_KEYS) * typed, "each has at least one pick"


def test_a_move_is_taken_by_its_number_and_sent_without_more(visitor: Visitor) -> None:
    """It can be taken back; one that cannot waits for a confirmation."""
    game = seated(visitor, "santiago_de_cuba")
    before = visitor.client().get(f"/v1{game}")
    typist = Typist(visitor, 1)
    typist.move()
    after = visitor.client().get(f"/v1{game}/events?after={before['version']}")["events"]
    assert [event["kind"] for event in after] == ["moved"]
    assert typist.keys == 2, "a digit and Enter"
