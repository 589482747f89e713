"""The state of one game, and its JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from operator import itemgetter
from typing import Generic, Self, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import GameState, Piece, all_seats, by_seat, plain
from rules.kernel.toolbox.pile import Pile
from rules.ragusa import data, grid
from rules.ragusa.data import NEUTRAL, NONE, Back, Card, Patrician, Ship, Side, SideId

N = TypeVar("N", bound=int)
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
    ships: list[tuple[Ship, ...]]
    vp: list[list[int]]
    """By source."""
    offered: list[tuple[Card, ...]]
    """The bonus cards dealt at the start."""
    kept: list[list[Card]]
    """Bonus cards in the order in which they were kept; an automaton's are NONE until revealed."""
    houses_round: list[bytes]
    """By hex: how many own houses stand there. It follows from ``house_at``."""
    pieces: list[bytes]
    """By boundary space: how many own pieces stand there, a house and a tower. It follows, too."""

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
    walls: bytes = bytes(len(grid.WALLS))
    """By wall: 1 if it is built."""

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
            ships=[() for _ in sides],
            vp=[[0] * len(SOURCES) for _ in sides],
            offered=[() for _ in sides],
            kept=[[] for _ in sides],
            houses_round=[bytes(len(grid.HEXES))] * count,
            pieces=[bytes(grid.RING)] * count,
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
            self.houses_round[side] = _more(self.houses_round[side], _ROUND[space])
            self.pieces[side] = _more(self.pieces[side], _PIECE[space])

    def fortify(self, side: Side, space: grid.Space) -> None:
        """Stand a tower on a space of the boundary."""
        self.tower_at[space] = side
        self.pieces[side] = _more(self.pieces[side], _PIECE[space])

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
            "last_space": _known(grid.SPACES, self.last_space),
            "pending_hexes": _HEXES.write(self.pending),
            "current_hex": _known(grid.HEXES, self.hex),
            "activation_queue": _SPACES.write(self.queue),
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
            "patricians": _PATRICIANS.write(self.patricians),
        }

    @classmethod
    def from_json(cls, known: JsonObject) -> Self:
        """Read ``to_json`` back; a seat's information, which has no deck of cards, too."""
        seats, sides = known["seats"], known["sides"]
        side, space, hex_ = _numbers(seats), _SPACES.numbers, _HEXES.numbers.__getitem__
        card, ship = _CARDS.numbers.__getitem__, _SHIPS.numbers.__getitem__
        house_at, tower_at = [NONE] * len(grid.SPACES), [NONE] * grid.RING
        rounds = [0] * (len(sides) + 2)  # NEUTRAL's, which nobody asks for, come last
        pieces = rounds[:]
        for name, owner in known["houses"].items():
            at, holder = space[name], side[owner]
            house_at[at] = holder
            rounds[holder] += _ROUND[at]
            pieces[holder] += _PIECE[at]
        for name, owner in known["towers"].items():
            at, holder = space[name], side[owner]
            tower_at[at] = holder
            pieces[holder] += _PIECE[at]
        new = cls(
            seats,
            known["two_player_neutral_houses"],
            access=[],
            stock=[],
            houses_left=[],
            forfeited=[],
            towers_left=[],
            ships=[],
            vp=[],
            offered=[],
            kept=[],
            houses_round=[counts.to_bytes(len(grid.HEXES)) for counts in rounds[: len(sides)]],
            pieces=[counts.to_bytes(grid.RING) for counts in pieces[: len(sides)]],
            house_at=house_at,
            tower_at=tower_at,
            walls=sum([_WALL[id_] for id_ in known["walls"]]).to_bytes(len(grid.WALLS)),
            phase=known["phase"],
            decider=side[known["decider"]],
            active=side[known["active"]],
            start_player=side[known["start_player"]],
            end_reason=known["end_reason"],
            last_space=space[known["last_space"]],
            pending=[*map(hex_, known["pending_hexes"])],
            hex=hex_(known["current_hex"]),
            queue=[space[id_] for id_ in known["activation_queue"]],
            closed=[side[name] for name in known["windows_closed"]],
            final_queue=[side[name] for name in known["final_queue"]],
            market=[*_STOCK.pick(known["market"])],
            row=[*map(ship, known["ship_row"])],
            ships_left=[*map(ship, known["ship_deck"])],
            top_back=_read_back(known["top_back"]),
            pile=_read_pile(known.get("bonus_deck")),
            draws=[
                (side[draw["side"]], tuple(map(card, draw["cards"])))
                for draw in known["palace_draws"]
            ],
            patricians=[_PATRICIANS.numbers[id_] for id_ in known["patricians"]],
        )
        for row in sides:
            new.access.append([*_ACCESS.pick(row["access"])])
            new.stock.append([*_STOCK.pick(row["stock"])])
            new.houses_left.append(row["houses_left"])
            new.forfeited.append(row["forfeited"])
            new.towers_left.append(row["towers_left"])
            new.ships.append(tuple(map(ship, row["ships"])))
            new.vp.append([*_VP.pick(row["vp"])])
            new.offered.append(tuple(map(card, row["offered"])))
            new.kept.append([*map(card, row["kept"])])
        return new

    def id(self, side: Side) -> SideId:
        """A seat's number, an automaton's name, ``"neutral"``, or None."""
        return _names(self.seats)[side]


