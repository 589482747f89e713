"""Positions for tests: built as JSON and played through the public contract.

The worked examples begin with arbitrary positions, which play need not be able to reach.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.seats import Seat, all_seats, by_seat
from rules.ragusa import RULESET
from rules.ragusa.data import CARDS, SHIP_COSTS, SHIPS
from tests.rules.playing import Json, Playing

P0, P1, P2 = all_seats(3)
CHEAP = tuple(ship for ship, cost in zip(SHIPS, SHIP_COSTS, strict=True) if not any(cost))
"""Ships without pearls or gems, which cost only the price of their slot."""


def start(seats: int = 3, **options: object) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, options))


class Table(Playing):
    """By default, ``P0`` is to place a house and has a house at r01.

    ``houses``, ``towers`` map spaces to owners; ``access`` and ``stock`` map players to their
    resources and goods. Markers are at index 2, and the row has only cheap ships.
    """

    ruleset = RULESET

    def __init__(
        self,
        seats: int = 3,
        *,
        houses: Mapping[str, int | str] | None = None,
        access: Mapping[Seat, Json] | None = None,
        stock: Mapping[Seat, Json] | None = None,
        sides: Mapping[Seat, Json] | None = None,
        first: bool = False,
        kept: Sequence[str] = ("bonus_wood", "bonus_stone", "bonus_fish"),
        **given: Any,
    ) -> None:
        self.log = []
        self.state = start(seats)
        while isinstance(turn := RULESET.turn(self.state), Chance):
            self.draw(*([0] * len(turn.sizes)))
        data = self.json
        data.update(phase="place_house", decider=P0, active=P0, start_player=P0)
        data["houses"] = {**({} if first else {"r01": P0}), **(houses or {})}
        row = list(CHEAP[:5])
        data["ship_row"] = row
        data["ship_deck"] = [ship for ship in SHIPS if ship not in row]
        data["market"] = dict.fromkeys(data["market"], 2)
        for side, (who, card) in by_seat(zip(data["sides"], kept, strict=False)):
            who.update(offered=[], kept=[card])
            who["access"].update((access or {}).get(side, {}))
            who["stock"].update((stock or {}).get(side, {}))
            who.update((sides or {}).get(side, {}))
        used = set(kept[:seats])
        data["bonus_deck"] = {"rest": [c for c in CARDS if c not in used], "bottom": []}
        data.update(given)
        self.state = RULESET.from_json(data)
        self.log.clear()

    def _check(self) -> None:
        self._check_json()

    def side(self, number: int) -> Json:
        side: Json = self["sides"][number]
        return side

    def access(self, side: int, resource: str) -> int:
        amount: int = self.side(side)["access"][resource]
        return amount

    def stock(self, side: int, commodity: str) -> int:
        amount: int = self.side(side)["stock"][commodity]
        return amount

    def vp(self, side: int) -> int:
        return sum(self.side(side)["vp"].values())

    def spaces(self) -> list[str]:
        return [move["space_id"] for move in self.legal("place_house")]

    def place(self, seat: int, space: str) -> "Table":
        return self.play(seat, "place_house", space_id=space)

    def activate(self, seat: int, hex_: str) -> "Table":
        return self.play(seat, "activate_hex", hex_id=hex_)

    def draw_bonus(self, *cards: str) -> "Table":
        """Draw these cards for the palace."""
        rest = list(self["bonus_deck"]["rest"])
        picks = []
        for card in cards:
            picks.append(rest.index(card))
            rest.remove(card)
        return self.draw(*picks)

    def effects(self, type_: str) -> Iterator[Json]:
        return (effect.data for effect in self.log if effect.type == type_)
