"""The state of one game, its copy and its JSON."""

from itertools import compress
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.toolbox.pieces import Piece, plain
from rules.santiago_de_cuba.data import (
    BUILDING,
    BUILDING_IDS,
    CITIZEN,
    CITIZENS,
    DICE,
    GOOD,
    GOOD_TOTALS,
    GOODS,
    HARBOUR,
    MARKERS,
    NONE,
    START_GOODS,
    START_PESOS,
    START_VP,
)

_building_id = (*BUILDING_IDS, None).__getitem__
_citizen_id = (*CITIZENS, None).__getitem__
"""The last, None, is where ``NONE`` looks."""


class State:
    """Everything on and around the board.

    Seats, goods, citizens and buildings are ints (see ``data``), ``NONE`` where there is none.
    Tuples never change once they are laid out, so copies share them.
    """

    __slots__ = (
        "active",
        "buildings",
        "car",
        "citizens",
        "decider",
        "demand",
        "end_reason",
        "goods",
        "inactive",
        "left_out",
        "markers_left",
        "open_holdings",
        "owner",
        "passed",
        "pawn",
        "pesos",
        "phase",
        "roll",
        "seats",
        "ship_number",
        "start_player",
        "supply",
        "tribute_queue",
        "turn_limit",
        "turns_done",
        "value_index",
        "visited",
        "vp",
    )

    def __init__(self, seats: int, turn_limit: int, *, open_holdings: bool) -> None:
        self.seats = seats
        self.turn_limit = turn_limit
        self.open_holdings = open_holdings

        # Whose turn it is, and who decides what (see ``play``).
        self.phase = ""
        self.decider = NONE
        self.start_player = NONE
        self.active = NONE
        self.turns_done = 0
        self.end_reason: str | None = None

        # The town. ``buildings[space]``; ``citizens[stop]``, NONE at the harbour.
        self.buildings: tuple[int, ...] = ()
        self.citizens: tuple[int, ...] = ()
        self.inactive = [0] * len(CITIZENS)
        self.owner = [NONE] * len(BUILDING_IDS)
        self.car = HARBOUR

        # The ship. ``demand`` has a value for each die, 0 for the one left out; it is empty
        # while the ship has no dice, and so is ``roll`` before the first.
        self.ship_number = 1
        self.value_index = 0
        self.roll: list[int] = []
        self.demand: list[int] = []
        self.left_out = NONE

        # The players, by seat. ``pawn`` is the building it stands on.
        self.pesos = [START_PESOS] * seats
        self.vp = [START_VP] * seats
        self.goods = [list(START_GOODS) for _ in range(seats)]
        self.pawn = [NONE] * seats
        self.markers_left = [MARKERS] * seats
        self.supply = [
            total - seats * each for total, each in zip(GOOD_TOTALS, START_GOODS, strict=True)
        ]

        # Within a turn: the citizen visited, who still owes El Zorro, who passed in the harbour.
        self.visited = NONE
        self.tribute_queue: list[int] = []
        self.passed = [0] * seats

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.seats = self.seats
        new.turn_limit = self.turn_limit
        new.open_holdings = self.open_holdings
        new.phase = self.phase
        new.decider = self.decider
        new.start_player = self.start_player
        new.active = self.active
        new.turns_done = self.turns_done
        new.end_reason = self.end_reason
        new.buildings = self.buildings
        new.citizens = self.citizens
        new.inactive = self.inactive[:]
        new.owner = self.owner[:]
        new.car = self.car
        new.ship_number = self.ship_number
        new.value_index = self.value_index
        new.roll = self.roll[:]
        new.demand = self.demand[:]
        new.left_out = self.left_out
        new.pesos = self.pesos[:]
        new.vp = self.vp[:]
        new.goods = [held[:] for held in self.goods]
        new.pawn = self.pawn[:]
        new.markers_left = self.markers_left[:]
        new.supply = self.supply[:]
        new.visited = self.visited
        new.tribute_queue = self.tribute_queue[:]
        new.passed = self.passed[:]
        return new

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Everything, by ids: equal states give equal objects."""
        return {
            "seats": self.seats,
            "turn_limit": self.turn_limit,
            "holdings_visibility": "open" if self.open_holdings else "hidden",
            "phase": self.phase,
            "decider": _seat(self.decider),
            "start_player": _seat(self.start_player),
            "active": _seat(self.active),
            "turns_done": self.turns_done,
            "end_reason": self.end_reason,
            "building_order": piece(_building_order, self.buildings),
            "citizen_order": piece(_citizen_order, self.citizens),
            "inactive": [*compress(CITIZENS, self.inactive)],
            "owner": piece(_owners, *self.owner),
            "car": self.car,
            "ship_number": self.ship_number,
            "value_index": self.value_index,
            "roll": piece(_roll, *self.roll),
            "demand": piece(_demand, self.left_out, *self.demand),
            "left_out": None if self.left_out == NONE else DICE[self.left_out],
            "supply": piece(_goods, *self.supply),
            "players": [
                piece(_player, pesos, vp, pawn, markers_left, *goods)
                for pesos, vp, goods, pawn, markers_left in zip(
                    self.pesos, self.vp, self.goods, self.pawn, self.markers_left, strict=True
                )
            ],
            "visited_citizen": _citizen_id(self.visited),
            "tribute_queue": self.tribute_queue[:],
            "passed": [*compress(range(self.seats), self.passed)],
        }

    def roll_json(self) -> JsonObject | None:
        """The five dice as last rolled, or None before the first roll."""
        return _roll(*self.roll)

    def demand_json(self) -> JsonObject | None:
        """The four dice on the ship, or None while there are none."""
        return _demand(self.left_out, *self.demand)

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        players = data["players"]
        demand = data["demand"]
        new = object.__new__(cls)
        new.seats = data["seats"]
        new.turn_limit = data["turn_limit"]
        new.open_holdings = data["holdings_visibility"] == "open"
        new.phase = data["phase"]
        new.decider = _index(data["decider"])
        new.start_player = _index(data["start_player"])
        new.active = _index(data["active"])
        new.turns_done = data["turns_done"]
        new.end_reason = data["end_reason"]
        new.buildings = building_layout(data["building_order"] or ())
        new.citizens = citizen_layout(data["citizen_order"] or ())
        new.inactive = [int(citizen in data["inactive"]) for citizen in CITIZENS]
        new.owner = [data["owner"].get(building, NONE) for building in BUILDING_IDS]
        new.car = data["car"]
        new.ship_number = data["ship_number"]
        new.value_index = data["value_index"]
        new.roll = [data["roll"][good] for good in DICE] if data["roll"] else []
        new.demand = [demand.get(good, 0) for good in DICE] if demand else []
        new.left_out = NONE if data["left_out"] is None else GOOD[data["left_out"]]
        new.supply = [data["supply"][good] for good in GOODS]
        new.pesos = [player["pesos"] for player in players]
        new.vp = [player["vp"] for player in players]
        new.goods = [[player["goods"][good] for good in GOODS] for player in players]
        new.pawn = [BUILDING.get(player["pawn"], NONE) for player in players]
        new.markers_left = [player["markers_left"] for player in players]
        new.visited = CITIZEN.get(data["visited_citizen"], NONE)
        new.tribute_queue = data["tribute_queue"][:]
        new.passed = [int(seat in data["passed"]) for seat in range(new.seats)]
        return new


def _building_order(buildings: tuple[int, ...]) -> list[str | None] | None:
    return [*map(_building_id, buildings)] or None


def _citizen_order(citizens: tuple[int, ...]) -> list[str | None] | None:
    return [*map(_citizen_id, citizens[1:])] or None


def _roll(*roll: int) -> JsonObject | None:
    return dict(zip(DICE, roll, strict=True)) if roll else None


def _demand(left_out: int, *demand: int) -> JsonObject | None:
    if not demand:
        return None
    values = dict(zip(DICE, demand, strict=True))
    if left_out != NONE:
        del values[DICE[left_out]]
    return values


def _owners(*owner: int) -> JsonObject:
    return {id_: seat for id_, seat in zip(BUILDING_IDS, owner, strict=True) if seat != NONE}


def _goods(*held: int) -> JsonObject:
    return dict(zip(GOODS, held, strict=True))


def _player(pesos: int, vp: int, pawn: int, markers_left: int, *goods: int) -> JsonObject:
    return {
        "pesos": pesos,
        "vp": vp,
        "goods": _goods(*goods),
        "pawn": _building_id(pawn),
        "markers_left": markers_left,
    }


def building_layout(ids: list[str] | tuple[str, ...]) -> tuple[int, ...]:
    """Buildings by space, from their ids in the order of the spaces."""
    return tuple([BUILDING[id_] for id_ in ids])


def citizen_layout(ids: list[str] | tuple[str, ...]) -> tuple[int, ...]:
    """Citizens by stop, the harbour first, from their ids in the order of the stops."""
    return (NONE, *[CITIZEN[id_] for id_ in ids]) if ids else ()


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


def _index(value: int | None) -> int:
    return NONE if value is None else value