# Codecs


class _Amounts:
    """A list of amounts, one for each id; ``pick`` gets them from JSON."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self._ids = ids
        self.pick = itemgetter(*ids)

    def write(self, amounts: Sequence[int]) -> JsonObject:
        return dict(zip(self._ids, amounts, strict=True))


class _Listed(Generic[N]):
    """A list of ids; what nobody knows, or is not there, is null. ``numbers`` has each id's."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids
        self.numbers = cast("dict[str | None, N]", {None: NONE} | {i: n for n, i in enumerate(ids)})

    def write(self, numbers: Iterable[N]) -> list[str | None]:
        ids = self._ids
        return [None if number == NONE else ids[number] for number in numbers]


_HEXES: _Listed[grid.Hex] = _Listed(grid.HEXES)
_SPACES: _Listed[grid.Space] = _Listed(grid.SPACES)
_SHIPS: _Listed[Ship] = _Listed(data.SHIPS)
_CARDS: _Listed[Card] = _Listed(data.CARDS)
_PATRICIANS: _Listed[Patrician] = _Listed(data.PATRICIANS)
_ACCESS, _STOCK, _VP = map(_Amounts, (data.RESOURCES, data.COMMODITIES, SOURCES))


_BACKS = {
    (data.COMMODITIES[commodity], arrows): Back(back)
    for back, (commodity, arrows) in enumerate(data.BACKS)
}
_ROUND = tuple(
    int.from_bytes([hex_ in around for hex_ in grid.HEX.values()]) for around in grid.SPACE_HEXES
)
"""By space: a byte for each hex, 1 for those that a house there stands at."""
_PIECE = tuple(
    int.from_bytes([at == ring for ring in grid.TOWER_SPACES]) for at in grid.SPACE.values()
)
"""By space: a byte for each boundary space, 1 for that one."""
_WALL = {wall: int.from_bytes([other == wall for other in grid.WALLS]) for wall in grid.WALLS}
"""By wall: a byte for each of them, 1 for that one."""


def _more(counts: bytes, one: int) -> bytes:
    """Count one more thing where ``one`` has a 1: a sum of whole rows, as no byte overflows."""
    return (int.from_bytes(counts) + one).to_bytes(len(counts))


@cache
def _names(seats: int) -> dict[Side, SideId]:
    automata = data.AUTOMATA if seats == 1 else ()
    return {NONE: None, NEUTRAL: "neutral", **dict(by_seat([*all_seats(seats), *automata]))}


@cache
def _numbers(seats: int) -> dict[SideId, Side]:
    return {name: side for side, name in _names(seats).items()}


def _owners(seats: int, *owners: Side) -> JsonObject:
    names = _names(seats)
    return {grid.SPACES[s]: names[side] for s, side in enumerate(owners) if side != NONE}


def _walls(*walls: int) -> list[str]:
    return [*compress(grid.WALLS, walls)]


def _known(ids: Sequence[str], number: int) -> str | None:
    return None if number == NONE else ids[number]


def _read_pile(deck: JsonObject | None) -> Pile[Card]:
    if deck is None:
        return Pile(())
    card = _CARDS.numbers
    return Pile([card[id_] for id_ in deck["rest"]], [card[id_] for id_ in deck["bottom"]])


def _read_back(back: JsonObject | None) -> Back:
    if back is None:
        return Back(NONE)
    return _BACKS[back["commodity"], back["arrows"]]


def _back(back: Back) -> JsonObject | None:
    if back == NONE:
        return None
    commodity, arrows = data.BACKS[back]
    return {"commodity": data.COMMODITIES[commodity], "arrows": arrows}
