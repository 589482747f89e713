"""The tables describe most of the board twice, by hex and by space, in agreement."""

from collections import Counter

import pytest

from rules.ragusa import data, grid
from rules.ragusa.aids import board

TABLES = data.EDITION.tables


def test_every_space_is_shared_by_three_hexes_that_know_it() -> None:
    for space, hexes in enumerate(grid.SPACE_HEXES):
        assert len({*hexes}) == 3, grid.SPACES[space]
        knowing = {hex_ for hex_, corners in enumerate(grid.CORNERS) if space in corners}
        assert knowing == {*hexes}, grid.SPACES[space]


def test_every_space_is_at_the_same_place_from_all_its_hexes() -> None:
    for (x, y), corners in zip(board.CENTRES, grid.CORNERS, strict=True):
        for space, (dx, dy) in zip(corners, board.CORNERS, strict=True):
            assert space == data.NONE or board.PLACES[space] == (x + dx, y + dy), space


def test_the_inner_city_and_its_boundary_are_the_city_spaces() -> None:
    inner = [hexes for hexes in grid.SPACE_HEXES if {*hexes} <= {*grid.CITY}]
    assert len(inner) + grid.RING == len(grid.CITY_SPACES)
    assert [s for s, row in enumerate(TABLES["spaces"]) if row["kind"] == "boundary"] == [
        *range(grid.RING)
    ]


@pytest.mark.parametrize(
    ("row", "ends"), [*zip(TABLES["walls"], grid.WALL_ENDS, strict=True)], ids=grid.WALLS
)
def test_walls_join_neighbours_of_the_ring(row: dict[str, str], ends: tuple[int, int]) -> None:
    assert (row["from_space"], row["to_space"]) == tuple(grid.SPACES[end] for end in ends)
    one, other = ({*grid.SPACE_HEXES[end]} for end in ends)
    assert {row["inner_hex"], row["outer_hex"]} == {grid.HEXES[hex_] for hex_ in one & other}


@pytest.mark.parametrize(
    ("side", "houses"), [*zip(("human", *data.AUTOMATA), grid.SOLO_HOUSES, strict=True)]
)
def test_the_first_houses_of_solo_mode_give_what_the_rules_say(
    side: str, houses: tuple[int, ...]
) -> None:
    gains = Counter(data.RESOURCES[resource] for space in houses for resource in grid.GAINS[space])
    wanted = TABLES["solo"]["starting_resources"][side]
    assert {id_: gains[id_] for id_ in data.RESOURCES} == {
        **dict.fromkeys(data.RESOURCES, 0),
        **wanted,
    }
