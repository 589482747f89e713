"""Positions for tests: built as JSON, played through the public contract, checked at each step."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.contract.seats import Seat, all_seats
from rules.santiago_de_cuba import RULESET
from tests.rules.playing import Json, Playing

GOODS = ("sugar", "citrus", "tobacco", "rum", "cigars", "wood")
DICE = GOODS[:5]
CITIZENS = (
    "martinez", "miguel", "el_zorro", "alonso", "maria", "jose", "conchita", "pedro", "pablo",
)  # fmt: skip
BUILDINGS = (
    "church", "customs", "newspaper",
    "black_market", "tobacco_factory", "bank",
    "office", "cafe", "port_office",
    "distillery", "sawmill", "casino",
)  # fmt: skip
LAYOUT_L = {"citizen_order": list(CITIZENS), "building_order": list(BUILDINGS)}
A, B, C, D = all_seats(4)


class Table(Playing):
    """A game in layout L at the start of seat 0's turn, with the changes in ``given``.

    ``players`` maps seats to their possessions: ``{A: {"pesos": 5, "goods": {"rum": 1}}}``; of
    other goods they have 0. The supply has the rest of 8 units of each good.
    """

    ruleset = RULESET

    def __init__(
        self, seats: int = 2, players: Mapping[Seat, Json] | None = None, **given: object
    ) -> None:
        options = {**LAYOUT_L, "start_player": A}
        state = RULESET.initial(seats, RULESET.parse_options(seats, options))
        data = RULESET.to_json(state)
        data.update(
            phase="drive_car",
            decider=A,
            turns_done=seats,
            roll=dict.fromkeys(DICE, 1),
            demand=dict.fromkeys(DICE[1:], 1),
            left_out="sugar",
        )
        for seat, holds in (players or {}).items():
            data["players"][seat].update(holds)
            if "goods" in holds:
                data["players"][seat]["goods"] = {**dict.fromkeys(GOODS, 0), **holds["goods"]}
        for good in GOODS:
            data["supply"][good] = 8 - sum(player["goods"][good] for player in data["players"])
        data.update(given)
        if "demand" in given:
            self._name_left_out(data)
        for owner in data["owner"].values():
            data["players"][owner]["markers_left"] -= 1
        self.state = RULESET.from_json(data)
        self.log = []
        self._check()

    @staticmethod
    def _name_left_out(data: Json) -> None:
        demand = data["demand"]
        data["left_out"] = None
        if demand is not None:
            (data["left_out"],) = set(DICE) - demand.keys()
            data["roll"] = {good: demand.get(good, 0) for good in DICE}

    def goods(self, seat: int) -> Json:
        return {good: n for good, n in self.player(seat)["goods"].items() if n}

    def money(self, seat: int) -> tuple[int, int]:
        """Pesos and VP."""
        return self.player(seat)["pesos"], self.player(seat)["vp"]

    def roll(self, **wanted: int) -> "Table":
        """Roll these values; all other dice show 0."""
        faces = {d["good"]: d["faces"] for d in RULESET.data.tables["dice"]}
        return self.draw(*(faces[good].index(wanted.get(good, 0)) for good in DICE))

    def causes(self, type_: str = "ship_departed") -> Sequence[str]:
        return [data["cause"] for data in self.effects(type_)]


def before(citizen: str) -> int:
    """The stop one step before a citizen of layout L."""
    return CITIZENS.index(citizen)


def at_building(building: str, seats: int = 2, **given: Any) -> Table:
    """Seat 0 may use ``building`` now."""
    players = {**given.pop("players", {})}
    players[A] = {**players.get(A, {}), "pawn": building}
    return Table(
        seats, players=players, phase="use_building", visited_citizen="pedro", car=8, **given
    )


def at_alonso(seats: int = 2, **given: Any) -> Table:
    """Seat 0 visits the lawyer."""
    return Table(seats, phase="alonso", visited_citizen="alonso", car=4, **given)


def in_harbour(seats: int = 2, **given: Any) -> Table:
    """Seat 0 has stopped at the harbour and loads first."""
    return Table(seats, phase="loading_round", car=0, **given)
