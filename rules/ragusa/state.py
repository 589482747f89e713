"""The state of one game, its copy and its JSON."""

from itertools import compress
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.toolbox.pieces import Piece, plain
from rules.kernel.toolbox.pile import Pile
from rules.ragusa.data import (
    AUTOMATA,
    BACKS,
    BONUS_CARD,
    BONUS_CARDS,
    COMMODITIES,
    COMMODITY,
    HOUSES,
    NEUTRAL,
    NONE,
    PATRICIAN,
    PATRICIANS,
    RESOURCES,
    SHIP,
    SHIPS,
    START_INDEX,
    STONE,
    TOWERS,
    WOOD,
)
from rules.ragusa.map import (
    GAINS,
    HEX,
    HEX_KINDS,
    HEXES,
    PATRICIAN_SPACES,
    RING,
    SPACE,
    SPACE_HEXES,
    SPACES,
    SPACES_ROUND,
    WALLS,
)

SOURCES = ("walls", "ships", "dock", "fishmonger", "chain", "cathedral", "bonus")
"""Where victory points come from."""
FROM_WALLS, FROM_SHIPS, FROM_DOCK, FROM_FISH, FROM_CHAIN, FROM_CATHEDRAL, FROM_BONUS = range(7)

_ROUND_LAND = tuple(SPACES_ROUND[h] if HEX_KINDS[h] == "rural" else () for h in range(len(HEXES)))
_ROUND_CITY = tuple(SPACES_ROUND[h] if HEX_KINDS[h] == "city" else () for h in range(len(HEXES)))
_WOOD_GAIN = tuple(gains.count(WOOD) for gains in GAINS)
_STONE_GAIN = tuple(gains.count(STONE) for gains in GAINS)
_WOOD_AT_FIRST = tuple(
    int(any(HEX_KINDS[h] == "rural" for h in hexes)) - _WOOD_GAIN[space]
    for space, hexes in enumerate(SPACE_HEXES)
)
_STONE_AT_FIRST = tuple(
    int(any(HEX_KINDS[h] == "city" for h in hexes)) - _STONE_GAIN[space]
    for space, hexes in enumerate(SPACE_HEXES)
)


