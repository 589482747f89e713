"""The eleven types of move: what each looks like, when it is legal, and what it does.

Moves are interned in tables at import; a list of legal moves is picks of these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.fields import Choice, Integer
from rules.kernel.contract.move import Move, RawMove, param
from rules.ragusa import errors, play, scoring
from rules.ragusa.data import (
    BONUS_CARD,
    BONUS_CARDS,
    COMMODITIES,
    COMMODITY,
    EXCHANGED,
    FISH,
    FISH_PER_EXCHANGE,
    GRAPES,
    NONE,
    OLIVES,
    PRICES,
    RESOURCE,
    RESOURCE_MAX,
    RESOURCES,
    SHIP_PRICES,
    SHIP_STARS,
    SHIPS,
    SILVER_ORE,
    SLOTS,
    STONE,
    WOOD,
)
from rules.ragusa.grid import (
    FISH_LEFT,
    GIVES_WOOD,
    HEX,
    HEXES,
    PRODUCTION,
    REACTIVATES,
    SPACE,
    SPACES,
    TOWER_SPACES,
    TRADES,
    WALL,
    WALLS,
)
from rules.ragusa.state import State

Moves = Sequence[Move[State]]
_ACTIVATED = tuple(HEXES[hex_] for hex_ in REACTIVATES if HEXES[hex_] != "cathedral")


def _index(table: Mapping[str, int], value: object, code: str, kind: str) -> int:
    """Return what ``value`` names in ``table``."""
    if type(value) is not str or value not in table:
        raise IllegalMove(code, f"there is no {kind} {shown(value)}")
    return table[value]


# Bonus cards


def _check_card(card_id: object, cards: Sequence[int]) -> None:
    if type(card_id) is not str or BONUS_CARD.get(card_id) not in cards:
        raise IllegalMove(
            errors.UNKNOWN_BONUS_CARD,
            f"{shown(card_id)} is not among the cards that you were shown",
        )


@dataclass(frozen=True, slots=True)
class ChooseBonus(RawMove[State]):
    """Keep one of the bonus cards dealt to you; the others go back, face down."""

    type = "choose_bonus"
    says = ("bonus_chosen",)
    secret = True
    card_id: str = param(Choice(BONUS_CARDS), "the card that you keep")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_CHOICES[card] for card in state.offered[seat]]

    def check(self, state: State, seat: int) -> None:
        _check_card(self.card_id, state.offered[seat])

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.kept[seat].append(BONUS_CARD[self.card_id])
        if log:
            log.add("bonus_chosen", side=seat)
        play.bonus_chosen(state, log)


@dataclass(frozen=True, slots=True)
class KeepBonus(RawMove[State]):
    """Keep one of the cards drawn at the palace; the other goes under the deck."""

    type = "keep_bonus"
    secret = True
    card_id: str = param(Choice(BONUS_CARDS), "the card that you keep")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_KEEPS[card] for card in state.draws[-1][1]]

    def check(self, state: State, seat: int) -> None:
        _check_card(self.card_id, state.draws[-1][1])

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.keep_bonus(state, seat, BONUS_CARD[self.card_id], log)
        play.house_done(state, log)


# Houses


_SHORT = {
    WOOD: errors.NOT_ENOUGH_WOOD,
    STONE: errors.NOT_ENOUGH_STONE,
    GRAPES: errors.GRAPES_REQUIRED,
    OLIVES: errors.OLIVES_REQUIRED,
    SILVER_ORE: errors.SILVER_ORE_REQUIRED,
}


@dataclass(frozen=True, slots=True)
class PlaceHouse(RawMove[State]):
    """Place a house on a free space; what is missing is exchanged for fish by itself."""

    type = "place_house"
    says = ("house_placed",)
    space_id: str = param(Choice(SPACES), "where the house goes")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_HOUSES[space] for space in play.legal_spaces(state, seat)]

    def check(self, state: State, seat: int) -> None:
        if not state.houses_left[seat]:
            raise IllegalMove(errors.NO_HOUSES_LEFT, "all your houses are placed")
        space = _index(SPACE, self.space_id, errors.UNKNOWN_SPACE, "space")
        if state.house_at[space] != NONE:
            raise IllegalMove(errors.SPACE_OCCUPIED, f"there is a house on {self.space_id}")
        if space not in state.free:  # R47
            raise IllegalMove(
                errors.SPACE_RESERVED, f"{self.space_id} is reserved for the Patrician"
            )
        if play.is_first_house(state, seat) and not GIVES_WOOD[space]:  # R4
            raise IllegalMove(
                errors.FIRST_HOUSE_NEEDS_WOOD_HEX,
                f"your first house must touch a woodcutter, and {self.space_id} does not",
            )
        if TRADES[space] and not any(state.stock[seat]):  # R8
            raise IllegalMove(
                errors.COMMODITY_REQUIRED, f"{self.space_id} needs a commodity, and you have none"
            )
        short = play.shortage(state, seat, space)
        fish = play.fish_after(state, seat, space, short)
        if fish < 0:
            self._refuse_shortage(*short[0])
        if fish < FISH_LEFT[space]:
            raise IllegalMove(
                errors.FISH_REQUIRED,
                f"{self.space_id} needs {FISH_LEFT[space]} fish after exchanges, not {fish}",
                fish=fish,
            )

    def _refuse_shortage(self, resource: int, units: int) -> NoReturn:
        raise IllegalMove(
            _SHORT[resource],
            f"for {self.space_id} you lack {units} {RESOURCES[resource]}, and the fish for it",
            units=units,
        )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.place_house(state, seat, SPACE[self.space_id], log)


@dataclass(frozen=True, slots=True)
class ForfeitHouse(RawMove[State]):
    """Take a house out of the game, because there is no space for it."""

    type = "forfeit_house"
    says = ("house_forfeited",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        for _space in play.legal_spaces(state, seat):
            return ()
        return _FORFEIT

    def check(self, state: State, seat: int) -> None:
        for space in play.legal_spaces(state, seat):
            raise IllegalMove(
                errors.LEGAL_SPACE_EXISTS,
                f"you can build, for example on {SPACES[space]}",
                space=SPACES[space],
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.forfeit_house(state, seat, log)


# Fish


@dataclass(frozen=True, slots=True)
class ExchangeFish(RawMove[State]):
    """Turn access to 2 fish into access to 1 of another resource, for good."""

    type = "exchange_fish"
    says = ("fish_exchanged",)
    resource: str = param(Choice(EXCHANGED), "what you get")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        access = state.access[seat]
        if access[FISH] < FISH_PER_EXCHANGE:
            return ()
        return [_EXCHANGES[r] for r in _wanted(state) if access[r] < RESOURCE_MAX]

    def check(self, state: State, seat: int) -> None:
        resource = _index(RESOURCE, self.resource, errors.UNKNOWN_RESOURCE, "resource")
        if resource not in _wanted(state):
            raise IllegalMove(
                errors.UNKNOWN_RESOURCE, f"fish cannot be exchanged for {self.resource} now"
            )
        fish = state.access[seat][FISH]
        if fish < FISH_PER_EXCHANGE:
            raise IllegalMove(
                errors.NOT_ENOUGH_FISH,
                f"an exchange takes {FISH_PER_EXCHANGE} fish, and you have {fish}",
                fish=fish,
            )
        if state.access[seat][resource] >= RESOURCE_MAX:
            raise IllegalMove(
                errors.RESOURCE_AT_MAXIMUM, f"you have {RESOURCE_MAX} {self.resource} already"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.exchange_fish(state, seat, RESOURCE[self.resource], 1, log)
        if state.phase == play.FINAL_EXCHANGE:
            play.continue_final(state, log)
        elif state.phase != play.PLACE_HOUSE:
            play.continue_turn(state, log)


def _wanted(state: State) -> Sequence[int]:
    """What fish can be exchanged for now: anything, or only what the hex works with (R51)."""
    if state.phase == play.PRODUCTION_EXCHANGE:
        return PRODUCTION[state.hex][:1]
    return range(FISH + 1, len(RESOURCES))


@dataclass(frozen=True, slots=True)
class Decline(RawMove[State]):
    """Do not exchange, buy or sell."""

    type = "decline"
    says = ("declined",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _DECLINE

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("declined", side=seat, what=state.phase)
        if state.phase == play.FINAL_EXCHANGE:
            del state.final_queue[0]
            play.continue_final(state, log)
        elif state.phase == play.PRODUCTION_EXCHANGE:
            state.closed.append(seat)
            play.continue_turn(state, log)
        else:
            play.house_done(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"what": state.phase}


# City hexes


@dataclass(frozen=True, slots=True)
class ActivateHex(RawMove[State]):
    """Activate one of the city hexes of the house that you have placed."""

    type = "activate_hex"
    says = ("hex_activated",)
    hex_id: str = param(Choice(_ACTIVATED), "the hex")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_HEXES[hex_] for hex_ in state.pending]

    def check(self, state: State, seat: int) -> None:
        if type(self.hex_id) is not str or HEX.get(self.hex_id) not in state.pending:
            raise IllegalMove(
                errors.HEX_NOT_PENDING, f"{shown(self.hex_id)} does not wait to be activated"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.activate_hex(state, HEX[self.hex_id], log)
        play.continue_turn(state, log)


@dataclass(frozen=True, slots=True)
class BuildWall(RawMove[State]):
    """Build a wall anywhere; it scores 1 VP, and 1 for each piece of yours at its ends."""

    type = "build_wall"
    says = ("wall_built",)
    wall_id: str = param(Choice(WALLS), "the segment")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [move for move, built in zip(_WALLS, state.walls, strict=True) if not built]

    def check(self, state: State, seat: int) -> None:
        wall = _index(WALL, self.wall_id, errors.UNKNOWN_WALL, "wall")
        if state.walls[wall]:
            raise IllegalMove(errors.WALL_ALREADY_BUILT, f"{self.wall_id} has a wall already")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.build_wall(state, seat, WALL[self.wall_id], log)
        play.house_done(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"vp": scoring.wall_vp(state, seat, WALL[self.wall_id])}


@dataclass(frozen=True, slots=True)
class BuildTower(RawMove[State]):
    """Build a tower on the city boundary, beside a house of anybody's or none."""

    type = "build_tower"
    says = ("tower_built",)
    space_id: str = param(Choice(TOWER_SPACES), "where the tower goes")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [m for m, owner in zip(_TOWERS, state.tower_at, strict=True) if owner == NONE]  # R20

    def check(self, state: State, seat: int) -> None:
        if type(self.space_id) is not str or self.space_id not in TOWER_SPACES:
            raise IllegalMove(
                errors.NOT_A_TOWER_SPACE, f"{shown(self.space_id)} is not on the city boundary"
            )
        if state.tower_at[SPACE[self.space_id]] != NONE:
            raise IllegalMove(errors.TOWER_ALREADY_BUILT, f"there is a tower on {self.space_id}")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.build_tower(state, seat, SPACE[self.space_id], log)
        play.house_done(state, log)


