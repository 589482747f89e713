"""The tables of ``data.json`` as typed constants; ``grid`` has the tables of the board.

Hexes, spaces, walls, resources, commodities, ships and cards are small ints in states and moves:
indices into the tuples here. In JSON they are ids. ``SHIPS``, for example, is the tuple of all
ships' ids, and ``SHIP`` converts a ship's int into its id and back.
"""

from collections.abc import Sequence
from typing import Any, NewType

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, Edition, Either, Index, Integer, PlaceNumber, Seat

Ints = tuple[int, ...]
Side = Seat
"""A seat or an automaton; automata are numbered after the seats."""
SideId = Seat | str | None
"""The id of a side (see ``State.id``)."""
Resource = NewType("Resource", int)
Commodity = NewType("Commodity", int)
Slot = NewType("Slot", int)
Ship = NewType("Ship", int)
Back = NewType("Back", int)  # the price change that the back of a ship shows
Card = NewType("Card", int)  # a bonus card
Patrician = NewType("Patrician", int)

EDITION = Edition.load(__package__)
_T = EDITION.tables

NONE: Any = -1
"""No side, hex, space, card or resource, whatever its type."""
NEUTRAL = Side(-2)
"""The owner of neutral houses, in games with the option ``two_player_neutral_houses``."""

# Resources (permanent access) and commodities (stock)

RESOURCES: tuple[str, ...] = tuple(resource["id"] for resource in _T["resources"])
RESOURCE: Index[Resource] = Index(RESOURCES)
FISH, WOOD, STONE, SILVER_ORE, GRAPES, OLIVES = RESOURCE.values()
COMMODITIES: tuple[str, ...] = tuple(commodity["id"] for commodity in _T["commodities"])
COMMODITY: Index[Commodity] = Index(COMMODITIES)


def _amounts(cost: dict[str, int]) -> Ints:
    return tuple(cost.get(commodity, 0) for commodity in COMMODITIES)


def by_commodity(amounts: Sequence[int]) -> JsonObject:
    """Return amounts of the commodities by their ids."""
    return dict(zip(COMMODITIES, amounts, strict=True))


# Market and ships

PRICES: Ints = tuple(_T["market_track"]["values"])
TRACK_END = len(PRICES) - 1
START_INDEX: int = _T["market_track"]["start_index"]
SLOT_FALLS: tuple[tuple[Commodity, int], ...] = tuple(
    (COMMODITY.read(slot["market_down"]), slot["market_down_steps"]) for slot in _T["market_slots"]
)
"""For each slot, the commodity whose price falls after a purchase from the slot, and the number of
steps (R25).
"""
SLOTS = len(SLOT_FALLS)
SLOT: PlaceNumber[Slot] = PlaceNumber(SLOTS)
ALL_SLOTS = SLOT.values()

GOODS: tuple[str, ...] = tuple(good["id"] for good in _T["goods"])
SHIPS: tuple[str, ...] = tuple(ship["id"] for ship in _T["ships"])
SHIP: Index[Ship] = Index(SHIPS)
SHIP_GOODS: Ints = tuple(GOODS.index(ship["good"]) for ship in _T["ships"])
SHIP_STARS: Ints = tuple(ship["stars"] for ship in _T["ships"])
SHIP_COSTS: tuple[Ints, ...] = tuple(_amounts(ship["extra_cost"]) for ship in _T["ships"])
_BACKS = [(COMMODITY.read(s["market_commodity"]), int(s["market_arrows"])) for s in _T["ships"]]
BACKS: tuple[tuple[Commodity, int], ...] = tuple(sorted({*_BACKS}))
"""The possible backs of a ship: the commodity whose price rises, and the number of steps."""
SHIP_BACKS: tuple[Back, ...] = tuple(Back(BACKS.index(back)) for back in _BACKS)
SHIP_PRICES: tuple[tuple[Ints, ...], ...] = tuple(
    tuple(tuple(map(sum, zip(_amounts(s["cost"]), extra, strict=True))) for s in _T["market_slots"])
    for extra in SHIP_COSTS
)
"""The cost of each ship in each slot, by commodity (R27)."""

# Bonus cards

CARDS: tuple[str, ...] = tuple(card["id"] for card in _T["bonus_cards"])
CARD: Index[Card] = Index(CARDS)
BONUS_METRICS: tuple[tuple[str, str, int, int], ...] = tuple(
    (card["metric"], card["target"] or "", card["vp"], card["per"]) for card in _T["bonus_cards"]
)
"""For each bonus card, its metric, the object that it counts, and the ``vp`` for every ``per``
objects.
"""

# Numbers in the rulebook

_L = _T["limits"]
RESOURCE_MAX: int = _L["resource_max"]
COMMODITY_MAX: int = _L["commodity_max"]
BONUS_DEALT: int = _L["bonus_dealt"]
PALACE_DRAW: int = _L["palace_draw"]
FISH_PER_EXCHANGE: int = _L["fish_per_exchange"]
FISHMONGER_FISH: int = _L["fishmonger_min_fish"]
FISH_PER_VP: int = _L["fish_per_vp"]
MAX_SEATS: int = _T["players"]["max"]
HOUSES: dict[int, int] = {int(n): houses for n, houses in _T["houses_by_player_count"].items()}
TOWERS: int = _T["components"]["towers_per_color"]
NEUTRAL_HOUSES: int = _T["two_player_neutral"]["neutral_houses"]
COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["player_colors"])

# Solo mode

_SOLO = _T["solo"]
AUTOMATA = ("bot_a", "bot_b")
SIDE: Either[SideId] = Either((Integer(0, MAX_SEATS - 1), Choice(AUTOMATA)))
"""The codec of a side: a seat's number, or an automaton's name."""
PATRICIANS: tuple[str, ...] = tuple(card["id"] for card in _SOLO["patrician_cards"])
PATRICIAN: Index[Patrician] = Index(PATRICIANS)
PATRICIANS_USED: int = _SOLO["patrician_cards_used"]
PATRICIANS_EACH: int = _SOLO["cards_per_bot"]
ROUNDS: int = _SOLO["rounds"]
