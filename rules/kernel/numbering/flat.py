"""The view of a seat, as a row of numbers in places that never change.

The places follow from the JSON Schema of the view:

- an integer has one place, with its value;
- an id or a seat has a place for each possible value, with 1 in the place of its value;
- ``true`` is 1; a value that may be absent has a place before it that says whether it is there;
- a list of ids without repetitions has a place for each id; any other list has its items one
  after the other, up to its maximum length, each with a place that says whether it is there;
- a map from ids to values has a value for each id.

Everything that is hidden or absent is 0.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias

from rules.kernel.canonical import JsonObject

LARGEST = 2**31 - 1
"""The greatest number in an observation; larger ones are written as this one."""
_BYTES = array("i").itemsize
SEAT = "#/$defs/seat"


Row: TypeAlias = "array[int]"
"""Integers of 32 bits."""


class Flat:
    """Lays out a view as a row of ``size`` numbers. A place is a position in this row."""

    def __init__(self, schema: JsonObject) -> None:
        self._root = _part(schema, schema["$defs"])
        self.size = self._root.size

    @cached_property
    def places(self) -> "Sequence[Place]":
        """Each place: its name, and the least and greatest number in it."""
        return [(name.lstrip("."), low, high) for name, low, high in self._root.places("")]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the places."""
        return tuple(name for name, _low, _high in self.places)

    def row(self, view: JsonObject, more: int = 0) -> Row:
        """Return a view as ``size`` numbers, followed by ``more`` zeros.

        The view must fit the schema.
        """
        row = array("i", bytes(_BYTES * (self.size + more)))
        self._root.fill(row, 0, view)
        return row

    def change(self, row: Row, old: JsonObject, new: JsonObject) -> None:
        """Turn the row of the view ``old`` into that of ``new``, where the two are different."""
        self._root.change(row, 0, old, new)


Place = tuple[str, int, int]
"""A place: its name, and the least and greatest number in it."""


class _Part(ABC):
    """A value somewhere in the view: ``size`` places in a row."""

    size: int

    @abstractmethod
    def places(self, name: str) -> Iterator[Place]:
        """Yield the places of the value called ``name``."""

    @abstractmethod
    def fill(self, row: Row, at: int, value: Any) -> None:
        """Write a value, which is not absent, to the places from ``at`` on."""

    @abstractmethod
    def takes(self, value: object) -> bool:
        """Whether the value is of this kind, and of no alternative kind."""

    def change(self, row: Row, at: int, old: Any, new: Any) -> None:
        """Write ``new`` where ``old`` is written; neither of them is absent."""
        self.clear(row, at)
        self.fill(row, at, new)

    def clear(self, row: Row, at: int) -> None:
        """Remove what is written."""
        row[at : at + self.size] = self._nothing

    @cached_property
    def _nothing(self) -> Row:
        return array("i", bytes(_BYTES * self.size))


class _Number(_Part):
    size = 1

    def __init__(self, schema: JsonObject) -> None:
        self._low = schema.get("minimum", -LARGEST)
        self._high = min(schema.get("maximum", LARGEST), LARGEST)

    def places(self, name: str) -> Iterator[Place]:
        yield name, min(self._low, 0), max(self._high, 0)

    def fill(self, row: Row, at: int, value: Any) -> None:
        try:
            row[at] = value
        except OverflowError:
            row[at] = LARGEST if value > 0 else -LARGEST

    def takes(self, value: object) -> bool:
        return type(value) is int


class _Flag(_Part):
    size = 1

    def places(self, name: str) -> Iterator[Place]:
        yield name, 0, 1

    def fill(self, row: Row, at: int, value: Any) -> None:
        row[at] = value

    def takes(self, value: object) -> bool:
        return type(value) is bool


class _OneOf(_Part):
    """An id or a seat, out of several."""

    def __init__(self, values: Sequence[object]) -> None:
        self._at = {value: place for place, value in enumerate(values)}
        self.size = len(values)

    def places(self, name: str) -> Iterator[Place]:
        for value in self._at:
            yield f"{name}={value}", 0, 1

    def fill(self, row: Row, at: int, value: Any) -> None:
        row[at + self._at[value]] = 1

    def takes(self, value: object) -> bool:
        return isinstance(value, str | int) and value in self._at


class _SetOf(_Part):
    """A set of ids."""

    def __init__(self, item: _OneOf) -> None:
        self._item = item
        self.size = item.size

    def places(self, name: str) -> Iterator[Place]:
        return self._item.places(name)

    def fill(self, row: Row, at: int, value: Any) -> None:
        for item in value:
            self._item.fill(row, at, item)

    def takes(self, value: object) -> bool:
        return isinstance(value, list)


class _Nothing(_Part):
    """A value without places, because no game changes it: a constant, or an edition's name."""

    size = 0

    def places(self, name: str) -> Iterator[Place]:
        return iter(())

    def fill(self, row: Row, at: int, value: Any) -> None:
        pass

    def takes(self, value: object) -> bool:
        return True


