"""Renderers of single games: they draw every position completely, and all targets of moves."""

import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from laws.games import Spot, sample_game, sampled
from laws.outlines import misplaced
from laws.tables import Table, default_tables
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import all_seats
from tests.contract.tables import RULESETS
from tests.service.verifier.programs import CLIENT, NODE, ROOT

PROGRAM = Path(__file__).with_name("drawn.mjs")
POSITIONS = 20
PHONE = 340
"""Width in pixels of a board or a mat on the narrowest supported phone."""
LEAST_LETTER, LEAST_TARGET = 10, 24
"""Minimum height of letters, and minimum width and height of targets, in pixels."""


def source(ruleset: Ruleset[Any]) -> Path:
    return ROOT / f"rules/{ruleset.info.id}/aids/board.tsx"


DRAWN = [ruleset for ruleset in RULESETS if source(ruleset).exists()]


def looked_at(ruleset: Ruleset[Any]) -> list[JsonObject]:
    """Return positions of random games, each as a deciding seat sees it."""
    tables = default_tables(ruleset)
    share = -(-POSITIONS // len(tables))
    return [shown for table in tables for shown in of_table(table, share)]


def of_table(table: Table, count: int) -> list[JsonObject]:
    rng = random.Random(str(table))
    played = [seen(spot, spot.number) for spot in sample_game(table, 1).positions()]
    return [*sampled(played[:-1], count - 1, rng), played[-1]]


def seen(spot: Spot, number: int) -> JsonObject:
    ruleset, state = spot.ruleset, spot.state
    legal = {seat: ruleset.legal_moves(state, seat) for seat in all_seats(spot.table.seats)}
    seat = next((seat for seat, moves in legal.items() if moves), None)
    return {
        "view": ruleset.view(state, seat),
        "seat": seat,
        "moves": [] if seat is None else [move.to_json() for move in legal[seat]],
        "language": LANGUAGES[number % 2],
    }


@pytest.mark.parametrize("ruleset", DRAWN, ids=[ruleset.info.id for ruleset in DRAWN])
def test_every_place_and_piece_is_drawn_once(ruleset: Ruleset[Any]) -> None:
    """On wide and on narrow screens; on narrow ones, letters and targets are large enough, too."""
    whole: Any = board(ruleset)
    drawn = drawings(ruleset, whole)
    if narrow := drawn["narrow"]:
        assert [misplaced(narrow), misplaced(narrow["mat"])] == [[], []]
    for answer in drawn["answers"]:
        refs: dict[str, list[float]] = {}
        for sheet in answer["sheets"]:
            places = whole["places"] if sheet["owner"] is None else whole["mat"]["places"]
            found = sheet["found"]
            assert Counter(each["place"] for each in found if "place" in each) == Counter([*places])
            assert Counter(each["key"] for each in found if "key" in each) == Counter(
                sheet["pieces"]
            )
            scale = PHONE / sheet["size"][0]
            refs |= {each["ref"]: [scale * side for side in each["extent"]] for each in found}
            if answer["narrow"]:
                low = [text for text in sheet["letters"] if scale * text["height"] < LEAST_LETTER]
                assert low == []
        assert {*answer["refs"]} <= refs.keys(), answer["moves"]
        if answer["narrow"]:
            small = {ref for ref in answer["refs"] if min(refs[ref]) < LEAST_TARGET}
            assert small == set()


def drawings(ruleset: Ruleset[Any], whole: JsonObject) -> JsonObject:
    """Return the renderer's drawing of each position, and its layout for narrow screens."""
    shown = looked_at(ruleset)
    words, tables = ruleset.labels.tables, ruleset.data.tables
    told = {
        "board": whole,
        "tables": tables,
        "words": words,
        "positions": shown,
        "phone": PHONE,
    }
    done = subprocess.run(
        [str(NODE), str(PROGRAM), str(CLIENT), str(source(ruleset))],
        input=orjson.dumps(told),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    drawn: JsonObject = orjson.loads(done.stdout)
    return drawn
