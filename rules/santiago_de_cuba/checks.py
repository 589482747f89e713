"""Checks shared by moves and buildings: each returns a refusal, or None."""

from rules.kernel.contract import MaybeRefusal, Seat, shown
from rules.santiago_de_cuba import data
from rules.santiago_de_cuba.data import Good
from rules.santiago_de_cuba.errors import Error
from rules.santiago_de_cuba.state import State


def is_wood(good: Good) -> MaybeRefusal:
    """Refuse wood."""
    return Error.WOOD_NOT_ALLOWED if good == data.WOOD else None


def without_die(good: Good) -> MaybeRefusal:
    """Refuse a good that has no die."""
    return Error.GOOD_HAS_NO_DIE if good == data.WOOD else None


def not_positive(amount: int) -> MaybeRefusal:
    """Refuse an amount below 1."""
    return Error.INVALID_AMOUNT.of(value=shown(amount)) if amount < 1 else None


def not_held(state: State, seat: Seat, good: Good) -> MaybeRefusal:
    """Refuse a good that ``seat`` does not hold."""
    return None if state.goods[seat][good] else Error.GOOD_NOT_HELD.of(good=data.GOODS[good])


def more_than_held(state: State, seat: Seat, good: Good, amount: int) -> MaybeRefusal:
    """Refuse more of a good than ``seat`` holds."""
    held = state.goods[seat][good]
    return Error.EXCEEDS_HELD.of(good=data.GOODS[good], held=held) if amount > held else None


def more_than_supply(state: State, good: Good, amount: int = 1) -> MaybeRefusal:
    """Refuse more of a good than the supply has."""
    left = state.supply[good]
    return Error.SUPPLY_EXHAUSTED.of(good=data.GOODS[good], supply=left) if amount > left else None


def not_demanded(state: State, die: Good) -> MaybeRefusal:
    """Refuse a good whose die was left out or shows 0."""
    return None if state.demand[die] else Error.GOOD_NOT_DEMANDED.of(good=data.GOODS[die])


def without_dice(state: State) -> MaybeRefusal:
    """Refuse a use while a new ship has no dice yet."""
    return None if state.demand else Error.NO_SHIP_DEMAND  # R30
