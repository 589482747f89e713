"""The eleven types of move, with their parameters, refusals and effects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Index, MaybeRefusal, Move, Seat, param
from rules.ragusa import data, effects, grid, play, scoring
from rules.ragusa.data import FISH, NONE, Card, Commodity, Resource, Slot
from rules.ragusa.errors import Error
from rules.ragusa.grid import Hex, Space, Wall
from rules.ragusa.state import State

# The set-up


@dataclass(frozen=True, slots=True)
class ChooseBonus(Move[State], type="choose_bonus"):
    """Keep one of the bonus cards dealt to you; the others go back, face down."""

    says = ("bonus_chosen",)
    secret = True
    card_id: Card = param(data.CARD, "the card that you keep", refused=Error.UNKNOWN_BONUS_CARD)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if self.card_id in state.offered[seat] else Error.UNKNOWN_BONUS_CARD

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.kept[seat].append(self.card_id)
        effects.BONUS_CHOSEN.tell(log, side=seat)
        if not play.choosing(state):
            play.start(state, log)


# Houses


@dataclass(frozen=True, slots=True)
class PlaceHouse(Move[State], type="place_house"):
    """Place a house on a free space; missing resources are exchanged for fish automatically."""

    says = ("house_placed",)
    space_id: Space = param(grid.SPACE, "where the house goes", refused=Error.UNKNOWN_SPACE)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # If each of the pool's 55 moves were checked, random play would be 1.5 times slower.
        pool = cls.pool()
        return [pool[space] for space in _legal_spaces(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        space = self.space_id
        if not state.houses_left[seat]:
            return Error.NO_HOUSES_LEFT
        if state.house_at[space] != NONE:
            return Error.SPACE_OCCUPIED
        if space in play.reserved(state):
            return Error.SPACE_RESERVED
        if seat not in state.house_at and not grid.GIVES_WOOD[space]:  # R4
            return Error.FIRST_HOUSE_NEEDS_WOOD_HEX
        if grid.TRADES[space] and not any(state.stock[seat]):  # R8
            return Error.COMMODITY_REQUIRED
        short, fish = play.shortage(state, seat, space)
        if fish < 0:
            resource, units = short[0]
            return _LACKING[resource].of(units=units)
        if fish < grid.FISH_LEFT[space]:
            return Error.FISH_REQUIRED.of(fish=fish)
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.place_house(state, seat, self.space_id, log)


_SITES = tuple(
    zip(
        grid.SPACE.values(), grid.GIVES_WOOD, grid.TRADES, grid.SEAS, grid.NEEDS, grid.FISH_LEFT,
        strict=True,
    )
)  # fmt: skip


def _legal_spaces(state: State, seat: Seat) -> Iterator[Space]:
    """Yield the spaces where ``PlaceHouse.refusal`` lets ``seat`` build."""
    reserved, poor = play.reserved(state), not any(state.stock[seat])
    access, houses = state.access[seat], [*state.houses_round[seat]]
    fullest = max(houses)
    first = not fullest
    enough = [units > fullest for units in access]  # the same for every space of the house
    lacking = [1 - units for units in access]
    for owner, (space, wood, trades, seas, needs, left) in zip(state.house_at, _SITES, strict=True):
        if owner != NONE or space in reserved or (first and not wood) or (poor and trades):
            continue
        # This is ``play.shortage``, inlined for speed: with a call, random play is 1.15 times
        # slower.
        fish = access[FISH] + seas
        if fish > data.RESOURCE_MAX:  # noqa: PLR1730 - as there
            fish = data.RESOURCE_MAX
        for resource, brought, hexes in needs:
            if enough[resource]:
                continue
            units = lacking[resource] - brought
            most = 0
            for hex_ in hexes:
                if houses[hex_] > most:  # noqa: PLR1730 - as there
                    most = houses[hex_]
            if units + most > 0:
                fish -= data.FISH_PER_EXCHANGE * (units + most)
        if fish >= left:
            yield space


_LACKING = {
    data.WOOD: Error.NOT_ENOUGH_WOOD,
    data.STONE: Error.NOT_ENOUGH_STONE,
    data.GRAPES: Error.GRAPES_REQUIRED,
    data.OLIVES: Error.OLIVES_REQUIRED,
    data.SILVER_ORE: Error.SILVER_ORE_REQUIRED,
}


class ForfeitHouse(Move[State], type="forfeit_house"):
    """Take a house out of the game, because there is no space for it."""

    says = ("house_forfeited",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        for space in _legal_spaces(state, seat):
            return Error.LEGAL_SPACE_EXISTS.of(space=grid.SPACES[space])
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.houses_left[seat] -= 1
        state.forfeited[seat] += 1
        effects.HOUSE_FORFEITED.tell(log, side=seat)
        play.end_turn(state, log)  # R36


# Fish

_EXCHANGED: Index[Resource] = Index(data.RESOURCES, some=range(FISH + 1, len(data.RESOURCES)))


@dataclass(frozen=True, slots=True)
class ExchangeFish(Move[State], type="exchange_fish"):
    """Turn access to 2 fish into access to 1 of another resource, for good."""

    says = ("fish_exchanged",)
    resource: Resource = param(_EXCHANGED, "what you get", refused=Error.UNKNOWN_RESOURCE)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        if state.access[seat][FISH] < data.FISH_PER_EXCHANGE:
            # If each move of the pool were checked, each check would compute the fish, and random
            # play would be 1.1 times slower.
            return ()
        return [move for move in cls.pool() if not move.refusal(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        access, producing = state.access[seat], state.phase == play.PRODUCTION_EXCHANGE
        if producing and self.resource != grid.PRODUCTION[state.hex][0]:  # R51
            return Error.UNKNOWN_RESOURCE
        if access[FISH] < data.FISH_PER_EXCHANGE:
            return Error.NOT_ENOUGH_FISH.of(fish=access[FISH])
        if access[self.resource] >= data.RESOURCE_MAX:
            return Error.RESOURCE_AT_MAXIMUM
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.exchange_fish(state, seat, self.resource, 1, log)
        if state.phase == play.FINAL_EXCHANGE:
            play.continue_final(state, log)
        elif state.phase != play.PLACE_HOUSE:
            play.continue_turn(state, log)


# City hexes


@dataclass(frozen=True, slots=True)
class ActivateHex(Move[State], type="activate_hex"):
    """Activate one of the city hexes of the house that you have placed."""

    says = ("hex_activated",)
    hex_id: Hex = param(grid.ACTIVATED, "the hex", refused=Error.HEX_NOT_PENDING)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        pending = state.pending
        return [move for move in cls.pool() if move.hex_id in pending]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if self.hex_id in state.pending else Error.HEX_NOT_PENDING

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.activate_hex(state, self.hex_id, log)
        play.continue_turn(state, log)


@dataclass(frozen=True, slots=True)
class BuildWall(Move[State], type="build_wall"):
    """Build a wall anywhere; the wall scores 1 VP, and 1 for each piece of yours at its ends."""

    says = ("wall_built",)
    wall_id: Wall = param(grid.WALL, "the segment", refused=Error.UNKNOWN_WALL)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # Reads the walls from the state, because a refusal check for each move of the pool would be
        # slower; the moves that build towers and activate hexes do the same.
        return [move for move, built in zip(cls.pool(), state.walls, strict=True) if not built]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return Error.WALL_ALREADY_BUILT if state.walls[self.wall_id] else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.build_wall(state, seat, self.wall_id, log)
        play.house_done(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"vp": scoring.wall_vp(state, seat, self.wall_id)}


@dataclass(frozen=True, slots=True)
class BuildTower(Move[State], type="build_tower"):
    """Build a tower on a space of the city boundary, whether a house stands there or not."""

    says = ("tower_built",)
    space_id: Space = param(
        grid.TOWER_SPACE, "where the tower goes", refused=Error.NOT_A_TOWER_SPACE
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        towers = zip(cls.pool(), state.tower_at, strict=True)
        return [move for move, owner in towers if owner == NONE]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.tower_at[self.space_id] == NONE else Error.TOWER_ALREADY_BUILT  # R20

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.build_tower(state, seat, self.space_id, log)
        play.house_done(state, log)


@dataclass(frozen=True, slots=True)
class BuyShip(Move[State], type="buy_ship"):
    """Buy the ship in a slot, at the price of slot and ship."""

    says = ("ship_bought",)
    slot: Slot = param(data.SLOT, "the slot, from the left", refused=Error.EMPTY_SHIP_SLOT)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.slot >= len(state.row):
            return Error.EMPTY_SHIP_SLOT
        if self.slot not in play.affordable(state, seat):
            price = data.SHIP_PRICES[state.row[self.slot]][self.slot]
            return Error.CANNOT_AFFORD_SHIP.of(**data.by_commodity(price))
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.buy_ship(state, seat, self.slot, log)
        if state.phase != play.DRAW_SHIP:
            play.house_done(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        ship = state.row[self.slot]
        price = scoring.units(data.SHIP_PRICES[ship][self.slot])
        return {"ship": data.SHIPS[ship], "price": price, "vp": data.SHIP_STARS[ship]}


@dataclass(frozen=True, slots=True)
class SellCommodity(Move[State], type="sell_commodity"):
    """Sell one unit for as many VP as its present price."""

    says = ("commodity_sold",)
    commodity: Commodity = param(data.COMMODITY, "what you sell", refused=Error.UNKNOWN_COMMODITY)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.stock[seat][self.commodity] else Error.COMMODITY_NOT_IN_STOCK

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.sell(state, seat, self.commodity, log)
        play.house_done(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"vp": data.PRICES[state.market[self.commodity]]}


@dataclass(frozen=True, slots=True)
class KeepBonus(Move[State], type="keep_bonus"):
    """Keep one of the cards drawn at the palace; the other goes under the deck."""

    secret = True
    card_id: Card = param(data.CARD, "the card that you keep", refused=Error.UNKNOWN_BONUS_CARD)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        return [KeepBonus(card) for card in state.draws[-1][1]]  # in the order of drawing

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if self.card_id in state.draws[-1][1] else Error.UNKNOWN_BONUS_CARD

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.keep_bonus(state, seat, self.card_id, log)
        play.house_done(state, log)


class Decline(Move[State], type="decline"):
    """Do not exchange, buy or sell."""

    says = ("declined",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.DECLINED.tell(log, side=seat, what=state.phase)
        if state.phase == play.FINAL_EXCHANGE:
            del state.final_queue[0]
            play.continue_final(state, log)
        elif state.phase == play.PRODUCTION_EXCHANGE:
            state.closed.append(seat)
            play.continue_turn(state, log)
        else:
            play.house_done(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"what": state.phase}
