"""The common actions: eight spaces, each for one player a turn."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, EffectLog, Integer, MaybeRefusal, Seat, param
from rules.plus_ultra import data, fields, play
from rules.plus_ultra.errors import Error
from rules.plus_ultra.moves import base
from rules.plus_ultra.state import State


class CommonPainter(base.CommonAction, type="common_painter"):
    """Pay the court painter 4 ducats: 2 PG."""

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_pg(seat, data.PAINTER_PG, log)


class CommonLoan(base.CommonAction, type="common_loan"):
    """Take a loan: 3 ducats for a PG (R13)."""

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_pg(seat, -data.LOAN_PG, log)
        state.gain_ducats(seat, data.LOAN_DUCATS, log)


@dataclass(frozen=True, slots=True)
class CommonRecruit(base.CommonAction, type="common_recruit"):
    """Pay 2 ducats for a tercio, active or tired."""

    state: str = param(fields.TERCIO, "how it comes into play")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_piece(seat, "tercio")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_tercio(seat, self.state, log)


class CommonTradeRoute(base.CommonAction, type="common_trade_route"):
    """Pay 2 ducats for a step in sea trade."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_piece(seat, "sea_trade")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.advance_trade(seat, 1, log)


@dataclass(frozen=True, slots=True)
class CommonMission(base.CommonAction, type="common_mission"):
    """Pay 2 ducats to place a house in a settlement."""

    settlement_space: data.Row = param(fields.ROW, "which settlement")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.house_refusal(seat, self.settlement_space)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.place_house(seat, self.settlement_space, log)


@dataclass(frozen=True, slots=True)
class CommonCourt(base.CommonAction, type="common_court"):
    """Pay 1 or 2 ducats to pass as many players in the next turn's peer order (R34)."""

    steps: int = param(Integer(1, 2), "how many players you pass")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.ducats[seat] < self.steps:
            return Error.INSUFFICIENT_DUCATS
        ahead = state.pending_order.index(seat)
        return None if ahead >= self.steps else Error.COURT_TOO_FAR

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay(seat, self.steps, log)
        state.move_pending(seat, self.steps, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": self.steps}


@dataclass(frozen=True, slots=True)
class CommonWorkshops(base.CommonAction, type="common_workshops"):
    """Pay 2 ducats for a rosette or a house."""

    reward: str = param(Choice(("rosette", "house")), "what you acquire")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_piece(seat, self.reward)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain(seat, self.reward, log)


class CommonEstate(base.CommonAction, type="common_estate"):
    """Buy an estate for 4 ducats."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_piece(seat, "estate")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.wait(play.TAKE_ESTATE)
