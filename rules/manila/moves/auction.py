"""The auction of the office, and the harbour master's acts (R11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Integer, MaybeRefusal, Move, Seat, param
from rules.manila import data, effects, fields, play
from rules.manila.data import Ware
from rules.manila.errors import Error
from rules.manila.state import State, ware_ids


@dataclass(frozen=True, slots=True)
class Bid(Move[State], type="bid"):
    """Bid for the office of harbour master, more than anybody before; only the winner pays."""

    says = ("bid_placed",)
    amount: int = param(Integer(1, 1_000_000, strict=False), "pesos, at most your funds")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # The pool would have a million bids, far more than players have money for.
        funds = play.funds(state, seat)
        if funds <= len(_BIDS):
            return _BIDS[state.high : funds]
        return [cls(amount) for amount in range(state.high + 1, funds + 1)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.amount <= state.high:
            return Error.BID_TOO_LOW.of(minimum=state.high + 1)
        funds = play.funds(state, seat)  # R16
        return Error.BID_EXCEEDS_FUNDS.of(funds=funds) if self.amount > funds else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.high = self.amount
        state.high_bidder = seat
        if log:
            effects.BID_PLACED.tell(log, seat=seat, amount=self.amount)
        play.next_bidder(state, log)


_BIDS = tuple(Bid(amount) for amount in range(1, 500))
"""The bids of which the instances are made only once; higher bids are rare."""


class PassAuction(Move[State], type="pass_auction"):
    """Bid no more in this auction."""

    says = ("auction_passed",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.passed.append(seat)
        if log:
            effects.AUCTION_PASSED.tell(log, seat=seat)
        play.next_bidder(state, log)


# The harbour master

_PRICES = [max(data.MIN_SHARE_PRICE, value) for value in data.MARKET]


def share_price(state: State, ware: Ware) -> int:
    """Return the price of a share: its market value, but at least the minimum."""
    return _PRICES[state.market[ware]]


@dataclass(frozen=True, slots=True)
class BuyShare(Move[State], type="buy_share"):
    """Buy one share from the supply at its market value, for 5 pesos at least."""

    says = ("share_bought",)
    ware: Ware = param(data.WARE, "whose share you buy", refused=Error.UNKNOWN_WARE)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.supply[self.ware]:  # R13
            return Error.NO_SHARE_IN_SUPPLY
        price = share_price(state, self.ware)
        funds = play.funds(state, seat)  # R14: the new share cannot be pledged to pay for itself
        return Error.INSUFFICIENT_FUNDS.of(price=price, funds=funds) if price > funds else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        price = share_price(state, self.ware)
        play.pay(state, seat, price, log)
        state.supply[self.ware] -= 1
        state.bought[seat][self.ware] += 1
        state.free[seat] += 1
        effects.SHARE_BOUGHT.tell(log, seat=seat, ware=self.ware, price=price)
        state.ask(play.LOAD_WARES, seat)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": share_price(state, self.ware)}


class SkipShare(Move[State], type="skip_share"):
    """Buy no share."""

    says = ("share_skipped",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.SHARE_SKIPPED.tell(log, seat=seat)
        state.ask(play.LOAD_WARES, seat)


@dataclass(frozen=True, slots=True)
class LoadWares(Move[State], type="load_wares"):
    """Load three of the four wares on the punts: choose which one stays ashore."""

    says = ("wares_loaded",)
    left_out: Ware = param(data.WARE, "the ware that is not shipped", refused=Error.UNKNOWN_WARE)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.left_out = self.left_out
        wares = play.loaded(state)
        effects.WARES_LOADED.tell(log, seat=seat, wares=wares, left_out=self.left_out)
        state.ask(play.PLACE_PUNTS, seat)


@dataclass(frozen=True, slots=True)
class PlacePunts(Move[State], type="place_punts"):
    """Set the start spaces of the three punts: 0 to 5 each, 9 together."""

    says = ("punts_placed",)
    starts: fields.Numbers = param(
        fields.Starts(), "the start space of each loaded ware", refused=Error.WRONG_WARES
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        return _STARTS[state.left_out]  # with the whole pool, random play is 1.9 times slower

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        loaded = play.loaded(state)
        if [ware for ware, _ in self.starts] != loaded:
            return Error.WRONG_WARES.of(loaded=ware_ids(loaded))
        for ware, space in self.starts:
            if not data.START_MIN <= space <= data.START_MAX:
                return Error.START_OUT_OF_RANGE.of(ware=data.WARES[ware])
        total = sum(space for _, space in self.starts)
        return Error.START_SUM_NOT_NINE.of(total=total) if total != data.START_SUM else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        for ware, space in self.starts:
            state.position[ware] = space
        state.at_sea = play.loaded(state)
        if log:
            effects.PUNTS_PLACED.tell(log, seat=seat, **self._lanes())
        play.next_round(state, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", self._lanes()

    def _lanes(self) -> JsonObject:
        """Return the start space of each lane, for the labels."""
        return {
            name: value
            for lane, (ware, space) in enumerate(self.starts, 1)
            for name, value in ((f"ware_{lane}", data.WARES[ware]), (f"start_{lane}", space))
        }


_STARTS = [
    [move for move in PlacePunts.pool() if left_out not in dict(move.starts)]
    for left_out in data.ALL_WARES
]


@dataclass(frozen=True, slots=True)
class ChooseArrivalOrder(Move[State], type="choose_arrival_order"):
    """Choose the docking order of the punts that arrive together."""

    order: tuple[Ware, ...] = param(
        fields.Order(), "the punts, the first to dock first", refused=Error.NOT_A_PERMUTATION
    )

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> "Sequence[ChooseArrivalOrder]":
        # If the pool were listed, random play would be 1.1 times slower.
        return [cls(order) for order in permutations(state.arrivals)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if sorted(self.order) == state.arrivals:
            return None
        return Error.NOT_A_PERMUTATION.of(arrived=ware_ids(state.arrivals))

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.dock(state, self.order, log)

    def label(self) -> tuple[str, JsonObject]:
        places = zip(("first", "second", "third"), ware_ids(self.order), strict=False)
        return f"move.{self.type}", dict(places)
