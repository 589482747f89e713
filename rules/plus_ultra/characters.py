"""The actions of the nine characters."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Choice, Flag, Integer
from rules.kernel.contract.move import Move, param
from rules.plus_ultra import errors, play
from rules.plus_ultra.action import (
    WITH_BULL,
    CharacterAction,
    bull_refusal,
    ducats_refusal,
    house_refusal,
    interned,
    reward_refusal,
)
from rules.plus_ultra.data import (
    ADMIRAL,
    CARDINAL,
    CHURCH_SLOTS,
    COMPLETION_PG,
    CONQUISTADOR,
    CONSTABLE,
    DONATION_PG,
    ESTATE_PRICE,
    HAUL_DUCATS,
    KINDS,
    KING,
    KING_FAVOUR,
    MAGELLAN_COMPLETED_PG,
    MARKET_SLOTS,
    MAX_SEATS,
    MERCHANT,
    NATIVES,
    NEW_GOOD_PG,
    NONE,
    PIRATE,
    RAID_DUCATS,
    ROSETTE_BONUS,
    ROWS,
    SALE_BASE,
    SECRETARY,
    SHIP_TRADE,
    TITLES,
    TRADE_DUCATS,
    TRADE_STEPS,
    VICEROY,
    WAR_SPACES,
)
from rules.plus_ultra.errors import OK
from rules.plus_ultra.state import State

_ROW = Integer(1, ROWS)
_SOURCE = Choice(("market", "surplus"))
_MARKET, _SURPLUS = "market", "surplus"
_SLOTS = tuple(f"slot_{slot}" for slot in range(1, MARKET_SLOTS + 1))
_DESTINATIONS = (_MARKET, *_SLOTS, _SURPLUS)


# Admiral


@interned
@dataclass(frozen=True, slots=True)
class AdmiralShip(CharacterAction):
    """Ship a good to the market, or if that is full to a slot of it or the surplus."""

    type = "admiral_ship"
    says = (*CharacterAction.says, "good_shipped")
    character = ADMIRAL
    row: int = param(_ROW, "where the good lies")
    destination: str = param(Choice(_DESTINATIONS), "where it goes")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if not play.has_good(state, self.row - 1):
            return errors.NO_GOOD_IN_ROW
        full = len(state.market) == MARKET_SLOTS
        return OK if (self.destination == _MARKET) != full else errors.BAD_DESTINATION

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        good = play.take_good(state, self.row - 1)
        is_new = good not in state.market  # R14: before the move
        if self.destination == _MARKET:
            state.market.append(good)
        elif self.destination == _SURPLUS:
            state.surplus.append(good)
        else:
            slot = _SLOTS.index(self.destination)
            state.surplus.append(state.market[slot])
            state.market[slot] = good
        if log:
            log.add("good_shipped", seat=seat, good=KINDS[good], destination=self.destination)
        if is_new and self.destination != _SURPLUS:
            play.gain_pg(state, seat, NEW_GOOD_PG, log)
        play.advance_trade(state, seat, SHIP_TRADE, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"good": KINDS[state.rows[self.row - 1]]}


@interned
@dataclass(frozen=True, slots=True)
class AdmiralTrade(CharacterAction):
    """Advance 2 steps in sea trade and gain a ducat."""

    type = "admiral_trade"
    character = ADMIRAL
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.advance_trade(state, seat, TRADE_STEPS, log)
        play.gain_ducats(state, seat, TRADE_DUCATS, log)


# Cardinal


@interned
@dataclass(frozen=True, slots=True)
class CardinalDonate(CharacterAction):
    """Donate a good to the church; a rosette makes it worth more."""

    type = "cardinal_donate"
    says = (*CharacterAction.says, "good_donated", "rosette_used")
    character = CARDINAL
    source: str = param(_SOURCE, "the market slot below the church slot, or the surplus")
    church_slot: int = param(Integer(1, CHURCH_SLOTS), "the church slot")
    use_rosette: bool = param(Flag(), "whether you use a rosette")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        slot = self.church_slot - 1
        if state.church[slot] != NONE:  # R15
            return errors.CHURCH_SLOT_TAKEN
        if self.source == _MARKET and slot >= len(state.market):
            return errors.MARKET_SLOT_EMPTY
        if self.source == _SURPLUS and not state.surplus:
            return errors.SURPLUS_EMPTY
        if self.use_rosette and not state.rosettes_ready[seat]:
            return errors.NO_READY_ROSETTE
        return OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        slot = self.church_slot - 1
        good = state.market.pop(slot) if self.source == _MARKET else state.surplus.pop()
        state.church[slot] = good
        if log:
            log.add("good_donated", seat=seat, good=KINDS[good], church_slot=self.church_slot)
        play.gain_pg(state, seat, DONATION_PG, log)
        if self.use_rosette:
            state.rosettes_ready[seat] -= 1
            state.rosettes_used[seat] += 1
            if log:
                log.add("rosette_used", seat=seat)
            play.gain_pg(state, seat, ROSETTE_BONUS[good], log)
        if NONE not in state.church:
            _complete_church(state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        good = state.market[self.church_slot - 1] if self.source == _MARKET else state.surplus[-1]
        return {"good": KINDS[good]}


def _complete_church(state: State, seat: int, log: EffectLog | None) -> None:
    """Honour the donor of the last tile, ready all rosettes, and clear the church (R56)."""
    play.gain_pg(state, seat, COMPLETION_PG, log)
    for player in range(state.seats):
        state.rosettes_ready[player] += state.rosettes_used[player]
        state.rosettes_used[player] = 0
    for good in state.church:
        state.box[good] += 1  # R45
    state.church = [NONE] * CHURCH_SLOTS
    if log:
        log.add("church_completed", seat=seat)


@interned
@dataclass(frozen=True, slots=True)
class CardinalBull(CharacterAction):
    """Gain a bull."""

    type = "cardinal_bull"
    says = (*CharacterAction.says, "bull_gained")
    character = CARDINAL
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return OK if state.bull_supply or self.with_bull else errors.BULL_SUPPLY_EMPTY  # R27

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_bull(state, seat, log)


# Merchant


@interned
@dataclass(frozen=True, slots=True)
class MerchantSell(CharacterAction):
    """Sell a good: for 4 ducats, less one for each like it in the market."""

    type = "merchant_sell"
    says = (*CharacterAction.says, "good_sold")
    character = MERCHANT
    source: str = param(_SOURCE, "the market or the surplus")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if self.source == _MARKET:
            return OK if state.market else errors.MARKET_SLOT_EMPTY
        return OK if state.surplus else errors.SURPLUS_EMPTY

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        price = self._price(state)
        pile, place = self._sold(state)
        good = pile.pop(place)
        state.box[good] += 1
        if log:
            log.add("good_sold", seat=seat, good=KINDS[good])
        play.gain_ducats(state, seat, price, log)

    def _sold(self, state: State) -> tuple[list[int], int]:
        """Return from where a good is sold, and its place there."""
        if self.source == _SURPLUS:
            return state.surplus, -1
        return state.market, -1 if state.sells_last else 0  # R16

    def _price(self, state: State) -> int:
        """What the good is sold for: others like it in the market count, itself does not (R17)."""
        pile, place = self._sold(state)
        others = state.market.count(pile[place]) - (self.source == _MARKET)
        return max(0, SALE_BASE - others)

    def details(self, state: State, seat: int) -> JsonObject:
        pile, place = self._sold(state)
        return {"good": KINDS[pile[place]], "ducats": self._price(state)}


@interned
@dataclass(frozen=True, slots=True)
class MerchantTitle(CharacterAction):
    """Buy a title: 1, 2 or 3 PG for 2, 3 or 4 ducats."""

    type = "merchant_title"
    says = (*CharacterAction.says, "ducats_paid", "pg_gained")
    character = MERCHANT
    tier: int = param(Integer(1, len(TITLES)), "how grand the title is")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, TITLES[self.tier - 1][0])

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        price, pg = TITLES[self.tier - 1]
        play.pay(state, seat, price, log)
        play.gain_pg(state, seat, pg, log)

    def details(self, state: State, seat: int) -> JsonObject:
        price, pg = TITLES[self.tier - 1]
        return {"price": price, "pg": pg}


# Constable


@interned
@dataclass(frozen=True, slots=True)
class ConstablePlace(CharacterAction):
    """Send an active tercio to the war."""

    type = "constable_place"
    character = CONSTABLE
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if len(state.war) == state.war_level:
            return errors.WAR_ALREADY_MATCHED
        return OK if state.active[seat] else errors.NO_ACTIVE_TERCIO

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.active[seat] -= 1
        state.war.append(seat)
        if log:
            log.add("tercio_placed", seat=seat, space=len(state.war))


@interned
@dataclass(frozen=True, slots=True)
class ConstableSwap(CharacterAction):
    """Relieve a tercio in a war that takes no more with an active one of yours (R38)."""

    type = "constable_swap"
    says = (*CharacterAction.says, "tercio_relieved", "tercio_placed")
    character = CONSTABLE
    war_space: int = param(Integer(1, WAR_SPACES), "which tercio is relieved")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if len(state.war) < state.war_level:
            return errors.WAR_NOT_MATCHED
        if self.war_space > len(state.war):
            return errors.WAR_SPACE_EMPTY
        return OK if state.active[seat] else errors.NO_ACTIVE_TERCIO

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        relieved = state.war[self.war_space - 1]
        state.tired[relieved] += 1
        state.active[seat] -= 1
        state.war[self.war_space - 1] = seat
        if log:
            log.add("tercio_relieved", seat=relieved, space=self.war_space)
            log.add("tercio_placed", seat=seat, space=self.war_space)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"relieved": state.war[self.war_space - 1]}


@interned
@dataclass(frozen=True, slots=True)
class ConstableRecruit(CharacterAction):
    """Recruit a tercio, active or tired (R39)."""

    type = "constable_recruit"
    says = (*CharacterAction.says, "tercio_gained")
    character = CONSTABLE
    state: str = param(Choice(("active", "tired")), "how it comes into play")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return reward_refusal(state, seat, "tercio")

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_tercio(state, seat, self.state, log)


# Conquistador


@interned
@dataclass(frozen=True, slots=True)
class ConquistadorExplore(CharacterAction):
    """Turn up the first face-down tile of the New World."""

    type = "conquistador_explore"
    character = CONQUISTADOR
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return errors.NOTHING_TO_EXPLORE if play.face_down_row(state) == NONE else OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.row = play.face_down_row(state)
        play.wait_for_nature(state, play.EXPLORATION)


@interned
@dataclass(frozen=True, slots=True)
class ConquistadorHaul(CharacterAction):
    """Haul a good to the surplus and gain 2 ducats."""

    type = "conquistador_haul"
    says = (*CharacterAction.says, "good_hauled")
    character = CONQUISTADOR
    row: int = param(_ROW, "where the good lies")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return OK if play.has_good(state, self.row - 1) else errors.NO_GOOD_IN_ROW

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        good = play.take_good(state, self.row - 1)
        state.surplus.append(good)
        if log:
            log.add("good_hauled", seat=seat, good=KINDS[good])
        play.gain_ducats(state, seat, HAUL_DUCATS, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"good": KINDS[state.rows[self.row - 1]]}


# Pirate


@interned
@dataclass(frozen=True, slots=True)
class PirateRaidTrade(CharacterAction):
    """Set a player back in sea trade and gain 2 ducats (R18)."""

    type = "pirate_raid_trade"
    character = PIRATE
    target: int = param(Integer(0, MAX_SEATS - 1), "whose sea trade; your own will do")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def misfit(self, state: State) -> str:
        return "" if self.target < state.seats else "there is no such player"

    def problem(self, state: State, seat: int) -> str:
        here = self.target < state.seats and state.trade[self.target]
        return OK if here else errors.NO_TRADE_MARKER

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.trade[self.target] -= 1
        if log:
            log.add("trade_raided", seat=self.target, position=state.trade[self.target])
        play.gain_ducats(state, seat, RAID_DUCATS, log)


@interned
@dataclass(frozen=True, slots=True)
class PirateRaidGoods(CharacterAction):
    """Plunder a good beside a settlement; whoever has a house there suffers too."""

    type = "pirate_raid_goods"
    says = (*CharacterAction.says, "good_plundered")
    character = PIRATE
    row: int = param(_ROW, "where the good lies")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if not play.has_good(state, self.row - 1):
            return errors.NO_GOOD_IN_ROW
        return OK if state.sizes[self.row - 1] else errors.NO_SETTLEMENT_IN_ROW

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        good = play.take_good(state, self.row - 1)
        state.box[good] += 1
        if log:
            log.add("good_plundered", seat=seat, good=KINDS[good], row=self.row)
        play.gain_ducats(state, seat, RAID_DUCATS, log)
        play.start_raid(state, self.row - 1, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"good": KINDS[state.rows[self.row - 1]]}


@interned
@dataclass(frozen=True, slots=True)
class PirateIdle(CharacterAction):
    """Gain 2 ducats where there is nothing to raid."""

    type = "pirate_idle"
    character = PIRATE
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        possible = any(state.trade) or play.goods_beside_settlements(state)
        return errors.RAID_POSSIBLE if possible else OK

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_ducats(state, seat, RAID_DUCATS, log)


# King


@interned
@dataclass(frozen=True, slots=True)
class KingFavor(CharacterAction):
    """Gain PG by the wealth of the crown."""

    type = "king_favor"
    says = (*CharacterAction.says, "pg_gained")
    character = KING
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_pg(state, seat, KING_FAVOUR[state.crown], log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"pg": KING_FAVOUR[state.crown]}


@interned
@dataclass(frozen=True, slots=True)
class KingLevy(CharacterAction):
    """Have all others lose a ducat or a PG; the crown gains 2 ducats."""

    type = "king_levy"
    character = KING
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.start_levy(state, seat, log)


# Secretary of State


@interned
@dataclass(frozen=True, slots=True)
class SecretaryPatronage(CharacterAction):
    """With a ducat of the crown's, acquire a rosette, a house or a share in Magellan's voyage."""

    type = "secretary_patronage"
    says = (
        *CharacterAction.says, "ducats_paid", "rosette_gained", "house_gained", "magellan_joined",
    )  # fmt: skip
    character = SECRETARY
    reward: str = param(Choice(("rosette", "house", "magellan")), "what you acquire")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, play.shared_price(state)) or reward_refusal(
            state, seat, self.reward
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay_shared(state, seat, log)
        match self.reward:
            case "rosette":
                play.gain_rosette(state, seat, log)
            case "house":
                play.gain_house(state, seat, log)
            case _:
                _join_magellan(state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": play.shared_price(state)}


def _join_magellan(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a Magellan card; with the last one the voyage is completed, and all score (R21)."""
    state.magellan_supply -= 1
    state.magellan[seat] += 1
    if log:
        log.add("magellan_joined", seat=seat)
    if state.magellan_supply == 0:
        state.magellan_completed = True
        if log:
            log.add("magellan_completed")
        for player in state.peer_order:
            play.gain_pg(state, player, MAGELLAN_COMPLETED_PG * state.magellan[player], log)


