"""The state of one game, and its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Field, GameState, ListOf, Piece, plain
from rules.plus_ultra import data, fields
from rules.plus_ultra.data import Character, Estate, Kind

DRAFT, TERCIO_BIDS = "draft", "tercio_bids"
"""The two phases in which something is decided in secret."""


@dataclass(slots=True)
class State(GameState):
    """Everything on the table, and what lies face down.

    Seats, kinds, characters and estates are ints (see ``data``), ``NONE`` where there is none.
    Hidden are ``set_aside``, ``pack``, the ``characters`` of a draft, ``bids`` before they are
    open, and the contents of ``estates``. Face-down tiles are counts only: ``unseen`` has them by
    kind, ``pile`` says how many of them are not in a row.
    """

    seats: int
    start_order: str
    ducat_supply: str
    merchant_market_slot: str

    # Supplies, and what a turn allows once by seat
    bank: int
    bull_supply: int
    rosette_supply: int
    magellan_supply: int
    common_used: list[int]
    bull_used: list[int]
    bids: list[int]

    # By seat
    pg: list[int]
    ducats: list[int]
    active: list[int]
    """Tercios; so are ``tired`` and ``supply``."""
    tired: list[int]
    supply: list[int]
    reserve: list[int]
    """Houses; so is ``house_supply``."""
    house_supply: list[int]
    rosettes_ready: list[int]
    rosettes_used: list[int]
    bulls: list[int]
    trade: list[int]
    magellan: list[int]
    natives: list[int]
    estates: list[list[Estate]]
    characters: list[list[Character]]
    """Of the turn, in the order in which they were picked."""
    used: list[list[Character]]

    # Where the turn is
    turn: int = 0
    round: int = 0
    place: int = 0
    """Counts through the peer order."""
    row: int = data.NONE
    """The row or settlement space that a phase is about."""
    queue: list[int] = field(default_factory=list)
    """Who still answers."""
    peer_order: list[int] = field(default_factory=list)
    pending_order: list[int] = field(default_factory=list)
    """Of the next turn."""
    end_reason: str | None = None

    # Goods of all, and the crown
    crown: int = data.START_CROWN
    market: list[Kind] = field(default_factory=lambda: [*data.START_MARKET])
    surplus: list[Kind] = field(default_factory=lambda: [*data.START_SURPLUS])
    church: list[Kind] = field(default_factory=lambda: [data.EMPTY] * data.CHURCH_SLOTS)
    box: list[int] = field(default_factory=lambda: [0] * len(data.KINDS))
    """Tiles that are out of the game, by kind."""

    # The New World
    rows: list[Kind] = field(default_factory=lambda: [data.FACE_DOWN] * data.ROWS)
    unseen: list[int] = field(default_factory=lambda: [*data.PILE])
    pile: int = sum(data.PILE) - data.ROWS
    sizes: list[int] = field(default_factory=lambda: [0] * data.ROWS)
    """Of the settlements by their space; 0 where there is none."""
    houses: list[list[int]] = field(default_factory=lambda: [[] for _ in data.ALL_ROWS])
    """Their owners, by space."""

    # Magellan, estates, the war
    magellan_completed: bool = False
    estate_stack: int = data.ESTATES_IN_PLAY
    estates_used: list[Estate] = field(default_factory=list)
    war_level: int = 0
    war: list[int] = field(default_factory=list)
    """Whose tercio stands on each space."""

    # Characters of the turn
    set_aside: Character = data.NO_CHARACTER
    pack: list[Character] = field(default_factory=list)
    picks: int = 0
    acted: Character = data.NO_CHARACTER
    """Who acts in this activation; FORFEIT if one was forfeited."""
    current: Character = data.NO_CHARACTER
    """Whom a bull lets act again."""
    common_taken: list[int] = field(default_factory=lambda: [0] * len(data.COMMON))

    @classmethod
    def start(cls, seats: int, options: JsonObject) -> Self:
        """Return what lies on the table before the first draw."""
        return cls(
            seats,
            **options,
            bank=data.DUCATS - data.START_CROWN - data.START_DUCATS * seats,
            bull_supply=data.BULLS[seats],
            rosette_supply=data.ROSETTES - data.START_ROSETTES * seats,
            magellan_supply=data.MAGELLAN[seats],
            common_used=[0] * seats,
            bull_used=[0] * seats,
            bids=[data.NONE] * seats,
            pg=[0] * seats,
            ducats=[data.START_DUCATS] * seats,
            active=[data.START_ACTIVE] * seats,  # R6
            tired=[0] * seats,
            supply=[data.TERCIOS - data.START_ACTIVE] * seats,
            reserve=[data.START_RESERVE] * seats,
            house_supply=[data.HOUSES - data.START_RESERVE] * seats,
            rosettes_ready=[data.START_ROSETTES] * seats,
            rosettes_used=[0] * seats,
            bulls=[0] * seats,
            trade=[0] * seats,
            magellan=[0] * seats,
            natives=[0] * seats,
            estates=[[] for _ in range(seats)],
            characters=[[] for _ in range(seats)],
            used=[[] for _ in range(seats)],
        )

    @property
    def peer(self) -> int:
        """The seat at ``place`` in the peer order."""
        return self.peer_order[self.place]

    @property
    def taken_estates(self) -> list[Estate]:
        """The estates that are not in the stack any more."""
        return [*self.estates_used, *(estate for owned in self.estates for estate in owned)]

    def seen_packs(self, seat: int) -> list[list[Character]]:
        """The packs that ``seat`` has been handed in this turn's draft, ascending.

        They follow from the picks, so nothing has to be stored for a perfect memory.
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
        """Return everything, hidden things included."""
        written = GameState.to_json(self)
        for name, kind in _IDS.items():
            written[name] = kind.write(written[name])
        rows = zip(*[written.pop(name) for name in _OF_PLAYERS], strict=True)
        return {**written, "players": [piece(_player, *row) for row in rows]}

    def public_json(self) -> JsonObject:
        """Return all that everybody knows, in the same words."""
        return {name: value for name, value in self.to_json().items() if name not in _HIDDEN}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        read = {name: value for name, value in data.items() if name != "players"}
        for name, kind in _IDS.items():
            read[name] = _lists(kind.read(read[name]))
        for name in _OF_PLAYERS:
            read[name] = [player[name] for player in data["players"]]
        return cls(**read).copy()


_IDS: Mapping[str, Field[Any]] = {
    "market": ListOf(fields.KIND),
    "surplus": ListOf(fields.KIND),
    "church": ListOf(fields.TILE),
    "rows": ListOf(fields.TILE),
    "used": ListOf(fields.CHARACTERS),
    "set_aside": fields.NO_CHARACTER,
    "pack": fields.CHARACTERS,
    "characters": ListOf(fields.CHARACTERS),
    "estates": ListOf(fields.ESTATES),
    "estates_used": fields.ESTATES,
}
"""What has ids in JSON."""
_HIDDEN = ("set_aside", "pack", "characters", "bids", "estates")
_OF_PLAYERS = (
    "pg", "ducats", "active", "tired", "supply", "reserve", "house_supply", "rosettes_ready",
    "rosettes_used", "bulls", "trade", "magellan", "natives",
)  # fmt: skip
"""What JSON has by player."""


def _player(*has: int) -> JsonObject:
    return dict(zip(_OF_PLAYERS, has, strict=True))


def _lists(value: Any) -> Any:
    return [*map(_lists, value)] if isinstance(value, tuple) else value
