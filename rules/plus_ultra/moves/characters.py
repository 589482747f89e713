"""The actions of the nine characters."""

from dataclasses import dataclass
from typing import Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Choice,
    EffectLog,
    Flag,
    MaybeRefusal,
    Move,
    PlaceNumber,
    Seat,
    param,
)
from rules.plus_ultra import data, effects, fields, play
from rules.plus_ultra.errors import Error
from rules.plus_ultra.moves import base
from rules.plus_ultra.state import State


@dataclass(frozen=True, slots=True)
class AdmiralShip(base.CharacterAction, type="admiral_ship"):
    """Ship a good to the market; if that is full, swap it for a good there, or use the surplus."""

    row: data.Row = param(fields.ROW, "where the good lies")
    destination: str = param(fields.DESTINATION, "where it goes")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.has_good(self.row):
            return Error.NO_GOOD_IN_ROW
        full = len(state.market) == data.MARKET_SLOTS
        return None if (self.destination == "market") != full else Error.BAD_DESTINATION

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        good = state.take_good(self.row)
        is_new = good not in state.market  # R14: the market before the move counts
        if self.destination == "market":
            state.market.append(good)
        elif self.destination == "surplus":
            state.surplus.append(good)
        else:
            slot = data.SLOTS.index(self.destination)
            state.surplus.append(state.market[slot])
            state.market[slot] = good
        effects.GOOD_SHIPPED.tell(log, seat=seat, good=good, destination=self.destination)
        if is_new and self.destination != "surplus":
            state.gain_pg(seat, data.NEW_GOOD_PG, log)
        state.advance_trade(seat, data.SHIP_TRADE, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"good": data.KINDS[state.rows[self.row]]}


class AdmiralTrade(base.CharacterAction, type="admiral_trade"):
    """Advance 2 steps in sea trade and gain a ducat."""

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.advance_trade(seat, data.TRADE_STEPS, log)
        state.gain_ducats(seat, data.TRADE_DUCATS, log)


@dataclass(frozen=True, slots=True)
class CardinalDonate(base.CharacterAction, type="cardinal_donate"):
    """Donate a good to the church; a rosette makes it worth more."""

    source: str = param(fields.SOURCE, "the market slot below the church slot, or the surplus")
    church_slot: data.ChurchSlot = param(fields.CHURCH_SLOT, "the church slot")
    use_rosette: bool = param(Flag(), "whether you use a rosette")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        slot = self.church_slot
        if state.church[slot] != data.EMPTY:  # R15
            return Error.CHURCH_SLOT_TAKEN
        if self.source == "market" and slot >= len(state.market):
            return Error.MARKET_SLOT_EMPTY
        if self.source == "surplus" and not state.surplus:
            return Error.SURPLUS_EMPTY
        if self.use_rosette and not state.rosettes_ready[seat]:
            return Error.NO_READY_ROSETTE
        return None

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        slot = self.church_slot
        good = state.market.pop(slot) if self.source == "market" else state.surplus.pop()
        state.church[slot] = good
        effects.GOOD_DONATED.tell(log, seat=seat, good=good, church_slot=self.church_slot)
        state.gain_pg(seat, data.DONATION_PG, log)
        if self.use_rosette:
            state.rosettes_ready[seat] -= 1
            state.rosettes_used[seat] += 1
            effects.ROSETTE_USED.tell(log, seat=seat)
            state.gain_pg(seat, data.ROSETTE_BONUS[good], log)
        if data.EMPTY not in state.church:
            self._complete_church(state, seat, log)

    def _complete_church(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        """Reward the donor of the last tile, ready all rosettes, and clear the church (R56)."""
        state.gain_pg(seat, data.COMPLETION_PG, log)
        for player in state.peer_order:
            state.rosettes_ready[player] += state.rosettes_used[player]
            state.rosettes_used[player] = 0
        for good in state.church:
            state.box[good] += 1  # R45
        state.church = [data.EMPTY] * data.CHURCH_SLOTS
        effects.CHURCH_COMPLETED.tell(log, seat=seat)

    def details(self, state: State, seat: Seat) -> JsonObject:
        good = state.market[self.church_slot] if self.source == "market" else state.surplus[-1]
        return {"good": data.KINDS[good]}


class CardinalBull(base.CharacterAction, type="cardinal_bull"):
    """Gain a bull."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.bull_supply or self.with_bull else Error.BULL_SUPPLY_EMPTY  # R27

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain(seat, "bull", log)


@dataclass(frozen=True, slots=True)
class MerchantSell(base.CharacterAction, type="merchant_sell"):
    """Sell a good: for 4 ducats, less one for each like it in the market."""

    source: str = param(fields.SOURCE, "the market or the surplus")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.source == "market":
            return None if state.market else Error.MARKET_SLOT_EMPTY
        return None if state.surplus else Error.SURPLUS_EMPTY

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        pile, place, price = self._sale(state)
        good = pile.pop(place)
        state.box[good] += 1
        effects.GOOD_SOLD.tell(log, seat=seat, good=good)
        state.gain_ducats(seat, price, log)

    def _sale(self, state: State) -> tuple[list[data.Kind], int, int]:
        """Return the pile from which a good is sold, its place there, and its price.

        Other tiles of the same good in the market lower the price; the sold tile itself does not
        (R17).
        """
        if self.source == "surplus":
            alike = state.market.count(state.surplus[-1])
            return state.surplus, -1, max(0, data.SALE_BASE - alike)
        place = -1 if state.merchant_market_slot == "last_occupied" else 0  # R16
        alike = state.market.count(state.market[place]) - 1
        return state.market, place, max(0, data.SALE_BASE - alike)

    def details(self, state: State, seat: Seat) -> JsonObject:
        pile, place, price = self._sale(state)
        return {"good": data.KINDS[pile[place]], "ducats": price}


@dataclass(frozen=True, slots=True)
class MerchantTitle(base.CharacterAction, type="merchant_title"):
    """Buy a title: 1, 2 or 3 PG for 2, 3 or 4 ducats."""

    says = (*base.CharacterAction.says, "ducats_paid", "pg_gained")
    tier: int = param(PlaceNumber(len(data.TITLES)), "how grand the title is")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, data.TITLES[self.tier][0])

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        price, pg = data.TITLES[self.tier]
        state.pay(seat, price, log)
        state.gain_pg(seat, pg, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        price, pg = data.TITLES[self.tier]
        return {"price": price, "pg": pg}


class ConstablePlace(base.CharacterAction, type="constable_place"):
    """Send an active tercio to the war."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if len(state.war) == state.war_level:
            return Error.WAR_ALREADY_MATCHED
        return state.lacks_tercio(seat)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.active[seat] -= 1
        state.war.append(seat)
        effects.TERCIO_PLACED.tell(log, seat=seat, space=data.WarSpace(len(state.war) - 1))


@dataclass(frozen=True, slots=True)
class ConstableSwap(base.CharacterAction, type="constable_swap"):
    """In a war that is matched, replace a tercio by an active one of yours (R38)."""

    says = (*base.CharacterAction.says, "tercio_placed")
    war_space: data.WarSpace = param(fields.WAR_SPACE, "which tercio is relieved")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if len(state.war) < state.war_level:
            return Error.WAR_NOT_MATCHED
        if self.war_space >= len(state.war):
            return Error.WAR_SPACE_EMPTY
        return state.lacks_tercio(seat)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        relieved = state.war[self.war_space]
        state.tired[relieved] += 1
        state.active[seat] -= 1
        state.war[self.war_space] = seat
        effects.TERCIO_RELIEVED.tell(log, seat=relieved, space=self.war_space)
        effects.TERCIO_PLACED.tell(log, seat=seat, space=self.war_space)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"relieved": state.war[self.war_space]}


