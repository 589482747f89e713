"""Positions for tests: built as JSON, played through the public contract, checked at each step."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.contract.chance import shuffle_picks
from rules.kernel.contract.seats import Seat, all_seats
from rules.plus_ultra import RULESET
from rules.plus_ultra.data import CHARACTERS, ESTATES, KINDS, TILES
from tests.rules.playing import Json, Playing

A, B, C, D = all_seats(4)
GOLD, SPICES, SILVER, GEMS = "gold", "spices", "silver", "gems"
NATIVES, DOWN = "natives", "face_down"
OPTIONS = tuple(option.name for option in RULESET.info.options)


def down_from(first: int) -> dict[int, str]:
    """Rows of tiles that are face down from ``first`` on, as after exploration."""
    return dict.fromkeys(range(first, 8), DOWN)


def start(seats: int, options: Mapping[str, object] | None = None) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, options or {}))


class Table(Playing):
    """A position in which ``active`` has a decision; the peer order is A, B, … by default.

    ``players`` maps seats to their possessions, and ``characters`` to their two characters. The
    bank, supplies, the box and the other players' characters follow. ``rows`` are tiles by row
    number, ``settlements`` (size, owners) by space number. With ``empty_pile``, the face-down tiles
    are removed from the game.
    """

    ruleset = RULESET

    def __init__(
        self,
        seats: int = 4,
        *,
        players: Mapping[Seat, Json] | None = None,
        characters: Mapping[Seat, Sequence[str]] | None = None,
        used: Mapping[Seat, Sequence[str]] | None = None,
        rows: Mapping[int, str] | None = None,
        settlements: Mapping[int, tuple[int, Sequence[Seat]]] | None = None,
        phase: str = "activation",
        active: Seat = A,
        set_aside: str | None = None,
        peer_order: Sequence[Seat] | None = None,
        empty_pile: bool = False,
        **given: Any,
    ) -> None:
        options = {name: given.pop(name) for name in OPTIONS if name in given}
        self.log = []
        self.state = start(seats, options)
        if "start_order" not in options:
            self.draw(*shuffle_picks(all_seats(seats), peer_order or all_seats(seats)))
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
        characters: Mapping[Seat, Sequence[str]],
        used: Mapping[Seat, Sequence[str]],
        set_aside: str | None,
    ) -> None:
        """Give every player two characters, and mark those as used that the round requires."""
        seats = data["seats"]
        named = {c for own in characters.values() for c in own} | {set_aside}
        left = [c for c in CHARACTERS if c not in named]
        data["set_aside"] = set_aside or left.pop()
        hands = [list(characters.get(seat, ())) for seat in all_seats(seats)]
        for hand in hands:
            while len(hand) < 2:
                hand.append(left.pop(0))
        data.update(characters=hands, pack=left, picks=2 * seats)
        for place, seat in enumerate(data["peer_order"]):
            count = max(0, data["round"] - 1 + (place < data["place"]))
            data["used"][seat] = list(used.get(seat, hands[seat][2 - count :]))

    def of(self, name: str) -> list[Any]:
        """The amounts of something, by player."""
        return [player[name] for player in self["players"]]

    def settlement(self, space: int) -> tuple[int, list[Seat]]:
        return self["sizes"][space - 1], self["houses"][space - 1]

    def row(self, number: int) -> str | None:
        tile: str | None = self["rows"][number - 1]
        return tile

    def types(self) -> set[str]:
        return {move["type"] for move in self.legal()}

    def end(self, seat: Seat) -> "Table":
        return self.play(seat, "end_activation")

    def turn_up(self, kind: str) -> "Table":
        """Let the next tile be of this kind."""
        before = KINDS.index(kind)
        assert self["unseen"][before], f"there is no {kind} left"
        return self.draw(sum(self["unseen"][:before]))

    def take_estate(self, estate: str) -> "Table":
        data = self.json
        gone = {*data["estates_used"], *(e for owned in data["estates"] for e in owned)}
        return self.draw([e for e in ESTATES if e not in gone].index(estate))

    def _move(self, type_: object, params: Mapping[str, object]) -> Json:
        """The JSON of a move; by default without a bull and without a state."""
        names = next((m.schema()["properties"] for m in RULESET.move_types if m.type == type_), ())
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
