"""Placing accomplices."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, ErrorCode, MaybeRefusal, Move, Refusal, Seat, param
from rules.manila import data, effects, play
from rules.manila.data import ALL_WARES, CAPACITY, COSTS, DEAREST_PLACE, INSURANCE, Space
from rules.manila.errors import Error
from rules.manila.state import State


def vacant_spaces(state: State) -> list[Space]:
    """Return the spaces with a vacant place, at any price (R17 to R19)."""
    crews = state.crews
    vacant: list[Space] = [ware for ware in state.at_sea if len(crews[ware]) < CAPACITY[ware]]
    vacant += [space for space, most in _ASHORE if len(crews[space]) < most]
    return vacant


_ASHORE = [(space, CAPACITY[space]) for space in data.ALL_SPACES if space not in ALL_WARES]


def next_price(state: State, space: Space) -> int:
    """Return the price of the next place on a vacant space."""
    return COSTS[space][len(state.crews[space])]


def cheapest_price(state: State, vacant: Sequence[Space]) -> int:
    """Return the lowest price of a vacant space except the insurance (R26); 0 if none is vacant."""
    prices = [next_price(state, space) for space in vacant if space != INSURANCE]
    return min(prices, default=0)


def offered_spaces(state: State, seat: Seat) -> list[Space]:
    """Return the vacant spaces that ``seat`` can afford."""
    vacant = vacant_spaces(state)
    cash = state.cash[seat]
    if state.free[seat] or cash >= DEAREST_PLACE:  # R27
        return vacant
    if not cash:  # a seat without money may only board a punt, as a blind passenger (R23, R24)
        return [space for space in vacant if space in ALL_WARES]
    limit = max(cash, cheapest_price(state, vacant))  # R25: the cheapest place is open to all
    return [space for space in vacant if next_price(state, space) <= limit]


@dataclass(frozen=True, slots=True)
class PlaceAccomplice(Move[State], type="place_accomplice"):
    """Place an accomplice on a vacant space and pay its price."""

    says = ("accomplice_placed",)
    space: Space = param(data.SPACE, "where the accomplice goes", refused=Error.UNKNOWN_SPACE)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # If each move of the pool were checked, random play would be 3.9 times slower, because
        # the check of each space would list all vacant ones.
        if not state.in_hand[seat]:  # R28: there may be more rounds than accomplices
            return ()
        return [_PLACEMENTS[space] for space in offered_spaces(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        space = self.space
        if space == state.left_out:
            return Error.WARE_NOT_LOADED
        if space in ALL_WARES and space not in state.at_sea:  # R18
            return Error.PUNT_NOT_AT_SEA
        if space not in vacant_spaces(state):
            return Error.SPACE_OCCUPIED
        if space not in offered_spaces(state, seat):
            return self._too_dear(state, state.cash[seat])
        return None if state.in_hand[seat] else Error.NO_ACCOMPLICE_LEFT

    def _too_dear(self, state: State, cash: int) -> ErrorCode | Refusal:
        if not cash:
            return Error.BLIND_PASSENGER_PUNTS_ONLY
        cheapest = cheapest_price(state, vacant_spaces(state))
        if cash < cheapest:
            return Error.CHEAPEST_SPACE_ONLY.of(cheapest=cheapest)
        return Error.INSUFFICIENT_FUNDS.of(price=next_price(state, self.space), funds=cash)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        space, price = self.space, next_price(state, self.space)
        paid = min(price, play.funds(state, seat))  # R23, R25
        play.pay(state, seat, paid, log)
        state.crews[space].append(seat)
        state.in_hand[seat] -= 1
        if log:
            effects.ACCOMPLICE_PLACED.tell(log, seat=seat, space=space, price=price, paid=paid)
        if space == INSURANCE:
            play.receive(state, seat, data.PREMIUM)
            effects.PREMIUM_RECEIVED.tell(log, seat=seat, amount=data.PREMIUM)
        play.next_placer(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"paid": min(next_price(state, self.space), play.funds(state, seat))}


_PLACEMENTS = PlaceAccomplice.pool()


class Abstain(Move[State], type="abstain"):
    """Place no more accomplices in this voyage."""

    says = ("abstained",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.abstained.append(seat)  # R21
        effects.ABSTAINED.tell(log, seat=seat)
        play.next_placer(state, log)
