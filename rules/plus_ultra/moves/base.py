"""What actions have in common, and what more than one type of move is refused for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Flag, Move, param
from rules.plus_ultra import data, effects
from rules.plus_ultra.data import Character
from rules.plus_ultra.errors import Error, Refused
from rules.plus_ultra.state import State


@dataclass(frozen=True, slots=True)
class Action(Move[State]):
    """What one does in an activation, for nothing or with a bull."""

    with_bull: bool = param(Flag(), "whether a bull pays for one more action", default=False)

    def problem(self, state: State, seat: int) -> Refused:
        """Return the action's own reason against it; a bull counts as spent already."""
        return None

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Do what the rulebook says under this action."""
        raise NotImplementedError


class CharacterAction(Action):
    """An action of a character, with the first use of its card or with a bull."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = (
        "character_acted", "bull_spent", "good_shipped", "good_donated", "rosette_used",
        "bull_gained", "good_sold", "tercio_relieved", "tercio_gained", "good_hauled",
        "good_plundered", "rosette_gained", "house_gained", "magellan_joined", "house_placed",
        "natives_captured",
    )  # fmt: skip

    @classmethod
    def legal(cls, state: State, seat: int) -> Sequence[Move[State]]:
        # Random play is 1.8 times slower by the pool: its half is asked once whether it may act.
        now = _halves(cls)[state.acted != data.NO_CHARACTER]
        if now[0].barred(state, seat):
            return ()
        return [move for move in now if not move.problem(state, seat)]

    def refusal(self, state: State, seat: int) -> Refused:
        return self.barred(state, seat) or self.problem(state, seat)

    def barred(self, state: State, seat: int) -> Refused:
        """Return the reason why the character cannot act at all."""
        character = data.ACTOR[self.type]
        if not self.with_bull:
            return card_refusal(state, seat, character)
        if state.current != character or character not in state.characters[seat]:  # R28
            return Error.NOT_CURRENT_CHARACTER
        return lacks_bull(state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        character = data.ACTOR[self.type]
        if self.with_bull:
            state.use_bull(seat, log)
        else:
            state.used[seat].append(character)
            state.acted = state.current = character
        effects.CHARACTER_ACTED.tell(log, seat=seat, character=character)
        if character == data.KING:
            state.move_pending(seat, state.pending_order.index(seat), log)
        self.play_out(state, seat, log)


class CommonAction(Action):
    """An action on one of the common spaces (4.5, R29)."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = (
        "common_space_taken", "bull_spent", "ducats_paid", "pg_gained", "pg_lost", "tercio_gained",
        "house_placed", "rosette_gained", "house_gained",
    )  # fmt: skip

    @classmethod
    def legal(cls, state: State, seat: int) -> Sequence[Move[State]]:
        # Random play is 1.4 times slower by the pool.
        if state.ducats[seat] < data.COMMON_PRICES[cls.type]:
            return ()
        if state.common_taken[data.COMMON.index(cls.type)]:
            return ()
        free, paid = _halves(cls)
        now = () if state.common_used[seat] else free
        now += () if lacks_bull(state, seat) else paid
        return [move for move in now if not move.problem(state, seat)]

    def refusal(self, state: State, seat: int) -> Refused:
        if state.common_taken[data.COMMON.index(self.type)]:
            return Error.COMMON_SPACE_TAKEN
        if self.with_bull and (refused := lacks_bull(state, seat)):
            return refused
        if not self.with_bull and state.common_used[seat]:
            return Error.COMMON_ALREADY_USED
        refused = lacks_ducats(state, seat, data.COMMON_PRICES[self.type])
        return refused or self.problem(state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        space = data.COMMON.index(self.type)
        state.common_taken[space] = 1
        if self.with_bull:
            state.use_bull(seat, log)
        else:
            state.common_used[seat] = 1
        effects.COMMON_SPACE_TAKEN.tell(log, seat=seat, space=space)
        state.pay(seat, data.COMMON_PRICES[self.type], log)
        self.play_out(state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": data.COMMON_PRICES[self.type]}


def _split_pool(cls: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    half = len(cls.pool()) // 2  # the second half is with a bull
    return cls.pool()[:half], cls.pool()[half:]


_halves: Callable[[Any], tuple[tuple[Any, ...], tuple[Any, ...]]] = cache(_split_pool)


def lacks_bull(state: State, seat: int) -> Refused:
    """Why a bull cannot be spent (R26)."""
    if not state.bulls[seat]:
        return Error.NO_BULL
    return Error.BULL_ALREADY_USED if state.bull_used[seat] else None


def card_refusal(state: State, seat: int, character: Character) -> Refused:
    """Why a character's card cannot be used now (4.2, 4.4)."""
    if character not in state.characters[seat]:
        return Error.CHARACTER_NOT_YOURS.of(character=data.CHARACTERS[character])
    if state.acted != data.NO_CHARACTER:
        return Error.ALREADY_ACTED
    if character in state.used[seat]:
        return Error.CHARACTER_ALREADY_USED.of(character=data.CHARACTERS[character])
    return None


def lacks_ducats(state: State, seat: int, price: int) -> Refused:
    """Why a price cannot be paid."""
    return Error.INSUFFICIENT_DUCATS if state.ducats[seat] < price else None


def lacks_tercio(state: State, seat: int) -> Refused:
    """Why no tercio can be sent or tired."""
    return None if state.active[seat] else Error.NO_ACTIVE_TERCIO


def house_refusal(state: State, seat: int, space: int) -> Refused:
    """Why a house cannot be placed on a settlement space (``place_house``)."""
    if not state.reserve[seat]:
        return Error.NO_HOUSE_IN_RESERVE
    if not state.sizes[space]:
        return Error.NO_SETTLEMENT
    return Error.SETTLEMENT_FULL if len(state.houses[space]) == state.sizes[space] else None


def lacks_piece(state: State, seat: int, piece: str) -> Refused:
    """Why a piece, or what an estate gives, cannot be taken (R50)."""
    match piece:
        case "nothing":
            return Error.ESTATE_WITHOUT_RESOURCE
        case "ducats":
            return None
        case "sea_trade":
            return None if state.trade[seat] < data.LAST_TRADE else Error.SEA_TRADE_FULL  # R51
        case "rosette":
            return None if state.rosette_supply else Error.ROSETTE_SUPPLY_EMPTY
        case "house":
            return None if state.house_supply[seat] else Error.HOUSE_SUPPLY_EMPTY
        case "tercio":
            return None if state.supply[seat] else Error.TERCIO_SUPPLY_EMPTY
        case "magellan":
            return None if state.magellan_supply else Error.MAGELLAN_SUPPLY_EMPTY
        case "estate":
            return None if state.estate_stack else Error.ESTATE_SUPPLY_EMPTY
        case _:
            return None if state.bull_supply else Error.BULL_SUPPLY_EMPTY
