"""The state of one game, and its JSON."""

from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import GameState, Piece, all_seats, by_seat, plain
from rules.kernel.toolbox.layout import (
    AS_IT_IS,
    Kind,
    Layout,
    counted,
    listed,
    named,
    one_of,
    owned,
)
from rules.kernel.toolbox.pile import Pile
from rules.ragusa import data, grid
from rules.ragusa.data import NEUTRAL, NONE, Back, Card, Patrician, Ship, Side, SideId

SOURCES = ("walls", "ships", "dock", "fishmonger", "chain", "cathedral", "bonus")
"""Sources of victory points."""
FROM_WALLS, FROM_SHIPS, FROM_DOCK, FROM_FISH, FROM_CHAIN, FROM_CATHEDRAL, FROM_BONUS = range(7)


@dataclass(slots=True)
class State(GameState):
    """Everything on and around the board.

    Sides, hexes, spaces and cards are ints (see ``data`` and ``grid``); ``NONE`` stands for none.
    """

    seats: int
    neutral: bool
    """Whether neutral houses block spaces of the city: an option for two players."""

    # By side
    access: list[list[int]]
    """The amount of each resource."""
    stock: list[list[int]]
    """The number of units of each commodity."""
    houses_left: list[int]
    forfeited: list[int]
    towers_left: list[int]
    ships: list[tuple[Ship, ...]]
    vp: list[list[int]]
    """The VP by source."""
    offered: list[tuple[Card, ...]]
    """The bonus cards dealt at the start."""
    kept: list[list[Card]]
    """The kept bonus cards in the order in which they were kept; NONE for a card of an automaton
    until it is revealed.
    """
    houses_round: list[bytes]
    """The number of own houses round each hex, derived from ``house_at``."""
    pieces: list[bytes]
    """The number of own pieces on each boundary space, at most a house and a tower; derived, too.
    """

    # Whose turn it is
    start_player: Side = NONE
    active: Side = NONE
    end_reason: str | None = None

    # Within a turn
    last_space: grid.Space = NONE
    """The space of the house that was placed in this turn."""
    pending: list[grid.Hex] = field(default_factory=list)
    """The city hexes still to be activated."""
    hex: grid.Hex = NONE
    """The active hex."""
    queue: list[grid.Space] = field(default_factory=list)
    """The spaces round the active hex whose houses are still to act, in order."""
    closed: list[Side] = field(default_factory=list)
    """The seats that have declined to exchange fish before the present action."""
    final_queue: list[Side] = field(default_factory=list)
    """The seats that may still exchange before the final scoring."""

    # The board
    house_at: list[Side] = field(default_factory=lambda: [NONE] * len(grid.SPACES))
    tower_at: list[Side] = field(default_factory=lambda: [NONE] * grid.RING)
    walls: bytes = bytes(len(grid.WALLS))
    """For each wall, 1 if it is built."""

    # The market
    market: list[int] = field(default_factory=lambda: [data.START_INDEX] * len(data.COMMODITIES))
    """For each commodity, the position of its marker on the track."""
    row: list[Ship] = field(default_factory=list)
    """The ships in the slots, from slot 1 on."""
    ships_left: list[Ship] = field(default_factory=lambda: [*data.SHIP.values()])
    """The ships of the deck, sorted, because their order is not decided before they are drawn."""
    top_back: Back = NONE
    """The back of the deck's top card."""

    # Bonus cards
    pile: Pile[Card] = field(default_factory=lambda: Pile(data.CARD.values()))
    draws: list[tuple[Side, tuple[Card, ...]]] = field(default_factory=list)
    """The draws at the palace, each with its side and cards."""

    # Solo mode
    patricians: list[Patrician] = field(default_factory=list)
    """The Patrician cards in play."""

    @classmethod
    def start(cls, seats: int, *, neutral: bool) -> Self:
        """Return an empty board with each side's start property, before the first draw."""
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
            ships=[() for _ in sides],
            vp=[[0] * len(SOURCES) for _ in sides],
            offered=[() for _ in sides],
            kept=[[] for _ in sides],
            houses_round=[bytes(len(grid.HEXES))] * count,
            pieces=[bytes(grid.RING)] * count,
        )

    @property
    def sides(self) -> int:
        """The number of sides, automata included."""
        return len(self.houses_left)

    @property
    def is_solo(self) -> bool:
        """Whether automata play against one human."""
        return self.seats == 1

    def is_automaton(self, side: Side) -> bool:
        """Whether the rules play ``side``."""
        return side >= self.seats

    def settle(self, side: Side, space: grid.Space) -> None:
        """Place a house on a space; ``side`` may be NEUTRAL."""
        self.house_at[space] = side
        if side != NEUTRAL:
            self.houses_round[side] = _more(self.houses_round[side], _ROUND[space])
            self.pieces[side] = _more(self.pieces[side], _PIECE[space])

    def fortify(self, side: Side, space: grid.Space) -> None:
        """Place a tower on a space of the boundary."""
        self.tower_at[space] = side
        self.pieces[side] = _more(self.pieces[side], _PIECE[space])

    # JSON

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return everything by ids, without derived parts."""
        return _layout(self.seats).write(self, piece)

    @classmethod
    def from_json(cls, known: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote.

        ``known`` may also be a seat's information, in which the cards that the seat does not know
        are null.
        """
        read = _layout(known["seats"]).read(known)
        sides = all_seats(len(known["sides"]))
        rounds, pieces = [0] * len(sides), [0] * len(sides)
        for space, side in enumerate(read["house_at"]):
            if side >= 0:
                rounds[side] += _ROUND[space]
                pieces[side] += _PIECE[space]
        for space, side in enumerate(read["tower_at"]):
            if side >= 0:
                pieces[side] += _PIECE[space]
        return cls(
            **read,
            houses_round=[counts.to_bytes(len(grid.HEXES)) for counts in rounds],
            pieces=[counts.to_bytes(grid.RING) for counts in pieces],
        )

    def id(self, side: Side) -> SideId:
        """Return a seat's number, an automaton's name, ``"neutral"``, or None."""
        return _names(self.seats)[side]


