"""The steps of first games: what the laws say of an author's faults."""

import copy
import re
from typing import Any

import pytest

from laws.book import LAWS
from laws.book import teaching as book
from laws.games import Subject
from laws.law import Breach
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import first_game
from rules.registry import PACKAGES
from tests.contract.tables import REGISTRY

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
FITS, THERE = "first_games_fit_their_schema", "first_games_name_what_is_there"
LONG = [{"text": {"en": "A", "es": "B"}, "at": ["log"]}] * 13
FAULTS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    (FITS, {"steps": LONG}, {}, r"steps: \[.*\] has more than 12 items"),
    (FITS, {"seats": 9}, {}, "it cannot be opened: santiago_de_cuba has 2 to 4 seats, not 9"),
    (FITS, {"options": {"speed": 1}}, {}, "it cannot be opened: .*speed"),
    (FITS, {}, {"text": {"en": "Drive."}}, r"step 3 is told in other languages: \['es'\]"),
    (FITS, {}, {"question": None}, "steps/2/question: null is not of type"),
    (FITS, {}, {"at": ["die_rum"]}, "steps/2/at/0: "),
    (THERE, {}, {"at": ["place:stop_99"]}, r"step 3 points to \['place:stop_99'\]"),
    (THERE, {}, {"at": ["mat:money"]}, r"step 3 points to \['mat:money'\]"),
    (THERE, {}, {"at": ["piece:plane"]}, r"step 3 points to \['piece:plane'\]"),
    (THERE, {}, {"question": "fly"}, "step 3 waits for the question 'fly'"),
    (THERE, {}, {"moves": ["drive_car", "fly"]}, r"step 3 waits for the moves \['fly'\]"),
]


@pytest.mark.parametrize(("law", "whole", "third", "said"), FAULTS)
def test_an_author_is_told_what_is_wrong(
    law: str, whole: JsonObject, third: JsonObject, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = REGISTRY.find("santiago_de_cuba")
    document = copy.deepcopy(first_game(ruleset)) or {}
    document |= whole
    document["steps"][2] = document["steps"][2] | third
    monkeypatch.setattr(book, "first_game", lambda _: document)
    with pytest.raises(Breach) as breach:
        LAWS[law].check(Subject(ruleset, seeds=()))
    assert re.search(said, str(breach.value)), breach.value


@pytest.mark.parametrize("game", GAMES)
def test_each_of_our_games_has_a_first_game(game: str) -> None:
    ruleset = REGISTRY.find(game)
    document = first_game(ruleset)
    assert document is not None
    assert 9 <= len(document["steps"]) <= 12
    for law in (FITS, THERE):
        LAWS[law].check(Subject(ruleset, seeds=()))
