"""The texts of games: whole sentences, nothing twice, no ids."""

import re
from functools import cache

import pytest

from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import BOTS
from service.cli import common, local, words
from tests.contract.tables import REGISTRY

GAMES = {"macao": 2, "manila": 3, "plus_ultra": 2, "ragusa": 1, "santiago_de_cuba": 2}
"""The games, each with its minimum number of seats; with one seat, Ragusa has its automata."""
ID = re.compile(r"\w:\w|[a-z]_[a-z]|\b(?:None|True|False)\b")


@cache
def play(ruleset: str) -> local.LocalGame:
    holders = [BOTS["random"].holder(REGISTRY.find(ruleset))] * GAMES[ruleset]
    table = local.start(REGISTRY, ruleset, holders, {}, "words")
    game, bots = table.game, common.deciding_module()
    while not game.over:
        table.change(bots.decide(game, min(game.asked), table.secrets.salt).record)
    return table


@pytest.fixture(params=GAMES)
def played(request: pytest.FixtureRequest) -> local.LocalGame:
    return play(request.param)


def told(
    table: local.LocalGame, language: str, viewer: Seat | None = None, *, everything: bool = False
) -> list[str]:
    teller = words.Teller(table.game.id, REGISTRY, language, viewer, everything=everything)
    return [line for event in table.events for line in teller.tell(event)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_can_be_read(played: local.LocalGame, language: str) -> None:
    for lines in (told(played, language), told(played, language, everything=True)):
        for line in lines:
            assert not ID.search(line), line
            assert line.strip().strip(":;,.· "), lines
            assert not re.search(r"\w  |[ :;,]$", line), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_is_told_once(played: local.LocalGame, language: str) -> None:
    ruleset, result = played.game.ruleset, played.game.result
    assert result is not None
    reason = ruleset.labels.tables[language][f"reason.{result['reason']}"]
    assert [reason in line for line in told(played, language)].count(True) == 1


def test_a_move_is_told_once(played: local.LocalGame) -> None:
    """No line below a move only repeats the move in the third person."""
    move = ""
    for line in told(played, "en", everything=True):
        if not line.startswith("  "):
            move = line
        elif ": " in move:
            assert not _stems(line) <= _stems(move), f"{move!r} and {line!r}"


def _stems(line: str) -> set[str]:
    return {word[:3] for word in re.findall(r"\w+", line.lower())}


def test_a_part_that_is_the_whole_score_is_not_told() -> None:
    ruleset = REGISTRY.find("santiago_de_cuba")
    told = [
        {"side": f"seat:{seat}", "rank": seat + 1, "score": 8 - seat, "breakdown": breakdown}
        for seat, breakdown in enumerate(
            [{"vp_chips": 8, "goods_vp": 0}, {"vp_chips": 5, "goods_vp": 2}]
        )
    ]
    result = {"reason": "seventh_ship", "standings": told}
    assert words.result_lines(ruleset, result, "en")[1:] == [
        "  1. Yellow: 8 points",
        "  2. Blue: 7 points (gained in play: 5, for goods left: 2)",
    ]


def test_a_seat_goes_by_its_colour_or_counts_from_one() -> None:
    assert words.seat_text(REGISTRY.find("manila"), Seat(0), "es") == "Rojo"
    assert words.seat_text(REGISTRY.find("sealed"), Seat(0), "en") == "Seat 1"
    assert words.seat_text(REGISTRY.find("sealed"), Seat(1), "es") == "Asiento 2"


def test_sides_that_are_no_seats_have_names() -> None:
    standings = "\n".join(told(play("ragusa"), "en")[-4:])
    assert re.search(r"\d\. Purple: .*\); the Patrician is (not )?beaten$", standings, re.MULTILINE)
    assert re.search(r"\d\. Bot A: \d+ points", standings)