@interned
@dataclass(frozen=True, slots=True)
class SecretaryEstate(CharacterAction):
    """Buy an estate for 2 ducats."""

    type = "secretary_estate"
    says = (*CharacterAction.says, "ducats_paid")
    character = SECRETARY
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, ESTATE_PRICE) or (
            OK if state.estate_stack else errors.ESTATE_SUPPLY_EMPTY
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, ESTATE_PRICE, log)
        play.wait_for_nature(state, play.TAKE_ESTATE)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": ESTATE_PRICE}


# Viceroy


@interned
@dataclass(frozen=True, slots=True)
class ViceroySettle(CharacterAction):
    """With a ducat of the crown's, place a house in a settlement."""

    type = "viceroy_settle"
    says = (*CharacterAction.says, "ducats_paid", "house_placed")
    character = VICEROY
    settlement_space: int = param(_ROW, "which settlement")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        return ducats_refusal(state, seat, play.shared_price(state)) or house_refusal(
            state, seat, self.settlement_space - 1
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay_shared(state, seat, log)
        play.place_house(state, seat, self.settlement_space - 1, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": play.shared_price(state)}


@interned
@dataclass(frozen=True, slots=True)
class ViceroyCapture(CharacterAction):
    """Capture natives: for a bull, or with a ducat of the crown's and a tercio (R22)."""

    type = "viceroy_capture"
    says = (*CharacterAction.says, "ducats_paid", "tercios_tired", "natives_captured")
    character = VICEROY
    row: int = param(_ROW, "where the natives are")
    payment: str = param(Choice(("bull", "ducats")), "what you pay with")
    with_bull: bool = param(Flag(), WITH_BULL, default=False)

    def problem(self, state: State, seat: int) -> str:
        if state.rows[self.row - 1] != NATIVES:
            return errors.NO_NATIVES_IN_ROW
        if self.payment == "bull":
            if self.with_bull:  # the only bull of the turn is spent (R26)
                return errors.BULL_ALREADY_USED if state.bulls[seat] > 1 else errors.NO_BULL
            return bull_refusal(state, seat)
        return ducats_refusal(state, seat, play.shared_price(state)) or (
            OK if state.active[seat] else errors.NO_ACTIVE_TERCIO
        )

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.payment == "bull":
            play.use_bull(state, seat, log)
        else:
            play.pay_shared(state, seat, log)
            play.tire(state, seat, log)
        play.capture(state, seat, self.row - 1, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": play.shared_price(state) if self.payment == "ducats" else None}


MOVE_TYPES: tuple[type[Move[State]], ...] = (
    AdmiralShip,
    AdmiralTrade,
    CardinalDonate,
    CardinalBull,
    MerchantSell,
    MerchantTitle,
    ConstablePlace,
    ConstableSwap,
    ConstableRecruit,
    ConquistadorExplore,
    ConquistadorHaul,
    PirateRaidTrade,
    PirateRaidGoods,
    PirateIdle,
    KingFavor,
    KingLevy,
    SecretaryPatronage,
    SecretaryEstate,
    ViceroySettle,
    ViceroyCapture,
)
