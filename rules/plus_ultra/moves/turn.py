"""The moves that belong to no character and no common space."""

from dataclasses import dataclass
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, EffectLog, Integer, Maybe, Move, param
from rules.plus_ultra import data, effects, fields, play
from rules.plus_ultra.data import Character, Estate
from rules.plus_ultra.errors import Error, Refused
from rules.plus_ultra.moves.base import (
    bull_refusal,
    card_refusal,
    ducats_refusal,
    house_refusal,
    supply_refusal,
    tercio_refusal,
)
from rules.plus_ultra.state import State

# The start of a turn


@dataclass(frozen=True, slots=True)
class ReactivateTercios(Move[State]):
    """Pay a ducat: all your tired tercios become active."""

    type = "reactivate_tercios"
    says = ("ducats_paid", "tercios_reactivated")

    def refusal(self, state: State, seat: int) -> Refused:
        return ducats_refusal(state, seat, data.REACTIVATION_PRICE)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, data.REACTIVATION_PRICE, log)
        if log:
            log.add(effects.TERCIOS_REACTIVATED, seat=seat, count=state.tired[seat])
        state.active[seat] += state.tired[seat]
        state.tired[seat] = 0
        state.place += 1
        play.next_reactivation(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.REACTIVATION_PRICE, "count": state.tired[seat]}


@dataclass(frozen=True, slots=True)
class DeclineReactivation(Move[State]):
    """Leave your tercios tired."""

    type = "decline_reactivation"
    says = ("reactivation_declined",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.REACTIVATION_DECLINED, seat=seat)
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
        if log:
            log.add(effects.CHARACTER_DRAFTED, seat=seat)
        play.pass_pack(state, log)


@dataclass(frozen=True, slots=True)
class BuyBull(Move[State]):
    """Buy a bull for 3 ducats."""

    type = "buy_bull"
    says = ("ducats_paid", "bull_gained")

    def refusal(self, state: State, seat: int) -> Refused:
        return ducats_refusal(state, seat, data.BULL_PRICE) or supply_refusal(state, seat, "bull")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, data.BULL_PRICE, log)
        play.gain_bull(state, seat, log)
        cardinal = play.holder_of(state, data.CARDINAL)
        if cardinal not in (data.NONE, seat):  # R49
            play.gain_ducats(state, cardinal, 1, log, "cardinal")
        state.place += 1
        play.next_buyer(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.BULL_PRICE}


@dataclass(frozen=True, slots=True)
class DeclineBull(Move[State]):
    """Buy no bull."""

    type = "decline_bull"
    says = ("bull_declined",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.BULL_DECLINED, seat=seat)
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
        if log:
            log.add(effects.BID_COMMITTED, seat=seat)
        if data.NONE not in state.bids:
            play.open_bids(state, log)


# Activations


@dataclass(frozen=True, slots=True)
class ForfeitCharacter(Move[State]):
    """Spend a character without any effect (R23)."""

    type = "forfeit_character"
    says = ("character_forfeited",)
    character: Character = param(fields.CHARACTER, "whose card you spend")

    @classmethod
    def legal(cls, state: State, seat: int) -> list[Self]:
        if state.acted != data.NO_CHARACTER:
            return []
        used, pool = state.used[seat], cls.pool()
        return [pool[c] for c in sorted(state.characters[seat]) if c not in used]

    def refusal(self, state: State, seat: int) -> Refused:
        return card_refusal(state, seat, self.character)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.used[seat].append(self.character)
        state.acted = data.FORFEIT
        if log:
            log.add(effects.CHARACTER_FORFEITED, seat=seat, character=self.character)


@dataclass(frozen=True, slots=True)
class UseEstate(Move[State]):
    """Give up an estate that you own for what it gives."""

    type = "use_estate"
    says = ("estate_used",)
    estate: Estate = param(fields.ESTATE, "which estate")
    state: str | None = param(
        Maybe(fields.TERCIO),
        "how a tercio comes into play; null for all other estates",
        default=None,
    )

    @classmethod
    def candidates(cls, state: State, seat: int) -> list[Self]:
        owned = state.estates[seat]
        return [move for move in cls.pool() if move.estate in owned] if owned else []

    @property
    def resource(self) -> tuple[str, int]:
        """What the estate gives, and how much of it; nothing, if it is only worth PG."""
        return data.ESTATE_RESOURCES[self.estate] or ("nothing", 0)

    def label(self) -> tuple[str, JsonObject]:
        _, written = Move.label(self)
        return "move.use_estate" if self.state is None else "move.use_estate_tercio", written

    def refusal(self, state: State, seat: int) -> Refused:
        kind, _ = self.resource
        if (kind == "tercio") != (self.state is not None):
            return Error.INVALID_PARAMETER.of(parameter="state", value=self.state)
        if self.estate not in state.estates[seat]:
            return Error.ESTATE_NOT_OWNED
        match kind:
            case "nothing":
                return Error.ESTATE_WITHOUT_RESOURCE
            case "ducats":
                return None
            case "sea_trade":
                return None if state.trade[seat] < data.LAST_TRADE else Error.SEA_TRADE_FULL
            case piece:
                return supply_refusal(state, seat, piece)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.estates[seat].remove(self.estate)
        state.estates_used.append(self.estate)
        if log:
            log.add(effects.ESTATE_USED, seat=seat, estate=self.estate)
        kind, amount = self.resource
        match kind:
            case "ducats":
                play.gain_ducats(state, seat, amount, log)
            case "sea_trade":
                play.advance_trade(state, seat, amount, log)
            case "tercio":
                play.gain_tercio(state, seat, self.state or "", log)
            case piece:
                play.GAIN[piece](state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        kind, amount = self.resource
        match kind:
            case "ducats":
                return {"ducats": amount}
            case "sea_trade":
                return {"steps": amount}
            case _:
                return {"piece": kind}


@dataclass(frozen=True, slots=True)
class EndActivation(Move[State]):
    """End your activation."""

    type = "end_activation"
    says = ("activation_ended",)

    def refusal(self, state: State, seat: int) -> Refused:
        return None if state.acted != data.NO_CHARACTER else Error.NOT_ACTED_YET

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.ACTIVATION_ENDED, seat=seat)
        play.next_activation(state, log)


