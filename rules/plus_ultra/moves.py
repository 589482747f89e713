"""The moves that belong to no character and no common space, and the list of all moves."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Choice, Either, Integer, Null
from rules.kernel.contract.move import Move, param
from rules.plus_ultra import characters, common, errors, play
from rules.plus_ultra.action import (
    Action,
    Moves,
    bull_refusal,
    card_refusal,
    ducats_refusal,
    house_refusal,
    interned,
    reward_refusal,
)
from rules.plus_ultra.data import (
    BUILD_PRICE,
    BULL_PRICE,
    CAPTURE_PRICE,
    CARDINAL,
    CHARACTER,
    CHARACTERS,
    ESTATE,
    ESTATE_RESOURCES,
    ESTATES,
    LAST_TRADE,
    NONE,
    REACTIVATION_PRICE,
    TERCIOS,
)
from rules.plus_ultra.errors import OK
from rules.plus_ultra.state import FORFEIT, State

# The start of a turn


@interned
@dataclass(frozen=True, slots=True)
class ReactivateTercios(Action):
    """Pay a ducat: all your tired tercios become active."""

    type = "reactivate_tercios"
    says = ("ducats_paid", "tercios_reactivated")

    def refusal(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, REACTIVATION_PRICE)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, REACTIVATION_PRICE, log)
        if log:
            log.add("tercios_reactivated", seat=seat, count=state.tired[seat])
        state.active[seat] += state.tired[seat]
        state.tired[seat] = 0
        state.place += 1
        play.next_reactivation(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": REACTIVATION_PRICE, "count": state.tired[seat]}


@interned
@dataclass(frozen=True, slots=True)
class DeclineReactivation(Action):
    """Leave your tercios tired."""

    type = "decline_reactivation"
    says = ("reactivation_declined",)

    def refusal(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("reactivation_declined", seat=seat)
        state.place += 1
        play.next_reactivation(state)


@interned
@dataclass(frozen=True, slots=True)
class DraftCharacter(Action):
    """Take a character out of the pack, unseen by others, and hand the rest on."""

    type = "draft_character"
    says = ("character_drafted",)
    secret = True
    character: str = param(Choice(CHARACTERS), "whom you take")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [cls.pool[character] for character in state.pack]

    def refusal(self, state: State, seat: int) -> str:
        in_pack = CHARACTER[self.character] in state.pack
        return OK if in_pack else errors.CHARACTER_NOT_IN_PACK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        character = CHARACTER[self.character]
        state.pack.remove(character)
        state.characters[seat].append(character)
        state.picks += 1
        if log:
            log.add("character_drafted", seat=seat)
        play.pass_pack(state, log)


@interned
@dataclass(frozen=True, slots=True)
class BuyBull(Action):
    """Buy a bull for 3 ducats."""

    type = "buy_bull"
    says = ("ducats_paid", "bull_gained")

    def refusal(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, BULL_PRICE) or reward_refusal(state, seat, "bull")

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, BULL_PRICE, log)
        play.gain_bull(state, seat, log)
        cardinal = play.holder_of(state, CARDINAL)
        if cardinal not in (NONE, seat):  # R49
            play.gain_ducats(state, cardinal, 1, log, "cardinal")
        state.place += 1
        play.next_buyer(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": BULL_PRICE}


@interned
@dataclass(frozen=True, slots=True)
class DeclineBull(Action):
    """Buy no bull."""

    type = "decline_bull"
    says = ("bull_declined",)

    def refusal(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("bull_declined", seat=seat)
        state.place += 1
        play.next_buyer(state, log)


@interned
@dataclass(frozen=True, slots=True)
class BidTercios(Action):
    """Bid active tercios for the war, unseen until all have bid."""

    type = "bid_tercios"
    says = ("bid_committed",)
    secret = True
    count: int = param(Integer(0, TERCIOS), "how many, at most your active ones")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return cls.pool[: state.active[seat] + 1] if state.bids[seat] == NONE else ()

    def refusal(self, state: State, seat: int) -> str:
        if state.bids[seat] != NONE:
            return errors.BID_ALREADY_COMMITTED
        return OK if self.count <= state.active[seat] else errors.BID_TOO_HIGH

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.bids[seat] = self.count
        if log:
            log.add("bid_committed", seat=seat)
        if NONE not in state.bids:
            play.open_bids(state, log)


# Activations


@interned
@dataclass(frozen=True, slots=True)
class ForfeitCharacter(Action):
    """Spend a character without any effect (R23)."""

    type = "forfeit_character"
    says = ("character_forfeited",)
    character: str = param(Choice(CHARACTERS), "whose card you spend")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if state.acted != NONE:
            return ()
        used = state.used[seat]
        return [cls.pool[c] for c in sorted(state.characters[seat]) if c not in used]

    def refusal(self, state: State, seat: int) -> str:
        return card_refusal(state, seat, CHARACTER[self.character])

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.used[seat].append(CHARACTER[self.character])
        state.acted = FORFEIT
        if log:
            log.add("character_forfeited", seat=seat, character=self.character)


@dataclass(frozen=True, slots=True)
class UseEstate(Action):
    """Give up an estate that you own for what it gives."""

    type = "use_estate"
    says = ("estate_used",)
    estate: str = param(Choice(ESTATES), "which estate")
    state: str | None = param(
        Either((Null(), Choice(("active", "tired")))),
        "how a tercio comes into play; null for all other estates",
        default=None,
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        owned = state.estates[seat]
        if not owned:
            return ()
        return [m for e in owned for m in _USES[e] if not m.refusal(state, seat)]

    def label(self) -> tuple[str, JsonObject]:
        key = "move.use_estate" if self.state is None else "move.use_estate_tercio"
        return key, {"estate": self.estate, "state": self.state}

    def misfit(self, state: State) -> str:
        resource = ESTATE_RESOURCES[ESTATE[self.estate]]
        takes_state = resource is not None and resource[0] == "tercio"
        if takes_state == (self.state is not None):
            return ""
        return "say active or tired" if takes_state else "its state is null"

    def refusal(self, state: State, seat: int) -> str:
        estate = ESTATE[self.estate]
        if estate not in state.estates[seat]:
            return errors.ESTATE_NOT_OWNED
        resource = ESTATE_RESOURCES[estate]
        if resource is None:
            return errors.ESTATE_WITHOUT_RESOURCE
        match resource[0]:
            case "ducats":
                return OK
            case "sea_trade":
                return OK if state.trade[seat] < LAST_TRADE else errors.SEA_TRADE_FULL
            case piece:
                return reward_refusal(state, seat, piece)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        estate = ESTATE[self.estate]
        state.estates[seat].remove(estate)
        state.estates_used.append(estate)
        if log:
            log.add("estate_used", seat=seat, estate=self.estate)
        resource = ESTATE_RESOURCES[estate]
        assert resource is not None  # noqa: S101 - legal
        kind, amount = resource
        match kind:
            case "ducats":
                play.gain_ducats(state, seat, amount, log)
            case "sea_trade":
                play.advance_trade(state, seat, amount, log)
            case "house":
                play.gain_house(state, seat, log)
            case "rosette":
                play.gain_rosette(state, seat, log)
            case "tercio":
                play.gain_tercio(state, seat, self.state or "", log)
            case _:
                play.gain_bull(state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        resource = ESTATE_RESOURCES[ESTATE[self.estate]]
        assert resource is not None  # noqa: S101 - legal
        kind, amount = resource
        match kind:
            case "ducats":
                return {"ducats": amount}
            case "sea_trade":
                return {"steps": amount}
            case _:
                return {"piece": kind}


_USES: list[tuple[UseEstate, ...]] = [
    (UseEstate(id_, "active"), UseEstate(id_, "tired"))
    if resource is not None and resource[0] == "tercio"
    else (UseEstate(id_, None),)
    for id_, resource in zip(ESTATES, ESTATE_RESOURCES, strict=True)
]


@interned
@dataclass(frozen=True, slots=True)
class EndActivation(Action):
    """End your activation."""

    type = "end_activation"
    says = ("activation_ended",)

    def refusal(self, state: State, seat: int) -> str:
        return OK if state.acted != NONE else errors.NOT_ACTED_YET

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("activation_ended", seat=seat)
        play.next_activation(state, log)


# What the explorer meets


@interned
@dataclass(frozen=True, slots=True)
class CaptureNatives(Action):
    """Capture the natives that you have found: for a bull, or for a ducat and a tercio (R22)."""

    type = "capture_natives"
    says = ("bull_spent", "ducats_paid", "tercios_tired")
    payment: str = param(Choice(("bull", "ducat")), "what you pay with")

    def refusal(self, state: State, seat: int) -> str:
        if self.payment == "bull":
            return bull_refusal(state, seat)
        return ducats_refusal(state, seat, CAPTURE_PRICE) or (
            OK if state.active[seat] else errors.NO_ACTIVE_TERCIO
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.payment == "bull":
            play.use_bull(state, seat, log)
        else:
            play.pay(state, seat, CAPTURE_PRICE, log)
            play.tire(state, seat, log)
        play.capture(state, seat, state.row, log)
        play.resume(state)


@interned
@dataclass(frozen=True, slots=True)
class LeaveNatives(Action):
    """Leave the natives that you have found where they are."""

    type = "leave_natives"
    says = ("natives_left",)

    def refusal(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("natives_left", seat=seat, row=state.row + 1)
        play.resume(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"row": state.row + 1}


@interned
@dataclass(frozen=True, slots=True)
class BuildInNewSettlement(Action):
    """Pay 2 ducats for a house in the settlement that you have found."""

    type = "build_in_new_settlement"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, BUILD_PRICE) or house_refusal(state, seat, state.row)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, BUILD_PRICE, log)
        play.place_house(state, seat, state.row, log)
        play.resume(state)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": BUILD_PRICE}


@interned
@dataclass(frozen=True, slots=True)
class DeclineSettlement(Action):
    """Build nothing in the settlement that you have found."""

    type = "decline_settlement"
    says = ("settlement_declined",)

    def refusal(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("settlement_declined", seat=seat)
        play.resume(state)


# What the others suffer


@interned
@dataclass(frozen=True, slots=True)
class LevyPayDucat(Action):
    """Lose a ducat to the King's levy."""

    type = "levy_pay_ducat"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, 1)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.pay(state, seat, 1, log)
        play.next_levied(state, log)


