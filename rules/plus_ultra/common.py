"""The common actions: eight spaces, each for one player a turn."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Choice, Flag, Integer
from rules.kernel.contract.move import Move, param
from rules.plus_ultra import errors, play
from rules.plus_ultra.action import (
    WITH_BULL,
    CommonAction,
    ducats_refusal,
    house_refusal,
    interned,
    reward_refusal,
)
from rules.plus_ultra.data import (
    COMMON_PRICES,
    LAST_TRADE,
    LOAN_DUCATS,
    LOAN_PG,
    PAINTER_PG,
    ROWS,
)
from rules.plus_ultra.errors import OK
from rules.plus_ultra.state import State

_COURT_STEPS = 2


@interned
@dataclass(frozen=True, slots=True)
class CommonPainter(CommonAction):
    """Pay the court painter 4 ducats: 2 PG."""

    type = "common_painter"
    says = (*CommonAction.says, "pg_gained")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type])

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        play.gain_pg(state, seat, PAINTER_PG, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonLoan(CommonAction):
    """Take a loan: 3 ducats for a PG (R13)."""

    type = "common_loan"
    says = (*CommonAction.says, "pg_lost")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_pg(state, seat, -LOAN_PG, log)
        play.gain_ducats(state, seat, LOAN_DUCATS, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonRecruit(CommonAction):
    """Pay 2 ducats for a tercio, active or tired."""

    type = "common_recruit"
    says = (*CommonAction.says, "tercio_gained")
    state: str = param(Choice(("active", "tired")), "how it comes into play")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type]) or reward_refusal(
            state, seat, "tercio"
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        play.gain_tercio(state, seat, self.state, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonTradeRoute(CommonAction):
    """Pay 2 ducats for a step in sea trade."""

    type = "common_trade_route"
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type]) or (
            OK if state.trade[seat] < LAST_TRADE else errors.SEA_TRADE_FULL  # R51
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        play.advance_trade(state, seat, 1, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonMission(CommonAction):
    """Pay 2 ducats to place a house in a settlement."""

    type = "common_mission"
    says = (*CommonAction.says, "house_placed")
    settlement_space: int = param(Integer(1, ROWS), "which settlement")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type]) or house_refusal(
            state, seat, self.settlement_space - 1
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        play.place_house(state, seat, self.settlement_space - 1, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonCourt(CommonAction):
    """Pay 1 or 2 ducats to pass as many players in the next turn's peer order (R34)."""

    type = "common_court"
    steps: int = param(Integer(1, _COURT_STEPS), "how many players you pass")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, self.steps) or (
            OK if state.pending_order.index(seat) >= self.steps else errors.COURT_TOO_FAR
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, self.steps, log)
        play.move_pending(state, seat, self.steps, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": self.steps}


@interned
@dataclass(frozen=True, slots=True)
class CommonWorkshops(CommonAction):
    """Pay 2 ducats for a rosette or a house."""

    type = "common_workshops"
    says = (*CommonAction.says, "rosette_gained", "house_gained")
    reward: str = param(Choice(("rosette", "house")), "what you acquire")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type]) or reward_refusal(
            state, seat, self.reward
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        if self.reward == "rosette":
            play.gain_rosette(state, seat, log)
        else:
            play.gain_house(state, seat, log)


@interned
@dataclass(frozen=True, slots=True)
class CommonEstate(CommonAction):
    """Buy an estate for 4 ducats."""

    type = "common_estate"
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, COMMON_PRICES[self.type]) or (
            OK if state.estate_stack else errors.ESTATE_SUPPLY_EMPTY
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, COMMON_PRICES[self.type], log)
        play.wait_for_nature(state, play.TAKE_ESTATE)


MOVE_TYPES: tuple[type[Move[State]], ...] = (
    CommonPainter,
    CommonLoan,
    CommonRecruit,
    CommonTradeRoute,
    CommonMission,
    CommonCourt,
    CommonWorkshops,
    CommonEstate,
)
