"""The state of one game and its JSON."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, GameState, Piece, Seat, all_seats, plain
from rules.kernel.toolbox.layout import AS_IT_IS, LIST, Kind, Layout, counted, listed
from rules.macao import data, phases
from rules.macao.cards import NO_POWERS, CardId, Powers, with_card
from rules.macao.data import cubes
from rules.macao.fields import DICE, TILE
from rules.macao.tables import TABLES, QuarterId, SpaceId, Tables


@dataclass(slots=True)
class State(GameState):
    """Everything on the table.

    Goods, tiles and colours are ints (``data``), and so are piles of cubes (``cubes``). The last
    fields are lists by seat.
    """

    edition: str
    simultaneous_dice: bool
    """Whether all players choose their dice at the same time, which is an option."""

    deck: list[CardId]
    """The cards not shown yet, in the order of the tables; each draw takes one of them."""
    tiles: dict[QuarterId, data.Tile]
    owner: dict[QuarterId, Seat | None]
    """The owner of each quarter; like ``tiles``, in the order of the tables."""

    claimed: list[int]
    """For each seat, the bits of its quarters."""
    disc: list[int]
    """The space of the seat's disc on the wall."""
    picked: list[int]
    """The colours of the two dice that the seat has chosen, while all choose at the same time."""
    prestige: list[int]
    coins: list[int]
    tableau: list[tuple[CardId, ...]]
    activated: list[tuple[CardId, ...]]
    powers: list[Powers]
    """The rules as the seat's active cards change them."""
    windrose: list[tuple[int, ...]]
    """A pile of cubes for each sector."""
    supply: list[int]
    goods: list[tuple[int, ...]]
    """The number of tiles of each good aboard."""
    delivered: list[tuple[int, ...]]
    jokers: list[int]
    punishments: list[int]
    ship: list[SpaceId]

    queue: list[Seat] = field(default_factory=list)
    """The seats that have not acted in this phase yet, in order."""
    turn_order: list[Seat] = field(default_factory=list)
    wall_order: list[Seat] = field(default_factory=list)
    """The seats in the order of their discs on the wall, the foremost first; in a stack, the top
    disc is first.
    """
    offices: tuple[CardId, ...] = ()
    """The offices of all rounds, in order."""
    display: list[CardId] = field(default_factory=list)
    discard: list[CardId] = field(default_factory=list)
    round: int = 1
    tribute_gold: int = 0
    tribute_prestige: int = 0
    dice: list[int] = field(default_factory=list)
    """The numbers of the dice that were rolled in this round."""
    bank: int = cubes.each(data.CUBES_PER_COLOUR)

    # The progress of a turn; each player has one turn in a round (R34).
    claims: int = 0
    tributes: int = 0
    wall_advanced: bool = False
    wall_open: bool = False
    free_steps: int = 0
    used_cards: list[CardId] = field(default_factory=list)
    """The cards used in this turn, in the order of the tables."""

    @classmethod
    def start(cls, seats: int, edition: str, *, simultaneous: bool) -> Self:
        """Return the table before the first draw."""
        tables = TABLES[edition]
        none: JsonObject = {name: [0] * seats for name in _NUMBERS}
        return cls(
            edition,
            simultaneous,
            deck=[*tables.others],
            tiles={q: data.JOKER if row.dark else data.NONE for q, row in tables.quarters.items()},
            owner=dict.fromkeys(tables.quarters),
            coins=[data.START_COINS] * seats,
            tableau=[()] * seats,
            activated=[()] * seats,
            powers=[NO_POWERS] * seats,
            windrose=[(0,) * data.SECTORS] * seats,
            goods=[(0,) * len(data.GOODS)] * seats,
            delivered=[(0,) * len(data.GOODS)] * seats,
            ship=[tables.dock] * seats,
            phase=phases.SHUFFLE_WALL,
            **none,
        )

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.coins)

    @property
    def tables(self) -> Tables:
        """Cards, quarters and sea of the game's edition."""
        return TABLES[self.edition]

    @property
    def together(self) -> bool:
        """Whether all seats in the queue have a decision, and may answer in any order."""
        return self.simultaneous_dice and self.phase == phases.CHOOSE_DICE

    def ask_all(self, phase: str, seats: Iterable[Seat]) -> None:
        """Put ``seats`` into the queue for the decision of ``phase``, and ask them."""
        self.phase = phase
        self.queue = [*seats]
        self.ask_next()

    def ask_next(self) -> None:
        """Open the decision of the next seat in the queue."""
        self.decider = self.queue[0] if self.queue and not self.together else NOBODY

    def answered(self, seat: Seat) -> None:
        """Remove ``seat`` from the queue, and ask the next one."""
        self.queue.remove(seat)
        self.ask_next()

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return the whole state; the stacks of the wall are from bottom to top."""
        wall: list[list[Seat]] = [[] for _ in range(data.LAST_SPACE + 1)]
        for seat in reversed(self.wall_order):
            wall[self.disc[seat]].append(seat)
        written = _layout(self.edition).write(self, piece)
        written.update(seats=self.seats, wall=wall)
        return written

    @classmethod
    def from_json(cls, known: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote."""
        tables, wall = TABLES[known["edition"]], known["wall"]
        read = _layout(known["edition"]).read(known)
        disc = {seat: space for space, stack in enumerate(wall) for seat in stack}
        seats, owner = all_seats(known["seats"]), read["owner"]
        bits = {quarter: row.bit for quarter, row in tables.quarters.items()}
        state = cls(
            **read,
            claimed=[sum(bits[q] for q, holder in owner.items() if holder == s) for s in seats],
            wall_order=[seat for stack in reversed(wall) for seat in reversed(stack)],
            disc=[disc.get(seat, 0) for seat in seats],
            powers=[
                reduce(with_card, [tables.cards[id_] for id_ in ids], NO_POWERS)
                for ids in read["activated"]
            ],
        )
        state.ask_next()
        return state


