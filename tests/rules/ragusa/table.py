"""Positions to test: built as JSON and played through the public contract.

The worked examples set positions up directly, so how they came about need not hold in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved
from rules.ragusa import RULESET
from rules.ragusa.data import CARDS, SHIP_COSTS, SHIPS

P0, P1, P2 = range(3)
Json = dict[str, Any]
CHEAP = tuple(ship for ship, cost in zip(SHIPS, SHIP_COSTS, strict=True) if not any(cost))
"""Ships without pearls or gems: nothing is added to the cost of their slot."""


def start(seats: int = 3, **options: object) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, options))


class Table:
    """``P0`` is to place a house and has one at r01, but for what is given.

    ``houses``, ``towers`` map spaces to owners; ``access`` and ``stock`` map players to what they
    have; markers stand at index 2, and the row has cheap ships only.
    """

    def __init__(
        self,
        seats: int = 3,
        *,
        houses: Mapping[str, int | str] | None = None,
        access: Mapping[int, Json] | None = None,
        stock: Mapping[int, Json] | None = None,
        sides: Mapping[int, Json] | None = None,
        first: bool = False,
        kept: Sequence[str] = ("bonus_wood", "bonus_stone", "bonus_fish"),
        **given: Any,
    ) -> None:
        self.log: list[Effect] = []
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
        for side, (who, card) in enumerate(zip(data["sides"], kept, strict=False)):
            who.update(offered=[], kept=[card])
            who["access"].update((access or {}).get(side, {}))
            who["stock"].update((stock or {}).get(side, {}))
            who.update((sides or {}).get(side, {}))
        used = set(kept[:seats])
        data["bonus_deck"] = {"rest": [c for c in CARDS if c not in used], "bottom": []}
        data.update(given)
        self.state = RULESET.from_json(data)
        self.log.clear()

    @property
    def json(self) -> Json:
        return RULESET.to_json(self.state)

    def __getitem__(self, key: str) -> Any:
        return self.json[key]

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

    def asked(self) -> tuple[str, Any] | None:
        """The question and the seats, or the draw; None at the end of the game."""
        turn = RULESET.turn(self.state)
        if isinstance(turn, Finished):
            return None
        if isinstance(turn, Chance):
            return turn.label, turn.n
        return turn.name, list(turn.seats)

    def legal(self, type_: str | None = None) -> list[Json]:
        """The legal moves of the first who is asked; of one type only, without the type."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Decision)
        moves = [move.to_json() for move in RULESET.legal_moves(self.state, turn.seats[0])]
        if type_ is None:
            return moves
        return [{k: v for k, v in m.items() if k != "type"} for m in moves if m["type"] == type_]

    def spaces(self) -> list[str]:
        return [move["space_id"] for move in self.legal("place_house")]

    def play(self, seat: int, type_: str, **params: object) -> "Table":
        """Play one move, which must be in the list of legal moves."""
        move = RULESET.read_move(self.state, seat, {"type": type_, **params})
        assert move in RULESET.legal_moves(self.state, seat)
        self._reduce(Moved(seat, move))
        return self

    def place(self, seat: int, space: str) -> "Table":
        return self.play(seat, "place_house", space_id=space)

    def activate(self, seat: int, hex_: str) -> "Table":
        return self.play(seat, "activate_hex", hex_id=hex_)

    def draw(self, *picks: int) -> "Table":
        """Answer the draw that is asked for."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Chance)
        self._reduce(Chanced(turn.label, turn.n, picks))
        return self

    def draw_bonus(self, *cards: str) -> "Table":
        """Let the palace give these cards."""
        rest = list(self["bonus_deck"]["rest"])
        picks = []
        for card in cards:
            picks.append(rest.index(card))
            rest.remove(card)
        return self.draw(*picks)

    def _reduce(self, event: Any) -> None:
        log = EffectLog()
        RULESET.reduce(self.state, event, log)
        assert {effect.type for effect in log.effects} <= set(RULESET.effect_types)
        self.log += log.effects
        data = self.json
        assert RULESET.to_json(RULESET.from_json(data)) == data

    def refused(self, seat: int, type_: str, **params: object) -> str:
        """The code with which a move is refused; a refusal changes nothing."""
        before = self.json
        with pytest.raises(IllegalMove) as error:
            RULESET.read_move(self.state, seat, {"type": type_, **params})
        assert self.json == before
        assert error.value.message
        assert error.value.code in RULESET.error_codes
        return error.value.code

    def effects(self, type_: str) -> Iterator[Json]:
        return (effect.data for effect in self.log if effect.type == type_)
