"""The state of one game, and its JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import GameState, Piece, Seat, plain
from rules.santiago_de_cuba import data

NONE = data.NONE
CITIZEN = (*data.CITIZENS, None)
"""The ids of the citizens by number; the last item is None, which the index ``NONE`` (-1) finds."""
_BUILDING, _DIE = (*data.BUILDINGS, None), (*data.DICE, None)
_AS_THEY_ARE = (
    "seats", "turn_limit", "phase", "turns_done", "end_reason", "car", "ship_number", "value_index",
)  # fmt: skip


@dataclass(slots=True)
class State(GameState):
    """Everything on and around the board.

    Seats, goods, citizens and buildings are ints (see ``data``); ``NONE`` stands for none.
    """

    seats: int
    turn_limit: int
    """Number of turns after which the game ends; 0 means no limit."""
    open_holdings: bool

    # The players, by seat.
    pesos: list[int]
    vp: list[int]
    goods: list[list[int]]
    supply: list[int]
    """The goods in the supply, by good."""
    markers_left: list[int]
    pawn: list[data.Building]
    """The building under the seat's pawn; NONE before the first visit."""
    passed: list[int]
    """1 if the seat has passed in this loading round, else 0."""

    # The town.
    buildings: tuple[data.Building, ...]
    """The building on each space; empty before the buildings are shuffled."""
    citizens: tuple[data.Citizen, ...]
    """The citizen at each stop, NONE at the harbour; empty before the citizens are shuffled."""
    inactive: list[int]
    """For each citizen, 1 if inactive."""
    owner: list[Seat]
    """The owner of each building."""
    car: data.Stop = data.HARBOUR
    """The stop at which the car is."""

    # The ship.
    ship_number: int = 1
    value_index: int = 0
    """The flag under the value marker."""
    roll: list[int] = field(default_factory=list)
    """The value of each die in the last roll; empty before the first roll."""
    demand: list[int] = field(default_factory=list)
    """The value of each die; 0 for the die that was left out. Empty while the ship has no dice."""
    left_out: data.Good = NONE

    # Whose turn it is (see ``play``).
    start_player: Seat = NONE
    active: Seat = NONE
    visited: data.Citizen = NONE
    tribute_queue: list[Seat] = field(default_factory=list)
    """The seats that still owe El Zorro, in order."""
    turns_done: int = 0
    end_reason: str | None = None

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return the state's JSON, which has ids instead of ints.

        Equal states give equal objects.
        """
        return {
            **self.shown_json(piece),
            "building_order": piece(_building_order, self.buildings),
            "citizen_order": piece(_citizen_order, self.citizens),
            "inactive": [*compress(data.CITIZENS, self.inactive)],
            "owner": piece(_owners, *self.owner),
        }

    def shown_json(self, piece: Piece = plain) -> JsonObject:
        """Return the part of the state's JSON that every view contains unchanged.

        It has everything except the street and the buildings.
        """
        players = zip(self.pesos, self.vp, self.pawn, self.markers_left, self.goods, strict=True)
        decider, start_player, active = self.decider, self.start_player, self.active
        return {
            "seats": self.seats,
            "turn_limit": self.turn_limit,
            "phase": self.phase,
            "turns_done": self.turns_done,
            "end_reason": self.end_reason,
            "car": self.car,
            "ship_number": self.ship_number,
            "value_index": self.value_index,
            "holdings_visibility": "open" if self.open_holdings else "hidden",
            "decider": None if decider == NONE else decider,
            "start_player": None if start_player == NONE else start_player,
            "active": None if active == NONE else active,
            "roll": piece(_roll, *self.roll),
            "demand": piece(_demand, self.left_out, *self.demand),
            "left_out": _DIE[self.left_out],
            "supply": piece(_goods, *self.supply),
            "players": [piece(_player, *player, *goods) for *player, goods in players],
            "visited_citizen": CITIZEN[self.visited],
            "tribute_queue": self.tribute_queue[:],
            "passed": [*compress(range(self.seats), self.passed)],
        }

    def demand_json(self) -> JsonObject | None:
        """Return the four dice on the ship in JSON; None while there are no dice."""
        return _demand(self.left_out, *self.demand)

    @classmethod
    def from_json(cls, json: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote."""
        players = json["players"]
        demand = json["demand"]
        return cls(
            **{name: json[name] for name in _AS_THEY_ARE},
            open_holdings=json["holdings_visibility"] == "open",
            decider=_number(json["decider"]),
            start_player=_number(json["start_player"]),
            active=_number(json["active"]),
            buildings=building_layout(json["building_order"] or ()),
            citizens=citizen_layout(json["citizen_order"] or ()),
            inactive=[int(citizen in json["inactive"]) for citizen in data.CITIZENS],
            owner=[json["owner"].get(building, NONE) for building in data.BUILDINGS],
            roll=[json["roll"][good] for good in data.DICE] if json["roll"] else [],
            demand=[demand.get(good, 0) for good in data.DICE] if demand else [],
            left_out=data.GOOD.get(json["left_out"], NONE),
            supply=[json["supply"][good] for good in data.GOODS],
            pesos=[player["pesos"] for player in players],
            vp=[player["vp"] for player in players],
            goods=[[player["goods"][good] for good in data.GOODS] for player in players],
            pawn=[data.BUILDING.get(player["pawn"], NONE) for player in players],
            markers_left=[player["markers_left"] for player in players],
            visited=data.CITIZEN.get(json["visited_citizen"], NONE),
            tribute_queue=json["tribute_queue"][:],
            passed=[int(seat in json["passed"]) for seat in range(json["seats"])],
        )


