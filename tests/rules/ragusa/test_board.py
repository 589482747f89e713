"""The drawn board is the grid of the rules."""

import math
from typing import Any

from rules.kernel.contract.published import board
from rules.ragusa import RULESET, grid
from rules.ragusa.data import NONE

BOARD: Any = board(RULESET)
PLACES = BOARD["places"]


def distance(one: str, other: str) -> float:
    ends = (PLACES[one], PLACES[other])
    return math.dist(*[(place["x"], place["y"]) for place in ends])


def test_spaces_are_at_the_corners_of_their_hexes() -> None:
    size = BOARD["kinds"]["hex"]["shape"]["hex"]
    for space, name in enumerate(grid.SPACES):
        for hex_ in grid.SPACE_HEXES[space]:
            assert abs(distance(name, grid.HEXES[hex_]) - size) < 0.2


def test_corners_go_clockwise_from_the_north() -> None:
    for hex_, corners in enumerate(grid.CORNERS):
        centre = PLACES[grid.HEXES[hex_]]
        for number, space in enumerate(corners):
            if space != NONE:
                place = PLACES[grid.SPACES[space]]
                turn = math.atan2(place["x"] - centre["x"], centre["y"] - place["y"])
                assert abs((math.degrees(turn) - 60 * number + 180) % 360 - 180) < 1


def test_spaces_are_neighbours_along_the_sides_of_hexes() -> None:
    sides: dict[str, set[str]] = {name: set() for name in grid.SPACES}
    for corners in grid.CORNERS:
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
            if NONE not in (one, other):
                sides[grid.SPACES[one]].add(grid.SPACES[other])
                sides[grid.SPACES[other]].add(grid.SPACES[one])
    assert {name: {*PLACES[name]["neighbours"]} for name in sides} == sides


def test_walls_are_between_their_ends_and_go_round() -> None:
    for wall, ends in enumerate(grid.WALL_ENDS):
        one, other = (grid.SPACES[end] for end in ends)
        middle = distance(one, other) / 2
        for end in (one, other):
            assert abs(distance(grid.WALLS[wall], end) - middle) < 0.2
    assert BOARD["tracks"]["walls"] == {"places": [*grid.WALLS], "closed": True}
