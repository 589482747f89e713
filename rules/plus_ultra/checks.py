"""The refusals that several moves share, in the order of the rulebook's helpers."""

from dataclasses import fields
from typing import Any

from rules.kernel.errors import IllegalMove, shown
from rules.plus_ultra import errors
from rules.plus_ultra.data import CAPACITY, CHARACTERS, GOODS_COUNT, NONE, SEA_TRADE_LENGTH
from rules.plus_ultra.pieces import crown_share
from rules.plus_ultra.state import State


def check_fields(move: Any) -> None:
    """Every field is of its kind; the position does not matter here."""
    for field in fields(move):
        value = getattr(move, field.name)
        if not field.metadata["kind"].accepts(value):
            raise IllegalMove(
                errors.INVALID_PARAMETER,
                f"{move.type} does not take {shown(value)} as {field.name}",
                field=field.name,
            )


def can_pay(state: State, seat: int, price: int) -> None:
    """``insufficient_ducats`` unless ``seat`` has the price."""
    ducats = state.ducats[seat]
    if ducats < price:
        raise IllegalMove(
            errors.INSUFFICIENT_DUCATS,
            f"this costs {price} ducats and you have {ducats}",
            price=price,
            ducats=ducats,
        )


def can_pay_crown_share(state: State, seat: int) -> None:
    """``insufficient_ducats`` unless ``seat`` can pay what the crown does not."""
    can_pay(state, seat, crown_share(state))


def can_use_bull(state: State, seat: int, spent: int = 0) -> None:
    """``no_bull``, ``bull_already_used_this_turn``; ``spent`` bulls count as spent already."""
    if state.bulls[seat] <= spent:
        raise IllegalMove(errors.NO_BULL, "you have no bull to spend")
    if spent or state.bull_used[seat]:  # R26
        raise IllegalMove(
            errors.BULL_ALREADY_USED_THIS_TURN, "you have spent a bull this turn already"
        )


def can_use_card(state: State, seat: int, card: int) -> None:
    """``character_not_yours``, ``already_acted``, ``character_already_used``."""
    name = CHARACTERS[card]
    if card not in state.held[seat]:
        raise IllegalMove(errors.CHARACTER_NOT_YOURS, f"{name} is not yours", character=name)
    if state.acted != NONE:
        raise IllegalMove(errors.ALREADY_ACTED, "you have used a character in this activation")
    if card not in state.unused[seat]:
        raise IllegalMove(
            errors.CHARACTER_ALREADY_USED, f"{name} was used in round 1", character=name
        )


def has_good(state: State, row: int) -> None:
    """``no_good_in_row`` unless the row (from 1) has a good face up."""
    if not 0 <= state.rows[row - 1] < GOODS_COUNT:  # R41
        raise IllegalMove(errors.NO_GOOD_IN_ROW, f"row {row} has no good face up", row=row)


def has_active_tercio(state: State, seat: int) -> None:
    """``no_active_tercio`` unless ``seat`` has one."""
    if not state.active[seat]:
        raise IllegalMove(errors.NO_ACTIVE_TERCIO, "you have no active tercio")


def tercio_left(state: State, seat: int) -> None:
    """``tercio_supply_empty`` unless ``seat`` can recruit."""
    if not state.tercio_supply[seat]:  # R50
        raise IllegalMove(errors.TERCIO_SUPPLY_EMPTY, "all your tercios are recruited")


def house_left(state: State, seat: int) -> None:
    """``house_supply_empty`` unless ``seat`` can gain a house."""
    if not state.house_supply[seat]:
        raise IllegalMove(errors.HOUSE_SUPPLY_EMPTY, "your supply has no house left")


def rosette_left(state: State) -> None:
    """``rosette_supply_empty`` unless the supply has one."""
    if not state.rosette_supply:
        raise IllegalMove(errors.ROSETTE_SUPPLY_EMPTY, "the supply has no rosette left")


def magellan_left(state: State) -> None:
    """``magellan_supply_empty`` unless the supply has a card."""
    if not state.magellan_supply:
        raise IllegalMove(errors.MAGELLAN_SUPPLY_EMPTY, "the supply has no Magellan card left")


def bull_left(state: State, back: int = 0) -> None:
    """``bull_supply_empty`` unless the supply has one; ``back`` bulls count as returned."""
    if not state.bull_supply + back:
        raise IllegalMove(errors.BULL_SUPPLY_EMPTY, "the supply has no bull left")


def estate_left(state: State) -> None:
    """``estate_supply_empty`` unless the stack has one."""
    if not state.estate_stack:
        raise IllegalMove(errors.ESTATE_SUPPLY_EMPTY, "the stack has no estate left")


def can_build(state: State, seat: int, space: int) -> None:
    """``no_house_in_reserve``, ``no_settlement``, ``settlement_full``; spaces count from 1."""
    if not state.reserve[seat]:
        raise IllegalMove(errors.NO_HOUSE_IN_RESERVE, "you have no house in reserve")
    if space > len(state.settlements):
        raise IllegalMove(
            errors.NO_SETTLEMENT, f"space {space} has no settlement", settlement_space=space
        )
    if is_full(state, space - 1):
        raise IllegalMove(
            errors.SETTLEMENT_FULL, f"settlement {space} is full", settlement_space=space
        )


def sea_open(state: State, seat: int) -> None:
    """``sea_trade_full`` if ``seat`` is at the end of the track."""
    if state.sea_trade[seat] == SEA_TRADE_LENGTH:  # R51
        raise IllegalMove(errors.SEA_TRADE_FULL, "your marker is at the end of the sea trade track")


# What lists of legal moves ask, without a refusal


def is_full(state: State, space: int) -> bool:
    """Whether a settlement (from 0) holds as many houses as it can."""
    return len(state.houses[space]) >= CAPACITY[state.settlements[space]]


def sites(state: State, seat: int) -> list[int]:
    """The spaces (from 0) where ``seat`` can build."""
    if not state.reserve[seat]:
        return []
    return [s for s in range(len(state.settlements)) if not is_full(state, s)]


def bull_ready(state: State, seat: int) -> bool:
    """Whether ``seat`` can still spend a bull this turn."""
    return state.bulls[seat] > 0 and not state.bull_used[seat]
