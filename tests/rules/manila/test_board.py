"""The drawn lanes and prices are those of the rules."""

from typing import Any

from rules.kernel.contract.published import board
from rules.manila import RULESET, data

BOARD: Any = board(RULESET)
TABLES = data.EDITION.tables


def test_a_lane_goes_from_the_quay_to_manila() -> None:
    for lane in range(1, TABLES["route"]["lanes"] + 1):
        spaces = [f"lane_{lane}_{at}" for at in range(TABLES["route"]["arrived_position"] + 1)]
        assert BOARD["tracks"][f"lane_{lane}"]["places"] == spaces
        places = [BOARD["places"][space] for space in spaces]
        assert [place["x"] for place in places] == sorted(place["x"] for place in places)


def test_prices_rise_as_the_market_does() -> None:
    for ware in TABLES["wares"]:
        steps = [f"market_{ware['id']}_{value}" for value in TABLES["market_track"]]
        assert BOARD["tracks"][f"market_{ware['id']}"]["places"] == steps


def test_berths_cost_what_the_tables_say() -> None:
    for space in TABLES["placement_spaces"]:
        if space["kind"] == "punt":
            berths = [
                p for k, p in BOARD["places"].items() if k.startswith(f"berth_{space['ware']}_")
            ]
            assert [berth["says"]["cost"] for berth in berths] == space["costs"]