_NUMBERS = ("claimed", "disc", "picked", "prestige", "supply", "jokers", "punishments")
"""The lists by seat that have only zeros at the start."""

# The codec, without the wall

_CARDS, _CARDS_OF_ALL = Kind(list, tuple, tuple), Kind(list, list, tuple)
_CUBES = Kind(cubes.counts, cubes.from_counts, int)
_GOODS = counted(data.GOODS, tuple)
_DICE = Kind(
    lambda dice: dict(zip(data.COLOURS, dice, strict=True)) if dice else None,
    lambda dice: [dice[colour] for colour in data.COLOURS] if dice else [],
)
_PAIR = Kind(
    lambda pair: cubes.listed(pair) if pair else None, lambda pair: DICE.read(pair) if pair else 0
)


@cache
def _layout(edition: str) -> Layout:
    quarters = TABLES[edition].quarters

    def by_quarter(kind: Kind) -> Kind:
        return Kind(
            kind.write,
            lambda row: dict(zip(quarters, kind.read(row), strict=True)),
            lambda of: (*of.values(),),
        )

    return Layout(
        {
            **dict.fromkeys(("edition", "simultaneous_dice", "phase", "round"), AS_IT_IS),
            **dict.fromkeys(("queue", "turn_order"), LIST),
            **dict.fromkeys(("deck", "display", "discard"), _CARDS_OF_ALL),
            "offices": _CARDS,
            "tribute": {
                "gold": ("tribute_gold", AS_IT_IS),
                "prestige": ("tribute_prestige", AS_IT_IS),
            },
            "dice": _DICE,
            "pending_dice": ("picked", listed(_PAIR)),
            "cube_bank": ("bank", _CUBES),
            "tiles": by_quarter(listed(Kind(TILE.write, TILE.read))),
            "owners": ("owner", by_quarter(LIST)),
            "turn": {
                **dict.fromkeys(("claims", "tributes", "free_steps"), AS_IT_IS),
                **dict.fromkeys(("wall_advanced", "wall_open"), AS_IT_IS),
                "used_cards": LIST,
            },
        },
        {
            "players": {
                **dict.fromkeys(("prestige", "coins", "jokers", "punishments", "ship"), AS_IT_IS),
                **dict.fromkeys(("tableau", "activated"), _CARDS),
                "windrose": listed(_CUBES, tuple),
                "supply": _CUBES,
                **dict.fromkeys(("goods", "delivered"), _GOODS),
            }
        },
    )
