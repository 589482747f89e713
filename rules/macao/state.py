"""The state of one game and its JSON."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, GameState, Piece, Seat, all_seats, plain
from rules.macao import data, phases
from rules.macao.cards import NO_POWERS, CardId, Powers, with_card
from rules.macao.data import cubes
from rules.macao.fields import DICE, TILE
from rules.macao.tables import TABLES, QuarterId, SpaceId, Tables


@dataclass(slots=True)
class State(GameState):
    """Everything on the table.

    Goods, tiles and colours are ints (``data``), piles of cubes too (``cubes``). The last lists are
    by seat.
    """

    edition: str
    simultaneous_dice: bool
    """Whether all choose their dice at the same time."""

    deck: list[CardId]
    """In the order of the tables; chance draws from it card by card."""
    tiles: dict[QuarterId, data.Tile]
    owner: dict[QuarterId, Seat | None]
    """Both have all quarters, in the order of the tables."""

    claimed: list[int]
    """The bits of the quarters that somebody owns."""
    disc: list[int]
    """The space of the wall."""
    picked: list[int]
    """The colours of the two dice, while all choose at the same time."""
    prestige: list[int]
    coins: list[int]
    tableau: list[tuple[CardId, ...]]
    activated: list[tuple[CardId, ...]]
    powers: list[Powers]
    """What the activated cards change."""
    windrose: list[tuple[int, ...]]
    """A pile for each sector."""
    supply: list[int]
    goods: list[tuple[int, ...]]
    """How many tiles of each good are aboard."""
    delivered: list[tuple[int, ...]]
    jokers: list[int]
    punishments: list[int]
    ship: list[SpaceId]

    queue: list[Seat] = field(default_factory=list)
    """Who has not acted in this phase yet, the next first."""
    turn_order: list[Seat] = field(default_factory=list)
    wall_order: list[Seat] = field(default_factory=list)
    """The seats from first to last: the discs of a space stand together, the stack's top first."""
    offices: tuple[CardId, ...] = ()
    """Those of all rounds in a row."""
    display: list[CardId] = field(default_factory=list)
    discard: list[CardId] = field(default_factory=list)
    round: int = 1
    tribute_gold: int = 0
    tribute_prestige: int = 0
    dice: list[int] = field(default_factory=list)
    """As rolled in this round."""
    bank: int = cubes.each(data.CUBES_PER_COLOUR)

    # Within a turn, of which everybody has one a round (R34).
    claims: int = 0
    tributes: int = 0
    wall_advanced: bool = False
    wall_open: bool = False
    free_steps: int = 0
    used_cards: list[CardId] = field(default_factory=list)
    """In the order of the tables."""

    @classmethod
    def start(cls, seats: int, edition: str, *, simultaneous: bool) -> Self:
        """Return what lies ready before the first draw."""
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
        """How many play."""
        return len(self.coins)

    @property
    def tables(self) -> Tables:
        """Cards, quarters and sea of the edition that is played."""
        return TABLES[self.edition]

    @property
    def together(self) -> bool:
        """Whether all who are in the queue may answer, in any order."""
        return self.simultaneous_dice and self.phase == phases.CHOOSE_DICE

    def ask_all(self, phase: str, seats: Iterable[Seat]) -> None:
        """Put the question of ``phase`` to ``seats``, in this order."""
        self.phase = phase
        self.queue = [*seats]
        self.ask_next()

    def ask_next(self) -> None:
        """Ask whoever is next in the queue."""
        self.decider = self.queue[0] if self.queue and not self.together else NOBODY

    def answered(self, seat: Seat) -> None:
        """Take ``seat`` off the queue, and ask whoever is next."""
        self.queue.remove(seat)
        self.ask_next()

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return the whole state; the stacks of the wall are from bottom to top."""
        wall: list[list[Seat]] = [[] for _ in range(data.LAST_SPACE + 1)]
        for seat in reversed(self.wall_order):
            wall[self.disc[seat]].append(seat)
        return {
            "edition": self.edition,
            "seats": self.seats,
            "simultaneous_dice": self.simultaneous_dice,
            "phase": self.phase,
            "round": self.round,
            "queue": self.queue[:],
            "turn_order": self.turn_order[:],
            "deck": piece(list, tuple(self.deck)),
            "offices": piece(list, self.offices),
            "display": piece(list, tuple(self.display)),
            "discard": piece(list, tuple(self.discard)),
            "tribute": {"gold": self.tribute_gold, "prestige": self.tribute_prestige},
            "dice": dict(zip(data.COLOURS, self.dice, strict=True)) if self.dice else None,
            "pending_dice": [cubes.listed(pair) if pair else None for pair in self.picked],
            "cube_bank": cubes.counts(self.bank),
            "tiles": piece(_tiles, tuple(self.tiles.values())),
            "owners": piece(list, tuple(self.owner.values())),
            "wall": wall,
            "players": [
                {
                    "prestige": self.prestige[seat],
                    "coins": self.coins[seat],
                    "tableau": piece(list, self.tableau[seat]),
                    "activated": piece(list, self.activated[seat]),
                    "windrose": piece(_windrose, self.windrose[seat]),
                    "supply": piece(cubes.counts, self.supply[seat]),
                    "goods": piece(_by_good, self.goods[seat]),
                    "delivered": piece(_by_good, self.delivered[seat]),
                    "jokers": self.jokers[seat],
                    "punishments": self.punishments[seat],
                    "ship": self.ship[seat],
                }
                for seat in all_seats(self.seats)
            ],
            "turn": {
                "claims": self.claims,
                "tributes": self.tributes,
                "wall_advanced": self.wall_advanced,
                "wall_open": self.wall_open,
                "free_steps": self.free_steps,
                "used_cards": self.used_cards[:],
            },
        }

    @classmethod
    def from_json(cls, known: JsonObject) -> Self:
        tables, players, wall = TABLES[known["edition"]], known["players"], known["wall"]
        owner = dict(zip(tables.quarters, known["owners"], strict=True))
        disc = {seat: space for space, stack in enumerate(wall) for seat in stack}
        seats = all_seats(known["seats"])
        read: JsonObject = {
            **{name: _copied(known[name]) for name in _TABLE},
            **{name: _copied(known["turn"][name]) for name in _TURN},
            **{name: [player[name] for player in players] for name in _PLAYER},
        }
        state = cls(
            **read,
            offices=tuple(known["offices"]),
            tribute_gold=known["tribute"]["gold"],
            tribute_prestige=known["tribute"]["prestige"],
            dice=[known["dice"][id_] for id_ in data.COLOURS] if known["dice"] else [],
            picked=[DICE.read(pair) if pair else 0 for pair in known["pending_dice"]],
            bank=cubes.from_counts(known["cube_bank"]),
            tiles=dict(zip(tables.quarters, map(TILE.read, known["tiles"]), strict=True)),
            owner=owner,
            claimed=[
                sum(row.bit for quarter, row in tables.quarters.items() if owner[quarter] == seat)
                for seat in seats
            ],
            wall_order=[seat for stack in reversed(wall) for seat in reversed(stack)],
            disc=[disc.get(seat, 0) for seat in seats],
            tableau=[tuple(player["tableau"]) for player in players],
            activated=[tuple(player["activated"]) for player in players],
            windrose=[tuple(map(cubes.from_counts, player["windrose"])) for player in players],
            supply=[cubes.from_counts(player["supply"]) for player in players],
            goods=[_goods(player["goods"]) for player in players],
            delivered=[_goods(player["delivered"]) for player in players],
            powers=[
                reduce(with_card, [tables.cards[id_] for id_ in player["activated"]], NO_POWERS)
                for player in players
            ],
        )
        state.ask_next()
        return state


_NUMBERS = ("claimed", "disc", "picked", "prestige", "supply", "jokers", "punishments")
"""What nobody has any of at the start."""

# What stands in JSON under the same names and unchanged.
_TABLE = (
    "edition", "simultaneous_dice", "phase", "round", "queue", "turn_order", "deck", "display",
    "discard",
)  # fmt: skip
_TURN = ("claims", "tributes", "wall_advanced", "wall_open", "free_steps", "used_cards")
_PLAYER = ("prestige", "coins", "jokers", "punishments", "ship")


def _copied(value: Any) -> Any:
    return value[:] if type(value) is list else value


def _tiles(tiles: Iterable[data.Tile]) -> list[object]:
    return [*map(TILE.write, tiles)]


def _windrose(sectors: Iterable[int]) -> list[JsonObject]:
    return [*map(cubes.counts, sectors)]


def _by_good(tiles: Iterable[int]) -> JsonObject:
    return dict(zip(data.GOODS, tiles, strict=True))


def _goods(by_good: JsonObject) -> tuple[int, ...]:
    return tuple([by_good[good] for good in data.GOODS])
