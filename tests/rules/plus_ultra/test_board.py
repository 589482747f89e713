"""Neighbours on the drawn board belong together in the rules."""

from typing import Any

from rules.kernel.contract.published import board
from rules.plus_ultra import RULESET, data

BOARD: Any = board(RULESET)
PLACES = BOARD["places"]
TABLE = data.EDITION.tables["board"]


def test_rows_are_beside_their_settlements() -> None:
    for row, space in TABLE["adjacency"].items():
        assert PLACES[f"row_{row}"]["neighbours"] == [f"settlement_{space}"]
        assert PLACES[f"row_{row}"]["y"] == PLACES[f"settlement_{space}"]["y"]


def test_church_slots_are_above_their_market_slots() -> None:
    for market, church in TABLE["church_slot_above_market_slot"].items():
        assert PLACES[f"church_{church}"]["neighbours"] == [f"market_{market}"]
        assert PLACES[f"church_{church}"]["x"] == PLACES[f"market_{market}"]["x"]


def test_tracks_are_as_long_as_the_rules_say() -> None:
    tracks = {name: len(track["places"]) for name, track in BOARD["tracks"].items()}
    assert tracks == {
        "sea_trade": TABLE["sea_trade_length"] + 1,
        "turns": data.EDITION.tables["turns"],
        "crown": TABLE["crown_cap"] + 1,
    }