@interned
@dataclass(frozen=True, slots=True)
class LevyLosePg(Action):
    """Lose a PG to the King's levy."""

    type = "levy_lose_pg"
    says = ("pg_lost",)

    def refusal(self, state: State, seat: int) -> str:
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.gain_pg(state, seat, -1, log)
        play.next_levied(state, log)


@interned
@dataclass(frozen=True, slots=True)
class RaidTireTercio(Action):
    """Tire a tercio to drive the pirate off."""

    type = "raid_tire_tercio"
    says = ("tercios_tired",)

    def refusal(self, state: State, seat: int) -> str:
        return OK if state.active[seat] else errors.NO_ACTIVE_TERCIO

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.tire(state, seat, log)
        play.next_raided(state, log)


@interned
@dataclass(frozen=True, slots=True)
class RaidPayDucat(Action):
    """Lose a ducat to the pirate."""

    type = "raid_pay_ducat"
    says = ("ducats_paid",)

    def refusal(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, 1)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.queue.pop(0)
        play.pay(state, seat, 1, log)
        play.next_raided(state, log)


MOVE_TYPES: tuple[type[Move[State]], ...] = (
    ReactivateTercios,
    DeclineReactivation,
    DraftCharacter,
    BuyBull,
    DeclineBull,
    BidTercios,
    *characters.MOVE_TYPES,
    ForfeitCharacter,
    *common.MOVE_TYPES,
    CaptureNatives,
    LeaveNatives,
    BuildInNewSettlement,
    DeclineSettlement,
    LevyPayDucat,
    LevyLosePg,
    RaidTireTercio,
    RaidPayDucat,
    UseEstate,
    EndActivation,
)