@dataclass(frozen=True, slots=True)
class BuyShip(RawMove[State]):
    """Buy the ship in a slot for what slot and ship cost."""

    type = "buy_ship"
    says = ("ship_bought",)
    slot: int = param(Integer(1, SLOTS), "the slot, from the left")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_SHIPS[slot] for slot in play.affordable(state, seat)]

    def check(self, state: State, seat: int) -> None:
        if type(self.slot) is not int or not 1 <= self.slot <= len(state.row):
            raise IllegalMove(
                errors.EMPTY_SHIP_SLOT, f"there is no ship in slot {shown(self.slot)}"
            )
        if self.slot - 1 not in play.affordable(state, seat):
            ship = state.row[self.slot - 1]
            price: JsonObject = dict(
                zip(COMMODITIES, SHIP_PRICES[ship][self.slot - 1], strict=True)
            )
            wanted = ", ".join(f"{units} {name}" for name, units in price.items() if units)
            raise IllegalMove(
                errors.CANNOT_AFFORD_SHIP,
                f"{SHIPS[ship]} costs {wanted} in slot {self.slot}, and you lack some",
                **price,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if play.buy_ship(state, seat, self.slot - 1, log):
            play.house_done(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        ship = state.row[self.slot - 1]
        price = scoring.units(SHIP_PRICES[ship][self.slot - 1])
        return {"ship": SHIPS[ship], "price": price, "vp": SHIP_STARS[ship]}


@dataclass(frozen=True, slots=True)
class SellCommodity(RawMove[State]):
    """Sell one unit for as many VP as its present price."""

    type = "sell_commodity"
    says = ("commodity_sold",)
    commodity: str = param(Choice(COMMODITIES), "what you sell")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [move for move, units in zip(_SALES, state.stock[seat], strict=True) if units]

    def check(self, state: State, seat: int) -> None:
        commodity = _index(COMMODITY, self.commodity, errors.UNKNOWN_COMMODITY, "commodity")
        if not state.stock[seat][commodity]:
            raise IllegalMove(
                errors.COMMODITY_NOT_IN_STOCK, f"you have no {self.commodity} in stock"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.sell(state, seat, COMMODITY[self.commodity], log)
        play.house_done(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"vp": PRICES[state.market[COMMODITY[self.commodity]]]}


# Every move there is, made once

_CHOICES = tuple(ChooseBonus(id_) for id_ in BONUS_CARDS)
_KEEPS = tuple(KeepBonus(id_) for id_ in BONUS_CARDS)
_HOUSES = tuple(PlaceHouse(id_) for id_ in SPACES)
_FORFEIT = (ForfeitHouse(),)
_EXCHANGES = tuple(ExchangeFish(id_) for id_ in RESOURCES)
_DECLINE = (Decline(),)
_HEXES = tuple(ActivateHex(id_) for id_ in HEXES)
_WALLS = tuple(BuildWall(id_) for id_ in WALLS)
_TOWERS = tuple(BuildTower(id_) for id_ in TOWER_SPACES)
_SHIPS = tuple(BuyShip(slot) for slot in range(1, SLOTS + 1))
_SALES = tuple(SellCommodity(id_) for id_ in COMMODITIES)

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    ChooseBonus,
    PlaceHouse,
    ForfeitHouse,
    ExchangeFish,
    ActivateHex,
    BuildWall,
    BuildTower,
    BuyShip,
    SellCommodity,
    KeepBonus,
    Decline,
)
