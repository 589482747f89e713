"""The board as a graph: hexes, the spaces at their corners, the ring of walls.

The tables of ``data.json`` say most things twice, from the hex and from the space; importing this
module checks that both agree and that they can be drawn.
"""

from collections import Counter
from collections.abc import Iterator

from rules.kernel.contract import Index
from rules.ragusa import data
from rules.ragusa.data import NONE

_T = data.EDITION.tables

# Hexes

HEXES: tuple[str, ...] = tuple(hex_["id"] for hex_ in _T["hexes"])
HEX: Index[int] = Index(HEXES)
HEX_KINDS: tuple[str, ...] = tuple(hex_["kind"] for hex_ in _T["hexes"])
AXIAL: tuple[tuple[int, int], ...] = tuple((hex_["q"], hex_["r"]) for hex_ in _T["hexes"])
"""By hex: q grows to the east, r to the south-east."""
_GIVEN: Index[int] = Index(data.RESOURCES, none=NONE)
GIVES: tuple[int, ...] = tuple(_GIVEN.read(hex_["resource"]) for hex_ in _T["hexes"])
"""By hex: the resource that rural and sea hexes give access to."""

MASON, ARCHITECT, FISHMONGER = map(HEX.read, ("mason", "architect", "fishmonger"))
MARKET, DOCK, PALACE, CATHEDRAL = map(HEX.read, ("market", "dock", "rectors_palace", "cathedral"))
CITY: tuple[int, ...] = tuple(hex_ for hex_, kind in enumerate(HEX_KINDS) if kind == "city")
REACTIVATES: dict[int, bool] = {HEX.read(row["id"]): row["reactivates"] for row in _T["city_hexes"]}
PRODUCTION: dict[int, tuple[int, int]] = {
    HEX.read(row["id"]): (
        data.RESOURCE.read(row["resource"]),
        data.COMMODITY.read(row["commodity"]),
    )
    for row in _T["city_hexes"]
    if row["effect"] == "produce"
}
"""By hex that produces: the resource that counts, and the commodity that it makes."""

# Spaces. The city boundary comes first, clockwise, so a tower space has its index in the ring.

SPACES: tuple[str, ...] = tuple(space["id"] for space in _T["spaces"])
SPACE: Index[int] = Index(SPACES)
SPACE_HEXES: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(HEX.read, space["hexes"])) for space in _T["spaces"]
)
_CORNER: Index[int] = Index(SPACES, none=NONE)
CORNERS: tuple[tuple[int, ...], ...] = tuple(
    tuple(_CORNER.read(id_) for id_ in hex_["corners_clockwise"]) for hex_ in _T["hexes"]
)
"""By hex: its spaces clockwise from the north corner, NONE where the board ends."""
RING = sum(space["kind"] == "boundary" for space in _T["spaces"])
"""How many spaces, and walls between them, the city boundary has."""
TOWER_SPACES: tuple[str, ...] = SPACES[:RING]
CITY_SPACES: tuple[int, ...] = tuple(
    index
    for index, space in enumerate(_T["spaces"])
    if space["kind"] in _T["two_player_neutral"]["eligible_space_kinds"]
)
SPACES_ROUND: tuple[tuple[int, ...], ...] = tuple(
    tuple(space for space in corners if space != NONE) for corners in CORNERS
)
CLOCKWISE: dict[int, dict[int, tuple[int, ...]]] = {
    hex_: {space: CORNERS[hex_][i:] + CORNERS[hex_][:i] for i, space in enumerate(CORNERS[hex_])}
    for hex_ in CITY
}
"""By city hex and corner: all six corners going clockwise from that one."""

# Walls: wall k joins the boundary spaces k and k + 1.

WALLS: tuple[str, ...] = tuple(wall["id"] for wall in _T["walls"])
WALL: Index[int] = Index(WALLS)
WALL_ENDS: tuple[tuple[int, int], ...] = tuple((k, (k + 1) % RING) for k in range(RING))

# What a house gets and needs, by space

GAINS: tuple[tuple[int, ...], ...] = tuple(
    tuple(GIVES[hex_] for hex_ in hexes if GIVES[hex_] != NONE) for hexes in SPACE_HEXES
)
"""The resources of its rural and sea hexes, one for each."""
ACTIVATES: tuple[tuple[int, ...], ...] = tuple(
    tuple(h for h in hexes if HEX_KINDS[h] == "city" and h != CATHEDRAL) for hexes in SPACE_HEXES
)
"""Its city hexes but for the cathedral, which does nothing now."""


