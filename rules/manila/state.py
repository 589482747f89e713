"""The state of one game, its copy and its JSON."""

from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.toolbox.pieces import Piece, plain
from rules.manila.data import (
    ACCOMPLICES,
    ALL_WARES,
    MARKET,
    NONE,
    SHARES_PER_WARE,
    SPACES,
    START_CASH,
    WARE,
    WARES,
)

FINANCE_DIRECTIONS = ("none", "loan", "redeem")
UNDECIDED, BORROWS, REDEEMS = range(3)


class State:
    """Everything on and around the board.

    Seats, wares and spaces are ints (see ``data``), ``NONE`` where there is none. What nobody but
    its owner knows is ``dealt``, and that alone.
    """

    __slots__ = (
        "abstained",
        "arrivals",
        "asks_arrival_order",
        "at_sea",
        "boarded",
        "bought",
        "box",
        "cash",
        "crews",
        "dealt",
        "decider",
        "docked",
        "end_reason",
        "finance",
        "free",
        "harbour_master",
        "high",
        "high_bidder",
        "in_hand",
        "initial_pool",
        "left_out",
        "market",
        "passed",
        "phase",
        "pirates_displace",
        "pledged",
        "plunder_queue",
        "plundered",
        "position",
        "seats",
        "starter",
        "step",
        "supply",
        "to_board",
        "voyage",
        "voyage_limit",
        "wrecked",
    )

    def __init__(
        self,
        seats: int,
        *,
        pirates_displace: bool,
        asks_arrival_order: bool,
        initial_pool: str,
        voyage_limit: int,
    ) -> None:
        self.seats = seats
        self.pirates_displace = pirates_displace
        self.asks_arrival_order = asks_arrival_order
        self.initial_pool = initial_pool
        self.voyage_limit = voyage_limit

        # Who decides what (see ``play``), and whether he has borrowed or redeemed before (R7).
        self.phase = ""
        self.decider = NONE
        self.finance = UNDECIDED
        self.end_reason: str | None = None

        # The voyage: its rounds by their place in the schedule, NONE before the first.
        self.voyage = 1
        self.step = NONE
        self.harbour_master = NONE

        # The auction.
        self.starter = NONE
        self.high = 0
        self.high_bidder = NONE
        self.passed = [0] * seats

        # Money and shares. ``market`` has steps of the track; ``free`` and ``pledged`` add up to
        # all shares of a seat, ``dealt`` and ``bought`` as well, by ware.
        self.box = 0
        self.market = [0] * len(WARES)
        self.supply = [SHARES_PER_WARE] * len(WARES)
        self.cash = [START_CASH] * seats
        self.free = [0] * seats
        self.pledged = [0] * seats
        self.dealt = [[0] * len(WARES) for _ in range(seats)]
        self.bought = [[0] * len(WARES) for _ in range(seats)]

        # The punts, by ware. ``docked`` and ``wrecked`` have those in ports and shipyards A to C.
        self.left_out = NONE
        self.position = [NONE] * len(WARES)
        self.at_sea = [0] * len(WARES)
        self.docked: list[int] = []
        self.wrecked: list[int] = []
        self.plundered: list[int] = []

        # The accomplices: ``crews[space]`` has the owners of those on a space, in order.
        self.crews: list[list[int]] = [[] for _ in SPACES]
        self.in_hand = [ACCOMPLICES[seats]] * seats
        self.abstained = [0] * seats

        # What is being decided: arrived punts not docked yet, how many pirates may still board,
        # the (ware, seat) that pirates have boarded just now, plundered punts to be sent off.
        self.arrivals: list[int] = []
        self.to_board = 0
        self.boarded: list[tuple[int, int]] = []
        self.plunder_queue: list[int] = []

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.seats = self.seats
        new.pirates_displace = self.pirates_displace
        new.asks_arrival_order = self.asks_arrival_order
        new.initial_pool = self.initial_pool
        new.voyage_limit = self.voyage_limit
        new.phase = self.phase
        new.decider = self.decider
        new.finance = self.finance
        new.end_reason = self.end_reason
        new.voyage = self.voyage
        new.step = self.step
        new.harbour_master = self.harbour_master
        new.starter = self.starter
        new.high = self.high
        new.high_bidder = self.high_bidder
        new.passed = self.passed[:]
        new.box = self.box
        new.market = self.market[:]
        new.supply = self.supply[:]
        new.cash = self.cash[:]
        new.free = self.free[:]
        new.pledged = self.pledged[:]
        new.dealt = [shares[:] for shares in self.dealt]
        new.bought = [shares[:] for shares in self.bought]
        new.left_out = self.left_out
        new.position = self.position[:]
        new.at_sea = self.at_sea[:]
        new.docked = self.docked[:]
        new.wrecked = self.wrecked[:]
        new.plundered = self.plundered[:]
        new.crews = [crew[:] for crew in self.crews]
        new.in_hand = self.in_hand[:]
        new.abstained = self.abstained[:]
        new.arrivals = self.arrivals[:]
        new.to_board = self.to_board
        new.boarded = self.boarded[:]
        new.plunder_queue = self.plunder_queue[:]
        return new

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Everything, by ids: equal states give equal objects."""
        dealt = [piece(_by_ware, *shares) for shares in self.dealt]
        return {**self.public_json(piece), "dealt": dealt}

    def public_json(self, piece: Piece = plain) -> JsonObject:
        """Everything but ``dealt``: what every player knows at any time."""
        return {
            "seats": self.seats,
            "pirates_displace": self.pirates_displace,
            "arrival_order": "harbour_master" if self.asks_arrival_order else "automatic",
            "initial_pool": self.initial_pool,
            "voyage_limit": self.voyage_limit,
            "phase": self.phase,
            "decider": known(self.decider),
            "finance_direction": FINANCE_DIRECTIONS[self.finance],
            "end_reason": self.end_reason,
            "voyage": self.voyage,
            "step": known(self.step),
            "harbour_master": known(self.harbour_master),
            "starter": known(self.starter),
            "high": self.high,
            "high_bidder": known(self.high_bidder),
            "passed": flagged(self.passed),
            "box": self.box,
            "market": piece(_market, *self.market),
            "supply": piece(_by_ware, *self.supply),
            "left_out": None if self.left_out == NONE else WARES[self.left_out],
            "positions": piece(_positions, *self.position),
            "docked": ware_ids(self.docked),
            "wrecked": ware_ids(self.wrecked),
            "plundered": ware_ids(self.plundered),
            "crews": piece(_crews, *map(tuple, self.crews)),
            "abstained": flagged(self.abstained),
            "arrivals": ware_ids(self.arrivals),
            "to_board": self.to_board,
            "boarded": [[WARES[ware], place] for ware, place in self.boarded],
            "plunder_queue": ware_ids(self.plunder_queue),
            "players": [
                {
                    "cash": self.cash[seat],
                    "pledged": self.pledged[seat],
                    "bought": piece(_by_ware, *self.bought[seat]),
                    "in_hand": self.in_hand[seat],
                }
                for seat in range(self.seats)
            ],
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        players = data["players"]
        new = object.__new__(cls)
        new.seats = data["seats"]
        new.pirates_displace = data["pirates_displace"]
        new.asks_arrival_order = data["arrival_order"] == "harbour_master"
        new.initial_pool = data["initial_pool"]
        new.voyage_limit = data["voyage_limit"]
        new.phase = data["phase"]
        new.decider = _index(data["decider"])
        new.finance = FINANCE_DIRECTIONS.index(data["finance_direction"])
        new.end_reason = data["end_reason"]
        new.voyage = data["voyage"]
        new.step = _index(data["step"])
        new.harbour_master = _index(data["harbour_master"])
        new.starter = _index(data["starter"])
        new.high = data["high"]
        new.high_bidder = _index(data["high_bidder"])
        new.passed = [int(seat in data["passed"]) for seat in range(new.seats)]
        new.box = data["box"]
        new.market = [MARKET.index(data["market"][ware]) for ware in WARES]
        new.supply = _in_order(data["supply"])
        new.cash = [player["cash"] for player in players]
        new.pledged = [player["pledged"] for player in players]
        new.dealt = [_in_order(shares) for shares in data["dealt"]]
        new.bought = [_in_order(player["bought"]) for player in players]
        new.free = [
            sum(dealt) + sum(bought) - pledged
            for dealt, bought, pledged in zip(new.dealt, new.bought, new.pledged, strict=True)
        ]
        new.left_out = NONE if data["left_out"] is None else WARE[data["left_out"]]
        new.position = [data["positions"].get(ware, NONE) for ware in WARES]
        new.docked = _indices(data["docked"])
        new.wrecked = _indices(data["wrecked"])
        new.plundered = _indices(data["plundered"])
        new.at_sea = [
            int(new.position[ware] != NONE and ware not in new.docked and ware not in new.wrecked)
            for ware in ALL_WARES
        ]
        new.crews = [data["crews"].get(space, [])[:] for space in SPACES]
        new.in_hand = [player["in_hand"] for player in players]
        new.abstained = [int(seat in data["abstained"]) for seat in range(new.seats)]
        new.arrivals = _indices(data["arrivals"])
        new.to_board = data["to_board"]
        new.boarded = [(WARE[ware], place) for ware, place in data["boarded"]]
        new.plunder_queue = _indices(data["plunder_queue"])
        return new


def known(index: int) -> int | None:
    """A seat or step as JSON has it: None for ``NONE``."""
    return None if index == NONE else index


def by_ware(counts: list[int]) -> JsonObject:
    """Counts by the ids of the wares."""
    return _by_ware(*counts)


def _by_ware(*counts: int) -> JsonObject:
    return dict(zip(WARES, counts, strict=True))


def _market(*steps: int) -> JsonObject:
    return _by_ware(*[MARKET[step] for step in steps])


def _positions(*positions: int) -> JsonObject:
    return {WARES[ware]: at for ware, at in enumerate(positions) if at != NONE}


def _crews(*crews: tuple[int, ...]) -> JsonObject:
    return {SPACES[space]: [*crew] for space, crew in enumerate(crews) if crew}


def ware_ids(wares: list[int]) -> list[str]:
    """The ids of some wares."""
    return [WARES[ware] for ware in wares]


def flagged(flags: list[int]) -> list[int]:
    """The seats whose flag is set."""
    return [seat for seat, flag in enumerate(flags) if flag]


def _index(value: int | None) -> int:
    return NONE if value is None else value


def _in_order(counts: JsonObject) -> list[int]:
    return [counts[ware] for ware in WARES]


def _indices(ids: list[str]) -> list[int]:
    return [WARE[id_] for id_ in ids]