def set_up(seats: int, options: JsonObject) -> State:
    """Return the table before the first draw."""
    start = options["start_player"]
    handed_out = [seats * amount for amount in data.START_GOODS]
    return State(
        seats,
        options["turn_limit"],
        open_holdings=options["holdings_visibility"] == "open",
        pesos=[data.START_PESOS] * seats,
        vp=[data.START_VP] * seats,
        goods=[list(data.START_GOODS) for _ in range(seats)],
        supply=[total - out for total, out in zip(data.GOOD_TOTALS, handed_out, strict=True)],
        markers_left=[data.MARKERS] * seats,
        pawn=[NONE] * seats,
        passed=[0] * seats,
        buildings=building_layout(options["building_order"] or ()),
        citizens=citizen_layout(options["citizen_order"] or ()),
        inactive=[0] * len(data.CITIZENS),
        owner=[NONE] * len(data.BUILDINGS),
        start_player=NONE if start == "random" else start,
    )


def _building_order(buildings: tuple[data.Building, ...]) -> list[str] | None:
    return [data.BUILDINGS[building] for building in buildings] or None


def _citizen_order(citizens: tuple[data.Citizen, ...]) -> list[str] | None:
    return [data.CITIZENS[citizen] for citizen in citizens[1:]] or None


def _owners(*owner: Seat) -> JsonObject:
    return {id_: seat for id_, seat in zip(data.BUILDINGS, owner, strict=True) if seat != NONE}


def _roll(*roll: int) -> JsonObject | None:
    return dict(zip(data.DICE, roll, strict=True)) if roll else None


def _demand(left_out: data.Good, *demand: int) -> JsonObject | None:
    on_ship = enumerate(demand)
    return {data.DICE[die]: value for die, value in on_ship if die != left_out} or None


def _goods(*held: int) -> JsonObject:
    return dict(zip(data.GOODS, held, strict=True))


def _player(pesos: int, vp: int, pawn: data.Building, markers_left: int, *goods: int) -> JsonObject:
    return {
        "pesos": pesos,
        "vp": vp,
        "goods": _goods(*goods),
        "pawn": _BUILDING[pawn],
        "markers_left": markers_left,
    }


def building_layout(ids: Sequence[str]) -> tuple[data.Building, ...]:
    """Return the buildings by space, from their ids in the order of the spaces."""
    return tuple([data.BUILDING[id_] for id_ in ids])


def citizen_layout(ids: Sequence[str]) -> tuple[data.Citizen, ...]:
    """Return the citizens by stop, the harbour first, from their ids in the order of the stops."""
    return (NONE, *[data.CITIZEN[id_] for id_ in ids]) if ids else ()


def known(seat: Seat) -> int | None:
    """Return a seat as its value in JSON: its number, or None if it is NONE (nobody)."""
    return None if seat == NONE else seat


def _number(seat: Seat | None) -> Seat:
    return NONE if seat is None else seat
