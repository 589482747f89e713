"""What the moves of this game have in common: how they are judged, listed and shown."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import product
from typing import Any, ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.fields import Choice, Flag, Integer
from rules.kernel.contract.move import Move
from rules.plus_ultra import errors, play
from rules.plus_ultra.data import CHARACTERS, COMMON, COMMON_PRICES, KING, NONE
from rules.plus_ultra.errors import OK
from rules.plus_ultra.state import State

Moves = Sequence[Move[State]]
WITH_BULL = "whether a bull pays for one more action"


class Action(Move[State]):
    """A move that is judged by ``refusal`` and does its work in ``play_out``."""

    __slots__ = ()
    pool: ClassVar[Moves] = ()
    """Every instance, made once, in order (``interned``)."""

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [move for move in cls.pool if not move.refusal(state, seat)]  # type: ignore[attr-defined]  # actions

    def check(self, state: State, seat: int) -> None:
        self._check_parameters(state)
        code = self.refusal(state, seat)
        if code:
            raise IllegalMove(code, f"{self._shown()}: {errors.SENTENCES[code]}")

    def _check_parameters(self, state: State) -> None:
        for f in fields(self):  # type: ignore[arg-type]  # every move is a dataclass
            value = getattr(self, f.name)
            if not f.metadata["kind"].accepts(value):
                raise IllegalMove(
                    errors.INVALID_PARAMETER, f"{self.type} takes no {f.name} {shown(value)}"
                )
        if reason := self.misfit(state):
            raise IllegalMove(errors.INVALID_PARAMETER, f"{self._shown()}: {reason}")

    def _shown(self) -> str:
        given = [f"{name} {value!r}" for name, value in self.to_json().items() if name != "type"]
        return f"{self.type} ({', '.join(given)})" if given else self.type

    def misfit(self, state: State) -> str:
        """Why these parameters do not go together, or with this table; empty if they do."""
        return ""

    def refusal(self, state: State, seat: int) -> str:
        """Return the code of the first reason against this move, OK if there is none."""
        raise NotImplementedError

    def play_out(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Do what the rulebook says under this action."""
        raise NotImplementedError

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        self.play_out(state, seat, log)


class CharacterAction(Action):
    """An action of a character, with the first use of its card or with a bull."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = ("character_acted", "bull_spent")
    character: ClassVar[int]
    with_bull: bool

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        half = len(cls.pool) // 2  # the second half is with a bull
        pool = cls.pool[half:] if state.acted != NONE else cls.pool[:half]
        if not pool or pool[0]._may_act(state, seat):  # type: ignore[attr-defined]  # noqa: SLF001 - own
            return ()
        return [move for move in pool if not move.problem(state, seat)]  # type: ignore[attr-defined]

    def refusal(self, state: State, seat: int) -> str:
        return self._may_act(state, seat) or self.problem(state, seat)

    def _may_act(self, state: State, seat: int) -> str:
        if self.with_bull:
            if state.current != self.character or not self.character_is_held(state, seat):  # R28
                return errors.NOT_CURRENT_CHARACTER
            return bull_refusal(state, seat)
        return card_refusal(state, seat, self.character)

    @classmethod
    def character_is_held(cls, state: State, seat: int) -> bool:
        """Whether ``seat`` has drafted the character."""
        return cls.character in state.characters[seat]

    def problem(self, state: State, seat: int) -> str:
        """Return the action's own reason against it; a bull counts as spent already."""
        return OK

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.with_bull:
            play.use_bull(state, seat, log)
        else:
            state.used[seat].append(self.character)
            state.acted = state.current = self.character
        if log:
            log.add("character_acted", seat=seat, character=CHARACTERS[self.character])
        if self.character == KING:
            play.move_pending(state, seat, state.pending_order.index(seat), log)
        self.play_out(state, seat, log)


