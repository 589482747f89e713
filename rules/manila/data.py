"""The tables of ``data.json`` as typed constants.

Wares and spaces are small ints in the state: indices into the tuples here. In JSON they are ids. A
punt is identified by its ware; the space for accomplices aboard the punt has the index of the ware.
"""

from typing import NewType

from rules.kernel.contract import Edition, Index

Space = NewType("Space", int)
Ware = NewType("Ware", Space)
Slot = NewType("Slot", int)  # a slot of a port or a shipyard

EDITION = Edition.load(__package__)
_T = EDITION.tables

NONE = -1
"""No round or no position."""

# Wares. Lanes are assigned in this order, so it is also the order of the lanes (R12).

WARES: tuple[str, ...] = tuple(ware["id"] for ware in _T["wares"])
WARE: Index[Ware] = Index(WARES)
ALL_WARES = WARE.values()
NO_WARE = Ware(Space(NONE))
PROFITS: tuple[int, ...] = tuple(ware["profit"] for ware in _T["wares"])
LANES: int = _T["route"]["lanes"]

# Spaces for accomplices: aboard the punts, ports A to C, shipyards A to C, and four others.

SPACES: tuple[str, ...] = tuple(space["id"] for space in _T["placement_spaces"])
SPACE: Index[Space] = Index(SPACES)
ALL_SPACES = SPACE.values()
COSTS: tuple[tuple[int, ...], ...] = tuple(tuple(s["costs"]) for s in _T["placement_spaces"])
"""For each space, the prices of its places, in the order in which the places are taken."""
CAPACITY: tuple[int, ...] = tuple(len(costs) for costs in COSTS)
DEAREST_PLACE = max(map(max, COSTS))
PIRATE, INSURANCE = map(SPACE.read, ("pirate", "insurance"))
PILOTS = PILOT_SMALL, PILOT_BIG = SPACE.read("pilot_small"), SPACE.read("pilot_big")
BERTHS = PORT, SHIPYARD = "port", "shipyard"
SLOTS = ("a", "b", "c")
"""The ports, and the shipyards, in the order in which punts fill them."""
SLOT: Index[Slot] = Index(SLOTS)
ALL_SLOTS = SLOT.values()
BERTH_SPACES = {berth: [SPACE.read(f"{berth}_{slot}") for slot in SLOTS] for berth in BERTHS}
"""For each port and shipyard, the space for accomplices who bet that a punt goes there."""
PAYOUTS: dict[str, tuple[int, ...]] = {
    berth: tuple(s["payout"] for s in _T["placement_spaces"] if s["kind"] == berth)
    for berth in BERTHS
}
PREMIUM: int = _T["placement_spaces"][INSURANCE]["income_on_placement"]

# The route, the dice and the pilots.

LAST_SPACE: int = _T["route"]["last_space"]
ARRIVED: int = _T["route"]["arrived_position"]
START_MIN: int = _T["route"]["start_min"]
START_MAX: int = _T["route"]["start_max"]
START_SUM: int = _T["route"]["start_sum"]
FACES: tuple[int, ...] = tuple(_T["dice"]["faces"])
SMALL_REACH: int = _T["pilots"]["small"]["max_total_spaces"]
BIG_REACH: int = _T["pilots"]["big"]["max_total_spaces"]

# The voyage: placement and movement rounds.

PLACEMENT_ROUND, MOVEMENT_ROUND = "placement", "movement"
SCHEDULES: dict[int, tuple[str, ...]] = {
    int(seats): tuple(rounds) for seats, rounds in _T["voyage_schedule"].items()
}
MOVEMENTS = 3
BOARDING_AFTER: int = _T["pirates"]["board_after_movement"]
PILOTS_BEFORE: int = _T["pilots_act_before_movement"]

# Money and shares.

MARKET: tuple[int, ...] = tuple(_T["market_track"])
TOP_OF_MARKET = len(MARKET) - 1
MIN_SHARE_PRICE: int = _T["finance"]["min_share_price"]
LOAN: int = _T["finance"]["loan_per_share"]
REDEMPTION: int = _T["finance"]["redeem_cost"]
PENALTY: int = _T["finance"]["end_penalty_per_pledged_share"]

START_CASH: int = _T["setup"]["starting_cash"]
SHARES_PER_WARE: int = _T["setup"]["shares_per_ware"]
DEALT: int = _T["setup"]["shares_dealt_per_player"]
POOLS: dict[str, int] = {
    "three_per_ware": _T["setup"]["initial_pool_per_ware"],
    "all_shares": SHARES_PER_WARE,
}
"""The number of shares of each ware that are shuffled for the deal, by the value of an option
(R10).
"""
ACCOMPLICES: dict[int, int] = {
    int(seats): count for seats, count in _T["setup"]["accomplices_per_player"].items()
}
MAX_SEATS: int = _T["players"]["max"]

END_REASONS = WARE_AT_THE_TOP, VOYAGE_LIMIT = "ware_at_the_top", "voyage_limit"
COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["player_colors"])
