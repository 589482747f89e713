"""At a desk, all that a decision needs is on the screen and readable, at the most seats."""

from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.campaigns import Figure
from tests.client.one_screen import (
    ACROSS,
    GAMES,
    LEAST_SHARES,
    LEAST_SIDE,
    SCREENS,
    TEXT_SIZES,
    UPRIGHT,
    crowded,
    decisions,
    missing,
    parts,
    small,
    wordless,
)
from tests.client.services import Service
from tests.client.visitors import Visitor
from tests.faults.people import Client

SOME = 5
EACH = 4
"""Letters are measured in each fourth decision."""


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


@pytest.mark.parametrize("ruleset", ["macao", "plus_ultra"])
def test_each_card_shows_its_name(browser: Browser, service: Service, ruleset: str) -> None:
    """In the games with the most words; the campaign looks at whole games of all."""
    with Visitor.at(browser, service.port, locale="es-ES") as visitor:
        for decision in islice(decisions(visitor, service, ruleset), 1):
            for width, height in SCREENS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert wordless(visitor) == [], (decision.game.version, width)


def test_a_phone_shows_the_question_and_mostly_the_board(
    browser: Browser, service: Service
) -> None:
    check_phones(browser, service, "ragusa", "en-GB", SOME)


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_phones_do_in_a_whole_game(
    browser: Browser, service: Service, ruleset: str, language: str
) -> None:
    check_phones(browser, service, ruleset, language, None)


def check_phones(
    browser: Browser, service: Service, ruleset: str, language: str, some: int | None
) -> None:
    """Measure in these decisions what each phone shows, before anybody scrolls.

    What can be chosen is seen: all of it, if it has room at once.
    """
    with Visitor.at(browser, service.port, locale=language, has_touch=True) as visitor:
        for decision in islice(decisions(visitor, service, ruleset), some):
            for (width, height), least in LEAST_SHARES.items():
                visitor.page.evaluate("scrollTo(0, 0)")
                visitor.page.set_viewport_size({"width": width, "height": height})
                found = parts(visitor)
                shown = decision.game.version, width, found
                assert found["asked"], shown
                assert found["wide"], shown
                assert found["beside"] == ((width, height) in ACROSS), shown
                assert found["share"] >= least, shown
                assert found["seen"] or not found["targets"], shown
                assert found["seen"] == found["targets"] or not found["room"], shown


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_letters_are_large_enough(
    browser: Browser, service: Service, ruleset: str, language: str, colours: Any
) -> None:
    with Visitor.at(browser, service.port, locale=language, color_scheme=colours) as visitor:
        for number, decision in enumerate(decisions(visitor, service, ruleset)):
            if number % EACH == 0:
                for width, height in TEXT_SIZES:
                    visitor.page.set_viewport_size({"width": width, "height": height})
                    assert small(visitor) == [], (decision.game.version, width)
                    assert wordless(visitor) == [], (decision.game.version, width)


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pointer", LEAST_SIDE)
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_target_is_met(
    browser: Browser, service: Service, ruleset: str, pointer: str
) -> None:
    with Visitor.at(browser, service.port, has_touch=pointer == "coarse") as visitor:
        for number, decision in enumerate(decisions(visitor, service, ruleset)):
            if number % EACH == 0:
                for width, height in [*SCREENS, *UPRIGHT, *ACROSS]:
                    visitor.page.set_viewport_size({"width": width, "height": height})
                    assert crowded(visitor) == [], (decision.game.version, width)


@pytest.mark.campaign("screens")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_whole_game(
    browser: Browser, service: Service, ruleset: str, language: str, record_property: Figure
) -> None:
    board = Client(service.port).get(f"/v1/rulesets/{ruleset}/board")
    lacking: list[tuple[int, int, set[str]]] = []
    looks = 0
    with Visitor.at(browser, service.port, locale=language) as visitor:
        for decision in decisions(visitor, service, ruleset):
            for width, height in SCREENS:
                visitor.page.set_viewport_size({"width": width, "height": height})
                lacks = {*missing(visitor, decision, board)}
                lacking += [(decision.game.version, width, lacks)] if lacks else []
                looks += 1
    record_property("looks", looks)
    record_property("looks that show all", looks - len(lacking))
    assert lacking == []
