"""The drawn board has the borders and the sea of the published tables."""

from itertools import combinations
from typing import Any

from rules.kernel.contract.published import board
from rules.macao import RULESET, data, tables

BOARD: Any = board(RULESET)
PLACES = BOARD["places"]
PUBLISHED = tables.TABLES[data.EDITION.id]


def test_ships_sail_between_neighbours() -> None:
    for id_, space in PUBLISHED.spaces.items():
        assert PLACES[id_]["neighbours"] == [*space.adjacent]


def test_quarters_border_where_they_touch() -> None:
    quarters = PUBLISHED.quarters
    for (one, first), (other, second) in combinations(quarters.items(), 2):
        bordering = bool(first.adjacent & second.bit)
        assert (other in PLACES[one]["neighbours"]) is bordering
        assert touch(PLACES[one], PLACES[other]) is bordering, f"{one} and {other}"


def touch(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two quarters share a part of a side, besides the gap between them."""
    joint = 6
    gaps = [
        abs(one[axis] - other[axis])
        - (one["shape"]["rect"][side] + other["shape"]["rect"][side]) / 2
        for side, axis in enumerate("xy")
    ]
    return bool(min(gaps) < -joint and max(gaps) < joint)


def test_dark_quarters_are_drawn_dark() -> None:
    dark = {id_ for id_, quarter in PUBLISHED.quarters.items() if quarter.dark}
    assert {id_ for id_ in PUBLISHED.quarters if PLACES[id_].get("colour") == "dark"} == dark
