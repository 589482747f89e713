"""The state of one game, its copy and its JSON."""

from collections.abc import Iterable
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.toolbox.pieces import Piece, plain
from rules.macao import cubes
from rules.macao.cards import NO_POWERS, Powers, powers_of
from rules.macao.data import (
    COLOURS,
    CUBES_PER_COLOUR,
    GOODS,
    JOKER,
    LAST_SPACE,
    NONE,
    SECTORS,
    START_COINS,
    TILES,
)
from rules.macao.tables import TABLES, Tables


class State:
    """Everything on the table.

    Cards, quarters, spaces, goods and colours are ints (see ``data`` and ``tables``), piles of
    cubes are ints too (see ``cubes``). Tuples never change once they are there, so copies share
    them.
    """

    __slots__ = (
        "activated",
        "bank",
        "claimed",
        "claims",
        "coins",
        "deck",
        "delivered",
        "dice",
        "disc",
        "discard",
        "display",
        "edition",
        "free_steps",
        "goods",
        "jokers",
        "offices",
        "owner",
        "phase",
        "picked",
        "powers",
        "prestige",
        "punishments",
        "queue",
        "round",
        "seats",
        "ship",
        "simultaneous",
        "supply",
        "tableau",
        "tiles",
        "tribute_gold",
        "tribute_prestige",
        "tributes",
        "turn_order",
        "used",
        "wall_advanced",
        "wall_open",
        "wall_order",
        "windrose",
    )

    def __init__(self, seats: int, *, simultaneous: bool, edition: str) -> None:
        self.edition = edition
        self.seats = seats
        self.simultaneous = simultaneous
        tables = self.tables

        # Whose turn it is. ``queue`` holds who has not acted in this phase yet, the next first.
        self.phase = ""
        self.round = 1
        self.queue: list[int] = []
        self.turn_order: list[int] = []

        # Cards. ``deck`` is sorted: its order is drawn card by card. ``offices`` has the offices
        # of all rounds in a row.
        self.deck = list(tables.others)
        self.offices: tuple[int, ...] = ()
        self.display: list[int] = []
        self.discard: list[int] = []
        self.tribute_gold = 0
        self.tribute_prestige = 0

        # Dice as rolled in this round, and cubes. ``picked`` holds what seats have chosen at the
        # same time.
        self.dice: list[int] = []
        self.picked: list[tuple[int, ...]] = [()] * seats
        self.bank = cubes.each(CUBES_PER_COLOUR)

        # The city. ``claimed`` has a bit for each quarter of a seat; it follows from ``owner``.
        self.tiles = [JOKER if quarter.dark else NONE for quarter in tables.quarters]
        self.owner = [NONE] * len(tables.quarters)
        self.claimed = [0] * seats

        # The wall. ``wall_order`` has the seats from first to last: the discs of one space stand
        # together in it, the stack's top first.
        self.wall_order: list[int] = []
        self.disc = [0] * seats

        # The players, by seat. ``windrose`` has a pile for each sector; ``powers`` follow from
        # the activated cards.
        self.prestige = [0] * seats
        self.coins = [START_COINS] * seats
        self.tableau: list[list[int]] = [[] for _ in range(seats)]
        self.activated: list[list[int]] = [[] for _ in range(seats)]
        self.powers: list[Powers] = [NO_POWERS] * seats
        self.windrose = [[0] * SECTORS for _ in range(seats)]
        self.supply = [0] * seats
        self.goods = [[0] * len(GOODS) for _ in range(seats)]
        self.delivered = [[0] * len(GOODS) for _ in range(seats)]
        self.jokers = [0] * seats
        self.punishments = [0] * seats
        self.ship = [tables.dock] * seats

        # Within a turn, of which everybody has one a round (R34). ``used`` has a bit for each card.
        self.claims = 0
        self.tributes = 0
        self.wall_advanced = 0
        self.wall_open = 0
        self.free_steps = 0
        self.used = 0

    @property
    def tables(self) -> Tables:
        """Cards, quarters and sea of the edition that is played."""
        return TABLES[self.edition]

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.edition = self.edition
        new.seats = self.seats
        new.simultaneous = self.simultaneous
        new.phase = self.phase
        new.round = self.round
        new.queue = self.queue[:]
        new.turn_order = self.turn_order[:]
        new.deck = self.deck[:]
        new.offices = self.offices
        new.display = self.display[:]
        new.discard = self.discard[:]
        new.tribute_gold = self.tribute_gold
        new.tribute_prestige = self.tribute_prestige
        new.dice = self.dice[:]
        new.picked = self.picked[:]
        new.bank = self.bank
        new.tiles = self.tiles[:]
        new.owner = self.owner[:]
        new.claimed = self.claimed[:]
        new.wall_order = self.wall_order[:]
        new.disc = self.disc[:]
        new.prestige = self.prestige[:]
        new.coins = self.coins[:]
        new.tableau = [cards[:] for cards in self.tableau]
        new.activated = [cards[:] for cards in self.activated]
        new.powers = self.powers[:]
        new.windrose = [sectors[:] for sectors in self.windrose]
        new.supply = self.supply[:]
        new.goods = [goods[:] for goods in self.goods]
        new.delivered = [goods[:] for goods in self.delivered]
        new.jokers = self.jokers[:]
        new.punishments = self.punishments[:]
        new.ship = self.ship[:]
        new.claims = self.claims
        new.tributes = self.tributes
        new.wall_advanced = self.wall_advanced
        new.wall_open = self.wall_open
        new.free_steps = self.free_steps
        new.used = self.used
        return new

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Everything, by ids: equal states give equal objects."""
        edition = self.edition
        return {
            "edition": edition,
            "seats": self.seats,
            "simultaneous_dice": self.simultaneous,
            "phase": self.phase,
            "round": self.round,
            "queue": self.queue[:],
            "turn_order": self.turn_order[:],
            "deck": piece(_card_ids, edition, *self.deck),
            "offices": piece(_card_ids, edition, *self.offices),
            "display": piece(_card_ids, edition, *self.display),
            "discard": piece(_card_ids, edition, *self.discard),
            "tribute": {"gold": self.tribute_gold, "prestige": self.tribute_prestige},
            "dice": self.dice_json(),
            "pending_dice": [pair_json(pair) for pair in self.picked],
            "cube_bank": cubes.counts(self.bank),
            "tiles": piece(_tiles, *self.tiles),
            "owners": piece(_owners, *self.owner),
            "wall": self.wall_json(),
            "players": [
                {
                    "prestige": self.prestige[seat],
                    "coins": self.coins[seat],
                    "tableau": piece(_card_ids, edition, *self.tableau[seat]),
                    "activated": piece(_card_ids, edition, *self.activated[seat]),
                    "windrose": piece(_windrose, *self.windrose[seat]),
                    "supply": piece(cubes.counts, self.supply[seat]),
                    "goods": piece(_goods, *self.goods[seat]),
                    "delivered": piece(_goods, *self.delivered[seat]),
                    "jokers": self.jokers[seat],
                    "punishments": self.punishments[seat],
                    "ship": self.tables.spaces[self.ship[seat]].id,
                }
                for seat in range(self.seats)
            ],
            "turn": self.turn_json(self.tables),
        }

    def card_ids(self, cards: Iterable[int]) -> list[str]:
        """The ids of cards."""
        return _card_ids(self.edition, *cards)

    def dice_json(self) -> dict[str, int] | None:
        """The dice as rolled, or None before the roll of the round."""
        return dict(zip(COLOURS, self.dice, strict=True)) if self.dice else None

    def wall_json(self) -> list[list[int]]:
        """The stacks of the wall, each from bottom to top."""
        stacks: list[list[int]] = [[] for _ in range(LAST_SPACE + 1)]
        for seat in reversed(self.wall_order):
            stacks[self.disc[seat]].append(seat)
        return stacks

    def turn_json(self, tables: Tables) -> JsonObject:
        """What the active player has done this turn, as far as it matters."""
        return {
            "claims": self.claims,
            "tributes": self.tributes,
            "wall_advanced": bool(self.wall_advanced),
            "wall_open": bool(self.wall_open),
            "free_steps": self.free_steps,
            "used_cards": [
                id_ for index, id_ in enumerate(tables.card_ids) if self.used >> index & 1
            ]
            if self.used
            else [],
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read ``to_json`` back."""
        new = object.__new__(cls)
        new.edition = data["edition"]
        new.seats = data["seats"]
        new.simultaneous = data["simultaneous_dice"]
        new.phase = data["phase"]
        new.round = data["round"]
        new.queue = data["queue"][:]
        new.turn_order = data["turn_order"][:]
        new._read_table(data, new.tables)
        new._read_players(data["players"], new.tables)
        turn = data["turn"]
        new.claims = turn["claims"]
        new.tributes = turn["tributes"]
        new.wall_advanced = int(turn["wall_advanced"])
        new.wall_open = int(turn["wall_open"])
        new.free_steps = turn["free_steps"]
        new.used = sum(1 << new.tables.card_index[id_] for id_ in turn["used_cards"])
        return new

    def _read_table(self, data: JsonObject, tables: Tables) -> None:
        card = tables.card_index
        self.deck = [card[id_] for id_ in data["deck"]]
        self.offices = tuple([card[id_] for id_ in data["offices"]])
        self.display = [card[id_] for id_ in data["display"]]
        self.discard = [card[id_] for id_ in data["discard"]]
        self.tribute_gold = data["tribute"]["gold"]
        self.tribute_prestige = data["tribute"]["prestige"]
        self.dice = [data["dice"][id_] for id_ in COLOURS] if data["dice"] else []
        self.picked = [tuple([COLOURS.index(c) for c in p or ()]) for p in data["pending_dice"]]
        self.bank = cubes.from_counts(data["cube_bank"])
        self.tiles = [NONE if id_ is None else TILES.index(id_) for id_ in data["tiles"]]
        self.owner = [NONE if owner is None else owner for owner in data["owners"]]
        self.claimed = [
            sum(1 << quarter for quarter, owner in enumerate(self.owner) if owner == seat)
            for seat in range(self.seats)
        ]
        self.wall_order = [seat for stack in reversed(data["wall"]) for seat in reversed(stack)]
        self.disc = [0] * self.seats
        for space, stack in enumerate(data["wall"]):
            for seat in stack:
                self.disc[seat] = space

    def _read_players(self, players: list[JsonObject], tables: Tables) -> None:
        card = tables.card_index
        self.prestige = [player["prestige"] for player in players]
        self.coins = [player["coins"] for player in players]
        self.tableau = [[card[id_] for id_ in player["tableau"]] for player in players]
        self.activated = [[card[id_] for id_ in player["activated"]] for player in players]
        self.powers = [powers_of(activated, tables.cards) for activated in self.activated]
        self.windrose = [[cubes.from_counts(s) for s in player["windrose"]] for player in players]
        self.supply = [cubes.from_counts(player["supply"]) for player in players]
        self.goods = [[player["goods"][good] for good in GOODS] for player in players]
        self.delivered = [[player["delivered"][good] for good in GOODS] for player in players]
        self.jokers = [player["jokers"] for player in players]
        self.punishments = [player["punishments"] for player in players]
        self.ship = [tables.space_index[player["ship"]] for player in players]


def _card_ids(edition: str, *cards: int) -> list[str]:
    return [*map(TABLES[edition].card_ids.__getitem__, cards)]


def _tiles(*tiles: int) -> list[str | None]:
    return [*map(tile_json, tiles)]


def _owners(*owner: int) -> list[int | None]:
    return [None if seat == NONE else seat for seat in owner]


def _windrose(*sectors: int) -> list[dict[str, int]]:
    return [*map(cubes.counts, sectors)]


def _goods(*counts: int) -> dict[str, int]:
    return dict(zip(GOODS, counts, strict=True))


def pair_json(pair: Iterable[int]) -> list[str] | None:
    """Two colours, or None for nothing chosen."""
    return [COLOURS[colour] for colour in pair] or None


tile_json = (*TILES, None).__getitem__
"""The id of a tile, or None for no tile: that is where ``NONE`` looks."""
