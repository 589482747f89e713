"""A newcomer is led through a first game: each step shows what it speaks of, and waits for it."""

import json
import random
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.positions import Tables
from tests.client.robots import Pointer, play_to_the_end
from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import ROOT

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
STEP = ".first-game[data-step]"
SHOWN_AFTER = "before => Number(document.querySelector('.table')?.dataset.shown) > before"
SPOKEN_OF = {"en": r" It speaks of: [^.].*\.$", "es": r" Se trata de: [^.].*\.$"}
"""What listeners hear after a step's text: the names of what the rings are around."""
RING_ENDS_WITH_ITS_PANEL = """() => {
    const end = name => document.querySelector(name).getBoundingClientRect().bottom;
    const panel = end('.side.first');
    return panel + 8 < end('.chooser') && Math.abs(end('.ring') - panel) < 8;
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


GROWN = """() => {
    const ring = document.querySelector('.ring');
    ring.parentElement.removeAttribute('data-still');
    const [pulse] = ring.getAnimations();
    pulse.pause();
    const [first, middle] = [0, 600].map(time => {
        pulse.currentTime = time;
        return ring.getBoundingClientRect();
    });
    return [middle.width - first.width, middle.height - first.height];
}"""
"""A script that returns by how many pixels the first ring is wider and higher while it pulses."""


def lesson(game: str) -> Json:
    found: Json = json.loads((ROOT / f"rules/{game}/aids/first_game.json").read_bytes())
    return found


def begin(visitor: Visitor, game: str) -> None:
    """Begin the first game of a ruleset on the first page."""
    title = Client(visitor.port).get(f"/v1/rulesets/{game}")["title"]
    visitor.go("/")
    visitor.page.get_by_role("button", name=f"Learn by playing: {title}").click()
    visitor.page.wait_for_url("**/games/*")
    visitor.page.locator(".first-game").wait_for()


class Learner(Pointer):
    """A robot that does what each step says, and looks at each."""

    def __init__(self, visitor: Visitor, game: str, seed: int) -> None:
        super().__init__(visitor, seed)
        self.steps = lesson(game)["steps"]
        self.seen: set[int] = set()

    def look(self) -> Json | None:
        """Read all steps that only tell something; return the step that waits for a move."""
        while self.page.locator(STEP).count():
            number = int(self.page.locator(STEP).get_attribute("data-step") or -1)
            step: Json = self.steps[number]
            told = self.page.locator(".first-game [role=status]")
            expect(told).to_have_text(re.compile(re.escape(step["text"]["en"]) + SPOKEN_OF["en"]))
            if number not in self.seen:
                expect(self.page.locator(".ring").first).to_be_visible()
            self.seen.add(number)
            if "question" in step:
                return step
            self.page.locator("[data-go-on]").click()
            expect(self.page.locator(f"[data-step='{number}']")).to_have_count(0)
        return None

    def learn(self, most: int) -> None:
        """Do by the API what the steps say, for so many moves, or until all steps were seen."""
        client, path = self.visitor.client(), f"/v1/games/{self.visitor.game}"
        for _ in range(most):
            self.visitor.wait()
            step = self.look()
            if self.visitor.over or len(self.seen) == len(self.steps):
                return
            legal = client.get(f"{path}/legal_moves?seat=0")
            wanted = [m for m in legal["moves"] if step and m["type"] in step.get("moves", ())]
            move = self.random.choice(wanted or legal["moves"])
            form = {"seat": 0, "move": move, "expected_version": legal["version"]}
            client.post(f"{path}/moves", form)
            self.page.wait_for_function(SHOWN_AFTER, arg=legal["version"])


def test_a_newcomer_is_led_through_a_first_game(visitor: Visitor) -> None:
    begin(visitor, "santiago_de_cuba")
    learner = Learner(visitor, "santiago_de_cuba", 1)
    learner.learn(12)
    assert len(learner.seen) >= 7
    visitor.wait()
    judge(visitor.page, "a first game")
    visitor.page.reload()
    step = visitor.page.locator(".first-game")
    expect(step).to_be_visible()
    client, path = visitor.client(), f"/games/{visitor.game}"
    visitor.go("/rules")
    client.play_on(f"/v1{path}", random.Random(1))
    visitor.go(path)
    visitor.page.locator(".result").wait_for()
    expect(step).to_have_count(0)


def test_a_step_waits_for_what_it_asks_and_copes_with_anything_else(visitor: Visitor) -> None:
    begin(visitor, "macao")
    page = visitor.page
    learner = Learner(visitor, "macao", 2)
    while learner.look() is None or 6 not in learner.seen:
        if visitor.over:  # the dice decide whether a card can be activated at all
            begin(visitor, "macao")
            learner = Learner(visitor, "macao", 2)
        learner.learn(1)
    step = page.locator(".first-game")
    expect(step).to_have_attribute("data-step", "6")  # activate a card
    client, path = visitor.client(), f"/v1/games/{visitor.game}"
    legal = client.get(f"{path}/legal_moves?seat=0")
    (end,) = [move for move in legal["moves"] if move["type"] == "end_turn"]
    form = {"seat": 0, "move": end, "expected_version": legal["version"]}
    client.post(f"{path}/moves", form)
    page.wait_for_function(SHOWN_AFTER, arg=legal["version"])
    if client.get(path)["status"] == "ended":  # the lesson, too: the card came in the last turn
        expect(step).to_have_count(0)
    else:
        expect(step).not_to_have_attribute("data-step", "6")
        assert 6 in stored(page, visitor.game)["passed"]


def test_while_there_is_no_step_the_panel_says_what_to_do_and_keeps_the_focus(
    visitor: Visitor,
) -> None:
    begin(visitor, "macao")
    page = visitor.page
    told, heading = page.locator(".first-game [role=status]"), page.locator(".first-game h2")
    expect(heading).to_have_text("First game step 1 of 12")
    visitor.wait()
    step = page.locator(STEP)
    while step.count():
        number = step.get_attribute("data-step")
        page.locator("[data-go-on]").click()
        expect(page.locator(f"[data-step='{number}']")).to_have_count(0)
    expect(heading).to_be_focused()
    expect(heading).to_have_text("First game")
    expect(told).to_have_text(re.compile("^Choose as you like here"))
    page.keyboard.press("[")
    expect(page.locator(".past")).to_be_visible()
    expect(told).to_have_text("")


def test_the_lesson_can_be_left_and_is_in_the_language_of_the_page(
    browser: Browser, service: Service
) -> None:
    with Visitor.at(browser, service.port, locale="es", **PHONE) as visitor:
        page = visitor.page
        visitor.go("/rules/manila")
        page.get_by_role("button", name="Aprender jugando: Manila").click()
        page.wait_for_url("**/games/*")
        told = page.locator(".first-game [role=status]")
        text = lesson("manila")["steps"][0]["text"]["es"]
        expect(told).to_have_text(re.compile(re.escape(text) + SPOKEN_OF["es"]))
        expect(page.locator(".ring").first).to_be_visible()
        judge(page, "a first game on a phone")
        page.get_by_role("button", name="Seguir sin pasos").click()
        expect(page.locator(".first-game")).to_have_count(0)
        expect(page.locator(".chooser")).to_be_focused()
        page.reload()
        visitor.wait()
        expect(page.locator(".first-game")).to_have_count(0)


def test_a_ring_does_not_grow_over_its_neighbours(visitor: Visitor) -> None:
    begin(visitor, "santiago_de_cuba")
    visitor.page.locator(".ring").first.wait_for()
    assert visitor.page.evaluate(GROWN) == [0, 0]


def test_a_ring_stays_within_a_panel_that_scrolls(visitor: Visitor) -> None:
    begin(visitor, "manila")
    page = visitor.page
    learner = Learner(visitor, "manila", 3)
    while "question" not in (learner.look() or {"at": []})["at"]:
        learner.learn(1)
    page.set_viewport_size({"width": 1024, "height": 640})
    page.wait_for_function(RING_ENDS_WITH_ITS_PANEL)


def test_a_ruleset_without_steps_has_no_first_game(visitor: Visitor) -> None:
    visitor.go("/")
    card = visitor.page.get_by_role("listitem").filter(has_text="Sealed")
    expect(card.get_by_role("button", name="Play now")).to_be_visible()
    expect(card.locator(".learn")).to_have_count(0)


def test_the_rules_beside_a_table_lead_to_a_first_game(visitor: Visitor, tables: Tables) -> None:
    visitor.go(tables["ragusa"].path)
    visitor.page.locator("[data-rules]").click()
    drawer = visitor.page.locator(".drawer")
    drawer.get_by_role("button", name="Learn by playing: Ragusa").click()
    visitor.page.locator(".first-game").wait_for()
    assert visitor.game != tables["ragusa"].game


@pytest.mark.campaign("client")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_every_first_game(visitor: Visitor, game: str, record_property: Figure) -> None:
    learner = Learner(visitor, game, 3)
    for _ in range(3):  # the dice decide which questions come in one game
        begin(visitor, game)
        learner.learn(150)
        if len(learner.seen) >= 9:
            break
    assert len(learner.seen) >= 9
    record_property("steps", len(learner.seen))
    record_property("games", 1)
    record_property("moves", play_to_the_end(visitor, learner))
    expect(visitor.page.locator(".first-game")).to_have_count(0)


def stored(page: Page, game: str) -> Json:
    """Return the progress in a first game that the browser keeps."""
    found: Json = json.loads(page.evaluate("localStorage['lonja:first_games']"))[game]
    return found
