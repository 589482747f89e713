"""Positions for tests: built as JSON, played through the public contract, checked at each step."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.kernel.contract.chance import shuffle_picks
from rules.kernel.contract.seats import Seat, all_seats
from rules.macao import RULESET
from rules.macao.tables import TABLES, Tables
from tests.rules.playing import Json, Playing

A, B, C, D = all_seats(4)
COLOURS = ("red", "blue", "green", "black", "gray", "violet")
GOODS = ("lacquer", "rice", "tea", "jade", "silk", "paper", "porcelain", "spices")
Cubes = Mapping[str, int]


class Table(Playing):
    """A game in seat 0's turn of round 6, with the changes in ``given``.

    ``players`` maps seats to their possessions, as in ``{A: {"supply": {"red": 2}, "coins": 3}}``,
    without colours and goods that a seat does not have. ``owners`` maps quarters to seats,
    ``tiles`` quarters to goods, ``wall`` spaces to stacks from bottom to top (all discs on space 0,
    seat 0's on top, if it is not given). All other values follow: the bank, the deck, the earlier
    offices. The quarters of the goods that players have belong to the last seat, which also has the
    goods of owned quarters.
    """

    ruleset = RULESET

    def __init__(
        self,
        seats: int = 2,
        players: Mapping[Seat, Json] | None = None,
        *,
        owners: Mapping[str, Seat] | None = None,
        tiles: Mapping[str, str] | None = None,
        wall: Mapping[int, Sequence[Seat]] | None = None,
        options: Mapping[str, object] | None = None,
        **given: Any,
    ) -> None:
        state = RULESET.initial(seats, RULESET.parse_options(seats, options or {}))
        self.edition: Tables = TABLES[state.edition]
        data = RULESET.to_json(state)
        data.update(
            phase="actions",
            round=6,
            queue=list(all_seats(seats)),
            turn_order=list(all_seats(seats)),
            tribute={"gold": 3, "prestige": 6},
            dice=dict.fromkeys(COLOURS, 3),
            wall=[[]] * 16,
        )
        data.update(given)
        if data["phase"] in ("draft", "draft_overflow", "reveal_cards"):
            data["dice"] = None
        for space, stack in (wall or {0: all_seats(seats)[::-1]}).items():
            data["wall"][space] = list(stack)
        for seat, holds in (players or {}).items():
            self._hold(data["players"][seat], holds)
        self._place_cards(data)
        self._place_tiles(data, dict(owners or {}), dict(tiles or {}))
        self._count_bank(data)
        self.state = RULESET.from_json(data)
        self.log = []
        self._check()

    @staticmethod
    def _hold(player: Json, holds: Json) -> None:
        for key, value in holds.items():
            if key == "windrose":
                for sector, pile in value.items():
                    player[key][sector - 1].update(pile)
            elif isinstance(value, dict):
                player[key].update(value)
            else:
                player[key] = value

    def _place_cards(self, data: Json) -> None:
        held = [
            id_ for player in data["players"] for id_ in player["tableau"] + player["activated"]
        ]
        held += data["display"]
        offices = list(self.edition.offices)
        before = data["phase"] in ("initial_draft", "initial_cubes", "reveal_cards")
        shown = 2 * (data["round"] - before)
        offices.sort(key=lambda id_: id_ not in held)
        data["offices"] = offices
        data["discard"] = [id_ for id_ in offices[:shown] if id_ not in held]
        data["deck"] = [id_ for id_ in self.edition.others if id_ not in held]

    def _place_tiles(self, data: Json, owners: dict[str, Seat], tiles: dict[str, str]) -> None:
        players, sink = data["players"], all_seats(data["seats"])[-1]
        quarters = self.edition.quarters
        left = dict.fromkeys(GOODS, 3)
        for player in players:
            for good in GOODS:
                left[good] -= player["goods"][good] + player["delivered"][good]
        for good in tiles.values():
            left[good] -= 1
        held = 24 - sum(left.values()) - len(tiles)
        ids = list(reversed(list(quarters)))
        light = [q for q in ids if not quarters[q].dark and q not in tiles]
        dark = [q for q in ids if quarters[q].dark]
        for shade, number in ((light, held), (dark, sum(player["jokers"] for player in players))):
            free = iter([id_ for id_ in shade if id_ not in owners])
            while sum(id_ in owners for id_ in shade) < number:
                owners[next(free)] = sink
        rest = [good for good, number in left.items() for _ in range(number)]
        for id_, quarter in quarters.items():
            if not quarter.dark and id_ not in owners and id_ not in tiles:
                tiles[id_] = rest.pop()
        for good in rest:
            players[sink]["goods"][good] += 1
        owned = [owners.get(id_) for id_ in quarters]
        data["owners"] = owned
        data["tiles"] = [
            None if owner is not None else "joker" if quarters[id_].dark else tiles[id_]
            for id_, owner in zip(quarters, owned, strict=True)
        ]

    @staticmethod
    def _count_bank(data: Json) -> None:
        piles = [pile for p in data["players"] for pile in (p["supply"], *p["windrose"])]
        data["cube_bank"] = {id_: 50 - sum(pile[id_] for pile in piles) for id_ in COLOURS}

    def held(self, seat: Seat, key: str = "supply") -> Json:
        """A pile of cubes or goods, without kinds of which it has none."""
        return {id_: n for id_, n in self.player(seat)[key].items() if n}

    def sectors(self, seat: Seat) -> dict[int, Json]:
        """The windrose: by sector, the pile of cubes, without empty sectors."""
        piles = enumerate(self.player(seat)["windrose"], start=1)
        named = {n: {id_: count for id_, count in pile.items() if count} for n, pile in piles}
        return {n: pile for n, pile in named.items() if pile}

    def money(self, seat: Seat) -> tuple[int, int]:
        """Coins and PP."""
        return self.player(seat)["coins"], self.player(seat)["prestige"]

    def space(self, seat: Seat) -> int:
        """The space of the wall on which a disc stands."""
        (space,) = [space for space, stack in enumerate(self["wall"]) if seat in stack]
        return space

    def order(self) -> list[Seat]:
        """The seats in wall order."""
        return [seat for stack in reversed(self["wall"]) for seat in reversed(stack)]

    def roll(self, **dice: int) -> "Table":
        """Roll these dice; all other dice show 1."""
        return self.draw(*(dice.get(id_, 1) - 1 for id_ in COLOURS))

    def deal(self, *cards: str) -> "Table":
        """Draw these cards from the deck."""
        deck, picks = list(self["deck"]), []
        for card in cards:
            picks.append(deck.index(card))
            deck.remove(card)
        return self.draw(*picks)

    def shuffle(self, items: Sequence[object], wanted: Sequence[object]) -> "Table":
        return self.draw(*shuffle_picks(items, wanted))

    def end_turns(self, *seats: Seat) -> "Table":
        for seat in seats:
            self.play(seat, "end_turn")
        return self

    def parts(self, seat: Seat) -> Json:
        """The parts of a seat's score."""
        return dict(RULESET.result(self.state).standings[seat].breakdown)


def acting(supply: Cubes | None = None, *activated: str, **given: Any) -> Table:
    """Seat 0 acts with these cubes and active cards, and its other possessions ``holds``."""
    holds = {"activated": list(activated), "supply": dict(supply or {}), **given.pop("holds", {})}
    players = {**given.pop("players", {}), A: holds}
    return Table(given.pop("seats", 2), players=players, **given)


def drafting(seats: int, tableau: Iterable[str], display: Iterable[str], **given: Any) -> Table:
    """Seat 0 drafts from a tableau with these cards."""
    players = {**given.pop("players", {}), A: {"tableau": list(tableau), **given.pop("holds", {})}}
    return Table(seats, players=players, phase="draft", display=list(display), **given)


def choosing(seats: int = 2, **given: Any) -> Table:
    """Seat 0 chooses dice."""
    return Table(seats, phase="choose_dice", **given)


def at_the_end(seats: int = 2, **given: Any) -> Table:
    """The position after the last turn of the game."""
    last = all_seats(seats)[-1]
    return Table(seats, round=12, queue=[last], **given).play(last, "end_turn")