@dataclass(frozen=True, slots=True)
class ConstableRecruit(base.CharacterAction, type="constable_recruit"):
    """Recruit a tercio, active or tired (R39)."""

    state: str = param(fields.TERCIO, "how it comes into play")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_piece(seat, "tercio")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_tercio(seat, self.state, log)


class ConquistadorExplore(base.CharacterAction, type="conquistador_explore"):
    """Turn up the first face-down tile of the New World."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if data.FACE_DOWN in state.rows else Error.NOTHING_TO_EXPLORE

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.row = data.Row(state.rows.index(data.FACE_DOWN))
        state.wait(play.EXPLORATION)


@dataclass(frozen=True, slots=True)
class ConquistadorHaul(base.CharacterAction, type="conquistador_haul"):
    """Haul a good to the surplus and gain 2 ducats."""

    row: data.Row = param(fields.ROW, "where the good lies")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.has_good(self.row) else Error.NO_GOOD_IN_ROW

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        good = state.take_good(self.row)
        state.surplus.append(good)
        effects.GOOD_HAULED.tell(log, seat=seat, good=good)
        state.gain_ducats(seat, data.HAUL_DUCATS, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"good": data.KINDS[state.rows[self.row]]}


@dataclass(frozen=True, slots=True)
class PirateRaidTrade(base.CharacterAction, type="pirate_raid_trade"):
    """Set a player back in sea trade and gain 2 ducats (R18)."""

    target: Seat = param(fields.SEAT, "whose sea trade; your own will do")

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.target >= state.seats:
            return Error.INVALID_PARAMETER.of(parameter="target", value=self.target)
        return base.CharacterAction.refusal(self, state, seat)

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        here = self.target < state.seats and state.trade[self.target]
        return None if here else Error.NO_TRADE_MARKER

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.trade[self.target] -= 1
        effects.TRADE_RAIDED.tell(log, seat=self.target, position=state.trade[self.target])
        state.gain_ducats(seat, data.RAID_DUCATS, log)


@dataclass(frozen=True, slots=True)
class PirateRaidGoods(base.CharacterAction, type="pirate_raid_goods"):
    """Plunder a good beside a settlement; whoever has a house there suffers too."""

    row: data.Row = param(fields.ROW, "where the good lies")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.has_good(self.row):
            return Error.NO_GOOD_IN_ROW
        return None if state.sizes[self.row] else Error.NO_SETTLEMENT_IN_ROW

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        good = state.take_good(self.row)
        state.box[good] += 1
        effects.GOOD_PLUNDERED.tell(log, seat=seat, good=good, row=self.row)
        state.gain_ducats(seat, data.RAID_DUCATS, log)
        owners = state.houses[self.row]  # R19
        state.queue = [seat for seat in state.peer_order if seat in owners]
        state.row = self.row
        play.next_raided(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"good": data.KINDS[state.rows[self.row]]}


class PirateIdle(base.CharacterAction, type="pirate_idle"):
    """Gain 2 ducats where there is nothing to raid."""

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        beside = any(state.has_good(row) for row in data.ALL_ROWS if state.sizes[row])
        return Error.RAID_POSSIBLE if beside or any(state.trade) else None

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_ducats(seat, data.RAID_DUCATS, log)


class KingFavor(base.CharacterAction, type="king_favor"):
    """Gain PG by the wealth of the crown."""

    says = (*base.CharacterAction.says, "pg_gained")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.gain_pg(seat, data.KING_FAVOUR[state.crown], log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"pg": data.KING_FAVOUR[state.crown]}


class KingLevy(base.CharacterAction, type="king_levy"):
    """Have all others lose a ducat or a PG; the crown gains 2 ducats."""

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.queue = [other for other in state.peer_order if other != seat]  # R20
        play.next_levied(state, log)


@dataclass(frozen=True, slots=True)
class SecretaryPatronage(base.CharacterAction, type="secretary_patronage"):
    """For a ducat of the crown, acquire a rosette, a house or a share in Magellan's voyage."""

    says = (*base.CharacterAction.says, "ducats_paid")
    reward: str = param(Choice(("rosette", "house", "magellan")), "what you acquire")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        refused = state.lacks_ducats(seat, state.shared_price())
        return refused or state.lacks_piece(seat, self.reward)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay_shared(seat, log)
        state.gain(seat, self.reward, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": state.shared_price()}


class SecretaryEstate(base.CharacterAction, type="secretary_estate"):
    """Buy an estate for 2 ducats."""

    says = (*base.CharacterAction.says, "ducats_paid")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.lacks_ducats(seat, data.ESTATE_PRICE) or state.lacks_piece(seat, "estate")

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay(seat, data.ESTATE_PRICE, log)
        state.wait(play.TAKE_ESTATE)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": data.ESTATE_PRICE}


@dataclass(frozen=True, slots=True)
class ViceroySettle(base.CharacterAction, type="viceroy_settle"):
    """For a ducat of the crown, place a house in a settlement."""

    says = (*base.CharacterAction.says, "ducats_paid")
    settlement_space: data.Row = param(fields.ROW, "which settlement")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        refused = state.lacks_ducats(seat, state.shared_price())
        return refused or state.house_refusal(seat, self.settlement_space)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pay_shared(seat, log)
        state.place_house(seat, self.settlement_space, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": state.shared_price()}


@dataclass(frozen=True, slots=True)
class ViceroyCapture(base.CharacterAction, type="viceroy_capture"):
    """Capture natives: for a bull, or with a ducat of the crown's and a tercio (R22)."""

    says = (*base.CharacterAction.says, "ducats_paid", "tercios_tired")
    row: data.Row = param(fields.ROW, "where the natives are")
    payment: str = param(Choice(("bull", "ducats")), "what you pay with")

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.rows[self.row] != data.NATIVES:
            return Error.NO_NATIVES_IN_ROW
        if self.payment == "bull":
            if self.with_bull:  # the action itself spends the only bull of the turn (R26)
                return Error.BULL_ALREADY_USED if state.bulls[seat] > 1 else Error.NO_BULL
            return state.lacks_bull(seat)
        return state.lacks_ducats(seat, state.shared_price()) or state.lacks_tercio(seat)

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if self.payment == "bull":
            state.use_bull(seat, log)
        else:
            state.pay_shared(seat, log)
            state.tire(seat, log)
        state.capture(seat, self.row, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": state.shared_price() if self.payment == "ducats" else None}


@dataclass(frozen=True, slots=True)
class ForfeitCharacter(Move[State], type="forfeit_character"):
    """Forfeit a character, without any effect (R23)."""

    says = ("character_forfeited",)
    character: data.Character = param(data.CHARACTER, "whose card you forfeit")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> list[Self]:
        # If each move of the pool were checked, random play would be 1.3 times slower.
        if state.acted != data.NO_CHARACTER:
            return []
        used, pool = state.used[seat], cls.pool()
        return [pool[c] for c in sorted(state.characters[seat]) if c not in used]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return state.card_refusal(seat, self.character)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.used[seat].append(self.character)
        state.acted = data.FORFEIT
        effects.CHARACTER_FORFEITED.tell(log, seat=seat, character=self.character)
