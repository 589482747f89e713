"""Kinds of values. A kind says which JSON a value has in a move, an effect or an option.

A kind is both declaration and parser: ``read`` and ``write`` convert JSON to the value and back,
``values`` lists all values, and ``schema`` describes the JSON. A game defines kinds of its own (a
payment, a set of start spaces) as subclasses.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown

T = TypeVar("T")
S = TypeVar("S", bound=str)
I = TypeVar("I", bound=int)  # noqa: E741 - a NewType of int


class BadValue(ValueError):
    """JSON that is not a value of a kind: an unknown name, or a number out of bounds."""


class WrongType(BadValue):
    """A value is of the wrong JSON type: no valid value of its field has this type."""


class Field(ABC, Generic[T]):
    """A kind of value, and its form in JSON."""

    __slots__ = ()

    @abstractmethod
    def read(self, value: object) -> T:
        """Convert JSON to a value.

        Raises:
            BadValue: the JSON is not a value; WrongType if its type is wrong.
        """

    def write(self, value: T) -> object:
        """Convert a value to JSON; by default, the value itself is its JSON."""
        return value

    def values(self) -> Sequence[T]:
        """Return every value, in order.

        Raises:
            TypeError: there are too many to list.

        """
        raise TypeError(f"nobody lists every {self!r}")

    @abstractmethod
    def schema(self) -> JsonObject:
        """Return the JSON Schema (2020-12) of this kind."""

    def accepts(self, value: object) -> bool:
        """Whether ``value`` is JSON of this kind; never raises."""
        try:
            self.read(value)
        except BadValue:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Integer(Field[int]):
    """An integer from ``minimum`` to ``maximum``, both included; ``True`` is not an integer.

    If not ``strict``, ``read`` accepts any integer: only the schema has the bounds, and the rules
    refuse other numbers with errors of their own.
    """

    minimum: int
    maximum: int
    strict: bool = True

    def read(self, value: object) -> int:
        if type(value) is not int:
            raise WrongType(f"{shown(value)} is not an integer")
        if self.strict and not self.minimum <= value <= self.maximum:
            raise BadValue(f"{shown(value)} is not from {self.minimum} to {self.maximum}")
        return value

    def values(self) -> Sequence[int]:
        return range(self.minimum, self.maximum + 1)

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}


@dataclass(frozen=True, slots=True)
class PlaceNumber(Field[I]):
    """The number of one of ``count`` places.

    In JSON the lowest number is ``first``; in a move it is 0.
    """

    count: int
    first: int = 1

    def read(self, value: object) -> I:
        return cast("I", self._json.read(value) - self.first)

    def write(self, value: I) -> object:
        return value + self.first

    def values(self) -> Sequence[I]:
        return cast("Sequence[I]", range(self.count))

    def schema(self) -> JsonObject:
        return self._json.schema()

    @property
    def _json(self) -> Integer:
        return Integer(self.first, self.first + self.count - 1)


@dataclass(frozen=True, slots=True)
class Choice(Field[S]):
    """One of ``ids``; a move holds the id itself."""

    ids: tuple[S, ...]

    def read(self, value: object) -> S:
        return self.ids[_index(self.ids, value)]

    def values(self) -> Sequence[S]:
        return self.ids

    def schema(self) -> JsonObject:
        return {"type": "string", "enum": list(self.ids)}


@dataclass(frozen=True, slots=True)
class Index(Field[I]):
    """One of ``ids``; a move holds its index: ``"silk"`` is 1.

    If only ``some`` indexes are allowed, the schema lists only their ids. Without ``strict``, any
    id can be read, and the rules refuse wrong ones with errors of their own. ``none`` is the value
    in a move for ``null`` in JSON.
    """

    ids: Sequence[str]
    some: Sequence[int] | None = None
    none: int | None = None
    strict: bool = True
    _places: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        read = self._listed() if self.strict else range(len(self.ids))
        object.__setattr__(self, "_places", {self.ids[place]: place for place in read})

    def _listed(self) -> Sequence[int]:
        return range(len(self.ids)) if self.some is None else self.some

    def read(self, value: object) -> I:
        if value is None and self.none is not None:
            return cast("I", self.none)
        if type(value) is not str:
            raise WrongType(f"{shown(value)} is not an id")
        if value not in self._places:
            raise BadValue(f"{shown(value)} is none of the ids")
        return cast("I", self._places[value])

    def write(self, value: I) -> object:
        return None if value == self.none else self.ids[value]

    def values(self) -> Sequence[I]:
        places = self._listed() if self.none is None else (self.none, *self._listed())
        return cast("Sequence[I]", tuple(places))

    def schema(self) -> JsonObject:
        listed = [self.ids[place] for place in self._listed()]
        known: JsonObject = {"type": "string", "enum": listed}
        return known if self.none is None else {"anyOf": [known, {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Flag(Field[bool]):
    """``true`` or ``false``."""

    def read(self, value: object) -> bool:
        if type(value) is not bool:
            raise WrongType(f"{shown(value)} is not true or false")
        return value

    def values(self) -> Sequence[bool]:
        return (False, True)

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Maybe(Field[T | None]):
    """A value of another kind, or ``null``."""

    field: Field[T]

    def read(self, value: object) -> T | None:
        return None if value is None else self.field.read(value)

    def write(self, value: T | None) -> object:
        return None if value is None else self.field.write(value)

    def values(self) -> Sequence[T | None]:
        return (None, *self.field.values())

    def schema(self) -> JsonObject:
        return {"anyOf": [self.field.schema(), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Either(Field[T]):
    """A value of any of the ``kinds``; the first kind that accepts a JSON value reads it."""

    kinds: tuple[Field[Any], ...]

    def read(self, value: object) -> T:
        for kind in self.kinds:
            if kind.accepts(value):
                return cast("T", kind.read(value))
        raise BadValue(f"{shown(value)} is of none of these kinds")

    def write(self, value: T) -> object:
        return next(json for kind in self.kinds if kind.accepts(json := kind.write(value)))

    def schema(self) -> JsonObject:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


@dataclass(frozen=True, slots=True)
class ListOf(Field[tuple[T, ...]]):
    """A list of ``least`` to ``most`` values of another kind, ``unique`` or not."""

    item: Field[T]
    least: int = 0
    most: int | None = None
    unique: bool = False

    def read(self, value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise WrongType(f"{shown(value)} is not a list")
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            raise BadValue(f"there are not {len(value)} of these")
        items = tuple([self.item.read(each) for each in value])
        if self.unique and len({*items}) < len(items):
            raise BadValue(f"{shown(value)} has something twice")
        return items

    def write(self, value: Sequence[T]) -> object:
        return [*map(self.item.write, value)]

    def schema(self) -> JsonObject:
        schema: JsonObject = {"type": "array", "items": self.item.schema()}
        if self.least:
            schema["minItems"] = self.least
        if self.most is not None:
            schema["maxItems"] = self.most
        if self.unique:
            schema["uniqueItems"] = True
        return schema


class Permutation(ListOf[str]):
    """A list that contains each of the ids once, in any order."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(Choice(tuple(ids)), len(ids), len(ids), unique=True)


@dataclass(frozen=True, slots=True)
class Optional(Field[T | None]):
    """A value that may be left out in JSON if it does not apply; the move then has None."""

    field: Field[T]

    def read(self, value: object) -> T:
        return self.field.read(value)

    def write(self, value: T | None) -> object:
        return None if value is None else self.field.write(value)

    def values(self) -> Sequence[T | None]:
        return (None, *self.field.values())

    def schema(self) -> JsonObject:
        return self.field.schema()


@dataclass(frozen=True, slots=True)
class EditionId(Field[str]):
    """The id of one of ``editions``. An installation may add editions of its own.

    The schema lists only the editions in ``offered``. An edition that comes with a record is not
    among them, though games can be played with it.
    """

    editions: Mapping[str, object]
    offered: Collection[str]

    def read(self, value: object) -> str:
        return [*self.editions][_index([*self.editions], value)]

    def schema(self) -> JsonObject:
        return {"type": "string", "enum": [id_ for id_ in self.editions if id_ in self.offered]}


def _index(ids: Sequence[str], value: object) -> int:
    if type(value) is not str:
        raise WrongType(f"{shown(value)} is not an id")
    if value not in ids:
        raise BadValue(f"{shown(value)} is none of the ids")
    return ids.index(value)
