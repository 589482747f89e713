"""The state of one game, its copy and its JSON."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.toolbox.pieces import Piece, plain
from rules.plus_ultra.data import (
    ALL_CHARACTERS,
    BULLS,
    CHARACTER,
    CHARACTERS,
    CHURCH_SLOTS,
    COMMON,
    DUCATS,
    ESTATE,
    ESTATES,
    ESTATES_IN_PLAY,
    HOUSES,
    KIND,
    KINDS,
    MAGELLAN,
    NONE,
    PICKS_EACH,
    PILE,
    ROSETTES,
    ROWS,
    START_ACTIVE,
    START_CROWN,
    START_DUCATS,
    START_MARKET,
    START_RESERVE,
    START_ROSETTES,
    START_SURPLUS,
    TERCIOS,
)

EMPTY, FACE_DOWN = -1, -2
"""What lies in a row besides the kinds of tiles that are face up."""
FORFEIT = len(CHARACTERS)
"""``acted`` after a character was forfeited."""
DRAFT, TERCIO_BIDS = "draft", "tercio_bids"
"""The two phases in which something is decided in secret."""


class State:
    """Everything on the table, and what lies face down.

    Seats, kinds, characters and estates are ints (see ``data``), ``NONE`` where there is none.
    Hidden are ``set_aside``, ``pack``, the ``characters`` of a draft, ``bids`` before they are
    open, and the contents of ``estates``. Face-down tiles are counts only: ``unseen`` has them by
    kind, ``pile`` says how many of them are not in a row.
    """

    __slots__ = (
        "acted",
        "active",
        "bank",
        "bids",
        "box",
        "bull_supply",
        "bull_used",
        "bulls",
        "characters",
        "church",
        "clockwise",
        "common_taken",
        "common_used",
        "crown",
        "current",
        "decider",
        "ducats",
        "end_reason",
        "estate_stack",
        "estates",
        "estates_used",
        "house_supply",
        "houses",
        "limited",
        "magellan",
        "magellan_completed",
        "magellan_supply",
        "market",
        "natives",
        "pack",
        "peer_order",
        "pending_order",
        "pg",
        "phase",
        "picks",
        "pile",
        "place",
        "queue",
        "reserve",
        "rosette_supply",
        "rosettes_ready",
        "rosettes_used",
        "round",
        "row",
        "rows",
        "seats",
        "sells_last",
        "set_aside",
        "sizes",
        "supply",
        "surplus",
        "tired",
        "trade",
        "turn",
        "unseen",
        "used",
        "war",
        "war_level",
    )

    def __init__(self, seats: int, *, clockwise: bool, limited: bool, sells_last: bool) -> None:
        self.seats = seats
        self.clockwise = clockwise
        self.limited = limited
        self.sells_last = sells_last

        # Where the turn is. ``place`` counts through the peer order; ``row`` is the row or
        # settlement space that a phase is about; ``queue`` has who still answers.
        self.phase = ""
        self.decider = NONE
        self.turn = 0
        self.round = 0
        self.place = 0
        self.row = NONE
        self.queue: list[int] = []
        self.end_reason: str | None = None

        # Peers.
        self.peer_order: list[int] = []
        self.pending_order: list[int] = []

        # Goods and money of all.
        self.bank = DUCATS - START_CROWN - START_DUCATS * seats
        self.crown = START_CROWN
        self.market = list(START_MARKET)
        self.surplus = list(START_SURPLUS)
        self.church = [NONE] * CHURCH_SLOTS
        self.box = [0] * len(KINDS)

        # The New World. Settlements by their space: size, 0 for none, and owners of the houses.
        self.rows = [FACE_DOWN] * ROWS
        self.unseen = list(PILE)
        self.pile = sum(PILE) - ROWS
        self.sizes = [0] * ROWS
        self.houses: list[list[int]] = [[] for _ in range(ROWS)]

        # Supplies.
        self.bull_supply = BULLS[seats]
        self.rosette_supply = ROSETTES - START_ROSETTES * seats
        self.magellan_supply = MAGELLAN[seats]
        self.magellan_completed = False
        self.estate_stack = ESTATES_IN_PLAY
        self.estates_used: list[int] = []

        # The war.
        self.war_level = 0
        self.war: list[int] = []

        # Characters of the turn. ``characters`` has each seat's in the order of its picks.
        self.set_aside = NONE
        self.pack: list[int] = []
        self.picks = 0
        self.characters: list[list[int]] = [[] for _ in range(seats)]
        self.used: list[list[int]] = [[] for _ in range(seats)]
        self.acted = NONE
        self.current = NONE

        # What a turn allows once.
        self.common_taken = [0] * len(COMMON)
        self.common_used = [0] * seats
        self.bull_used = [0] * seats
        self.bids = [NONE] * seats

        # Each player's own.
        self.pg = [0] * seats
        self.ducats = [START_DUCATS] * seats
        self.active = [START_ACTIVE] * seats  # R6
        self.tired = [0] * seats
        self.supply = [TERCIOS - START_ACTIVE] * seats
        self.reserve = [START_RESERVE] * seats
        self.house_supply = [HOUSES - START_RESERVE] * seats
        self.rosettes_ready = [START_ROSETTES] * seats
        self.rosettes_used = [0] * seats
        self.bulls = [0] * seats
        self.trade = [0] * seats
        self.magellan = [0] * seats
        self.natives = [0] * seats
        self.estates: list[list[int]] = [[] for _ in range(seats)]

    def copy(self) -> Self:
        """Return an equal state that shares nothing mutable with this one."""
        new = object.__new__(type(self))
        new.seats = self.seats
        new.clockwise = self.clockwise
        new.limited = self.limited
        new.sells_last = self.sells_last
        new.phase = self.phase
        new.decider = self.decider
        new.turn = self.turn
        new.round = self.round
        new.place = self.place
        new.row = self.row
        new.queue = self.queue[:]
        new.end_reason = self.end_reason
        new.peer_order = self.peer_order[:]
        new.pending_order = self.pending_order[:]
        new.bank = self.bank
        new.crown = self.crown
        new.market = self.market[:]
        new.surplus = self.surplus[:]
        new.church = self.church[:]
        new.box = self.box[:]
        new.rows = self.rows[:]
        new.unseen = self.unseen[:]
        new.pile = self.pile
        new.sizes = self.sizes[:]
        new.houses = [owners[:] for owners in self.houses]
        new.bull_supply = self.bull_supply
        new.rosette_supply = self.rosette_supply
        new.magellan_supply = self.magellan_supply
        new.magellan_completed = self.magellan_completed
        new.estate_stack = self.estate_stack
        new.estates_used = self.estates_used[:]
        new.war_level = self.war_level
        new.war = self.war[:]
        new.set_aside = self.set_aside
        new.pack = self.pack[:]
        new.picks = self.picks
        new.characters = [held[:] for held in self.characters]
        new.used = [used[:] for used in self.used]
        new.acted = self.acted
        new.current = self.current
        new.common_taken = self.common_taken[:]
        new.common_used = self.common_used[:]
        new.bull_used = self.bull_used[:]
        new.bids = self.bids[:]
        new.pg = self.pg[:]
        new.ducats = self.ducats[:]
        new.active = self.active[:]
        new.tired = self.tired[:]
        new.supply = self.supply[:]
        new.reserve = self.reserve[:]
        new.house_supply = self.house_supply[:]
        new.rosettes_ready = self.rosettes_ready[:]
        new.rosettes_used = self.rosettes_used[:]
        new.bulls = self.bulls[:]
        new.trade = self.trade[:]
        new.magellan = self.magellan[:]
        new.natives = self.natives[:]
        new.estates = [owned[:] for owned in self.estates]
        return new

    def seen_packs(self, seat: int) -> list[list[int]]:
        """The packs that ``seat`` has been handed in this turn's draft, ascending.

        They follow from the picks, so nothing has to be stored for a perfect memory.
        """
        if self.set_aside == NONE:
            return []
        order, seats = self.peer_order, self.seats
        first = order.index(seat)
        drafting = self.phase == DRAFT
        packs = []
        for number in range(first, PICKS_EACH * seats, seats):
            if number < self.picks or (number == self.picks and drafting):
                gone = {self.set_aside}
                gone.update(self.characters[order[n % seats]][n // seats] for n in range(number))
                packs.append([c for c in ALL_CHARACTERS if c not in gone])
        return packs

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return everything, hidden things included."""
        return {
            **self.public_json(piece),
            "set_aside": _character(self.set_aside),
            "pack": character_ids(self.pack),
            "characters": piece(_characters, *map(tuple, self.characters)),
            "bids": self.bids[:],
            "estates": piece(_estates, *map(tuple, self.estates)),
        }

    def public_json(self, piece: Piece = plain) -> JsonObject:
        """Return all that everybody knows, in the same words."""
        return {
            "seats": self.seats,
            "start_order": "clockwise" if self.clockwise else "random",
            "ducat_supply": "limited" if self.limited else "unlimited",
            "merchant_market_slot": "last_occupied" if self.sells_last else "slot_1",
            "phase": self.phase,
            "decider": self.decider,
            "turn": self.turn,
            "round": self.round,
            "place": self.place,
            "row": self.row,
            "queue": self.queue[:],
            "end_reason": self.end_reason,
            "peer_order": self.peer_order[:],
            "pending_order": self.pending_order[:],
            "bank": self.bank,
            "crown": self.crown,
            "market": piece(_tiles, *self.market),
            "surplus": piece(_tiles, *self.surplus),
            "church": piece(_tiles, *self.church),
            "box": self.box[:],
            "rows": piece(_tiles, *self.rows),
            "unseen": self.unseen[:],
            "pile": self.pile,
            "sizes": self.sizes[:],
            "houses": piece(_lists, *map(tuple, self.houses)),
            "bull_supply": self.bull_supply,
            "rosette_supply": self.rosette_supply,
            "magellan_supply": self.magellan_supply,
            "magellan_completed": self.magellan_completed,
            "estate_stack": self.estate_stack,
            "estates_used": estate_ids(self.estates_used),
            "war_level": self.war_level,
            "war": self.war[:],
            "picks": self.picks,
            "used": piece(_characters, *map(tuple, self.used)),
            "acted": self.acted,
            "current": self.current,
            "common_taken": self.common_taken[:],
            "common_used": self.common_used[:],
            "bull_used": self.bull_used[:],
            "players": [piece(_player, *each) for each in zip(*_of_players(self), strict=True)],
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        new = object.__new__(cls)
        for name in _AS_THEY_ARE:
            value = data[name]
            setattr(new, name, value[:] if isinstance(value, list) else value)
        new.clockwise = data["start_order"] == "clockwise"
        new.limited = data["ducat_supply"] == "limited"
        new.sells_last = data["merchant_market_slot"] == "last_occupied"
        new.market = [KIND[kind] for kind in data["market"]]
        new.surplus = [KIND[kind] for kind in data["surplus"]]
        new.church = [NONE if kind is None else KIND[kind] for kind in data["church"]]
        new.rows = [_TILES[tile] for tile in data["rows"]]
        new.houses = [owners[:] for owners in data["houses"]]
        new.estates_used = [ESTATE[estate] for estate in data["estates_used"]]
        new.used = [[CHARACTER[c] for c in used] for used in data["used"]]
        for name in _OF_PLAYERS:
            setattr(new, name, [player[name] for player in data["players"]])
        new.set_aside = NONE if data["set_aside"] is None else CHARACTER[data["set_aside"]]
        new.pack = [CHARACTER[c] for c in data["pack"]]
        new.characters = [[CHARACTER[c] for c in held] for held in data["characters"]]
        new.estates = [[ESTATE[e] for e in owned] for owned in data["estates"]]
        return new


_AS_THEY_ARE = (
    "seats", "phase", "decider", "turn", "round", "place", "row", "queue", "end_reason",
    "peer_order", "pending_order", "bank", "crown", "box", "unseen", "pile", "sizes",
    "bull_supply", "rosette_supply", "magellan_supply", "magellan_completed", "estate_stack",
    "war_level", "war", "picks", "acted", "current", "common_taken", "common_used", "bull_used",
    "bids",
)  # fmt: skip
_OF_PLAYERS = (
    "pg", "ducats", "active", "tired", "supply", "reserve", "house_supply", "rosettes_ready",
    "rosettes_used", "bulls", "trade", "magellan", "natives",
)  # fmt: skip
_TILES: dict[Any, int] = {None: EMPTY, "face_down": FACE_DOWN, **KIND}


def character_ids(characters: Iterable[int]) -> list[str]:
    """The ids of some characters."""
    return [CHARACTERS[character] for character in characters]


def estate_ids(estates: Iterable[int]) -> list[str]:
    """The ids of some estates."""
    return [ESTATES[estate] for estate in estates]


def _character(character: int) -> str | None:
    return None if character == NONE else CHARACTERS[character]


def _tile(tile: int) -> str | None:
    if tile == EMPTY:
        return None
    return "face_down" if tile == FACE_DOWN else KINDS[tile]


_PLAYER = (
    "pg", "ducats", "active", "tired", "supply", "reserve", "house_supply", "rosettes_ready",
    "rosettes_used", "bulls", "trade", "magellan", "natives",
)  # fmt: skip
"""What each player has, by seat."""
_of_players = attrgetter(*_PLAYER)


def _player(*values: int) -> JsonObject:
    return dict(zip(_PLAYER, values, strict=True))


def _tiles(*tiles: int) -> list[str | None]:
    return [*map(_tile, tiles)]


def _lists(*lists: tuple[int, ...]) -> list[list[int]]:
    return [[*each] for each in lists]


def _characters(*hands: tuple[int, ...]) -> list[list[str]]:
    return [*map(character_ids, hands)]


def _estates(*owned: tuple[int, ...]) -> list[list[str]]:
    return [*map(estate_ids, owned)]
