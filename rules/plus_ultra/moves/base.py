"""The base classes of actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Flag, MaybeRefusal, Move, Seat, param
from rules.plus_ultra import data, effects
from rules.plus_ultra.errors import Error
from rules.plus_ultra.state import State


@dataclass(frozen=True, slots=True)
class Action(Move[State]):
    """An action that a seat takes during its activation. The action is free or costs a bull."""

    with_bull: bool = param(Flag(), "whether a bull pays for one more action", default=False)

    @classmethod
    @cache
    def halves(cls) -> tuple[tuple[Self, ...], tuple[Self, ...]]:
        """Return the action's moves in two halves: moves without a bull, and moves with one."""
        pool = (*cls.pool(),)
        return pool[: len(pool) // 2], pool[len(pool) // 2 :]

    def problem(self, state: State, seat: Seat) -> MaybeRefusal:
        """Return why the action itself is impossible.

        If the action costs a bull, the bull is counted as spent already.
        """
        return None

    def play_out(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        """Carry out what the rulebook says of this action."""
        raise NotImplementedError


class CharacterAction(Action):
    """An action of a character: the first use of its card, or a further use that costs a bull."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = (
        "character_acted", "bull_spent", "good_shipped", "good_donated", "rosette_used",
        "bull_gained", "good_sold", "tercio_relieved", "tercio_gained", "good_hauled",
        "good_plundered", "rosette_gained", "house_gained", "magellan_joined", "house_placed",
        "natives_captured",
    )  # fmt: skip

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # If each move of the pool were checked, random play would be 1.9 times slower, because
        # half of the pool is always impossible.
        now = cls.halves()[state.acted != data.NO_CHARACTER]
        if now[0].barred(state, seat):
            return ()
        return [move for move in now if not move.problem(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return self.barred(state, seat) or self.problem(state, seat)

    def barred(self, state: State, seat: Seat) -> MaybeRefusal:
        """Return the reason why the character cannot act at all, if there is one."""
        character = data.ACTOR[self.type]
        if not self.with_bull:
            return state.card_refusal(seat, character)
        if state.current != character or character not in state.characters[seat]:  # R28
            return Error.NOT_CURRENT_CHARACTER
        return state.lacks_bull(seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        character = data.ACTOR[self.type]
        if self.with_bull:
            state.use_bull(seat, log)
        else:
            state.used[seat].append(character)
            state.acted = state.current = character
        if log:
            effects.CHARACTER_ACTED.tell(log, seat=seat, character=character)
        if character == data.KING:
            state.move_pending(seat, state.pending_order.index(seat), log)
        self.play_out(state, seat, log)


class CommonAction(Action):
    """An action on one of the common spaces (R29)."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = (
        "common_space_taken", "bull_spent", "ducats_paid", "pg_gained", "pg_lost", "tercio_gained",
        "house_placed", "rosette_gained", "house_gained",
    )  # fmt: skip

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # The checks are written out here: if each move of the pool were checked by ``refusal``,
        # random play would be 1.4 times slower.
        if state.ducats[seat] < data.COMMON_PRICES[cls.type]:
            return ()
        if state.common_taken[data.COMMON_SPACE[cls.type]]:
            return ()
        free, paid = cls.halves()
        now = () if state.common_used[seat] else free
        now += () if state.lacks_bull(seat) else paid
        return [move for move in now if not move.problem(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.common_taken[data.COMMON_SPACE[self.type]]:
            return Error.COMMON_SPACE_TAKEN
        if self.with_bull and (refused := state.lacks_bull(seat)):
            return refused
        if not self.with_bull and state.common_used[seat]:
            return Error.COMMON_ALREADY_USED
        return state.lacks_ducats(seat, data.COMMON_PRICES[self.type]) or self.problem(state, seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        space = data.COMMON_SPACE[self.type]
        state.common_taken[space] = 1
        if self.with_bull:
            state.use_bull(seat, log)
        else:
            state.common_used[seat] = 1
        if log:
            effects.COMMON_SPACE_TAKEN.tell(log, seat=seat, space=space)
        state.pay(seat, data.COMMON_PRICES[self.type], log)
        self.play_out(state, seat, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"price": data.COMMON_PRICES[self.type]}
