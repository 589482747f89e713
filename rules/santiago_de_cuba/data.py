"""The tables of ``data.json`` as typed constants.

Goods, citizens, buildings and flowers are small ints in the state: indices into the tuples here.
In JSON they are ids.
"""

from typing import Any, NewType

from rules.kernel.contract import Edition

Good = NewType("Good", int)
Citizen = NewType("Citizen", int)
Building = NewType("Building", int)
Stop = NewType("Stop", int)  # a stop of the car in the street

EDITION = Edition.load(__package__)
_T = EDITION.tables

NONE: Any = -1
"""No seat, citizen, building, good or flower, whatever its type."""

# Goods and their dice. The five goods that have a die come first, so a die has the index of its
# good.

GOODS: tuple[str, ...] = tuple(good["id"] for good in _T["goods"])
GOOD = {id_: Good(index) for index, id_ in enumerate(GOODS)}
SUGAR, CITRUS, TOBACCO, RUM, CIGARS, WOOD = GOOD.values()
DICE: tuple[str, ...] = tuple(die["good"] for die in _T["dice"])
FACES: tuple[tuple[int, ...], ...] = tuple(tuple(die["faces"]) for die in _T["dice"])
GOOD_TOTALS: tuple[int, ...] = tuple(good["total"] for good in _T["goods"])

# The town: 12 spaces under four flowers, 9 citizens in the street, and 12 buildings.

FLOWERS: tuple[str, ...] = tuple(flower["id"] for flower in _T["flowers"])
SPACES: tuple[str, ...] = tuple(space["id"] for space in _T["building_spaces"])
SPACES_PER_FLOWER = len(SPACES) // len(FLOWERS)
CITIZENS: tuple[str, ...] = tuple(citizen["id"] for citizen in _T["citizens"])
CITIZEN = {id_: Citizen(index) for index, id_ in enumerate(CITIZENS)}
CITIZEN_FLOWERS: tuple[int, ...] = tuple(
    FLOWERS.index(citizen["flower"]) if citizen["flower"] else NONE for citizen in _T["citizens"]
)
FAVOURS: tuple[tuple[str, Good, int], ...] = tuple(
    (effect["type"], GOOD.get(effect.get("good"), NONE), effect.get("amount", 0))
    for effect in (citizen["effect"] for citizen in _T["citizens"])
)
"""The favour of each citizen: its kind, good and amount."""
BUILDINGS: tuple[str, ...] = tuple(building["id"] for building in _T["buildings"])
BUILDING = {id_: Building(index) for index, id_ in enumerate(BUILDINGS)}
BUILDING_EFFECTS = tuple(building["effect"] for building in _T["buildings"])

# Street, ship and value track.

STOPS = len(_T["street_stops"])
HARBOUR = Stop(0)
FLAG_VALUES: tuple[int, ...] = tuple(
    flag["vp_per_good"] for flag in _T["value_track"] if flag["vp_per_good"] is not None
)
CHEQUERED_FLAG = len(FLAG_VALUES)
SHIPS: int = _T["ship_track"]["spaces"]

# Numbers of the rulebook.

_C = _T["constants"]
FREE_STEPS: int = _C["free_steps"]
PESOS_PER_STEP: int = _C["pesos_per_extra_step"]
MAX_STEPS: int = _C["max_steps"]
WOOD_VP: int = _C["wood_vp_when_loaded"]
OWNER_BONUS_VP: int = _C["owner_bonus_vp"]
GOODS_PER_END_VP: int = _C["goods_per_end_vp"]

_S = _T["setup"]["per_player"]
START_PESOS: int = _S["pesos"]
START_VP: int = _S["vp"]
START_GOODS: tuple[int, ...] = tuple(_S["goods"][good] for good in GOODS)
MARKERS: int = _S["ownership_markers"]
COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["player_colors"])
MAX_SEATS: int = _T["players"]["max"]
