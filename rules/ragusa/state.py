"""The state of one game, and its JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import GameState, Index, ListOf, Piece, all_seats, by_seat, plain
from rules.kernel.toolbox.pile import Pile
from rules.ragusa import data, grid
from rules.ragusa.data import NEUTRAL, NONE, Back, Card, Patrician, Ship, Side, SideId

SOURCES = ("walls", "ships", "dock", "fishmonger", "chain", "cathedral", "bonus")
"""Where victory points come from."""
FROM_WALLS, FROM_SHIPS, FROM_DOCK, FROM_FISH, FROM_CHAIN, FROM_CATHEDRAL, FROM_BONUS = range(7)


@dataclass(slots=True)
class State(GameState):
    """Everything on and around the board.

    Sides, hexes, spaces and cards are ints (see ``data`` and ``grid``), ``NONE`` if there is none.
    """

    seats: int
    neutral: bool
    """Whether neutral houses block spaces of the city: an option for two."""

    # By side
    access: list[list[int]]
    """By resource."""
    stock: list[list[int]]
    """By commodity."""
    houses_left: list[int]
    forfeited: list[int]
    towers_left: list[int]
    ships: list[list[Ship]]
    vp: list[list[int]]
    """By source."""
    offered: list[list[Card]]
    """The bonus cards dealt at the start."""
    kept: list[list[Card]]
    """Bonus cards in the order in which they were kept; an automaton's are NONE until revealed."""
    houses_round: list[list[int]]
    """By hex: how many own houses stand there. It follows from ``house_at``."""

    # Whose turn it is
    start_player: Side = NONE
    active: Side = NONE
    end_reason: str | None = None

    # Within a turn
    last_space: grid.Space = NONE
    """Where the house of this turn stands."""
    pending: list[grid.Hex] = field(default_factory=list)
    """The city hexes that are still to be activated."""
    hex: grid.Hex = NONE
    """The one that is being activated."""
    queue: list[grid.Space] = field(default_factory=list)
    """The spaces round it whose houses are still to act, in their order."""
    closed: list[Side] = field(default_factory=list)
    """Who is not asked to exchange again while it acts."""
    final_queue: list[Side] = field(default_factory=list)
    """Who may still exchange before the final scoring."""

    # The board
    house_at: list[Side] = field(default_factory=lambda: [NONE] * len(grid.SPACES))
    tower_at: list[Side] = field(default_factory=lambda: [NONE] * grid.RING)
    walls: list[int] = field(default_factory=lambda: [0] * len(grid.WALLS))

    # The market
    market: list[int] = field(default_factory=lambda: [data.START_INDEX] * len(data.COMMODITIES))
    """By commodity: the place of its marker on the track."""
    row: list[Ship] = field(default_factory=list)
    """The ships from slot 1 on."""
    ships_left: list[Ship] = field(default_factory=lambda: [*data.SHIP.values()])
    """The deck, sorted, because it has no order before it is drawn."""
    top_back: Back = NONE
    """What the back of its top card shows."""

    # Bonus cards
    pile: Pile[Card] = field(default_factory=lambda: Pile(data.CARD.values()))
    draws: list[tuple[Side, tuple[Card, ...]]] = field(default_factory=list)
    """Who drew at the palace, and what."""

    # Solo mode
    patricians: list[Patrician] = field(default_factory=list)
    """The cards in play."""

    @classmethod
    def start(cls, seats: int, *, neutral: bool) -> Self:
        """Return an empty board, and what each side has before the first draw."""
        count = seats if seats > 1 else seats + len(data.AUTOMATA)
        sides = range(count)
        return cls(
            seats,
            neutral,
            access=[[0] * len(data.RESOURCES) for _ in sides],
            stock=[[0] * len(data.COMMODITIES) for _ in sides],
            houses_left=[data.HOUSES[seats]] * count,
            forfeited=[0] * count,
            towers_left=[data.TOWERS] * count,
            ships=[[] for _ in sides],
            vp=[[0] * len(SOURCES) for _ in sides],
            offered=[[] for _ in sides],
            kept=[[] for _ in sides],
            houses_round=[[0] * len(grid.HEXES) for _ in sides],
        )

    @property
    def sides(self) -> int:
        """How many sides play, automata included."""
        return len(self.houses_left)

    @property
    def is_solo(self) -> bool:
        """Whether automata play against one human."""
        return self.seats == 1

    def is_automaton(self, side: Side) -> bool:
        """Whether the rules play ``side``."""
        return side >= self.seats

    def settle(self, side: Side, space: grid.Space) -> None:
        """Stand a house on a space; ``side`` may be NEUTRAL."""
        self.house_at[space] = side
        if side != NEUTRAL:
            for hex_ in grid.SPACE_HEXES[space]:
                self.houses_round[side][hex_] += 1

    # JSON

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return everything by ids, except what follows from the rest."""
        return {
            "seats": self.seats,
            "two_player_neutral_houses": self.neutral,
            "phase": self.phase,
            "decider": self.id(self.decider),
            "active": self.id(self.active),
            "start_player": self.id(self.start_player),
            "end_reason": self.end_reason,
            "last_space": _SPACE.write(self.last_space),
            "pending_hexes": _HEXES.write((*self.pending,)),
            "current_hex": _HEX.write(self.hex),
            "activation_queue": _SPACES.write((*self.queue,)),
            "windows_closed": [*map(self.id, self.closed)],
            "final_queue": [*map(self.id, self.final_queue)],
            "houses": piece(_owners, self.seats, *self.house_at),
            "towers": piece(_owners, self.seats, *self.tower_at),
            "walls": piece(_walls, *self.walls),
            "sides": [
                {
                    "access": piece(_ACCESS.write, (*self.access[side],)),
                    "stock": piece(_STOCK.write, (*self.stock[side],)),
                    "houses_left": self.houses_left[side],
                    "forfeited": self.forfeited[side],
                    "towers_left": self.towers_left[side],
                    "ships": piece(_SHIPS.write, (*self.ships[side],)),
                    "vp": piece(_VP.write, (*self.vp[side],)),
                    "offered": piece(_CARDS.write, (*self.offered[side],)),
                    "kept": piece(_CARDS.write, (*self.kept[side],)),
                }
                for side in all_seats(self.sides)
            ],
            "market": piece(_STOCK.write, (*self.market,)),
            "ship_row": piece(_SHIPS.write, (*self.row,)),
            "ship_deck": piece(_SHIPS.write, (*self.ships_left,)),
            "top_back": _back(self.top_back),
            "bonus_deck": {
                "rest": piece(_CARDS.write, (*self.pile.rest,)),
                "bottom": piece(_CARDS.write, (*self.pile.bottom,)),
            },
            "palace_draws": [
                {"side": self.id(side), "cards": _CARDS.write(cards)} for side, cards in self.draws
            ],
            "patricians": _PATRICIANS.write((*self.patricians,)),
        }

    @classmethod
    def from_json(cls, known: JsonObject) -> Self:
        """Read ``to_json`` back."""
        new = cls.start(known["seats"], neutral=known["two_player_neutral_houses"])
        side = {name: side for side, name in _names(new.seats).items()}.__getitem__
        sides, deck = known["sides"], known["bonus_deck"]
        new.phase, new.decider = known["phase"], side(known["decider"])
        new.active, new.start_player = side(known["active"]), side(known["start_player"])
        new.end_reason = known["end_reason"]
        new.last_space = _SPACE.read(known["last_space"])
        new.pending = [*_HEXES.read(known["pending_hexes"])]
        new.hex = _HEX.read(known["current_hex"])
        new.queue = [*_SPACES.read(known["activation_queue"])]
        new.closed = [*map(side, known["windows_closed"])]
        new.final_queue = [*map(side, known["final_queue"])]
        for space, owner in known["houses"].items():
            new.settle(side(owner), _SPACE.read(space))
        for space, owner in known["towers"].items():
            new.tower_at[_SPACE.read(space)] = side(owner)
        new.walls = [int(wall in known["walls"]) for wall in grid.WALLS]
        new.access = [_ACCESS.read(row["access"]) for row in sides]
        new.stock = [_STOCK.read(row["stock"]) for row in sides]
        new.houses_left = [row["houses_left"] for row in sides]
        new.forfeited = [row["forfeited"] for row in sides]
        new.towers_left = [row["towers_left"] for row in sides]
        new.ships = [[*_SHIPS.read(row["ships"])] for row in sides]
        new.vp = [_VP.read(row["vp"]) for row in sides]
        new.offered = [[*_CARDS.read(row["offered"])] for row in sides]
        new.kept = [[*_CARDS.read(row["kept"])] for row in sides]
        new.market = _STOCK.read(known["market"])
        new.row = [*_SHIPS.read(known["ship_row"])]
        new.ships_left = [*_SHIPS.read(known["ship_deck"])]
        new.top_back = next(
            back for back in (NONE, *data.SHIP_BACKS) if _back(back) == known["top_back"]
        )
        new.pile = Pile(_CARDS.read(deck["rest"]), _CARDS.read(deck["bottom"]))
        new.draws = [
            (side(draw["side"]), _CARDS.read(draw["cards"])) for draw in known["palace_draws"]
        ]
        new.patricians = [*_PATRICIANS.read(known["patricians"])]
        return new

    def id(self, side: Side) -> SideId:
        """A seat's number, an automaton's name, ``"neutral"``, or None."""
        return _names(self.seats)[side]


# Codecs


class _Amounts:
    """A list of amounts, one for each id."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self._ids = ids

    def write(self, amounts: Sequence[int]) -> JsonObject:
        return dict(zip(self._ids, amounts, strict=True))

    def read(self, amounts: JsonObject) -> list[int]:
        return [amounts[id_] for id_ in self._ids]


