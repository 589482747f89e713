"""``sealed``, for tests only: a small auction that hides something in every way there is.

Each round the leader draws a card unseen by others, and keeps it or lays it under the pile. Then
all bid, sealed; a sole highest bid wins a prize. Its worth is the sunk card, turned in round 2.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.chance import Chance, Random
from rules.kernel.edition import Edition, load_labels
from rules.kernel.effects import NONE, EffectLog, seat_audience
from rules.kernel.errors import IllegalMove
from rules.kernel.fields import Flag, Integer
from rules.kernel.labels import Labels
from rules.kernel.move import Move, param
from rules.kernel.pile import Pile
from rules.kernel.ruleset import Chanced, Decision, Finished, GeneralChecks, Option, Result
from rules.kernel.ruleset import Ruleset, RulesetInfo, Standing, Turn
from rules.kernel.standings import ranks

State = JsonObject  # JSON but for its pile; "seen" has, by card, who saw it (null: spectators too)
EDITION = Edition.load(__name__)
CARDS, TILES, COINS, PRIZES, HOUSE_BIDS, TURN_AFTER = EDITION.tables["numbers"]
OPEN = ("round", "rounds", "leader", "phase", "coins", "prizes", "resigned", "reason")


@dataclass(frozen=True, slots=True)
class Store(Move[State]):
    """Keep the card that you drew, or lay it under the pile."""

    type = "store"
    under: bool = param(Flag(), "Whether it goes under the pile")

    @classmethod
    def legal(cls, state: State, seat: int) -> Sequence[Self]:
        return [cls(False), cls(True)]

    def check(self, state: State, seat: int) -> None:
        if type(self.under) is not bool:
            raise IllegalMove("not_a_place", f"{self.under!r} is neither true nor false")

    def apply(self, state: State, seat: int, log: Any) -> None:
        if self.under:
            state["pile"].put_under(state["hands"][seat].pop())
        state["phase"] = "bid"
        log.add("card_stored", seat=seat, under=self.under)


@dataclass(frozen=True, slots=True)
class Bid(Move[State]):
    """Bid an amount, sealed until all have bid."""

    type = "bid"
    secret = True
    amount: int = param(Integer(0, COINS), "Coins, paid by the winner alone")

    @classmethod
    def legal(cls, state: State, seat: int) -> Sequence[Self]:
        return [cls(amount) for amount in range(state["coins"][seat] + 1)]

    def check(self, state: State, seat: int) -> None:
        if type(self.amount) is not int or not 0 <= self.amount <= state["coins"][seat]:
            raise IllegalMove("not_your_coins", f"you do not have {self.amount!r} coins")

    def apply(self, state: State, seat: int, log: Any) -> None:
        state["bids"][seat] = self.amount
        log.add("bid_sealed", seat=seat)
        if None not in state["bids"]:
            log.add("bids_opened", bids=state["bids"][:])
            for bidder in range(len(state["bids"])):
                log.open_move(bidder, self.type)
            state["phase"] = "house"


def _award(state: State, bids: list[int], log: Any) -> None:
    winner, seats = bids.index(max(bids)), len(state["bids"])
    if sole := bids.count(max(bids)) == 1:
        state["prizes"][winner] += 1
        state["coins"][winner] -= max(bids)
    side = "house" if winner == seats else str(winner)
    log.add("prize_awarded", side=side if sole else None, bid=max(bids))
    if state["round"] == TURN_AFTER:
        state["seen"][state["sunk"][0]] = [*range(seats), None]
        log.open_chance("sunk", 1)
        log.add("sunk_turned", card=state["sunk"][0])
    if PRIZES in state["prizes"] or state["round"] == state["rounds"]:
        state["reason"] = "prizes_won" if PRIZES in state["prizes"] else "rounds_played"
    state.update(bids=[None] * seats, leader=state["round"] % seats, round=state["round"] + 1)
    state["phase"] = "card" if len(state["pile"]) else "bid"


class Sealed(Ruleset[State]):
    """The rules."""

    rounds = Option("rounds", 5, Integer(2, 6), "How many prizes there are")
    info = RulesetInfo(options=(rounds,), plays=("1.0.0",), **EDITION.tables["info"])
    data, labels, move_types = EDITION, Labels(load_labels(__name__)), (Store, Bid)
    effect_types, error_codes, end_reasons, order = map(tuple, EDITION.tables["names"])
    general_checks = GeneralChecks(*error_codes[:5], order)

    def initial(self, seats: int, options: JsonObject) -> State:
        each = {"bids": [None] * seats, "hands": [[] for _ in range(seats)]}
        sides = {"coins": [COINS] * (seats + 1), "prizes": [0] * (seats + 1)}  # the house is last
        return self.from_json({**EDITION.tables["initial"], **options, **each, **sides})

    def turn(self, state: State) -> Turn:
        phase, n, dealt = state["phase"], state["round"], len(state["tiles"])
        if state["reason"]:
            return Finished()
        if phase == "store":
            return Decision(phase, (state["leader"],))
        if phase == "bid":
            return Decision(phase, tuple(s for s, bid in enumerate(state["bids"]) if bid is None))
        if phase == "house":
            return Chance(phase, n, (HOUSE_BIDS,))
        if phase == "tile":
            return Chance(phase, dealt + 1, (len(TILES),), seat_audience(dealt))
        return Chance(phase, n, (state["pile"].size,), NONE)  # even its pick tells what is gone

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return tuple(move for move in self.move_types if move.type == state["phase"])

    def default_move(self, state: State, seat: int) -> Move[State]:
        return self.legal_moves(state, seat)[0]

    def reduce(self, state: State, event: Any, log: EffectLog | None = None) -> None:
        super().reduce(state, event, EffectLog() if log is None else log)

    def chance(self, state: State, event: Chanced, log: Any) -> None:
        pick, leader, tiles = event.picks[0], state["leader"], state["tiles"]
        if event.label == "house":
            _award(state, [*state["bids"], pick], log)
        elif event.label == "tile":
            log.add("tile_dealt", seat_audience(len(tiles)), tile=TILES[pick])
            tiles.append(TILES[pick])
            state["phase"] = "card" if len(tiles) == len(state["hands"]) else "tile"
        elif event.label == "sunk":
            state.update(sunk=[state["pile"].draw(pick)], phase="tile")
        else:
            card = state["pile"].draw(pick)
            state["hands"][leader].append(card)
            state["seen"][card] = sorted({leader, *state["seen"][card]})
            log.add("card_seen", seat_audience(leader), card=card)
            state["phase"] = "store"

    def resign(self, state: State, seat: int, log: Any) -> None:
        state["resigned"].append(seat)
        state["reason"] = "abandoned" if len(state["resigned"]) == len(state["hands"]) else None
        log.add("resigned", seat=seat)

    def copy(self, state: State) -> State:
        return deepcopy(state)

    def to_json(self, state: State) -> JsonObject:
        return deepcopy(state) | {"pile": state["pile"].to_json()}

    def from_json(self, data: JsonObject) -> State:
        return deepcopy(data) | {"pile": Pile.from_json(data["pile"])}

    def view(self, state: State, viewer: int | None) -> JsonObject:
        def cards(group: list[int]) -> list[Any]:
            seen = [state["seen"][card] for card in group]
            return [[c if over or viewer in s else None, s] for c, s in zip(group, seen, strict=True)]

        over, view = state["reason"] is not None, {name: state[name] for name in OPEN}
        for name in ("tiles", "bids"):
            view[name] = [v if over or s == viewer else None for s, v in enumerate(state[name])]
        view |= {"bid_in": [bid is not None for bid in state["bids"]], "sunk": cards(state["sunk"])}
        view |= {"bottom": cards(state["pile"].bottom), "rest": len(state["pile"].rest)}
        return deepcopy(view | {"hands": [cards(hand) for hand in state["hands"]]})

    def information(self, state: State, seat: int) -> JsonObject:
        return self.view(state, seat)  # whoever saw a card sees it wherever it goes

    def determinize(self, information: JsonObject, rng: Random) -> State:
        def guess(card: int | None, who: list[Any]) -> int:
            found = left.pop(rng.randrange(len(left))) if card is None else card
            seen[found] = who
            return found

        state, seen = {name: information[name] for name in OPEN}, EDITION.tables["initial"]["seen"][:]
        groups = [information["sunk"], information["bottom"], *information["hands"]]
        left = sorted(set(CARDS) - {card for group in groups for card, _ in group})
        sunk, bottom, *hands = [[guess(*card) for card in group] for group in groups]
        state |= {"seen": seen, "sunk": sunk, "hands": hands, "pile": Pile(left, bottom)}
        state["tiles"] = [t or TILES[rng.randrange(len(TILES))] for t in information["tiles"]]
        bids = zip(information["bids"], information["bid_in"], information["coins"], strict=False)
        state["bids"] = [rng.randrange(c + 1) if b is None and done else b for b, done, c in bids]
        return deepcopy(state)

    def result(self, state: State) -> Result:
        names = [*(f"seat:{seat}" for seat in range(len(state["hands"]))), "automaton:house"]
        sides = zip(state["prizes"], state["coins"], [*state["hands"], []], strict=True)
        points = [{"prizes": p * state["sunk"][0], "coins": c, "hand": sum(h)} for p, c, h in sides]
        for side, tile in zip(points, state["tiles"], strict=False):
            side["tile"] = tile
        scores = [sum(side.values()) for side in points]
        rows = zip(names, ranks(scores), scores, points, strict=True)
        return Result(state["reason"], tuple(Standing(*row) for row in rows))

    def heuristic(self, state: State, seat: int) -> float:
        return float(3 * state["prizes"][seat] + state["coins"][seat] + sum(state["hands"][seat]))

    def violations(self, state: State) -> list[str]:
        cards = [*state["pile"].rest, *state["pile"].bottom, *state["sunk"]]
        cards = sorted(cards + sum(state["hands"], []))
        return [] if cards == CARDS and min(state["coins"]) >= 0 else [f"{cards}, {state['coins']}"]

    def draw_board(self, view: JsonObject, language: str) -> str:
        seats = zip(view["coins"], view["prizes"], view["hands"], strict=False)
        rows = [dict(seat=n, coins=c, won=w, hand=len(h)) for n, (c, w, h) in enumerate(seats)]
        return "\n".join(self.labels.text("board.seat", language, **row) for row in rows)