class State:
    """Everything on and around the board.

    Sides are ints: the seats, and behind them the automata. So are hexes, spaces and cards (see
    ``data`` and ``map``), ``NONE`` where there is none.
    """

    __slots__ = (
        "access",
        "active",
        "closed",
        "decider",
        "draws",
        "end_reason",
        "final_queue",
        "forfeited",
        "free",
        "hex",
        "house_at",
        "houses_left",
        "houses_round",
        "kept",
        "last_space",
        "market",
        "neutral",
        "offered",
        "patricians",
        "pending",
        "phase",
        "pile",
        "queue",
        "row",
        "seats",
        "ships",
        "ships_left",
        "start_player",
        "stock",
        "stone_short",
        "top_back",
        "tower_at",
        "towers_left",
        "vp",
        "walls",
        "wood_short",
    )

    def __init__(self, seats: int, *, neutral: bool) -> None:
        sides = seats if seats > 1 else seats + len(AUTOMATA)
        self.seats = seats
        self.neutral = neutral

        # Whose turn it is, and who decides what (see ``play``).
        self.phase = ""
        self.decider = NONE
        self.active = NONE
        self.start_player = NONE
        self.end_reason: str | None = None

        # Within a turn: the city hexes to activate, the one that is being activated, the spaces
        # round it that are still to act, who gets no more production window in it, and the last
        # house. ``final_queue``: who may still exchange before scoring.
        self.pending: list[int] = []
        self.hex = NONE
        self.queue: list[int] = []
        self.closed: list[int] = []
        self.last_space = NONE
        self.final_queue: list[int] = []

        # The board, by space, tower space and wall.
        self.house_at = [NONE] * len(SPACES)
        self.tower_at = [NONE] * RING
        self.walls = [0] * len(WALLS)

        # The sides.
        self.access = [[0] * len(RESOURCES) for _ in range(sides)]
        self.stock = [[0] * len(COMMODITIES) for _ in range(sides)]
        self.houses_left = [HOUSES[seats]] * sides
        self.forfeited = [0] * sides
        self.towers_left = [TOWERS] * sides
        self.ships: list[list[int]] = [[] for _ in range(sides)]
        self.vp = [[0] * len(SOURCES) for _ in range(sides)]

        # The market: track index by commodity, the row from slot 1, the ships in the deck
        # (sorted, for it has no order before it is drawn) and the back of its top card.
        self.market = [START_INDEX] * len(COMMODITIES)
        self.row: list[int] = []
        self.ships_left = list(range(len(SHIPS)))
        self.top_back = NONE

        # Bonus cards: the deck; by side what was offered at the start and what is kept, in order
        # (NONE: an automaton's card, which is drawn when it is revealed); the palace's draws.
        self.pile = Pile(range(len(BONUS_CARDS)))
        self.offered: list[list[int]] = [[] for _ in range(sides)]
        self.kept: list[list[int]] = [[] for _ in range(sides)]
        self.draws: list[tuple[int, tuple[int, ...]]] = []

        # Solo mode: the six cards in play.
        self.patricians: list[int] = []

        # Derived. ``houses_round[side][hex]`` counts own houses; ``wood_short[side][space]`` is
        # how much wood a house there needs beyond what it brings (``stone_short`` likewise);
        # ``free`` are the spaces that players may still build on.
        self.houses_round = [[0] * len(HEXES) for _ in range(sides)]
        self.wood_short = [list(_WOOD_AT_FIRST) for _ in range(sides)]
        self.stone_short = [list(_STONE_AT_FIRST) for _ in range(sides)]
        self.free = list(range(len(SPACES)))

    @property
    def sides(self) -> int:
        """How many sides play, automata included."""
        return len(self.houses_left)

    def is_automaton(self, side: int) -> bool:
        """Whether the rules play ``side``."""
        return side >= self.seats

    def settle(self, side: int, space: int) -> None:
        """Stand a house on a space (``side`` may be NEUTRAL), and keep up what follows from it."""
        self.house_at[space] = side
        if space in self.free:
            self.free.remove(space)
        if side == NEUTRAL:
            return
        houses_round = self.houses_round[side]
        for hex_ in SPACE_HEXES[space]:
            houses_round[hex_] = count = houses_round[hex_] + 1
            _raise(self.wood_short[side], _ROUND_LAND[hex_], count + 1, _WOOD_GAIN)
            _raise(self.stone_short[side], _ROUND_CITY[hex_], count + 1, _STONE_GAIN)

    def reserve(self, cards: list[int]) -> None:
        """Put these Patrician cards into play: players cannot build on their spaces."""
        self.patricians = cards
        taken = [space for card in cards for space in PATRICIAN_SPACES[card]]
        self.free = [space for space in self.free if space not in taken]

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.seats = self.seats
        new.neutral = self.neutral
        new.phase = self.phase
        new.decider = self.decider
        new.active = self.active
        new.start_player = self.start_player
        new.end_reason = self.end_reason
        new.pending = self.pending[:]
        new.hex = self.hex
        new.queue = self.queue[:]
        new.closed = self.closed[:]
        new.last_space = self.last_space
        new.final_queue = self.final_queue[:]
        new.house_at = self.house_at[:]
        new.tower_at = self.tower_at[:]
        new.walls = self.walls[:]
        new.access = [access[:] for access in self.access]
        new.stock = [stock[:] for stock in self.stock]
        new.houses_left = self.houses_left[:]
        new.forfeited = self.forfeited[:]
        new.towers_left = self.towers_left[:]
        new.ships = [ships[:] for ships in self.ships]
        new.vp = [vp[:] for vp in self.vp]
        new.market = self.market[:]
        new.row = self.row[:]
        new.ships_left = self.ships_left[:]
        new.top_back = self.top_back
        new.pile = self.pile.copy()
        new.offered = [cards[:] for cards in self.offered]
        new.kept = [cards[:] for cards in self.kept]
        new.draws = self.draws[:]
        new.patricians = self.patricians[:]
        new.houses_round = [houses[:] for houses in self.houses_round]
        new.wood_short = [short[:] for short in self.wood_short]
        new.stone_short = [short[:] for short in self.stone_short]
        new.free = self.free[:]
        return new

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Everything but what is derived, by ids: equal states give equal objects."""
        return {
            "seats": self.seats,
            "two_player_neutral_houses": self.neutral,
            "phase": self.phase,
            "decider": self.id(self.decider),
            "active": self.id(self.active),
            "start_player": self.id(self.start_player),
            "end_reason": self.end_reason,
            "pending_hexes": [HEXES[hex_] for hex_ in self.pending],
            "current_hex": None if self.hex == NONE else HEXES[self.hex],
            "activation_queue": [SPACES[space] for space in self.queue],
            "windows_closed": [self.id(side) for side in self.closed],
            "last_space": None if self.last_space == NONE else SPACES[self.last_space],
            "final_queue": [self.id(side) for side in self.final_queue],
            "houses": piece(_owners, self.seats, *self.house_at),
            "towers": piece(_owners, self.seats, *self.tower_at),
            "walls": piece(_walls, *self.walls),
            "sides": [
                {
                    "access": piece(_access, *self.access[side]),
                    "stock": piece(_goods, *self.stock[side]),
                    "houses_left": self.houses_left[side],
                    "forfeited": self.forfeited[side],
                    "towers_left": self.towers_left[side],
                    "ships": piece(_ships, *self.ships[side]),
                    "vp": piece(_vp, *self.vp[side]),
                    "offered": piece(_bonus_cards, *self.offered[side]),
                    "kept": piece(_bonus_cards, *self.kept[side]),
                }
                for side in range(self.sides)
            ],
            "market": piece(_goods, *self.market),
            "ship_row": piece(_ships, *self.row),
            "ship_deck": piece(_ships, *self.ships_left),
            "top_back": self.top_back_json(),
            "bonus_deck": {
                "rest": piece(_bonus_cards, *self.pile.rest),
                "bottom": piece(_bonus_cards, *self.pile.bottom),
            },
            "palace_draws": [
                {"side": self.id(side), "cards": [BONUS_CARDS[card] for card in cards]}
                for side, cards in self.draws
            ],
            "patricians": [PATRICIANS[card] for card in self.patricians],
        }

    def top_back_json(self) -> JsonObject | None:
        """What the back of the top ship card shows."""
        if self.top_back == NONE:
            return None
        commodity, arrows = BACKS[self.top_back]
        return {"commodity": COMMODITIES[commodity], "arrows": arrows}

    def id(self, side: int) -> int | str | None:
        """A seat's number, an automaton's name, ``"neutral"``, or None."""
        return _id(self.seats, side)

    def _side(self, id_: int | str | None) -> int:
        if type(id_) is int:
            return id_
        if type(id_) is str:
            return NEUTRAL if id_ == "neutral" else self.seats + AUTOMATA.index(id_)
        return NONE

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        new = cls(data["seats"], neutral=data["two_player_neutral_houses"])
        sides, back = data["sides"], data["top_back"]
        new.phase = data["phase"]
        new.decider = new._side(data["decider"])
        new.active = new._side(data["active"])
        new.start_player = new._side(data["start_player"])
        new.end_reason = data["end_reason"]
        new.pending = [HEX[id_] for id_ in data["pending_hexes"]]
        new.hex = HEX.get(data["current_hex"], NONE)
        new.queue = [SPACE[id_] for id_ in data["activation_queue"]]
        new.closed = [new._side(id_) for id_ in data["windows_closed"]]
        new.last_space = SPACE.get(data["last_space"], NONE)
        new.final_queue = [new._side(id_) for id_ in data["final_queue"]]
        new.reserve([PATRICIAN[id_] for id_ in data["patricians"]])
        for space in SPACES:
            if space in data["houses"]:
                new.settle(new._side(data["houses"][space]), SPACE[space])
        new.tower_at = [new._side(data["towers"].get(space)) for space in SPACES[:RING]]
        new.walls = [int(wall in data["walls"]) for wall in WALLS]
        new.access = [[side["access"][id_] for id_ in RESOURCES] for side in sides]
        new.stock = [[side["stock"][id_] for id_ in COMMODITIES] for side in sides]
        new.houses_left = [side["houses_left"] for side in sides]
        new.forfeited = [side["forfeited"] for side in sides]
        new.towers_left = [side["towers_left"] for side in sides]
        new.ships = [[SHIP[id_] for id_ in side["ships"]] for side in sides]
        new.vp = [[side["vp"][source] for source in SOURCES] for side in sides]
        new.market = [data["market"][id_] for id_ in COMMODITIES]
        new.row = [SHIP[id_] for id_ in data["ship_row"]]
        new.ships_left = [SHIP[id_] for id_ in data["ship_deck"]]
        new.top_back = BACKS.index((COMMODITY[back["commodity"]], back["arrows"])) if back else NONE
        new.pile = Pile(
            [BONUS_CARD[id_] for id_ in data["bonus_deck"]["rest"]],
            [BONUS_CARD[id_] for id_ in data["bonus_deck"]["bottom"]],
        )
        new.offered = [[BONUS_CARD[id_] for id_ in side["offered"]] for side in sides]
        new.kept = [[BONUS_CARD.get(id_, NONE) for id_ in side["kept"]] for side in sides]
        new.draws = [
            (new._side(draw["side"]), tuple(BONUS_CARD[id_] for id_ in draw["cards"]))
            for draw in data["palace_draws"]
        ]
        return new


def _raise(shorts: list[int], spaces: tuple[int, ...], needed: int, gains: tuple[int, ...]) -> None:
    """Note that a house on any of ``spaces`` now needs at least this much."""
    for space in spaces:
        short = needed - gains[space]
        shorts[space] = max(shorts[space], short)


def _id(seats: int, side: int) -> int | str | None:
    if 0 <= side < seats:
        return side
    if side < 0:
        return None if side == NONE else "neutral"
    return AUTOMATA[side - seats]


def _owners(seats: int, *owners: int) -> JsonObject:
    return {SPACES[space]: _id(seats, side) for space, side in enumerate(owners) if side != NONE}


def _walls(*walls: int) -> list[str]:
    return [*compress(WALLS, walls)]


def _access(*access: int) -> JsonObject:
    return dict(zip(RESOURCES, access, strict=True))


def _goods(*counts: int) -> JsonObject:
    return dict(zip(COMMODITIES, counts, strict=True))


def _ships(*ships: int) -> list[str]:
    return [SHIPS[ship] for ship in ships]


def _vp(*points: int) -> JsonObject:
    return dict(zip(SOURCES, points, strict=True))


def _bonus_cards(*cards: int) -> list[str | None]:
    return [None if card == NONE else BONUS_CARDS[card] for card in cards]