_HEX: Index[grid.Hex] = Index(grid.HEXES, none=NONE)
_SPACE: Index[grid.Space] = Index(grid.SPACES, none=NONE)
_HEXES, _SPACES, _SHIPS = ListOf(_HEX), ListOf(_SPACE), ListOf(data.SHIP)
_CARDS: ListOf[Card] = ListOf(Index(data.CARDS, none=NONE))
_PATRICIANS = ListOf(data.PATRICIAN)
_ACCESS, _STOCK, _VP = map(_Amounts, (data.RESOURCES, data.COMMODITIES, SOURCES))


@cache
def _names(seats: int) -> dict[Side, SideId]:
    automata = data.AUTOMATA if seats == 1 else ()
    return {NONE: None, NEUTRAL: "neutral", **dict(by_seat([*all_seats(seats), *automata]))}


def _owners(seats: int, *owners: Side) -> JsonObject:
    names = _names(seats)
    return {grid.SPACES[s]: names[side] for s, side in enumerate(owners) if side != NONE}


def _walls(*walls: int) -> list[str]:
    return [*compress(grid.WALLS, walls)]


def _back(back: Back) -> JsonObject | None:
    if back == NONE:
        return None
    commodity, arrows = data.BACKS[back]
    return {"commodity": data.COMMODITIES[commodity], "arrows": arrows}
