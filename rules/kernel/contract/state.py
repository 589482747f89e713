"""The part of a state that all games share: the phase, the decider, and how to copy it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, NamedTuple, Self, Union, get_args, get_origin, get_type_hints

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.pieces import Piece, plain
from rules.kernel.contract.seats import NOBODY, Seat


@dataclass(slots=True, kw_only=True)
class GameState:
    """The state of a game; subclasses are dataclasses with ``slots=True``.

    Copies share ints, ids and tuples. Lists (also of lists), dicts and objects with a ``copy``
    method are copied, according to the declared types.
    """

    phase: str = ""
    """The step of the sequence of play (``phases``)."""
    decider: Seat = NOBODY
    """The seat with the decision; NOBODY before a draw, or while several seats decide at once."""

    def ask(self, phase: str, seat: Seat) -> None:
        """Open the decision of ``phase`` for ``seat``."""
        self.phase = phase
        self.decider = seat

    def wait(self, phase: str) -> None:
        """Enter ``phase`` without a decider: for a draw, for several seats, or for the end."""
        self.ask(phase, NOBODY)

    def copy(self) -> Self:
        """Return an equal state that shares nothing mutable with this one."""
        return type(self)(*_copied(self), phase=self.phase, decider=self.decider)

    def to_json(self, piece: Piece = plain) -> JsonObject:
        """Return the whole state, hidden parts included: equal states have equal JSON.

        By default the JSON has the fields of the state by name. Each field must be an int, a text,
        None or a list of such values; a state with other fields needs a codec of its own. Such a
        codec may pass parts that rarely change to ``piece``, so that they are encoded only once.
        """
        plan = _plan(type(self))
        values = _copied(self) if piece is plain else plan.get(self)  # bytes need no copies
        own = zip(plan.names, values, strict=True)
        return {"phase": self.phase, "decider": self.decider, **dict(own)}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Return the state that ``to_json`` wrote."""
        return cls(**data).copy()


_Copy = Callable[[Any], Any]


class _Plan(NamedTuple):
    """The fields of a game's state, a function that gets them, and how to copy the mutable ones."""

    names: tuple[str, ...]
    get: Callable[[Any], tuple[Any, ...]]
    copied: tuple[tuple[int, _Copy], ...]


def _make_plan(cls: Any) -> _Plan:
    names = tuple(f.name for f in fields(cls) if not f.kw_only)
    hints: Mapping[str, Any] = get_type_hints(cls)
    ways = [_way(hints[name]) for name in names]
    copied = tuple([(at, way) for at, way in enumerate(ways) if way])
    return _Plan(names, attrgetter(*names), copied)


_plan: Callable[[Any], _Plan] = cache(_make_plan)


def _copied(state: GameState) -> list[Any]:
    plan = _plan(type(state))
    values = [*plan.get(state)]
    for place, copy in plan.copied:
        values[place] = copy(values[place])
    return values


def _way(hint: Any) -> _Copy | None:
    """Return the function that copies a value of this type; None if copies may share the value."""
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        ways = {_way(option) for option in get_args(hint)}
        if ways == {None}:
            return None
        raise TypeError(f"nobody knows how to copy a {hint}")
    if origin is list:
        return list.copy if _way(get_args(hint)[0]) is None else _each(_way(get_args(hint)[0]))
    if origin is dict and _way(get_args(hint)[1]) is None:
        return dict.copy
    if (
        origin is tuple
        or getattr(origin, "__supertype__", None)
        or origin in (int, str, bool, type(None))
    ):
        return None
    return getattr(origin, "copy", None)


def _each(way: Any) -> _Copy:
    return lambda items: [*map(way, items)]