def _needs(
    hexes: tuple[int, ...], gains: tuple[int, ...]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for resource, kind in ((data.WOOD, "rural"), (data.STONE, "city")):
        if here := tuple(hex_ for hex_ in hexes if HEX_KINDS[hex_] == kind):
            yield resource, gains.count(resource), here
    for hex_, (resource, _commodity) in PRODUCTION.items():
        if hex_ in hexes:
            yield resource, gains.count(resource), ()


NEEDS: tuple[tuple[tuple[int, int, tuple[int, ...]], ...], ...] = tuple(
    tuple(_needs(hexes, gains)) for hexes, gains in zip(SPACE_HEXES, GAINS, strict=True)
)
"""What it needs, in the order in which it is refused: a resource, how much of it the house brings,
and hexes: as much as the most houses round one of them, the new one included (R7)."""
TRADES: tuple[bool, ...] = tuple(
    not {MARKET, DOCK}.isdisjoint(hexes) and PRODUCTION.keys().isdisjoint(hexes)
    for hexes in SPACE_HEXES
)
"""Whether it needs a commodity in stock: a production hex would make one in time (R8)."""
FISH_LEFT: tuple[int, ...] = tuple(
    data.FISHMONGER_FISH if FISHMONGER in hexes else 0 for hexes in SPACE_HEXES
)
"""How many fish must be there after all exchanges."""
SEAS: tuple[int, ...] = tuple(gains.count(data.FISH) for gains in GAINS)
GIVES_WOOD: tuple[bool, ...] = tuple(data.WOOD in gains for gains in GAINS)

# Solo mode

PATRICIAN_SPACES: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(SPACE.read, card["spaces"])) for card in _T["solo"]["patrician_cards"]
)
AUTOMATON_HEX_ORDER: tuple[int, ...] = tuple(map(HEX.read, _T["solo"]["bot_hex_order"]))
_SOLO_SIDES = ("human", *data.AUTOMATA)
SOLO_HOUSES: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(SPACE.read, _T["solo"]["starting_houses"][side])) for side in _SOLO_SIDES
)


# Geometry. A hex at (q, r) has its centre at x = 2q + r, y = 3r, in units of half a hex's width
# and half an edge; its corners lie round it.

CORNER_OFFSETS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""From the centre to each corner, clockwise from the north."""


def centre(hex_: int) -> tuple[int, int]:
    """Where the middle of a hex lies; x grows to the east, y to the south."""
    q, r = AXIAL[hex_]
    return 2 * q + r, 3 * r


def _at(hex_: int, corner: int) -> tuple[int, int]:
    (x, y), (dx, dy) = centre(hex_), CORNER_OFFSETS[corner]
    return x + dx, y + dy


POSITIONS: tuple[tuple[int, int], ...] = tuple(
    _at(hexes[0], CORNERS[hexes[0]].index(space)) for space, hexes in enumerate(SPACE_HEXES)
)
"""By space: where it lies."""


def _check_geometry() -> None:
    """Raise ValueError unless hexes, spaces, walls and solo tables fit together."""
    for hex_, corners in enumerate(CORNERS):
        for corner, space in enumerate(corners):
            if space != NONE and (
                hex_ not in SPACE_HEXES[space] or _at(hex_, corner) != POSITIONS[space]
            ):
                raise ValueError(f"{HEXES[hex_]} has {SPACES[space]} at the wrong corner")
    for space, hexes in enumerate(SPACE_HEXES):
        if len(set(hexes)) != 3 or any(space not in CORNERS[hex_] for hex_ in hexes):
            raise ValueError(f"{SPACES[space]} is not shared by three hexes that know it")
    kinds = Counter(tuple(sorted(HEX_KINDS[hex_] == "city" for hex_ in h)) for h in SPACE_HEXES)
    if kinds[True, True, True] + RING != len(CITY_SPACES):
        raise ValueError("the inner city and its boundary are not the city spaces")
    for wall, (row, ends) in enumerate(zip(_T["walls"], WALL_ENDS, strict=True)):
        if (SPACE.read(row["from_space"]), SPACE.read(row["to_space"])) != ends:
            raise ValueError(f"{WALLS[wall]} does not join neighbours of the ring")
        sides = {HEX.read(row["inner_hex"]), HEX.read(row["outer_hex"])}
        if sides != set(SPACE_HEXES[ends[0]]) & set(SPACE_HEXES[ends[1]]):
            raise ValueError(
                f"{WALLS[wall]} does not run between {row['inner_hex']} and {row['outer_hex']}"
            )
    for side, houses in zip(_SOLO_SIDES, SOLO_HOUSES, strict=True):
        gains = Counter(resource for space in houses for resource in GAINS[space])
        wanted = _T["solo"]["starting_resources"][side]
        if any(gains[data.RESOURCE.read(id_)] != amount for id_, amount in wanted.items()):
            raise ValueError(f"the starting houses of {side} do not give {wanted}")


_check_geometry()
