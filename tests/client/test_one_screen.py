"""At a desk, all that a decision needs is on the screen and readable, at the most seats."""

import re
from itertools import islice

import pytest
from playwright.sync_api import Browser, expect

from tests.campaigns import Figure
from tests.client.one_screen import (
    ACROSS,
    GAMES,
    LEAST_ACROSS,
    LEAST_SHARES,
    LEAST_SIDE,
    SCREENS,
    TEXT_SIZES,
    UPRIGHT,
    Decision,
    beside,
    covered,
    cramped,
    crowded,
    decisions,
    left_cut,
    missing,
    outside,
    parts,
    shortened,
    small,
    to_top,
    wordless,
)
from tests.client.services import Service
from tests.client.visitors import Visitor
from tests.conftest import browser_path
from tests.faults.people import Client

SOME = 5
EACH = 4
"""Letters and targets are measured in each fourth decision."""
SIZES = [*TEXT_SIZES, *UPRIGHT, *ACROSS]


def test_the_first_decisions(browser: Browser, service: Service) -> None:
    """In the game with the most on its board; the campaign looks at whole games of all."""
    board = Client(service.port).get("/v1/rulesets/ragusa/board")
    with Visitor.at(browser, service.port) as visitor:
        for decision in islice(decisions(visitor, service, "ragusa"), SOME):
            for width, height in SCREENS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert missing(visitor, decision, board) == [], (decision.game.version, width)
                assert small(visitor) == [], (decision.game.version, width)
                assert crowded(visitor) == [], (decision.game.version, width)
                assert cramped(visitor) == [], (decision.game.version, width)


def test_what_stands_on_a_target_lets_the_pointer_through(
    browser: Browser, service: Service
) -> None:
    """Dice stand on the places that are chosen first in Santiago de Cuba."""
    board = Client(service.port).get("/v1/rulesets/santiago_de_cuba/board")
    with Visitor.at(browser, service.port) as visitor:
        for decision in islice(decisions(visitor, service, "santiago_de_cuba"), 1):
            assert missing(visitor, decision, board) == []


def test_the_way_to_another_game_is_seen_whole(visitor: Visitor, service: Service) -> None:
    """The head of a table is low, and hides what is higher."""
    ana = Client(service.port).player()
    form = {"ruleset": "santiago_de_cuba", "seats": [{"holder": "me"}, {"holder": "me"}]}
    game, _ = (ana.post("/v1/games", form)["id"] for _ in range(2))
    visitor.come_as(ana)
    visitor.turn_to(f"/games/{game}")
    head, way = (visitor.page.locator(each) for each in (".table-head", ".table-head .next-game"))
    visitor.page.wait_for_selector(".table:has(.seats)")
    for width, height in [*SCREENS, *UPRIGHT]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        outer, inner = head.bounding_box(), way.bounding_box()
        assert outer is not None
        assert inner is not None
        assert outer["y"] <= inner["y"], width
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"], width


def test_scrollbars_may_take_room(browser: Browser, service: Service) -> None:
    """As on most desks, though not in browsers that are automated."""
    board = Client(service.port).get("/v1/rulesets/macao/board")
    launched = browser.browser_type.launch(
        executable_path=browser_path(),
        args=["--no-sandbox"],
        ignore_default_args=["--hide-scrollbars"],
    )
    with Visitor.at(launched, service.port, locale="es-ES") as visitor:
        for decision in islice(decisions(visitor, service, "macao"), 1):
            for width, height in SCREENS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert missing(visitor, decision, board) == [], width
                assert wordless(visitor) == [], width
            mats = visitor.page.locator(".mats")
            assert mats.evaluate("mats => mats.offsetWidth > mats.clientWidth")
    launched.close()


@pytest.mark.parametrize("ruleset", ["macao", "plus_ultra"])
def test_each_card_shows_its_name(browser: Browser, service: Service, ruleset: str) -> None:
    """In the games with the most words; the campaign looks at whole games of all."""
    with Visitor.at(browser, service.port, locale="es-ES") as visitor:
        for decision in islice(decisions(visitor, service, ruleset), 1):
            for width, height in SCREENS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert wordless(visitor) == [], (decision.game.version, width)


def test_supplies_are_named_whole(browser: Browser, service: Service) -> None:
    """In the game whose supplies have the longest names, in the language that has longer ones."""
    with Visitor.at(browser, service.port, locale="es-ES") as visitor:
        for decision in islice(decisions(visitor, service, "plus_ultra"), 1):
            for width, height in [*SCREENS, (1366, 768)]:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert wordless(visitor) == [], (decision.game.version, width)
                for supply in visitor.page.locator(".board-sheet [data-kind=area]").all():
                    expect(supply).not_to_contain_text("…")


@pytest.mark.parametrize(("ruleset", "kind"), [("santiago_de_cuba", "supply"), ("manila", "port")])
def test_words_and_numbers_stay_within_their_cards(
    browser: Browser, service: Service, ruleset: str, kind: str
) -> None:
    """On the cards on which they have the least room."""
    with Visitor.at(browser, service.port, locale="es-ES", has_touch=True) as visitor:
        for decision in islice(decisions(visitor, service, ruleset), 1):
            for width, height in [*SCREENS, (1366, 768), (820, 1180), *UPRIGHT, *ACROSS]:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert beside(visitor, kind) == [], (decision.game.version, width)
                cut = shortened(visitor, f"[data-kind={kind}]")
                assert cut == [], (decision.game.version, width)


