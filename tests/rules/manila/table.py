"""Positions for tests: built as JSON, played through the public contract, checked at each step."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.seats import Seat, all_seats
from rules.manila import RULESET
from tests.rules.playing import Json, Playing

WARES = ("nutmeg", "silk", "ginseng", "jade")
A, B, C, D, E = all_seats(5)
HANDS = (
    ("nutmeg", "silk"),
    ("silk", "jade"),
    ("nutmeg", "silk"),
    ("ginseng", "jade"),
    ("nutmeg", "ginseng"),
)
"""The hands dealt by default; with four players, 3, 2, 4 and 3 shares remain in the supply."""
PLACE_1, MOVE_1, PLACE_2, MOVE_2, PLACE_3, MOVE_3 = range(6)
"""The rounds of a voyage with four or five players."""


class Table(Playing):
    """A game whose first auction seat 0 opens, with the changes in ``given``.

    ``players`` maps seats to their possessions: ``{A: {"cash": 5, "bought": {"jade": 1}}}``; of
    other wares they have 0. Supply, box and accomplices in hand follow.
    """

    ruleset = RULESET

    def __init__(
        self,
        seats: int = 4,
        players: Mapping[Seat, Json] | None = None,
        hands: Sequence[Sequence[str]] = HANDS,
        **given: object,
    ) -> None:
        options = {name: given.pop(name) for name in OPTIONS if name in given}
        self.state = start(seats, {"first_starter": "seat_0", **options})
        self.log = []
        self.draw(*deal_picks(hands[:seats], 5 if "initial_pool" in options else 3))
        data = self.json
        for seat, has in (players or {}).items():
            bought = {**dict.fromkeys(WARES, 0), **has.get("bought", {})}
            data["players"][seat].update(has, bought=bought)
        for ware in WARES:
            held = [p["bought"][ware] for p in data["players"]] + [h[ware] for h in data["dealt"]]
            data["supply"][ware] = 5 - sum(held)
        data["box"] = 30 * seats - sum(player["cash"] for player in data["players"])
        data.update(given)
        data["market"] = {**dict.fromkeys(WARES, 0), **data["market"]}
        for crew in data["crews"].values():
            for owner in crew:
                data["players"][owner]["in_hand"] -= 1
        self.state = RULESET.from_json(data)
        self.log.clear()
        self._check()

    @property
    def cash(self) -> list[int]:
        return [player["cash"] for player in self["players"]]

    @property
    def market(self) -> list[int]:
        return list(self["market"].values())

    def spaces(self) -> list[str]:
        """The spaces on which the deciding seat may place an accomplice."""
        return [move["space"] for move in self.legal("place_accomplice")]

    def bids(self) -> list[int]:
        return [move["amount"] for move in self.legal("bid")]

    def bid(self, seat: Seat, amount: int) -> "Table":
        return self.play(seat, "bid", amount=amount)

    def passes(self, *seats: Seat) -> "Table":
        for seat in seats:
            self.play(seat, "pass_auction")
        return self

    def sail(self, seat: Seat, **starts: int) -> "Table":
        """Buy nothing, load these wares and set their start spaces."""
        (left_out,) = set(WARES) - starts.keys()
        self.play(seat, "skip_share").play(seat, "load_wares", left_out=left_out)
        return self.play(seat, "place_punts", starts=starts)

    def place(self, seat: Seat, space: str) -> "Table":
        return self.play(seat, "place_accomplice", space=space)

    def abstain(self, *seats: Seat) -> "Table":
        for seat in seats:
            self.play(seat, "abstain")
        return self

    def roll(self, **dice: int) -> "Table":
        """Roll these values, one for each punt at sea."""
        turn = RULESET.turn(self.state)
        assert isinstance(turn, Chance)
        assert turn.label == "roll/dice"
        rolled = [ware for ware, size in zip(WARES, turn.sizes, strict=True) if size > 1]
        assert rolled == [ware for ware in WARES if ware in dice]
        return self.draw(*(dice.get(ware, 1) - 1 for ware in WARES))


OPTIONS = tuple(option.name for option in RULESET.info.options)


def start(seats: int, options: Json) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, options))


def deal_picks(hands: Sequence[Sequence[str]], pool_per_ware: int = 3) -> list[int]:
    """The picks that deal these hands."""
    pool = [ware for ware in WARES for _ in range(pool_per_ware)]
    picks = []
    for hand in hands:
        for ware in hand:
            picks.append(pool.index(ware))
            pool.remove(ware)
    return picks


def at_sea(phase: str, step: int, decider: Seat | None = A, seats: int = 4, **given: Any) -> Table:
    """A voyage of harbour master 0, with ``positions`` of the loaded wares, and ``crews``."""
    positions = given["positions"]
    (left_out,) = set(WARES) - positions.keys()
    known = {"phase": phase, "step": step, "decider": decider, "left_out": left_out}
    return Table(seats, **{**known, "harbour_master": A, **given})


def before_roll(step: int, **given: Any) -> Table:
    """A voyage just before the dice are rolled."""
    return at_sea("movement", step, None, **given)