# The codec

_BACKS = {
    (data.COMMODITIES[commodity], arrows): Back(back)
    for back, (commodity, arrows) in enumerate(data.BACKS)
}
_ROUND = tuple(
    int.from_bytes([hex_ in around for hex_ in grid.HEX.values()]) for around in grid.SPACE_HEXES
)
"""For each space, a number with a byte for each hex: 1 if a house on the space borders on the hex.
"""
_PIECE = tuple(
    int.from_bytes([at == ring for ring in grid.TOWER_SPACES]) for at in grid.SPACE.values()
)
"""For each space, a number with a byte for each boundary space: 1 at the space itself."""
_WALL = {wall: int.from_bytes([other == wall for other in grid.WALLS]) for wall in grid.WALLS}
"""For each wall, a number with a byte for each wall: 1 at the wall itself."""


def _more(counts: bytes, one: int) -> bytes:
    """Add counters: each byte of ``counts``, and each byte of ``one``, is a counter.

    All counters are added at once, by one addition of ints. No sum is greater than 255, so no byte
    carries over to the next byte.
    """
    return (int.from_bytes(counts) + one).to_bytes(len(counts))


@cache
def _names(seats: int) -> dict[Side, SideId]:
    automata = data.AUTOMATA if seats == 1 else ()
    return {NONE: None, NEUTRAL: "neutral", **dict(by_seat([*all_seats(seats), *automata]))}


def _back(back: Back) -> JsonObject | None:
    if back == NONE:
        return None
    commodity, arrows = data.BACKS[back]
    return {"commodity": data.COMMODITIES[commodity], "arrows": arrows}


_SPACE, _HEX, _CARD = one_of(grid.SPACES), one_of(grid.HEXES), one_of(data.CARDS)
_SHIPS, _CARDS = listed(one_of(data.SHIPS)), listed(_CARD)
_STOCK = counted(data.COMMODITIES)
_WALLS = Kind(
    lambda built: [*compress(grid.WALLS, built)],
    lambda walls: sum([_WALL[id_] for id_ in walls]).to_bytes(len(grid.WALLS)),
    bytes,
)
_BACK = Kind(
    _back, lambda back: NONE if back is None else _BACKS[back["commodity"], back["arrows"]]
)
_PILE = Kind(
    lambda pile: {"rest": _CARDS.write(pile[0]), "bottom": _CARDS.write(pile[1])},
    lambda deck: Pile(_CARDS.read(deck["rest"]), _CARDS.read(deck["bottom"])),
    lambda pile: ((*pile.rest,), (*pile.bottom,)),
)


@cache
def _layout(seats: int) -> Layout:
    side = named(_names(seats))
    sides = listed(side)
    draws = Kind(
        lambda row: [{"side": side.write(s), "cards": _CARDS.write(cards)} for s, cards in row],
        lambda row: [(side.read(d["side"]), (*map(_CARD.read, d["cards"]),)) for d in row],
        tuple,
    )
    return Layout(
        {
            "seats": AS_IT_IS,
            "two_player_neutral_houses": ("neutral", AS_IT_IS),
            "phase": AS_IT_IS,
            "decider": side,
            "active": side,
            "start_player": side,
            "end_reason": AS_IT_IS,
            "last_space": _SPACE,
            "pending_hexes": ("pending", listed(_HEX)),
            "current_hex": ("hex", _HEX),
            "activation_queue": ("queue", listed(_SPACE)),
            "windows_closed": ("closed", sides),
            "final_queue": sides,
            "houses": ("house_at", owned(grid.SPACES, side, len(grid.SPACES))),
            "towers": ("tower_at", owned(grid.SPACES, side, grid.RING)),
            "walls": _WALLS,
            "market": _STOCK,
            "ship_row": ("row", _SHIPS),
            "ship_deck": ("ships_left", _SHIPS),
            "top_back": _BACK,
            "bonus_deck": ("pile", _PILE),
            "palace_draws": ("draws", draws),
            "patricians": listed(one_of(data.PATRICIANS)),
        },
        {
            "sides": {
                "access": counted(data.RESOURCES),
                "stock": _STOCK,
                "houses_left": AS_IT_IS,
                "forfeited": AS_IT_IS,
                "towers_left": AS_IT_IS,
                "ships": listed(one_of(data.SHIPS), tuple),
                "vp": counted(SOURCES),
                "offered": listed(_CARD, tuple),
                "kept": _CARDS,
            }
        },
    )
