"""Positions to test: built as JSON, played through the public contract, checked at every step."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved
from rules.santiago_de_cuba import RULESET

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
A, B, C, D = range(4)
Json = dict[str, Any]


class Table:
    """A game in layout L at the start of seat 0's turn, but for what ``given`` changes.

    ``players`` maps seats to what they hold: ``{A: {"pesos": 5, "goods": {"rum": 1}}}``; goods
    that are not named are 0 then. The supply holds what is left of 8 each.
    """

    def __init__(
        self, seats: int = 2, players: Mapping[int, Json] | None = None, **given: object
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
        self.log: list[Effect] = []
        self._check()

    @staticmethod
    def _name_left_out(data: Json) -> None:
        demand = data["demand"]
        data["left_out"] = None
        if demand is not None:
            (data["left_out"],) = set(DICE) - demand.keys()
            data["roll"] = {good: demand.get(good, 0) for good in DICE}

    def _check(self) -> None:
        assert RULESET.violations(self.state) == []
        data = self.json
        assert RULESET.to_json(RULESET.from_json(data)) == data

    @property
    def json(self) -> Json:
        return RULESET.to_json(self.state)

    def __getitem__(self, key: str) -> Any:
        return self.json[key]

    def player(self, seat: int) -> Json:
        player: Json = self["players"][seat]
        return player

    def goods(self, seat: int) -> Json:
        return {good: n for good, n in self.player(seat)["goods"].items() if n}

    def money(self, seat: int) -> tuple[int, int]:
        """Pesos and VP."""
        return self.player(seat)["pesos"], self.player(seat)["vp"]

    def asked(self) -> tuple[str, int] | None:
        """The question and the seat; None at the end of the game."""
        turn = RULESET.turn(self.state)
        if isinstance(turn, Finished):
            return None
        if isinstance(turn, Chance):
            return turn.label, turn.n
        return turn.name, turn.seats[0]

    def legal(self, type_: str | None = None) -> list[Json]:
        """The legal moves of whoever is asked; of one type only, without the type."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Decision)
        moves = [move.to_json() for move in RULESET.legal_moves(self.state, turn.seats[0])]
        if type_ is None:
            return moves
        return [{k: v for k, v in m.items() if k != "type"} for m in moves if m["type"] == type_]

    def play(self, seat: int, type_: str, **params: object) -> "Table":
        """Play one move, which must be in the list of legal moves."""
        data = {"type": type_, **params}
        move = RULESET.read_move(self.state, seat, data)
        assert move in RULESET.legal_moves(self.state, seat)
        self._reduce(Moved(seat, move))
        return self

    def draw(self, *picks: int) -> "Table":
        """Answer the draw that is asked for."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Chance)
        self._reduce(Chanced(turn.label, turn.n, picks))
        return self

    def roll(self, **wanted: int) -> "Table":
        """Roll these values; dice that are not named show 0."""
        faces = {d["good"]: d["faces"] for d in RULESET.data.tables["dice"]}
        return self.draw(*(faces[good].index(wanted.get(good, 0)) for good in DICE))

    def _reduce(self, event: Any) -> None:
        log = EffectLog()
        RULESET.reduce(self.state, event, log)
        assert {effect.type for effect in log.effects} <= set(RULESET.effect_types)
        self.log += log.effects
        self._check()

    def refused(self, seat: int, type_: object, /, **params: object) -> str:
        """The code with which a move is refused; a refusal changes nothing."""
        before = self.json
        with pytest.raises(IllegalMove) as error:
            RULESET.read_move(self.state, seat, {"type": type_, **params})
        assert self.json == before
        assert error.value.message
        return error.value.code

    def effects(self, type_: str) -> Iterator[Json]:
        return (effect.data for effect in self.log if effect.type == type_)

    def causes(self, type_: str = "ship_departed") -> Sequence[str]:
        return [data["cause"] for data in self.effects(type_)]

    def result(self) -> list[tuple[int, int]]:
        """Rank and score of each seat."""
        return [(s.rank, s.score) for s in RULESET.result(self.state).standings]


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
