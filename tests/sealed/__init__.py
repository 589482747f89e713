"""``sealed``, for tests only: each round the leader draws a card, unseen by others, and keeps it or
lays it under the pile; all bid, sealed; the sole highest bid wins a prize, worth the sunk card."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from rules.kernel import contract
from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY_SEES, Chance, Flag, Integer, Move, param, seat_audience
from rules.kernel.toolbox import pile, standings

State = Any  # JSON except its pile; "seen" has the viewers of each card (null: all, spectators too)
EDITION = contract.Edition.load(__name__)
CARDS, TILES, COINS, PRIZES, HOUSE_BIDS, TURN_AFTER, HIDDEN = EDITION.tables["numbers"]
AMOUNT, CARD, SEAT = Integer(0, COINS), Integer(min(CARDS), max(CARDS)), Integer(0, 3)
OPEN = ("round", "rounds", "leader", "phase", "coins", "prizes", "resigned", "reason")

EFFECTS = contract.Effects()
TILE_DEALT = EFFECTS.declare("tile_dealt", NOBODY_SEES, tile=Integer(min(TILES), max(TILES)))
CARD_SEEN = EFFECTS.declare("card_seen", NOBODY_SEES, card=CARD)
CARD_STORED = EFFECTS.declare("card_stored", seat=SEAT, under=Flag())
BIDS_OPENED = EFFECTS.declare("bids_opened", bids=contract.ListOf(AMOUNT))
PRIZE_AWARDED = EFFECTS.declare("prize_awarded", side=contract.Maybe(Integer(0, 4)), bid=AMOUNT)
SUNK_TURNED = EFFECTS.declare("sunk_turned", card=CARD)
RESIGNED = EFFECTS.declare("resigned", seat=SEAT)


class Error(contract.ErrorCode):
    NOT_A_PLACE = "not_a_place", "{under} is not true or false"
    NOT_YOUR_COINS = "not_your_coins", "you do not have {amount} coins"


@dataclass(frozen=True, slots=True)
class Store(Move[State], type="store"):
    """Keep the card that you drew, or lay it under the pile."""

    under: bool = param(Flag(), "Whether it goes under the pile", refused=Error.NOT_A_PLACE)

    def apply(self, state: State, seat: contract.Seat, log: Any) -> None:
        if self.under:
            state["pile"].put_under(state["hands"][seat].pop())
        state["phase"] = "bid"
        CARD_STORED.tell(log, seat=seat, under=self.under)


@dataclass(frozen=True, slots=True)
class Bid(Move[State], type="bid"):
    """Bid an amount, sealed until all have bid."""

    secret = True
    amount: int = param(AMOUNT, "Coins, paid by the winner alone", refused=Error.NOT_YOUR_COINS)

    def refusal(self, state: State, seat: contract.Seat) -> Error | None:
        return Error.NOT_YOUR_COINS if self.amount > state["coins"][seat] else None

    def apply(self, state: State, seat: contract.Seat, log: Any) -> None:
        state["bids"][seat] = self.amount
        if None not in state["bids"]:
            BIDS_OPENED.tell(log, bids=state["bids"])
            if log:
                for bidder in contract.all_seats(len(state["bids"])):
                    log.open_move(bidder, self.type)
            state["phase"] = "house"


def _award(state: State, bids: list[int], log: Any) -> None:
    winner, seats = bids.index(max(bids)), len(state["bids"])
    if sole := bids.count(max(bids)) == 1:
        state["prizes"][winner] += 1
        state["coins"][winner] -= max(bids)
    PRIZE_AWARDED.tell(log, side=winner if sole else None, bid=max(bids))
    if state["round"] == TURN_AFTER:
        state["seen"][state["sunk"][0]] = [*range(seats), None]
        if log:
            log.open_chance("sunk", 1)
        SUNK_TURNED.tell(log, card=state["sunk"][0])
    if PRIZES in state["prizes"] or state["round"] == state["rounds"]:
        state["reason"] = "prizes_won" if PRIZES in state["prizes"] else "rounds_played"
    state.update(bids=[None] * seats, leader=state["round"] % seats, round=state["round"] + 1)
    state["phase"] = "card" if len(state["pile"]) else "bid"


class Sealed(contract.Ruleset[State]):
    rounds = contract.Option("rounds", 5, Integer(2, 6), "How many prizes there are")
    info = contract.RulesetInfo(options=(rounds,), plays=("1.0.0",), **EDITION.tables["info"])
    labels = contract.Labels(contract.load_labels(__name__))
    data, effects, move_types = EDITION, EFFECTS, (Store, Bid)
    error_codes, end_reasons, order = map(tuple, EDITION.tables["names"])
    general_checks = contract.GeneralChecks(*error_codes[:5], order)  # type: ignore[call-arg]  # 5

    def initial(self, seats: int, options: JsonObject) -> State:
        each = {"bids": [None] * seats, "hands": [[] for _ in range(seats)]}
        sides = {"coins": [COINS] * (seats + 1), "prizes": [0] * (seats + 1)}  # the house is last
        return self.from_json({**EDITION.tables["initial"], **options, **each, **sides})

    def turn(self, state: State) -> contract.Turn:
        phase, n, dealt = state["phase"], state["round"], len(state["tiles"])
        if state["reason"]:
            return contract.FINISHED
        if phase in ("store", "bid"):
            asked = [state["leader"]] if phase == "store" else range(len(state["bids"]))
            free = (contract.Seat(seat) for seat in asked if state["bids"][seat] is None)
            return contract.Decision(phase, tuple(free))
        if phase == "house":
            return Chance("house", n, (HOUSE_BIDS,))
        if phase == "card" and dealt < len(state["hands"]):
            return Chance("tile", dealt + 1, (len(TILES),), seat_audience(contract.Seat(dealt)))
        return Chance(phase, n, (state["pile"].size,), NOBODY_SEES)  # picks reveal more

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return tuple(move for move in self.move_types if move.type == state["phase"])

    def default_move(self, state: State, seat: contract.Seat) -> Move[State]:
        return self.legal_moves(state, seat)[0]

    def chance(self, state: State, event: contract.ChanceEvent, log: Any) -> None:
        pick, leader, tiles = event.picks[0], state["leader"], state["tiles"]
        if event.label == "sunk":
            state.update(sunk=[state["pile"].draw(pick)], phase="card")
        elif event.label == "tile":
            TILE_DEALT.tell(log, seat_audience(contract.Seat(len(tiles))), tile=TILES[pick])
            tiles.append(TILES[pick])
        elif event.label == "card":
            card = state["pile"].draw(pick)
            CARD_SEEN.tell(log, seat_audience(leader), card=card)
            state["hands"][leader].append(card)
            state["seen"][card] = sorted({leader, *state["seen"][card]})
            state["phase"] = "store"
        else:
            _award(state, [*state["bids"], pick], log)

    def resign(self, state: State, seat: contract.Seat, log: Any) -> None:
        state["resigned"].append(seat)
        state["reason"] = "abandoned" if len(state["resigned"]) == len(state["hands"]) else None
        RESIGNED.tell(log, seat=seat)

    def copy(self, state: State) -> State:
        return deepcopy(state)

    def to_json(self, state: State, piece: Any = None) -> JsonObject:
        return {**deepcopy(state), "pile": state["pile"].to_json()}

    def from_json(self, data: JsonObject) -> State:
        return deepcopy(data) | {"pile": pile.Pile.from_json(data["pile"])}

    def view(self, state: State, viewer: contract.Seat | None) -> JsonObject:
        over, seen = state["reason"] is not None, state["seen"]
        view = {name: state[name] for name in OPEN} | {"rest": len(state["pile"].rest)}
        for name in ("tiles", "bids"):
            opened = over or (name == "bids" and state["phase"] == "house")
            own = [opened or v is None or s == viewer for s, v in enumerate(state[name])]
            view[name] = [v if o else HIDDEN for v, o in zip(state[name], own, strict=True)]
        groups = [state["sunk"], state["pile"].bottom, *state["hands"]]
        shown = [[c if over or viewer in seen[c] else HIDDEN for c in group] for group in groups]
        return deepcopy(view | {"cards": shown, "seen": [[seen[c] for c in g] for g in groups]})

    def information(self, state: State, seat: contract.Seat) -> JsonObject:
        return self.view(state, seat)  # a seat that saw a card sees it everywhere

    def determinize(self, information: JsonObject, rng: contract.Random) -> State:
        known, seen = deepcopy(information), deepcopy(EDITION.tables["initial"]["seen"])
        left = sorted(set(CARDS) - {card for group in known["cards"] for card in group})
        for group, viewers in zip(known["cards"], known["seen"], strict=True):
            for at, card in enumerate(group):
                group[at] = left.pop(rng.randrange(len(left))) if card == HIDDEN else card
                seen[group[at]] = viewers[at]
        sunk, bottom, *hands = known["cards"]
        state = {name: known[name] for name in OPEN}
        state |= {"seen": seen, "sunk": sunk, "hands": hands, "pile": pile.Pile(left, bottom)}
        tiles, bids = known["tiles"], zip(known["bids"], known["coins"], strict=False)
        state["tiles"] = [TILES[rng.randrange(len(TILES))] if t == HIDDEN else t for t in tiles]
        return state | {"bids": [rng.randrange(c + 1) if b == HIDDEN else b for b, c in bids]}

    def result(self, state: State) -> contract.Result:
        names = [*(f"seat:{seat}" for seat in range(len(state["hands"]))), "automaton:house"]
        hidden = [[tile, *hand] for tile, hand in zip(state["tiles"], state["hands"], strict=True)]
        sides = zip(state["prizes"], state["coins"], [*hidden, []], strict=True)
        points = [{"prizes": p * state["sunk"][0], "coins": c, "hand": sum(h)} for p, c, h in sides]
        scores = [sum(side.values()) for side in points]
        rows = zip(names, standings.ranks(scores), scores, points, strict=True)
        return contract.Result(state["reason"], tuple(contract.Standing(*row) for row in rows))

    def heuristic(self, state: State) -> list[int]:
        sides = zip(state["prizes"], state["coins"], state["hands"], strict=False)
        return [1000 * (3 * prizes + coins + sum(hand)) for prizes, coins, hand in sides]

    def violations(self, state: State) -> list[str]:
        hands = [card for hand in state["hands"] for card in hand]
        cards = sorted([*state["pile"].rest, *state["pile"].bottom, *state["sunk"], *hands])
        return [] if cards == CARDS and min(state["coins"]) >= 0 else [f"{cards}, {state['coins']}"]


RULESET = Sealed()
