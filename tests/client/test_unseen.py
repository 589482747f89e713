"""Every game can be played without seeing the board: by roles, names and announcements only."""

import random
import re
from collections.abc import Iterable
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rules.kernel.contract.bindings import Placement, mats, standing
from rules.kernel.contract.labels import Labels
from tests.client.positions import position
from tests.client.services import Service
from tests.client.test_axe import GAMES
from tests.client.visitors import Visitor
from tests.contract.tables import REGISTRY
from tests.faults.people import Json

MAX_STEPS = 12
"""More steps than any move has."""
DO_IT = re.compile("^Do it: ")
APART = 1950
"""The least milliseconds between two announcements, by the page's clock."""
SENTENCE = re.compile(r"[^.!?…]+[.!?…]")
HEAR = """() => {
    window.heard = [];
    new MutationObserver(changes => changes.forEach(({addedNodes}) => addedNodes.forEach(
        added => heard.push([performance.now(), added.textContent])
    ))).observe(document.querySelector('[data-announcer]'), {childList: true});
}"""
FOCUSED = """() => {
    const focused = document.activeElement;
    return focused !== document.body && focused.id !== 'main' && focused.checkVisibility();
}"""


class Listener:
    """A player with a screen reader, who knows the focus, the options and the announcements."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        self.random = random.Random(seed)

    @property
    def told(self) -> Locator:
        """The announcements."""
        return self.page.get_by_role("log")

    def choose(self) -> str:
        """Choose step by step, by names; return the name of the button that confirms the move."""
        for _ in range(MAX_STEPS):
            self.visitor.wait()
            confirm = self.page.get_by_role("button", name=DO_IT)
            if confirm.count():
                expect(confirm).to_be_focused()
                return str(confirm.get_attribute("aria-label"))
            number = self.page.get_by_role("spinbutton")
            if number.count():
                self._type_number(number)
            else:
                self._press(self.random.choice(self._options()))
        raise AssertionError("a move is never whole")

    def _options(self) -> list[Locator]:
        """Return what can be chosen now: the options of the question's list, and on the board.

        Check that the names of the options differ.
        """
        chooser = self.page.locator("section.chooser")
        question = chooser.get_by_role("heading").first.inner_text()
        found = chooser.get_by_role("list", name=question).get_by_role("button").all()
        names = [each.inner_text() for each in found]
        assert all(re.search(r"\w", name) for name in names), names
        assert len(set(names)) == len(names), names
        return [*found, *self.page.locator(".board svg").get_by_role("button").all()]

    def _type_number(self, field: Locator) -> None:
        """Type a number; take the next legal number above it, or else the highest."""
        expect(field).to_be_focused()
        least, most = (int(field.get_attribute(f"aria-value{end}") or 0) for end in ("min", "max"))
        self.page.keyboard.type(str(self.random.randint(least, most)))
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(FOCUSED)

    def _press(self, button: Locator) -> None:
        button.focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(FOCUSED)


@pytest.mark.parametrize("game", ["pig", "santiago_de_cuba"])
def test_moves_by_names_alone(browser: Browser, service: Service, game: str) -> None:
    play_by_names(browser, service, game, 1)


@pytest.mark.campaign("client")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_many_moves_by_names_alone(browser: Browser, service: Service, game: str) -> None:
    play_by_names(browser, service, game, 25)


def play_by_names(browser: Browser, service: Service, game: str, moves: int) -> None:
    table = position(service, game, "hear" if moves == 1 else "listen")
    with Visitor.at(browser, service.port, locale="en-GB") as visitor:
        visitor.sit(table.ana)
        visitor.go(table.path)
        visitor.wait()
        check_the_words(visitor, game)
        listener = Listener(visitor, 5)
        for _ in range(moves):
            listed = table.ana.get(f"/v1{table.path}/legal_moves?seat=0")
            expect(listener.told).to_contain_text(f" {len(listed['moves'])} choice")
            name = listener.choose()
            assert name.removeprefix("Do it: ") in listed["labels"]
            before = listed["version"]
            visitor.page.keyboard.press("Enter")
            expect(visitor.page.get_by_role("button", name=DO_IT)).to_have_count(0)
            visitor.page.wait_for_function(FOCUSED)
            check_what_is_told(visitor, before)
            table.play()
            if table.asked() is None:
                break


def check_what_is_told(visitor: Visitor, before: int) -> None:
    """Check that the latest events were announced, and the deciding seat."""
    client = visitor.client()
    newest = client.get(f"/v1/games/{visitor.game}")["version"]
    visitor.page.wait_for_selector(f".table[data-shown='{newest}']")
    told = visitor.page.locator("[data-announcer]")
    log = client.get(f"/v1/games/{visitor.game}/log?after={before}&limit=1000")
    texts = [effect for effect in log["effects"] if effect["text"]]
    latest = [effect["text"] for effect in texts if effect["seq"] == texts[-1]["seq"]]
    for text in latest[:3]:
        expect(told).to_contain_text(text)
    for decision in client.get(f"/v1/games/{visitor.game}")["decisions"]:
        expect(told).to_contain_text(decision["label"])


def test_at_most_one_sentence_in_two_seconds_is_told(visitor: Visitor, service: Service) -> None:
    """However fast others move: the question first, then the latest events."""
    table = position(service, "pig", "slowly")
    visitor.sit(table.ana)
    visitor.go(table.path)
    visitor.wait()
    visitor.page.wait_for_selector("[data-announcer]", state="attached")
    visitor.page.evaluate(HEAR)
    table.play(least=10)
    version = table.version
    listed = table.ana.get(f"/v1{table.path}/legal_moves?seat=0")
    question = f", {len(listed['moves'])} choices."
    texts = [effect["text"] for effect in table.ana.get(f"/v1{table.path}/log")["effects"]]
    latest = next(text for text in reversed(texts) if text)
    told = visitor.page.locator("[data-announcer]")
    visitor.page.wait_for_selector(f".table[data-shown='{version}']")
    expect(told).to_contain_text(question)
    expect(told).to_contain_text(latest)
    heard: list[tuple[float, str]] = visitor.page.evaluate("heard")
    times = [at for at, _ in heard]
    assert min(after - before for before, after in pairwise(times)) > APART
    assert [text for _, text in heard if not SENTENCE.fullmatch(text)] == []


def check_the_words(visitor: Visitor, game: str) -> None:
    """Check that the texts of board and mats name every place that is not empty."""
    client = visitor.client()
    visitor.page.get_by_text("The board in words").click()
    board = client.get(f"/v1/rulesets/{game}/board")
    view = client.get(f"/v1/games/{visitor.game}/state?seat=0")["state"]
    labels = REGISTRY.find(game).labels
    found = visitor.page.locator(".described > section")
    assert names_in(board, standing(board["pieces"], view), labels) <= told_in(found.first)
    for number, mat in enumerate(mats(board, view), start=1):
        sheet = board["mat"]
        expected = names_in(sheet, standing(sheet["pieces"], mat.value), labels)
        assert expected <= told_in(found.nth(number))


def names_in(sheet: Json, stands: Iterable[Placement], labels: Labels) -> set[str]:
    """Return the names of the places that are not empty."""
    places: Json = sheet["places"]
    found = [places[piece.place] for piece in stands if piece.place in places]
    return {labels.text(place["label"], "en", **place.get("says", {})) for place in found}


def told_in(section: Locator) -> set[str]:
    return {*section.get_by_role("term").all_inner_texts()}