def test_a_finger_meets_the_controls_beside_the_board(browser: Browser, service: Service) -> None:
    """In the panel of the log, too."""
    with Visitor.at(browser, service.port, has_touch=True) as visitor:
        for decision in islice(decisions(visitor, service, "santiago_de_cuba"), 2):
            for width, height in SIZES:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert cramped(visitor) == [], (decision.game.version, width)


@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
def test_the_next_offices_are_named_whole(
    browser: Browser, service: Service, language: str
) -> None:
    with Visitor.at(browser, service.port, locale=language) as visitor:
        for decision in islice(decisions(visitor, service, "macao", language), SOME):
            for width, height in [*SCREENS, (1366, 768)]:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert wordless(visitor) == [], (decision.game.version, width)
                offices = visitor.page.locator("[data-place=future_offices] text")
                expect(offices).not_to_have_class(re.compile(r"\b(cut|unfit)\b"))
                expect(offices).not_to_contain_text("…")
                cards = ".board-sheet :is([data-place^=display], [data-piece^=card])"
                assert shortened(visitor, cards) == [], (decision.game.version, width)


@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
def test_characters_are_named_whole(browser: Browser, service: Service, language: str) -> None:
    """While all are to choose from, and while there are fewer."""
    with Visitor.at(browser, service.port, locale=language) as visitor:
        for decision in islice(decisions(visitor, service, "plus_ultra", language), SOME):
            for width, height in [*SCREENS, (1366, 768)]:
                visitor.page.set_viewport_size({"width": width, "height": height})
                found = shortened(visitor, "[data-piece^=character]")
                assert found == [], (decision.game.version, width)


@pytest.mark.parametrize(("ruleset", "some"), [("ragusa", SOME), ("manila", 1), ("macao", 1)])
def test_a_phone_shows_the_question_and_mostly_the_board(
    browser: Browser, service: Service, ruleset: str, some: int
) -> None:
    with Visitor.at(browser, service.port, has_touch=True) as visitor:
        for decision in islice(decisions(visitor, service, ruleset), some):
            check_phones(visitor, decision)
            assert cramped(visitor) == [], decision.game.version


def test_boats_that_arrive_lie_on_the_board_of_a_phone(browser: Browser, service: Service) -> None:
    """That is at the ends of their lanes, beside the board's edge."""
    with Visitor.at(browser, service.port, has_touch=True) as visitor:
        next(decisions(visitor, service, "manila", "29", "choose_arrival_order"))
        for width, height in [*UPRIGHT, *ACROSS]:
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert outside(visitor) == [], width


def test_fingers_and_keys_meet_each_place_of_a_board_that_is_moved(
    browser: Browser, service: Service
) -> None:
    """The corners on which houses of Ragusa are built are the nearest places of any board."""
    with Visitor.at(browser, service.port, has_touch=True) as visitor:
        next(decisions(visitor, service, "ragusa", move="place_house"))
        for width, height in [*UPRIGHT, *ACROSS, (667, 375)]:
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert crowded(visitor, apart=LEAST_SIDE["coarse"]) == [], (width, height)
            assert left_cut(visitor) == [], (width, height)


def check_phones(visitor: Visitor, decision: Decision) -> None:
    """Measure what each phone shows, before anybody scrolls.

    What can be chosen is seen: all of it, if it has room at once. Wherever one scrolls to, nothing
    lies on it.
    """
    for (width, height), least in LEAST_SHARES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        to_top(visitor)
        found = parts(visitor)
        shown = decision.game.version, width, found
        assert found["asked"], shown
        assert found["wide"], shown
        assert found["beside"] == ((width, height) in ACROSS), shown
        assert found["share"] >= least, shown
        assert found["across"] >= LEAST_ACROSS, shown
        assert found["seen"] or not found["targets"], shown
        assert found["seen"] == found["targets"] or not found["room"], shown
        assert covered(visitor) == [], shown


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_desk_does_in_a_whole_game(
    browser: Browser, service: Service, ruleset: str, language: str, record_property: Figure
) -> None:
    """Everything is on the screen in each decision; in some of them, letters and targets, too."""
    board = Client(service.port).get(f"/v1/rulesets/{ruleset}/board")
    found: list[tuple[int, int, list[str]]] = []
    looks = lacking = 0
    with Visitor.at(browser, service.port, locale=language) as visitor:
        for number, decision in enumerate(decisions(visitor, service, ruleset)):
            visitor.page.emulate_media(color_scheme="dark" if number // EACH % 2 else "light")
            for width, height in SIZES if number % EACH == 0 else SCREENS:
                to_top(visitor)  # targets were looked for further down
                visitor.page.set_viewport_size({"width": width, "height": height})
                faults: list[str] = []
                if (width, height) in SCREENS:
                    faults = missing(visitor, decision, board)
                    looks += 1
                    lacking += faults != []
                if number % EACH == 0 and (width, height) in TEXT_SIZES:
                    faults += [*small(visitor), *wordless(visitor)]
                if number % EACH == 0:
                    faults += [*crowded(visitor), *cramped(visitor)]
                found += [(decision.game.version, width, faults)] if faults else []
    record_property("looks", looks)
    record_property("looks that show all", looks - lacking)
    assert found == []


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_finger_does_in_a_whole_game(
    browser: Browser, service: Service, ruleset: str, language: str
) -> None:
    with Visitor.at(browser, service.port, locale=language, has_touch=True) as visitor:
        for number, decision in enumerate(decisions(visitor, service, ruleset)):
            check_phones(visitor, decision)
            if number % EACH == 0:
                for width, height in SIZES:
                    visitor.page.set_viewport_size({"width": width, "height": height})
                    faults = [*crowded(visitor), *cramped(visitor)]
                    assert faults == [], (decision.game.version, width)
