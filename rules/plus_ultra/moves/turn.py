"""What players do before the activations of a turn."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Integer, Move, param
from rules.plus_ultra import data, effects, fields, play
from rules.plus_ultra.data import Character
from rules.plus_ultra.errors import Error, Refused
from rules.plus_ultra.state import State


class ReactivateTercios(Move[State]):
    """Pay a ducat: all your tired tercios become active."""

    type = "reactivate_tercios"
    says = ("ducats_paid", "tercios_reactivated")

    def refusal(self, state: State, seat: int) -> Refused:
        return state.lacks_ducats(seat, data.REACTIVATION_PRICE)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.pay(seat, data.REACTIVATION_PRICE, log)
        effects.TERCIOS_REACTIVATED.tell(log, seat=seat, count=state.tired[seat])
        state.active[seat] += state.tired[seat]
        state.tired[seat] = 0
        state.place += 1
        play.next_reactivation(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.REACTIVATION_PRICE, "count": state.tired[seat]}


class DeclineReactivation(Move[State]):
    """Leave your tercios tired."""

    type = "decline_reactivation"
    says = ("reactivation_declined",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        effects.REACTIVATION_DECLINED.tell(log, seat=seat)
        state.place += 1
        play.next_reactivation(state)


@dataclass(frozen=True, slots=True)
class DraftCharacter(Move[State]):
    """Take a character out of the pack, unseen by others, and hand the rest on."""

    type = "draft_character"
    says = ("character_drafted",)
    secret = True
    character: Character = param(fields.CHARACTER, "whom you take")

    def refusal(self, state: State, seat: int) -> Refused:
        return None if self.character in state.pack else Error.CHARACTER_NOT_IN_PACK

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.pack.remove(self.character)
        state.characters[seat].append(self.character)
        state.picks += 1
        effects.CHARACTER_DRAFTED.tell(log, seat=seat)
        play.pass_pack(state, log)


class BuyBull(Move[State]):
    """Buy a bull for 3 ducats."""

    type = "buy_bull"
    says = ("ducats_paid", "bull_gained")

    def refusal(self, state: State, seat: int) -> Refused:
        return state.lacks_ducats(seat, data.BULL_PRICE) or state.lacks_piece(seat, "bull")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.pay(seat, data.BULL_PRICE, log)
        state.gain(seat, "bull", log)
        cardinal = play.holder_of(state, data.CARDINAL)
        if cardinal not in (data.NONE, seat):  # R49
            state.gain_ducats(cardinal, 1, log, "cardinal")
        state.place += 1
        play.next_buyer(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.BULL_PRICE}


class DeclineBull(Move[State]):
    """Buy no bull."""

    type = "decline_bull"
    says = ("bull_declined",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        effects.BULL_DECLINED.tell(log, seat=seat)
        state.place += 1
        play.next_buyer(state, log)


@dataclass(frozen=True, slots=True)
class BidTercios(Move[State]):
    """Bid active tercios for the war, unseen until all have bid."""

    type = "bid_tercios"
    says = ("bid_committed",)
    secret = True
    count: int = param(Integer(0, data.TERCIOS), "how many, at most your active ones")

    def refusal(self, state: State, seat: int) -> Refused:
        if state.bids[seat] != data.NONE:
            return Error.BID_ALREADY_COMMITTED
        return None if self.count <= state.active[seat] else Error.BID_TOO_HIGH

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.bids[seat] = self.count
        effects.BID_COMMITTED.tell(log, seat=seat)
        if data.NONE not in state.bids:
            play.open_bids(state, log)
