"""Moves that belong to no character or common space, in the order of a turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, EffectLog, Integer, Maybe, MaybeRefusal, Move, Seat, param
from rules.plus_ultra import data, effects, fields, play
from rules.plus_ultra.errors import Error
from rules.plus_ultra.state import State


class ReactivateTercios(Move[State], type="reactivate_tercios"):
    """Pay a ducat: all your tired tercios become active."""

    says = ("ducats_paid", "tercios_reactivated")

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, data.REACTIVATION_PRICE)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay(seat, data.REACTIVATION_PRICE, log)
        effects.TERCIOS_REACTIVATED.tell(log, seat=seat, count=state.tired[seat])
        state.active[seat] += state.tired[seat]
        state.tired[seat] = 0
        state.place += 1
        play.next_reactivation(state)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": data.REACTIVATION_PRICE, "count": state.tired[seat]}


class DeclineReactivation(Move[State], type="decline_reactivation"):
    """Leave your tercios tired."""

    says = ("reactivation_declined",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.REACTIVATION_DECLINED.tell(log, seat=seat)
        state.place += 1
        play.next_reactivation(state)


@dataclass(frozen=True, slots=True)
class DraftCharacter(Move[State], type="draft_character"):
    """Take a character out of the pack, unseen by others, and hand the rest on."""

    says = ("character_drafted",)
    secret = True
    reveals = True  # whoever is next sees the rest
    character: data.Character = param(data.CHARACTER, "whom you take")

    @classmethod
    # Candidates come from the pack, because the pool has all nine characters.
    def legal(cls, state: State, seat: Seat) -> list[Self]:
        pool = cls.pool()
        return [pool[character] for character in sorted(state.pack)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if self.character in state.pack else Error.CHARACTER_NOT_IN_PACK

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pack.remove(self.character)
        state.characters[seat].append(self.character)
        state.picks += 1
        if log:
            effects.CHARACTER_DRAFTED.tell(log, seat=seat)
        play.pass_pack(state, log)


class BuyBull(Move[State], type="buy_bull"):
    """Buy a bull for 3 ducats."""

    says = ("ducats_paid", "bull_gained")

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, data.BULL_PRICE) or state.lacks_piece(seat, "bull")

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay(seat, data.BULL_PRICE, log)
        state.gain(seat, "bull", log)
        cardinal = play.holder_of(state, data.CARDINAL)
        if cardinal is not None and cardinal != seat:  # R49
            state.gain_ducats(cardinal, 1, log, "cardinal")
        state.place += 1
        play.next_buyer(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": data.BULL_PRICE}


class DeclineBull(Move[State], type="decline_bull"):
    """Buy no bull."""

    says = ("bull_declined",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.BULL_DECLINED.tell(log, seat=seat)
        state.place += 1
        play.next_buyer(state, log)


@dataclass(frozen=True, slots=True)
class BidTercios(Move[State], type="bid_tercios"):
    """Bid active tercios for the war, unseen until all have bid."""

    says = ("bid_committed",)
    secret = True
    count: int = param(Integer(0, data.TERCIOS), "how many, at most your active ones")

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.bids[seat] != data.NONE:
            return Error.BID_ALREADY_COMMITTED
        return None if self.count <= state.active[seat] else Error.BID_TOO_HIGH

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.bids[seat] = self.count
        effects.BID_COMMITTED.tell(log, seat=seat)
        if data.NONE not in state.bids:
            play.open_bids(state, log)

    def label(self) -> tuple[str, JsonObject]:
        key, words = Move.label(self)
        return (key if self.count else f"{key}.none"), words


@dataclass(frozen=True, slots=True)
class CaptureNatives(Move[State], type="capture_natives"):
    """Capture the natives that you have found: for a bull, or for a ducat and a tercio (R22)."""

    says = ("bull_spent", "ducats_paid", "tercios_tired")
    payment: str = param(Choice(("bull", "ducat")), "what you pay with")

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.payment == "bull":
            return state.lacks_bull(seat)
        return state.lacks_ducats(seat, data.CAPTURE_PRICE) or state.lacks_tercio(seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if self.payment == "bull":
            state.use_bull(seat, log)
        else:
            state.pay(seat, data.CAPTURE_PRICE, log)
            state.tire(seat, log)
        state.capture(seat, state.row, log)
        play.resume(state)


class LeaveNatives(Move[State], type="leave_natives"):
    """Leave the natives that you have found where they are."""

    says = ("natives_left",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.NATIVES_LEFT.tell(log, seat=seat, row=state.row)
        play.resume(state)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"row": state.row + 1}


class BuildInNewSettlement(Move[State], type="build_in_new_settlement"):
    """Pay 2 ducats for a house in the settlement that you have found."""

    says = ("ducats_paid",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.ducats[seat] < data.BUILD_PRICE:
            return Error.INSUFFICIENT_DUCATS
        return None if state.reserve[seat] else Error.NO_HOUSE_IN_RESERVE

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay(seat, data.BUILD_PRICE, log)
        state.place_house(seat, state.row, log)
        play.resume(state)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": data.BUILD_PRICE}


class DeclineSettlement(Move[State], type="decline_settlement"):
    """Build nothing in the settlement that you have found."""

    says = ("settlement_declined",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.SETTLEMENT_DECLINED.tell(log, seat=seat)
        play.resume(state)


class LevyPayDucat(Move[State], type="levy_pay_ducat"):
    """Lose a ducat to the King's levy."""

    says = ("ducats_paid",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, 1)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.queue.pop(0)
        state.pay(seat, 1, log)
        play.next_levied(state, log)


