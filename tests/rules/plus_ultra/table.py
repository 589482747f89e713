"""Positions to test: built as JSON, played through the public contract, checked at every step."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from rules.kernel.contract.chance import Chance, shuffle_picks
from rules.kernel.contract.effects import Effect, EffectLog
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved
from rules.plus_ultra import RULESET
from rules.plus_ultra.data import CHARACTERS, ESTATES, KINDS, TILES

A, B, C, D = range(4)
GOLD, SPICES, SILVER, GEMS = "gold", "spices", "silver", "gems"
NATIVES, DOWN = "natives", "face_down"
OPTIONS = tuple(option.name for option in RULESET.info.options)
Json = dict[str, Any]


def down_from(first: int) -> dict[int, str]:
    """Rows of which all from ``first`` on are face down, as exploration leaves them."""
    return dict.fromkeys(range(first, 8), DOWN)


def start(seats: int, options: Mapping[str, object] | None = None) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, options or {}))


class Table:
    """A position in which ``active`` is asked, in peer order A, B, …, but for what is given.

    ``players`` maps seats to what they have, ``characters`` to their two; all else that must fit
    (the bank, supplies, the box, other players' characters) follows. ``rows`` are tiles by row
    number, ``settlements`` (size, owners) by space number. With ``empty_pile`` the tiles that
    would be face down are out of the game.
    """

    def __init__(
        self,
        seats: int = 4,
        *,
        players: Mapping[int, Json] | None = None,
        characters: Mapping[int, Sequence[str]] | None = None,
        used: Mapping[int, Sequence[str]] | None = None,
        rows: Mapping[int, str] | None = None,
        settlements: Mapping[int, tuple[int, Sequence[int]]] | None = None,
        phase: str = "activation",
        active: int = A,
        set_aside: str | None = None,
        peer_order: Sequence[int] | None = None,
        empty_pile: bool = False,
        **given: Any,
    ) -> None:
        options = {name: given.pop(name) for name in OPTIONS if name in given}
        self.log: list[Effect] = []
        self.state = start(seats, options)
        if "start_order" not in options:
            self.draw(*shuffle_picks(range(seats), peer_order or range(seats)))
        else:
            self.draw(0)
        data = self.json
        data.update(
            turn=1, round=1, war_level=3, phase=phase, decider=active,
            place=data["peer_order"].index(active),
            rows=[(rows or {}).get(row) for row in range(1, 8)], row=-1, market=[], surplus=[],
        )  # fmt: skip
        data.update(given)
        for space, (size, owners) in (settlements or {}).items():
            data["sizes"][space - 1] = size
            data["houses"][space - 1] = list(owners)
        for seat, has in (players or {}).items():
            estates = has.get("estates", [])
            data["players"][seat].update({k: v for k, v in has.items() if k != "estates"})
            data["estates"][seat] = list(estates)
        if phase == "tercio_bids":
            data.update(decider=-1, round=0, place=0)
            data["bids"] = [-1 if p["active"] else 0 for p in data["players"]]
        self._hand_out(data, characters or {}, used or {}, set_aside)
        _fill_supplies(data, seats)
        if empty_pile:
            data["box"] = [a + b for a, b in zip(data["box"], data["unseen"], strict=True)]
            data.update(unseen=[0] * len(KINDS), pile=0)
        self.state = RULESET.from_json(data)
        self.log.clear()
        self._check()

    def _hand_out(
        self,
        data: Json,
        characters: Mapping[int, Sequence[str]],
        used: Mapping[int, Sequence[str]],
        set_aside: str | None,
    ) -> None:
        """Give everybody two characters, and mark as used what the round asks for."""
        seats = data["seats"]
        named = {c for own in characters.values() for c in own} | {set_aside}
        left = [c for c in CHARACTERS if c not in named]
        data["set_aside"] = set_aside or left.pop()
        hands = [list(characters.get(seat, ())) for seat in range(seats)]
        for hand in hands:
            while len(hand) < 2:
                hand.append(left.pop(0))
        data.update(characters=hands, pack=left, picks=2 * seats)
        for place, seat in enumerate(data["peer_order"]):
            count = max(0, data["round"] - 1 + (place < data["place"]))
            data["used"][seat] = list(used.get(seat, hands[seat][2 - count :]))

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

    def of(self, name: str) -> list[Any]:
        """What every player has of something."""
        return [player[name] for player in self["players"]]

    def settlement(self, space: int) -> tuple[int, list[int]]:
        return self["sizes"][space - 1], self["houses"][space - 1]

    def row(self, number: int) -> str | None:
        tile: str | None = self["rows"][number - 1]
        return tile

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

    def types(self) -> set[str]:
        return {move["type"] for move in self.legal()}

    def play(self, seat: int, type_: str, **params: object) -> "Table":
        """Play one move, which must be in the list of legal moves."""
        move = RULESET.read_move(self.state, seat, _move(type_, params))
        assert move in RULESET.legal_moves(self.state, seat)
        self._reduce(Moved(seat, move))
        return self

    def end(self, seat: int) -> "Table":
        return self.play(seat, "end_activation")

    def draw(self, *picks: int) -> "Table":
        """Answer the draw that is asked for."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Chance)
        self._reduce(Chanced(turn.label, turn.n, picks))
        return self

    def turn_up(self, kind: str) -> "Table":
        """Let the next tile be of this kind."""
        before = KINDS.index(kind)
        assert self["unseen"][before], f"there is no {kind} left"
        return self.draw(sum(self["unseen"][:before]))

    def take_estate(self, estate: str) -> "Table":
        data = self.json
        gone = {*data["estates_used"], *(e for owned in data["estates"] for e in owned)}
        return self.draw([e for e in ESTATES if e not in gone].index(estate))

    def _reduce(self, event: Any) -> None:
        log = EffectLog()
        RULESET.reduce(self.state, event, log)
        assert {effect.type for effect in log.effects} <= set(RULESET.effect_types)
        self.log += log.effects
        self._check()

    def refused(self, seat: int, type_: str, **params: object) -> str:
        """The code with which a move is refused; a refusal changes nothing."""
        before = self.json
        with pytest.raises(IllegalMove) as error:
            RULESET.read_move(self.state, seat, _move(type_, params))
        assert self.json == before
        assert error.value.message
        assert error.value.code in RULESET.error_codes
        return error.value.code

    def effects(self, type_: str) -> Iterator[Json]:
        return (effect.data for effect in self.log if effect.type == type_)


def _move(type_: str, params: Mapping[str, object]) -> Json:
    """The JSON of a move: without a bull, and without a state, unless it says so."""
    known = {move.type: move for move in RULESET.move_types}
    names = known[type_].schema()["properties"] if type_ in known else ()
    defaults = {"with_bull": False, "state": None} if type_ != "use_estate" else {"state": None}
    filled = {name: value for name, value in defaults.items() if name in names}
    return {"type": type_, **filled, **params}


def _fill_supplies(data: Json, seats: int) -> None:
    players = data["players"]
    for seat, player in enumerate(players):
        in_war = data["war"].count(seat)
        player["supply"] = 5 - player["active"] - player["tired"] - in_war
        standing = sum(owners.count(seat) for owners in data["houses"])
        player["house_supply"] = 5 - player["reserve"] - standing
    data["bank"] = 38 - data["crown"] - sum(player["ducats"] for player in players)
    used = sum(player["rosettes_ready"] + player["rosettes_used"] for player in players)
    data["rosette_supply"] = 10 - used
    data["bull_supply"] = {2: 3, 3: 4, 4: 5}[seats] - sum(player["bulls"] for player in players)
    cards = {2: 5, 3: 5, 4: 6}[seats]
    data["magellan_supply"] = cards - sum(player["magellan"] for player in players)
    data["magellan_completed"] = data["magellan_supply"] == 0
    taken = sum(map(len, data["estates"])) + len(data["estates_used"])
    data["estate_stack"] = 6 - taken
    left = list(TILES)
    shown = [*data["market"], *data["surplus"], *(good for good in data["church"] if good)]
    for kind in [*shown, *(tile for tile in data["rows"] if tile not in (None, DOWN))]:
        left[KINDS.index(kind)] -= 1
    left[KINDS.index(NATIVES)] -= sum(player["natives"] for player in players)
    for size in data["sizes"]:
        if size:
            left[KINDS.index(f"settlement_{size}")] -= 1
    left[KINDS.index("settlement_3")] = 0  # the blue ones are not shuffled
    placed = data["sizes"].count(3)
    after = data["phase"] not in ("draft", "buy_bulls", "reactivate_tercios")
    due = sum(data["turn"] > turn or (data["turn"] == turn and after) for turn in (2, 5))
    data["box"] = [0] * len(KINDS)
    data["box"][KINDS.index("settlement_3")] = due - placed
    data["unseen"] = left
    data["pile"] = sum(left) - data["rows"].count(DOWN)
