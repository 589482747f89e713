"""Loans, which a seat may take or repay at each of its decisions (R5).

Both types override ``legal``, because they are checked at each decision and mostly refused.
"""

from collections.abc import Sequence

from rules.kernel.contract import EffectLog, MaybeRefusal, Move, Seat
from rules.manila import effects, play
from rules.manila.data import REDEMPTION
from rules.manila.errors import Error
from rules.manila.state import BORROWS, REDEEMS, State


class TakeLoan(Move[State], type="take_loan"):
    """Pledge a free share for 12 pesos; the decision stays yours."""

    says = ("loan_taken",)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        return cls.pool() if state.free[seat] and state.finance != REDEEMS else ()

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.free[seat]:
            return Error.NO_FREE_SHARE
        return Error.FINANCE_DIRECTION_LOCKED if state.finance == REDEEMS else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.borrow(state, seat, 1, log, forced=False)
        state.finance = BORROWS


class RedeemShare(Move[State], type="redeem_share"):
    """Redeem a pledged share for 15 pesos; the decision stays yours."""

    says = ("share_redeemed",)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        can = state.pledged[seat] and state.cash[seat] >= REDEMPTION
        return cls.pool() if can and state.finance != BORROWS else ()

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.pledged[seat]:
            return Error.NO_PLEDGED_SHARE
        cash = state.cash[seat]
        if cash < REDEMPTION:
            return Error.INSUFFICIENT_FUNDS.of(price=REDEMPTION, funds=cash)
        return Error.FINANCE_DIRECTION_LOCKED if state.finance == BORROWS else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pledged[seat] -= 1
        state.free[seat] += 1
        play.pay(state, seat, REDEMPTION, log)
        state.finance = REDEEMS
        effects.SHARE_REDEEMED.tell(log, seat=seat, amount=REDEMPTION)
