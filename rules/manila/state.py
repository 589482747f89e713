"""The state of one game and its JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, GameState, Piece, Seat, all_seats, by_seat, plain
from rules.manila import data
from rules.manila.data import ALL_WARES, MARKET, NO_WARE, NONE, SPACES, WARE, WARES, Space, Ware

FINANCE_DIRECTIONS = ("none", "loan", "redeem")
UNDECIDED, BORROWS, REDEEMS = range(3)


@dataclass(slots=True)
class State(GameState):
    """Everything on and around the board.

    Wares and spaces are ints (see ``data``). Only ``dealt`` is hidden: each seat knows its own
    shares.
    """

    seats: int
    pirates_displace: bool
    arrival_order: str
    initial_pool: str
    voyage_limit: int

    # Money and shares, by seat. A seat's shares are the sum of ``free`` and ``pledged``, and also,
    # by ware, of ``dealt`` and ``bought``.
    cash: list[int]
    free: list[int]
    pledged: list[int]
    dealt: list[list[int]]
    bought: list[list[int]]

    # The bank: the supply of each ware, and the wares' steps on the market track.
    supply: list[int]
    market: list[int]
    box: int = 0

    # Whether the decider has already borrowed or redeemed (R7).
    finance: int = UNDECIDED
    end_reason: str | None = None

    # The voyage: its round as the position in the schedule, NONE before the first round.
    voyage: int = 1
    step: int = NONE
    harbour_master: Seat = NOBODY

    # The auction.
    starter: Seat = NOBODY
    high: int = 0
    high_bidder: Seat = NOBODY
    passed: list[Seat] = field(default_factory=list)

    # The punts: their spaces by ware; the punts at sea, in the order of their lanes; and the punts
    # in ports and in shipyards A to C.
    left_out: Ware = NO_WARE
    position: list[int] = field(default_factory=lambda: [NONE] * len(WARES))
    at_sea: list[Ware] = field(default_factory=list)
    docked: list[Ware] = field(default_factory=list)
    wrecked: list[Ware] = field(default_factory=list)
    plundered: list[Ware] = field(default_factory=list)

    # The accomplices: ``crews[space]`` has the owners of the accomplices on a space, in order.
    in_hand: list[int] = field(default_factory=list)
    crews: list[list[Seat]] = field(default_factory=lambda: [[] for _ in SPACES])
    abstained: list[Seat] = field(default_factory=list)

    # For open questions: the punts that have arrived and are not docked yet; the number of pirates
    # who may still board; the (ware, place) of pirates who have just boarded; and the plundered
    # punts that are still to be sent away.
    arrivals: list[Ware] = field(default_factory=list)
    to_board: int = 0
    boarded: list[tuple[Ware, int]] = field(default_factory=list)
    plunder_queue: list[Ware] = field(default_factory=list)

    @classmethod
    def start(cls, seats: int, options: JsonObject) -> Self:
        """Return the state before the first draw."""
        return cls(
            seats,
            options["pirates_displace"],
            options["arrival_order"],
            options["initial_pool"],
            options["voyage_limit"],
            starter=all_seats(seats)[0] if options["first_starter"] == "seat_0" else NOBODY,
            cash=[data.START_CASH] * seats,
            free=[0] * seats,
            pledged=[0] * seats,
            dealt=[[0] * len(WARES) for _ in range(seats)],
            bought=[[0] * len(WARES) for _ in range(seats)],
            supply=[data.SHARES_PER_WARE] * len(WARES),
            market=[0] * len(WARES),
            in_hand=[data.ACCOMPLICES[seats]] * seats,
        )

    def ask(self, phase: str, seat: Seat) -> None:
        """Open the decision of ``phase`` for ``seat``; the seat may borrow or redeem first."""
        self.phase = phase
        self.decider = seat
        self.finance = UNDECIDED  # R7

    def owner(self, space: Space, place: int = 0) -> Seat | None:
        """Return the owner of the accomplice on a place of a space."""
        crew = self.crews[space]
        return crew[place] if place < len(crew) else None

    def shares(self, seat: Seat) -> list[int]:
        """Return the number of a seat's shares of each ware, pledged or not."""
        return [*map(add, self.dealt[seat], self.bought[seat])]

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return the state's JSON, which has ids instead of numbers.

        If two states are equal, their JSON is equal.
        """
        dealt = [piece(by_ware, *shares) for shares in self.dealt]
        return {**self.public_json(piece), "dealt": dealt}

    def public_json(self, piece: Piece = plain) -> JsonObject:
        """Return the state's JSON without ``dealt``: everything that is public."""
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: known(getattr(self, name)) for name in _NULLABLE},
            **{name: sorted(getattr(self, name)) for name in _SEATS},
            **{name: ware_ids(getattr(self, name)) for name in _WARES},
            "finance_direction": FINANCE_DIRECTIONS[self.finance],
            "market": piece(_values, *self.market),
            "supply": piece(by_ware, *self.supply),
            "left_out": None if self.left_out == NO_WARE else WARES[self.left_out],
            "positions": piece(_positions, *self.position),
            "crews": piece(_crews, *map(tuple, self.crews)),
            "boarded": [[WARES[ware], place] for ware, place in self.boarded],
            "players": [
                piece(_player, self.cash[seat], self.pledged[seat], self.in_hand[seat], *bought)
                for seat, bought in by_seat(self.bought)
            ],
        }

    @classmethod
    def from_json(cls, json: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote."""
        players = json["players"]
        position = [json["positions"].get(ware, NONE) for ware in WARES]
        ashore = {*json["docked"], *json["wrecked"]}
        dealt = [_in_order(shares) for shares in json["dealt"]]
        bought = [_in_order(player["bought"]) for player in players]
        held = [sum(map(sum, shares)) for shares in zip(dealt, bought, strict=True)]
        by_name: JsonObject = {
            **{name: json[name] for name in _PLAIN},
            **{name: NONE if json[name] is None else json[name] for name in _NULLABLE},
            **{name: json[name][:] for name in _SEATS},
            **{name: [*map(WARE.read, json[name])] for name in _WARES},
            **{name: [player[name] for player in players] for name in _BY_SEAT},
        }
        return cls(
            **by_name,
            finance=FINANCE_DIRECTIONS.index(json["finance_direction"]),
            market=[MARKET.index(value) for value in _in_order(json["market"])],
            supply=_in_order(json["supply"]),
            left_out=NO_WARE if json["left_out"] is None else WARE.read(json["left_out"]),
            position=position,
            at_sea=[w for w in ALL_WARES if position[w] != NONE and WARES[w] not in ashore],
            crews=[json["crews"].get(space, [])[:] for space in SPACES],
            boarded=[(WARE.read(ware), place) for ware, place in json["boarded"]],
            dealt=dealt,
            bought=bought,
            free=[all_ - lent for all_, lent in zip(held, by_name["pledged"], strict=True)],
        )


# The fields of the JSON, grouped by their codecs: unchanged; null for -1; sorted; by seat; by ids.
_PLAIN = (
    "seats", "pirates_displace", "arrival_order", "initial_pool", "voyage_limit", "phase",
    "end_reason", "voyage", "high", "box", "to_board",
)  # fmt: skip
_NULLABLE = ("decider", "step", "harbour_master", "starter", "high_bidder")
_SEATS = ("passed", "abstained")
_BY_SEAT = ("cash", "pledged", "in_hand")
_WARES = ("docked", "wrecked", "plundered", "arrivals", "plunder_queue")


def known(index: int) -> int | None:
    """Return a seat or a step for JSON: None for ``NOBODY`` or ``NONE``."""
    return None if index == NONE else index


def by_ware(*counts: int) -> JsonObject:
    """Return an object with the ids of the wares as keys, and ``counts`` as values.

    ``counts`` are in the order of the wares.
    """
    return dict(zip(WARES, counts, strict=True))


def _values(*steps: int) -> JsonObject:
    return by_ware(*[MARKET[step] for step in steps])


def _positions(*positions: int) -> JsonObject:
    return {WARES[ware]: at for ware, at in enumerate(positions) if at != NONE}


def _crews(*crews: tuple[Seat, ...]) -> JsonObject:
    return {SPACES[space]: [*crew] for space, crew in enumerate(crews) if crew}


def _player(cash: int, pledged: int, in_hand: int, *bought: int) -> JsonObject:
    return {"cash": cash, "pledged": pledged, "in_hand": in_hand, "bought": by_ware(*bought)}


def ware_ids(wares: Sequence[Ware]) -> list[str]:
    """Return the ids of wares."""
    return [WARES[ware] for ware in wares]


def _in_order(counts: JsonObject) -> list[int]:
    return [counts[ware] for ware in WARES]