class _Maybe(_Part):
    """A value of one of several kinds, or no value."""

    def __init__(self, kinds: Sequence[_Part]) -> None:
        self._kinds = kinds
        self.size = sum(1 + kind.size for kind in kinds)

    def places(self, name: str) -> Iterator[Place]:
        for number, kind in enumerate(self._kinds):
            yield f"{name}?" if len(self._kinds) == 1 else f"{name}?{number}", 0, 1
            yield from kind.places(name)

    def fill(self, row: Row, at: int, value: Any) -> None:
        if value is None:
            return
        for kind in self._kinds:
            if kind.takes(value):
                row[at] = 1
                kind.fill(row, at + 1, value)
                return
            at += 1 + kind.size
        raise ValueError(f"{value!r} is of none of the kinds that the schema has here")

    def change(self, row: Row, at: int, old: Any, new: Any) -> None:
        if len(self._kinds) == 1:
            self._kinds[0].change(row, at + 1, old, new)
        else:
            super().change(row, at, old, new)

    def takes(self, value: object) -> bool:
        return value is None or any(kind.takes(value) for kind in self._kinds)


class _ListOf(_Part):
    def __init__(self, item: _Part, most: int) -> None:
        self._item = item
        self._most = most
        self.size = most * (1 + item.size)

    def places(self, name: str) -> Iterator[Place]:
        for number in range(self._most):
            yield f"{name}[{number}]?", 0, 1
            yield from self._item.places(f"{name}[{number}]")

    def fill(self, row: Row, at: int, value: Any) -> None:
        for item in value:
            row[at] = 1
            if item is not None:
                self._item.fill(row, at + 1, item)
            at += 1 + self._item.size

    def change(self, row: Row, at: int, old: Any, new: Any) -> None:
        if len(old) != len(new):
            super().change(row, at, old, new)
            return
        for before, after in zip(old, new, strict=True):
            if before != after:
                _change(self._item, row, at + 1, before, after)
            at += 1 + self._item.size

    def takes(self, value: object) -> bool:
        return isinstance(value, list)


class _Object(_Part):
    """An object with named values, each of which may be absent."""

    def __init__(self, parts: Mapping[str, _Part]) -> None:
        self._parts = parts
        ends = [*accumulate(part.size for part in parts.values())]
        self.size = ends[-1] if ends else 0
        self._placed = {
            key: (place, part)
            for (key, part), place in zip(parts.items(), [0, *ends], strict=False)
        }

    def places(self, name: str) -> Iterator[Place]:
        for key, part in self._parts.items():
            yield from part.places(f"{name}.{key}")

    def fill(self, row: Row, at: int, value: Any) -> None:
        for key, (place, part) in self._placed.items():
            if (found := value.get(key)) is not None:
                part.fill(row, at + place, found)

    def change(self, row: Row, at: int, old: Any, new: Any) -> None:
        keys = new if old.keys() == new.keys() else {**old, **new}
        for key in keys:
            before, after = old.get(key), new.get(key)
            if before != after:
                place, part = self._placed[key]
                _change(part, row, at + place, before, after)

    def takes(self, value: object) -> bool:
        return isinstance(value, dict)


def _change(part: _Part, row: Row, at: int, old: Any, new: Any) -> None:
    """Write ``new`` where ``old`` is written; either of them may be absent (None)."""
    if new is None:
        part.clear(row, at)
    elif old is None:
        part.fill(row, at, new)
    else:
        part.change(row, at, old, new)


def _part(schema: JsonObject, kinds: JsonObject) -> _Part:
    if "$ref" in schema:
        found = kinds[schema["$ref"].removeprefix("#/$defs/")]
        if schema["$ref"] == SEAT:
            return _OneOf(range(found["minimum"], found["maximum"] + 1))
        return _part(found, kinds)
    if "const" in schema or (schema.get("type") == "string" and "enum" not in schema):
        return _Nothing()
    if "enum" in schema:
        return _OneOf(schema["enum"])
    if "anyOf" in schema:
        return _Maybe([_part(kind, kinds) for kind in _alternatives(schema, kinds)])
    match schema["type"]:
        case "integer":
            return _Number(schema)
        case "boolean":
            return _Flag()
        case "array":
            return _list(schema, kinds)
        case "object":
            return _object(schema, kinds)
    raise ValueError(f"a view has no values of the type {schema['type']!r}")


def _alternatives(schema: JsonObject, kinds: JsonObject) -> Iterator[JsonObject]:
    """Yield the schemas of a union, except null, which means an absent value.

    If a union has texts and null, the schemas of the texts are in an inner union that has a name,
    because generators of clients need the name. This function yields the schemas in the inner
    union, and not the inner union itself.
    """
    for kind in schema["anyOf"]:
        within = _resolved(kind, kinds).get("anyOf", ())
        if within and all(_resolved(each, kinds).get("type") == "string" for each in within):
            yield from within
        elif kind.get("type") != "null":
            yield kind


def _resolved(kind: JsonObject, kinds: JsonObject) -> JsonObject:
    found: JsonObject = kinds[kind["$ref"].removeprefix("#/$defs/")] if "$ref" in kind else kind
    return found


def _list(schema: JsonObject, kinds: JsonObject) -> _Part:
    item = _part(schema["items"], kinds)
    if schema.get("uniqueItems") and isinstance(item, _OneOf):
        return _SetOf(item)
    return _ListOf(item, schema["maxItems"])


def _object(schema: JsonObject, kinds: JsonObject) -> _Part:
    if "properties" in schema:
        needed = {*schema.get("required", ())}
        parts = {name: _part(kind, kinds) for name, kind in schema["properties"].items()}
        return _Object({n: p if n in needed else _Maybe([p]) for n, p in parts.items()})
    value = _Maybe([_part(schema["additionalProperties"], kinds)])
    return _Object(dict.fromkeys(_keys(schema["propertyNames"], kinds), value))


def _keys(schema: JsonObject, kinds: JsonObject) -> list[str]:
    keys: list[str] = _resolved(schema, kinds)["enum"]
    return keys
