"""The state of one game, and its JSON."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    EffectLog,
    Field,
    GameState,
    ListOf,
    MaybeRefusal,
    Piece,
    Seat,
    plain,
)
from rules.plus_ultra import data, effects, fields
from rules.plus_ultra.errors import Error

DRAFT, TERCIO_BIDS = "draft", "tercio_bids"
"""The two phases in which moves are secret."""


@dataclass(slots=True)
class State(GameState):
    """Everything on the table, face down or not.

    Kinds of tiles, characters and estates are ints (see ``data``); -1 stands for none. These are
    hidden: ``set_aside``, ``pack``, ``characters`` during the draft, ``bids`` before they are
    revealed, and the contents of ``estates``. For face-down tiles the state has only counts:
    ``unseen`` counts them by kind, and ``pile`` counts the tiles that are outside of the rows.
    """

    seats: int
    start_order: str
    ducat_supply: str
    merchant_market_slot: str

    # Supplies
    bank: int
    bull_supply: int
    rosette_supply: int
    magellan_supply: int

    # indexed by seat, with the starting amounts
    pg: list[int] = field(metadata={"each": 0})
    ducats: list[int] = field(metadata={"each": data.START_DUCATS})
    active: list[int] = field(metadata={"each": data.START_ACTIVE})  # R6
    """The number of active tercios by seat; ``tired`` and ``supply`` are such numbers, too."""
    tired: list[int] = field(metadata={"each": 0})
    supply: list[int] = field(metadata={"each": data.TERCIOS - data.START_ACTIVE})
    reserve: list[int] = field(metadata={"each": data.START_RESERVE})
    """The number of houses in the reserve by seat; ``house_supply`` is such a number, too."""
    house_supply: list[int] = field(metadata={"each": data.HOUSES - data.START_RESERVE})
    rosettes_ready: list[int] = field(metadata={"each": data.START_ROSETTES})
    rosettes_used: list[int] = field(metadata={"each": 0})
    bulls: list[int] = field(metadata={"each": 0})
    trade: list[int] = field(metadata={"each": 0})
    magellan: list[int] = field(metadata={"each": 0})
    natives: list[int] = field(metadata={"each": 0})
    common_used: list[int] = field(metadata={"each": 0})
    """The common spaces used in this turn. At the start of a turn it is reset, and so are
    ``bull_used``, ``bids``, ``characters`` and ``used``.
    """
    bull_used: list[int] = field(metadata={"each": 0})
    bids: list[int] = field(metadata={"each": data.NONE})
    estates: list[list[data.Estate]]
    characters: list[list[data.Character]]  # in the order in which they were picked
    used: list[list[data.Character]]

    # The progress of the turn
    turn: int = 0
    round: int = 0
    place: int = 0  # the position in the peer order of the seat that decides
    row: data.Row = data.NO_ROW  # the row or settlement space that the phase is about
    queue: list[Seat] = field(default_factory=list)  # the seats that still have to answer
    peer_order: list[Seat] = field(default_factory=list)
    pending_order: list[Seat] = field(default_factory=list)  # the peer order of the next turn
    end_reason: str | None = None

    # Goods of all players, and the crown
    crown: int = data.START_CROWN
    market: list[data.Kind] = field(default_factory=lambda: [*data.START_MARKET])
    surplus: list[data.Kind] = field(default_factory=lambda: [*data.START_SURPLUS])
    church: list[data.Kind] = field(default_factory=lambda: [data.EMPTY] * data.CHURCH_SLOTS)
    box: list[int] = field(default_factory=lambda: [0] * len(data.KINDS))
    """Tiles that are out of the game, by kind."""

    # The New World
    rows: list[data.Kind] = field(default_factory=lambda: [data.FACE_DOWN] * data.ROWS)
    unseen: list[int] = field(default_factory=lambda: [*data.PILE])
    pile: int = sum(data.PILE) - data.ROWS
    sizes: list[int] = field(default_factory=lambda: [0] * data.ROWS)
    """The sizes of the settlements, by space; 0 if there is none."""
    houses: list[list[Seat]] = field(default_factory=lambda: [[] for _ in data.ALL_ROWS])
    """The owners of houses, by space."""

    # Magellan, estates, the war
    magellan_completed: bool = False
    estate_stack: int = data.ESTATES_IN_PLAY
    estates_used: list[data.Estate] = field(default_factory=list)
    war_level: int = 0
    war: list[Seat] = field(default_factory=list)  # the owner of the tercio on each space

    # The characters of the turn
    set_aside: data.Character = data.NO_CHARACTER
    pack: list[data.Character] = field(default_factory=list)
    picks: int = 0
    acted: data.Character = data.NO_CHARACTER
    """The character that has acted in this activation; FORFEIT if a character was forfeited."""
    current: data.Character = data.NO_CHARACTER  # the character that may act again for a bull
    common_taken: list[int] = field(default_factory=lambda: [0] * len(data.COMMON))

    @classmethod
    def start(cls, seats: int, options: JsonObject) -> Self:
        """Return the table before the first draw."""
        own: JsonObject = {
            f.name: [f.metadata["each"]] * seats for f in dataclasses.fields(cls) if f.metadata
        }
        return cls(
            seats,
            **options,
            bank=data.DUCATS - data.START_CROWN - data.START_DUCATS * seats,
            bull_supply=data.BULLS[seats],
            rosette_supply=data.ROSETTES - data.START_ROSETTES * seats,
            magellan_supply=data.MAGELLAN[seats],
            **own,
            estates=[[] for _ in range(seats)],
            characters=[[] for _ in range(seats)],
            used=[[] for _ in range(seats)],
        )

    @property
    def peer(self) -> Seat:
        """The seat at ``place`` in the peer order."""
        return self.peer_order[self.place]

    @property
    def estates_left(self) -> list[data.Estate]:
        """Return the estates without an owner, whether in the stack or in the box."""
        taken = {*self.estates_used, *chain(*self.estates)}
        return [estate for estate in data.ESTATE.values() if estate not in taken]

    # Money, points and pieces

    def gain_ducats(self, seat: Seat, amount: int, log: EffectLog | None, cause: str = "") -> None:
        """Give ducats from the bank, at most all it has (R2); the log names the ``cause``."""
        if self.ducat_supply == "limited":
            amount = min(amount, self.bank)
            self.bank -= amount
        self.ducats[seat] += amount
        if log and amount:
            effects.DUCATS_GAINED.tell(log, seat=seat, amount=amount, cause=cause or None)

    def pay(self, seat: Seat, amount: int, log: EffectLog | None) -> None:
        """Pay ducats to the bank."""
        self.ducats[seat] -= amount
        if self.ducat_supply == "limited":
            self.bank += amount
        if log and amount:
            effects.DUCATS_PAID.tell(log, seat=seat, amount=amount)

    def gain_pg(self, seat: Seat, amount: int, log: EffectLog | None, cause: str = "") -> None:
        """Give PG, or take PG, even below 0 (R13); the log names the ``cause``."""
        self.pg[seat] += amount
        if log and amount:
            if amount > 0:
                effects.PG_GAINED.tell(log, seat=seat, amount=amount, cause=cause or None)
            else:
                effects.PG_LOST.tell(log, seat=seat, amount=-amount)

    def shared_price(self) -> int:
        """The ducats that a player pays if the price is "one ducat and one of the crown" (R11)."""
        return 1 if self.crown else 2

    def pay_shared(self, seat: Seat, log: EffectLog | None) -> None:
        """Pay one ducat and one of the crown's, or two if the crown has none (R11)."""
        price = self.shared_price()
        if self.crown:
            self.crown -= 1
            if self.ducat_supply == "limited":
                self.bank += 1
            effects.CROWN_PAID.tell(log, amount=1)
        self.pay(seat, price, log)

    def crown_add(self, amount: int, log: EffectLog | None) -> None:
        """Give ducats to the crown, which passes a surplus on to players one by one (R12, R55)."""
        if self.ducat_supply == "limited":
            amount = min(amount, self.bank)
            self.bank -= amount
        self.crown += amount
        if amount:
            effects.CROWN_GAINED.tell(log, amount=amount)
        for place in range(self.crown - data.CROWN_CAP):
            seat = self.peer_order[place % self.seats]
            self.crown -= 1
            self.ducats[seat] += 1
            effects.DUCATS_GAINED.tell(log, seat=seat, amount=1, cause="crown")

    def place_settlement(self, kind: data.Kind, log: EffectLog | None) -> data.Row:
        """Put a settlement on the first free space, which always exists (R3); return the space."""
        space = data.Row(self.sizes.index(0))
        self.sizes[space] = data.SIZES[kind]
        effects.SETTLEMENT_PLACED.tell(log, space=space, size=data.SIZES[kind])
        return space

    def place_house(self, seat: Seat, space: data.Row, log: EffectLog | None) -> None:
        """Put a house from the reserve into a settlement."""
        self.reserve[seat] -= 1
        self.houses[space].append(seat)
        effects.HOUSE_PLACED.tell(log, seat=seat, space=space)

    def advance_trade(self, seat: Seat, steps: int, log: EffectLog | None) -> None:
        """Advance in sea trade; steps beyond the end are lost (R51)."""
        before = self.trade[seat]
        self.trade[seat] = min(data.LAST_TRADE, before + steps)
        if self.trade[seat] != before:
            effects.TRADE_ADVANCED.tell(log, seat=seat, position=self.trade[seat])

    def gain_tercio(self, seat: Seat, kind: str, log: EffectLog | None) -> None:
        """Recruit a tercio from the supply, active or tired."""
        self.supply[seat] -= 1
        (self.active if kind == "active" else self.tired)[seat] += 1
        effects.TERCIO_GAINED.tell(log, seat=seat, state=kind)

    def tire(self, seat: Seat, log: EffectLog | None) -> None:
        """Make an active tercio tired."""
        self.active[seat] -= 1
        self.tired[seat] += 1
        effects.TERCIOS_TIRED.tell(log, seat=seat, count=1)

    def gain(self, seat: Seat, piece: str, log: EffectLog | None) -> None:
        """Take a piece from its supply: a rosette is ready, a house goes to the reserve."""
        match piece:
            case "rosette":
                self.rosette_supply -= 1
                self.rosettes_ready[seat] += 1
                effects.ROSETTE_GAINED.tell(log, seat=seat)
            case "house":
                self.house_supply[seat] -= 1
                self.reserve[seat] += 1
                effects.HOUSE_GAINED.tell(log, seat=seat)
            case "bull":
                self.bull_supply -= 1
                self.bulls[seat] += 1
                effects.BULL_GAINED.tell(log, seat=seat)
            case _:
                self._join_magellan(seat, log)

    def _join_magellan(self, seat: Seat, log: EffectLog | None) -> None:
        """Take a Magellan card; the last card completes the voyage, and all owners score (R21)."""
        self.magellan_supply -= 1
        self.magellan[seat] += 1
        effects.MAGELLAN_JOINED.tell(log, seat=seat)
        if self.magellan_supply == 0:
            self.magellan_completed = True
            effects.MAGELLAN_COMPLETED.tell(log)
            for player in self.peer_order:
                self.gain_pg(player, data.MAGELLAN_COMPLETED_PG * self.magellan[player], log)

    def use_bull(self, seat: Seat, log: EffectLog | None) -> None:
        """Spend a bull, at most one in a turn (R26); it goes back to the supply at once (R27)."""
        self.bulls[seat] -= 1
        self.bull_supply += 1
        self.bull_used[seat] = 1
        effects.BULL_SPENT.tell(log, seat=seat)

    def capture(self, seat: Seat, row: data.Row, log: EffectLog | None) -> None:
        """Take the natives of a row."""
        self.rows[row] = data.EMPTY
        self.natives[seat] += 1
        effects.NATIVES_CAPTURED.tell(log, seat=seat, row=row)

    def take_good(self, row: data.Row) -> data.Kind:
        """Take the good that lies face up in a row."""
        good = self.rows[row]
        self.rows[row] = data.EMPTY
        return good

    def move_pending(self, seat: Seat, places: int, log: EffectLog | None) -> None:
        """Move a player forward in the peer order of the next turn (R33)."""
        order = self.pending_order
        place = order.index(seat)
        if places:
            order.insert(place - places, order.pop(place))
            effects.ORDER_CHANGED.tell(log, order=order)

    def has_good(self, row: data.Row) -> bool:
        """Whether a good lies face up in a row (R41)."""
        return self.rows[row] in data.GOODS

    def standing_houses(self, seat: Seat) -> int:
        """Return the number of houses that a player has in settlements."""
        return data.HOUSES - self.reserve[seat] - self.house_supply[seat]

    # Reasons of refusals

    def lacks_bull(self, seat: Seat) -> MaybeRefusal:
        """Return the reason why a bull cannot be spent (R26); None if it can."""
        if not self.bulls[seat]:
            return Error.NO_BULL
        return Error.BULL_ALREADY_USED if self.bull_used[seat] else None

    def card_refusal(self, seat: Seat, character: data.Character) -> MaybeRefusal:
        """Return the reason why a character's card cannot be used now; None if it can."""
        if character not in self.characters[seat]:
            return Error.CHARACTER_NOT_YOURS.of(character=data.CHARACTERS[character])
        if self.acted != data.NO_CHARACTER:
            return Error.ALREADY_ACTED
        if character in self.used[seat]:
            return Error.CHARACTER_ALREADY_USED.of(character=data.CHARACTERS[character])
        return None

    def lacks_ducats(self, seat: Seat, price: int) -> MaybeRefusal:
        """Return the reason why ``seat`` cannot pay a price; None if it can."""
        return Error.INSUFFICIENT_DUCATS if self.ducats[seat] < price else None

    def lacks_tercio(self, seat: Seat) -> MaybeRefusal:
        """Return the reason why no tercio can be sent or tired; None if one can."""
        return None if self.active[seat] else Error.NO_ACTIVE_TERCIO

    def house_refusal(self, seat: Seat, space: data.Row) -> MaybeRefusal:
        """Return the reason why ``place_house`` cannot place a house on a space; None if it can."""
        if not self.reserve[seat]:
            return Error.NO_HOUSE_IN_RESERVE
        if not self.sizes[space]:
            return Error.NO_SETTLEMENT
        return Error.SETTLEMENT_FULL if len(self.houses[space]) == self.sizes[space] else None

    def lacks_piece(self, seat: Seat, piece: str) -> MaybeRefusal:
        """Return the reason why a piece, or an estate's gain, cannot be taken (R50).

        Return None if it can be taken.
        """
        match piece:
            case "nothing":
                return Error.ESTATE_WITHOUT_RESOURCE
            case "ducats":
                return None
            case "sea_trade":
                return None if self.trade[seat] < data.LAST_TRADE else Error.SEA_TRADE_FULL  # R51
            case "rosette":
                return None if self.rosette_supply else Error.ROSETTE_SUPPLY_EMPTY
            case "house":
                return None if self.house_supply[seat] else Error.HOUSE_SUPPLY_EMPTY
            case "tercio":
                return None if self.supply[seat] else Error.TERCIO_SUPPLY_EMPTY
            case "magellan":
                return None if self.magellan_supply else Error.MAGELLAN_SUPPLY_EMPTY
            case "estate":
                return None if self.estate_stack else Error.ESTATE_SUPPLY_EMPTY
            case _:
                return None if self.bull_supply else Error.BULL_SUPPLY_EMPTY

    # Knowledge and JSON

    def seen_packs(self, seat: Seat) -> list[list[data.Character]]:
        """Return the packs that ``seat`` has been handed in this turn's draft, ascending.

        They are derived from the picks, so the state need not store them.
        """
        if self.set_aside == data.NO_CHARACTER:
            return []
        order, seats = self.peer_order, self.seats
        handed = self.picks + (self.phase == DRAFT)
        packs = []
        for number in range(order.index(seat), min(handed, data.PICKS_EACH * seats), seats):
            gone = {self.set_aside}
            gone.update(self.characters[order[n % seats]][n // seats] for n in range(number))
            packs.append([c for c in data.ALL_CHARACTERS if c not in gone])
        return packs

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return everything, including hidden parts."""
        written = GameState.to_json(self, piece)
        for name, kind in _IDS.items():
            ids = written[name]
            fixed = tuple(map(tuple, ids)) if name in _BY_SEAT else ids
            written[name] = piece(kind.write, fixed if type(fixed) is int else tuple(fixed))
        rows = zip(*[written.pop(name) for name in _OF_PLAYERS], strict=True)
        return {**written, "players": [piece(_player, *row) for row in rows]}

    def public_json(self) -> JsonObject:
        """Return the members of ``to_json`` that all players know."""
        return {name: value for name, value in self.to_json().items() if name not in _HIDDEN}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote."""
        read = {name: value for name, value in data.items() if name != "players"}
        for name, kind in _IDS.items():
            read[name] = _lists(kind.read(read[name]))
        for name in _OF_PLAYERS:
            read[name] = [player[name] for player in data["players"]]
        return cls(**read).copy()


_IDS: Mapping[str, Field[Any]] = {
    "market": ListOf(data.KIND),
    "surplus": ListOf(data.KIND),
    "church": ListOf(fields.TILE),
    "rows": ListOf(fields.TILE),
    "used": ListOf(fields.CHARACTERS),
    "set_aside": fields.NO_CHARACTER,
    "pack": fields.CHARACTERS,
    "characters": ListOf(fields.CHARACTERS),
    "estates": ListOf(fields.ESTATES),
    "estates_used": fields.ESTATES,
}
"""The fields that have ids in JSON."""
_BY_SEAT = ("used", "characters", "estates")
"""Of these fields, those that are lists by seat."""
_HIDDEN = ("set_aside", "pack", "characters", "bids", "estates")
_OF_PLAYERS = (
    "pg", "ducats", "active", "tired", "supply", "reserve", "house_supply", "rosettes_ready",
    "rosettes_used", "bulls", "trade", "magellan", "natives",
)  # fmt: skip
"""The fields that JSON groups by player."""


def _player(*has: int) -> JsonObject:
    return dict(zip(_OF_PLAYERS, has, strict=True))


def _lists(value: Any) -> Any:
    return [*map(_lists, value)] if isinstance(value, tuple) else value