class LevyLosePg(Move[State], type="levy_lose_pg"):
    """Lose a PG to the King's levy."""

    says = ("pg_lost",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.queue.pop(0)
        state.gain_pg(seat, -1, log)
        play.next_levied(state, log)


class RaidTireTercio(Move[State], type="raid_tire_tercio"):
    """Tire a tercio to drive the pirate off."""

    says = ("tercios_tired",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_tercio(seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.queue.pop(0)
        state.tire(seat, log)
        play.next_raided(state, log)


class RaidPayDucat(Move[State], type="raid_pay_ducat"):
    """Lose a ducat to the pirate."""

    says = ("ducats_paid",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, 1)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.queue.pop(0)
        state.pay(seat, 1, log)
        play.next_raided(state, log)


@dataclass(frozen=True, slots=True)
class UseEstate(Move[State], type="use_estate"):
    """Spend one of your estates for its gain."""

    says = ("estate_used",)
    reveals = True  # others do not know which estates a seat has
    estate: data.Estate = param(data.ESTATE, "which estate")
    state: str | None = param(
        Maybe(fields.TERCIO),
        "how a tercio comes into play; null for all other estates",
        default=None,
    )

    @classmethod
    # Candidates are the owned estates; with the pool, random play is 1.7 times slower.
    def legal(cls, state: State, seat: Seat) -> list[Self]:
        owned = state.estates[seat]
        if not owned:
            return []
        moves = [move for move in cls.pool() if move.estate in owned]
        return [move for move in moves if not move.refusal(state, seat)]

    def label(self) -> tuple[str, JsonObject]:
        _, written = Move.label(self)
        return "move.use_estate" if self.state is None else "move.use_estate_tercio", written

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        kind, _ = data.ESTATE_RESOURCES[self.estate]
        if (kind == "tercio") != (self.state is not None):
            return Error.INVALID_PARAMETER.of(parameter="state", value=self.state)
        if self.estate not in state.estates[seat]:
            return Error.ESTATE_NOT_OWNED
        return state.lacks_piece(seat, kind)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.estates[seat].remove(self.estate)
        state.estates_used.append(self.estate)
        effects.ESTATE_USED.tell(log, seat=seat, estate=self.estate)
        kind, amount = data.ESTATE_RESOURCES[self.estate]
        match kind:
            case "ducats":
                state.gain_ducats(seat, amount, log)
            case "sea_trade":
                state.advance_trade(seat, amount, log)
            case "tercio":
                state.gain_tercio(seat, self.state or "", log)
            case piece:
                state.gain(seat, piece, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        kind, amount = data.ESTATE_RESOURCES[self.estate]
        by_amount = {"ducats": "ducats", "sea_trade": "steps"}
        return {by_amount[kind]: amount} if kind in by_amount else {"piece": kind}


class EndActivation(Move[State], type="end_activation"):
    """End your activation."""

    says = ("activation_ended",)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Self]:
        return cls.pool() if state.acted != data.NO_CHARACTER else ()

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.acted != data.NO_CHARACTER else Error.NOT_ACTED_YET

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if log:
            effects.ACTIVATION_ENDED.tell(log, seat=seat)
        play.next_activation(state, log)
