"""Boards that are drawn for one game: whole in every position, whatever a move points to."""

import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import all_seats
from tests.contract.tables import RULESETS, SEEDS, Spot, Table, default_tables, positions, sampled
from tests.service.verifier.programs import CLIENT, NODE, ROOT

PROGRAM = Path(__file__).with_name("drawn.mjs")
POSITIONS = 20


def source(ruleset: Ruleset[Any]) -> Path:
    return ROOT / f"rules/{ruleset.info.id}/aids/board.tsx"


DRAWN = [ruleset for ruleset in RULESETS if source(ruleset).exists()]


def looked_at(ruleset: Ruleset[Any]) -> list[JsonObject]:
    """Return positions of random games, each as one of those who are asked sees it."""
    tables = default_tables(ruleset)
    share = -(-POSITIONS // len(tables))
    return [shown for table in tables for shown in of_table(table, share)]


def of_table(table: Table, count: int) -> list[JsonObject]:
    rng = random.Random(str(table))
    played = [
        seen(spot, number) for number, (spot, _event) in enumerate(positions(table, SEEDS[0]))
    ]
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
    whole: Any = board(ruleset)
    shown = looked_at(ruleset)
    words = json.loads(source(ruleset).with_name("labels.json").read_text())
    told = {"board": whole, "tables": ruleset.data.tables, "words": words, "positions": shown}
    done = subprocess.run(
        [str(NODE), str(PROGRAM), str(CLIENT), str(source(ruleset))],
        input=orjson.dumps(told),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    for position, answer in zip(shown, orjson.loads(done.stdout), strict=True):
        refs = set()
        for sheet in answer["sheets"]:
            places = whole["places"] if sheet["owner"] is None else whole["mat"]["places"]
            assert Counter(sheet["places"]) == Counter([*places])
            assert Counter(sheet["drawn"]) == Counter(sheet["pieces"])
            refs |= {*sheet["refs"]}
        assert {*answer["refs"]} <= refs, position["moves"]