class CommonAction(Action):
    """An action on one of the common spaces (4.5, R29)."""

    __slots__ = ()
    says: ClassVar[tuple[str, ...]] = ("common_space_taken", "bull_spent", "ducats_paid")
    with_bull: bool

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if state.common_taken[COMMON.index(cls.type)]:
            return ()
        free = not state.common_used[seat]
        bull = state.bulls[seat] and not state.bull_used[seat]
        half = len(cls.pool) // 2
        pool = cls.pool[0 if free else half : None if bull else half]
        return [move for move in pool if not move.problem(state, seat)]  # type: ignore[attr-defined]

    def refusal(self, state: State, seat: int) -> str:
        if state.common_taken[COMMON.index(self.type)]:
            return errors.COMMON_SPACE_TAKEN
        if self.with_bull:
            refused = bull_refusal(state, seat)
        else:
            refused = errors.COMMON_ALREADY_USED if state.common_used[seat] else OK
        return refused or self.problem(state, seat)

    def problem(self, state: State, seat: int) -> str:
        """Return the action's own reason against it."""
        raise NotImplementedError

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.common_taken[COMMON.index(self.type)] = 1
        if self.with_bull:
            play.use_bull(state, seat, log)
        else:
            state.common_used[seat] = 1
        if log:
            log.add("common_space_taken", seat=seat, space=self.type)
        self.play_out(state, seat, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": COMMON_PRICES.get(self.type)}


def bull_refusal(state: State, seat: int) -> str:
    """Why a bull cannot be spent (R26)."""
    if not state.bulls[seat]:
        return errors.NO_BULL
    return errors.BULL_ALREADY_USED if state.bull_used[seat] else OK


def card_refusal(state: State, seat: int, character: int) -> str:
    """Why a character's card cannot be used now (4.2, 4.4)."""
    if character not in state.characters[seat]:
        return errors.CHARACTER_NOT_YOURS
    if state.acted != NONE:
        return errors.ALREADY_ACTED
    return errors.CHARACTER_ALREADY_USED if character in state.used[seat] else OK


def ducats_refusal(state: State, seat: int, price: int) -> str:
    """Why a price cannot be paid."""
    return OK if state.ducats[seat] >= price else errors.INSUFFICIENT_DUCATS


def house_refusal(state: State, seat: int, space: int) -> str:
    """Why a house cannot be placed on a settlement space (``place_house``)."""
    if not state.reserve[seat]:
        return errors.NO_HOUSE_IN_RESERVE
    if not state.sizes[space]:
        return errors.NO_SETTLEMENT
    return errors.SETTLEMENT_FULL if len(state.houses[space]) == state.sizes[space] else OK


def reward_refusal(state: State, seat: int, reward: str) -> str:
    """Why a piece cannot be taken from its supply (R50)."""
    match reward:
        case "rosette":
            return OK if state.rosette_supply else errors.ROSETTE_SUPPLY_EMPTY
        case "house":
            return OK if state.house_supply[seat] else errors.HOUSE_SUPPLY_EMPTY
        case "tercio":
            return OK if state.supply[seat] else errors.TERCIO_SUPPLY_EMPTY
        case "magellan":
            return OK if state.magellan_supply else errors.MAGELLAN_SUPPLY_EMPTY
        case _:
            return OK if state.bull_supply else errors.BULL_SUPPLY_EMPTY


def interned(cls: type[Action]) -> type[Action]:
    """Make every instance of a move once: those with a bull are the second half of its pool."""
    values = [_values(f.metadata["kind"]) for f in fields(cls)]  # type: ignore[arg-type]
    if issubclass(cls, CharacterAction | CommonAction):
        rows = [(*row, bull) for bull in (False, True) for row in product(*values[:-1])]
    else:
        rows = list(product(*values))
    cls.pool = tuple(cls(*row) for row in rows)
    return cls


def _values(kind: Any) -> Sequence[object]:
    match kind:
        case Choice(values):
            return values
        case Integer(minimum, maximum):
            return range(minimum, maximum + 1)
        case Flag():
            return (False, True)
        case _:
            raise TypeError(f"say how to list {kind!r}")
