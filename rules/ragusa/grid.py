"""The board as a graph: hexes, the spaces at their corners, the ring of walls.

The tables of ``data.json`` have most facts twice, by hex and by space; a test checks that the two
agree.
"""

from collections.abc import Iterator
from typing import NewType

from rules.kernel.contract import Index
from rules.ragusa import data
from rules.ragusa.data import NONE, Commodity, Ints, Resource

Hex = NewType("Hex", int)
Space = NewType("Space", int)
Wall = NewType("Wall", int)
Hexes = tuple[Hex, ...]
Spaces = tuple[Space, ...]

_T = data.EDITION.tables

# Hexes

HEXES: tuple[str, ...] = tuple(hex_["id"] for hex_ in _T["hexes"])
HEX: Index[Hex] = Index(HEXES)
HEX_KINDS: tuple[str, ...] = tuple(hex_["kind"] for hex_ in _T["hexes"])
_GIVEN: Index[Resource] = Index(data.RESOURCES, none=NONE)
GIVES: tuple[Resource, ...] = tuple(_GIVEN.read(hex_["resource"]) for hex_ in _T["hexes"])
"""For each rural or sea hex, the resource to which it gives access."""

MASON, ARCHITECT, FISHMONGER = map(HEX.read, ("mason", "architect", "fishmonger"))
MARKET, DOCK, PALACE, CATHEDRAL = map(HEX.read, ("market", "dock", "rectors_palace", "cathedral"))
CITY: Hexes = tuple(hex_ for hex_ in HEX.values() if HEX_KINDS[hex_] == "city")
ACTIVATED: Index[Hex] = Index(HEXES, some=[hex_ for hex_ in CITY if hex_ != CATHEDRAL])
REACTIVATES: dict[Hex, bool] = {HEX.read(row["id"]): row["reactivates"] for row in _T["city_hexes"]}
PRODUCTION: dict[Hex, tuple[Resource, Commodity]] = {
    HEX.read(row["id"]): (
        data.RESOURCE.read(row["resource"]),
        data.COMMODITY.read(row["commodity"]),
    )
    for row in _T["city_hexes"]
    if row["effect"] == "produce"
}
"""For each hex that produces: the resource that says how many units, and the commodity."""

# Spaces. Those of the city boundary come first, clockwise, so each has its index in the ring.

SPACES: tuple[str, ...] = tuple(space["id"] for space in _T["spaces"])
SPACE: Index[Space] = Index(SPACES)
SPACE_HEXES: tuple[Hexes, ...] = tuple(tuple(map(HEX.read, s["hexes"])) for s in _T["spaces"])
_CORNER: Index[Space] = Index(SPACES, none=NONE)
CORNERS: tuple[Spaces, ...] = tuple(
    tuple(map(_CORNER.read, hex_["corners_clockwise"])) for hex_ in _T["hexes"]
)
"""For each hex, its spaces clockwise from the north corner; NONE for a corner outside of the
board.
"""
RING = sum(space["kind"] == "boundary" for space in _T["spaces"])
"""The number of spaces on the city boundary, which is also the number of walls."""
TOWER_SPACE: Index[Space] = Index(SPACES[:RING])
TOWER_SPACES: Spaces = tuple(TOWER_SPACE.values())
CITY_SPACES: Spaces = tuple(
    SPACE.read(space["id"])
    for space in _T["spaces"]
    if space["kind"] in _T["two_player_neutral"]["eligible_space_kinds"]
)
SPACES_ROUND: tuple[Spaces, ...] = tuple(
    tuple(space for space in corners if space != NONE) for corners in CORNERS
)
CLOCKWISE: dict[Hex, dict[Space, Spaces]] = {
    hex_: {space: CORNERS[hex_][i:] + CORNERS[hex_][:i] for i, space in enumerate(CORNERS[hex_])}
    for hex_ in CITY
}
"""For each city hex and each of its corners, all six corners clockwise from that one."""

# Walls: wall k joins the boundary spaces k and k + 1.

WALLS: tuple[str, ...] = tuple(wall["id"] for wall in _T["walls"])
WALL: Index[Wall] = Index(WALLS)
WALL_ENDS: tuple[tuple[Space, Space], ...] = tuple(
    (Space(k), Space((k + 1) % RING)) for k in range(RING)
)

# Gains and needs of a house, by space

GAINS: tuple[tuple[Resource, ...], ...] = tuple(
    tuple(GIVES[hex_] for hex_ in hexes if GIVES[hex_] != NONE) for hexes in SPACE_HEXES
)
"""For each space, the resources that its rural and sea hexes give, one for each hex."""
ACTIVATES: tuple[Hexes, ...] = tuple(
    tuple(h for h in hexes if HEX_KINDS[h] == "city" and h != CATHEDRAL) for hexes in SPACE_HEXES
)
"""For each space, its city hexes except the cathedral, which does nothing during play."""


def _needs(hexes: Hexes, gains: tuple[Resource, ...]) -> Iterator[tuple[Resource, int, Hexes]]:
    for resource, kind in ((data.WOOD, "rural"), (data.STONE, "city")):
        if here := tuple(hex_ for hex_ in hexes if HEX_KINDS[hex_] == kind):
            yield resource, gains.count(resource), here
    for hex_, (resource, _commodity) in PRODUCTION.items():
        if hex_ in hexes:
            yield resource, gains.count(resource), ()


NEEDS: tuple[tuple[tuple[Resource, int, Hexes], ...], ...] = tuple(
    tuple(_needs(hexes, gains)) for hexes, gains in zip(SPACE_HEXES, GAINS, strict=True)
)
"""For each space, what a house there needs, in the order of refusal. A need consists of a resource,
the amount of it that the house itself brings, and hexes. The needed amount is the greatest number
of houses round one of these hexes, the new house included (R7).
"""
TRADES: tuple[bool, ...] = tuple(
    not {MARKET, DOCK}.isdisjoint(hexes) and PRODUCTION.keys().isdisjoint(hexes)
    for hexes in SPACE_HEXES
)
"""For each space, whether its owner needs a commodity in stock to build a house there. Next to a
production hex he does not, because the hex produces one in time (R8).
"""
FISH_LEFT: Ints = tuple(data.FISHMONGER_FISH if FISHMONGER in hexes else 0 for hexes in SPACE_HEXES)
"""For each space, the number of fish that the owner of a new house there must have left after all
exchanges.
"""
SEAS: Ints = tuple(gains.count(data.FISH) for gains in GAINS)
GIVES_WOOD: tuple[bool, ...] = tuple(data.WOOD in gains for gains in GAINS)

# Solo mode

PATRICIAN_SPACES: tuple[Spaces, ...] = tuple(
    tuple(map(SPACE.read, card["spaces"])) for card in _T["solo"]["patrician_cards"]
)
AUTOMATON_HEX_ORDER: Hexes = tuple(map(HEX.read, _T["solo"]["bot_hex_order"]))
_SOLO_SIDES = ("human", *data.AUTOMATA)
SOLO_HOUSES: tuple[Spaces, ...] = tuple(
    tuple(map(SPACE.read, _T["solo"]["starting_houses"][side])) for side in _SOLO_SIDES
)