# What the explorer meets


@dataclass(frozen=True, slots=True)
class CaptureNatives(Move[State]):
    """Capture the natives that you have found: for a bull, or for a ducat and a tercio (R22)."""

    type = "capture_natives"
    says = ("bull_spent", "ducats_paid", "tercios_tired")
    payment: str = param(Choice(("bull", "ducat")), "what you pay with")

    def refusal(self, state: State, seat: int) -> Refused:
        if self.payment == "bull":
            return bull_refusal(state, seat)
        return ducats_refusal(state, seat, data.CAPTURE_PRICE) or tercio_refusal(state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.payment == "bull":
            play.use_bull(state, seat, log)
        else:
            play.pay(state, seat, data.CAPTURE_PRICE, log)
            play.tire(state, seat, log)
        play.capture(state, seat, state.row, log)
        play.resume(state)


@dataclass(frozen=True, slots=True)
class LeaveNatives(Move[State]):
    """Leave the natives that you have found where they are."""

    type = "leave_natives"
    says = ("natives_left",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.NATIVES_LEFT, seat=seat, row=state.row)
        play.resume(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"row": state.row + 1}


@dataclass(frozen=True, slots=True)
class BuildInNewSettlement(Move[State]):
    """Pay 2 ducats for a house in the settlement that you have found."""

    type = "build_in_new_settlement"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> Refused:
        refused = ducats_refusal(state, seat, data.BUILD_PRICE)
        return refused or house_refusal(state, seat, state.row)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, data.BUILD_PRICE, log)
        play.place_house(state, seat, state.row, log)
        play.resume(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.BUILD_PRICE}


@dataclass(frozen=True, slots=True)
class DeclineSettlement(Move[State]):
    """Build nothing in the settlement that you have found."""

    type = "decline_settlement"
    says = ("settlement_declined",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.SETTLEMENT_DECLINED, seat=seat)
        play.resume(state)


# What the others suffer


@dataclass(frozen=True, slots=True)
class LevyPayDucat(Move[State]):
    """Lose a ducat to the King's levy."""

    type = "levy_pay_ducat"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> Refused:
        return ducats_refusal(state, seat, 1)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.pay(state, seat, 1, log)
        play.next_levied(state, log)


@dataclass(frozen=True, slots=True)
class LevyLosePg(Move[State]):
    """Lose a PG to the King's levy."""

    type = "levy_lose_pg"
    says = ("pg_lost",)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.gain_pg(state, seat, -1, log)
        play.next_levied(state, log)


@dataclass(frozen=True, slots=True)
class RaidTireTercio(Move[State]):
    """Tire a tercio to drive the pirate off."""

    type = "raid_tire_tercio"
    says = ("tercios_tired",)

    def refusal(self, state: State, seat: int) -> Refused:
        return tercio_refusal(state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.tire(state, seat, log)
        play.next_raided(state, log)


@dataclass(frozen=True, slots=True)
class RaidPayDucat(Move[State]):
    """Lose a ducat to the pirate."""

    type = "raid_pay_ducat"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> Refused:
        return ducats_refusal(state, seat, 1)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.pay(state, seat, 1, log)
        play.next_raided(state, log)


START: tuple[type[Move[State]], ...] = (
    ReactivateTercios,
    DeclineReactivation,
    DraftCharacter,
    BuyBull,
    DeclineBull,
    BidTercios,
)
ANSWERS: tuple[type[Move[State]], ...] = (
    CaptureNatives,
    LeaveNatives,
    BuildInNewSettlement,
    DeclineSettlement,
    LevyPayDucat,
    LevyLosePg,
    RaidTireTercio,
    RaidPayDucat,
)
