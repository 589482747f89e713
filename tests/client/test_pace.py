"""How a table shows what others did: by turns, never long, and listed since one's own last move."""

import json
import time
from functools import partial
from statistics import quantiles

import pytest
from playwright.sync_api import Browser, Page, expect

from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.conftest import Service
from tests.client.positions import Position, position
from tests.client.visitors import QUICK, Visitor
from tests.faults.people import Json
from tests.running import wait_for

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
FOR_EVER = 10**9
"""Milliseconds for which the test's page shows each turn, so that no machine is too slow for it."""
SHORT = 300
USUAL, LONGEST = 6.0, 10.0
"""Maximum seconds of showing between two questions: at the 95th percentile, and ever."""

RECORD = """() => {
    const table = document.querySelector('.table');
    window.shown = [];
    window.skipped = false;
    new MutationObserver(() => window.shown.push(Number(table.dataset.shown)))
        .observe(table, {attributes: true, attributeFilter: ['data-shown']});
    new MutationObserver(() => window.skipped ||= table.querySelector('[data-skip]') !== null)
        .observe(table, {childList: true, subtree: true});
}"""
"""A script that notes each event that is shown, and whether it could ever be skipped."""
SINCE = """() => [...document.querySelectorAll('.log :is(.since, .since ~ .step) .effect')]
    .map(effect => effect.textContent.trim())"""


def show_turns_for(page: Page, milliseconds: int) -> None:
    """Load the table again with this setting."""
    kept = json.dumps({**QUICK, "pace": milliseconds})
    page.evaluate("kept => localStorage['lonja:settings'] = kept", kept)
    page.reload()
    page.wait_for_selector(".table:has(#chooser):has(.here)")


def events_since(table: Position, seq: int) -> list[Json]:
    found: list[Json] = table.ana.get(f"/v1{table.path}/events?after={seq}&limit=1000")["events"]
    return found


def ends_of_turns(table: Position, events: list[Json]) -> list[int]:
    """Return the last event of each turn: of a seat's moves, with the draws that follow them.

    In Pig, a draw with which the turn is lost stands alone, because it ends a round.
    """
    lost = {effect["seq"] for effect in effects(table) if effect["type"] == "lost"}
    turns: list[tuple[object, int]] = []
    for event in events:
        seq, seat = event["seq"], event["by"].get("seat")
        if turns and seq not in lost and seat in {None, turns[-1][0]}:
            turns[-1] = (turns[-1][0], seq)
        else:
            turns.append((seat, seq))
    return [seq for _, seq in turns]


def effects(table: Position, after: int = 0) -> list[Json]:
    found: list[Json] = table.ana.get(f"/v1{table.path}/log?after={after}&limit=1000")["effects"]
    return found


def texts(table: Position, after: int) -> list[str]:
    """Return what the log says of the events after this one."""
    return [effect["text"] for effect in effects(table, after) if effect["text"]]


def test_a_turn_is_a_step_that_can_be_skipped_and_seen_again(
    visitor: Visitor, service: Service
) -> None:
    table, page = position(service, "pig", "pace"), visitor.page
    visitor.sit(table.ana)
    visitor.go(table.path)
    show_turns_for(page, FOR_EVER)
    events: list[Json] = []
    while len({event["by"].get("seat") for event in events} - {None}) < 2:
        expect(page.locator(f".table[data-shown='{table.version}']")).to_be_visible()
        before = table.version
        table.play(least=1)
        events = events_since(table, before)
    ends, newest = ends_of_turns(table, events), events[-1]["seq"]

    expect(page.locator(f".table[data-shown='{ends[0]}']")).to_be_visible()  # the own turn
    skip = page.get_by_role("button", name="Skip ahead")
    expect(skip).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator(f".table[data-shown='{newest}']")).to_be_visible()
    expect(skip).to_have_count(0)
    own = max(event["seq"] for event in events if event["by"].get("seat") == 0)
    assert page.evaluate(SINCE) == texts(table, own)

    again = page.get_by_role("button", name="Show again what happened since your move")
    again.click()
    expect(page.locator(f".table[data-shown='{ends[0]}']")).to_be_visible()
    assert page.evaluate(SINCE) == texts(table, own), "the list stays while the board goes through"
    page.locator(".board-sheet").click(position={"x": 5, "y": 5})
    expect(page.locator(f".table[data-shown='{newest}']")).to_be_visible()

    show_turns_for(page, SHORT)
    page.evaluate(RECORD)
    again.click()
    page.wait_for_function("skipped")
    expect(again).to_be_visible()
    assert page.evaluate("shown") == sorted({own, *ends})


def lists(page: Page, told: list[str]) -> bool:
    """Return whether the list ends with these sentences; its first turn may have more."""
    found: list[str] = page.evaluate(SINCE)
    return found[len(found) - len(told) :] == told


@pytest.mark.campaign("pace")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ruleset", GAMES)
def test_nobody_watches_long(
    browser: Browser, service: Service, ruleset: str, record_property: Figure
) -> None:
    """With a newcomer's settings, at the most seats; and nothing is left out of the list.

    What is counted is the time after all others have moved, until the page shows the question.
    """
    table = position(service, ruleset, "pace", most=True, moves=0)
    watched: list[float] = []
    with Visitor.at(browser, service.port) as visitor:
        page = visitor.page
        page.add_init_script("delete localStorage['lonja:settings']")
        visitor.sit(table.ana)
        visitor.go(table.path)
        while table.asked() is not None:
            page.wait_for_selector(".table:has(#chooser):has(.here)")
            before = table.version
            table.play(least=1)
            asked = time.monotonic()
            page.wait_for_selector(f".table[data-shown='{table.version}']")
            watched.append(time.monotonic() - asked)
            events = events_since(table, before)
            own = max(event["seq"] for event in events if event["by"].get("seat") == 0)
            told = texts(table, own)
            wait_for(partial(lists, page, told))
    record_property("questions", len(watched))
    usual = quantiles(watched, n=20)[-1]
    record_property("seconds to a question at its 95th percentile at most", round(usual, 2))
    record_property("seconds to a question at most", round(max(watched), 2))
    assert usual <= USUAL
    assert max(watched) <= LONGEST
