"""Kinds of values that moves and options are made of: what they accept, and their JSON Schema."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from rules.kernel.canonical import JsonObject


class Field(Protocol):
    """A kind of JSON value."""

    def accepts(self, value: object) -> bool:
        """Whether ``value`` is of this kind; never raises."""
        ...

    def schema(self) -> JsonObject:
        """Return the JSON Schema (2020-12) of this kind."""
        ...


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer from ``minimum`` to ``maximum``, both included; ``True`` is not an integer."""

    minimum: int
    maximum: int

    def accepts(self, value: object) -> bool:
        return type(value) is int and self.minimum <= value <= self.maximum

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the ids in ``values``."""

    values: tuple[str, ...]

    def accepts(self, value: object) -> bool:
        return type(value) is str and value in self.values

    def schema(self) -> JsonObject:
        return {"type": "string", "enum": list(self.values)}


@dataclass(frozen=True, slots=True)
class Flag:
    """``true`` or ``false``."""

    def accepts(self, value: object) -> bool:
        return type(value) is bool

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Null:
    """``null``."""

    def accepts(self, value: object) -> bool:
        return value is None

    def schema(self) -> JsonObject:
        return {"type": "null"}


@dataclass(frozen=True, slots=True)
class Either:
    """A value of any of the ``kinds``."""

    kinds: tuple[Field, ...]

    def accepts(self, value: object) -> bool:
        return any(kind.accepts(value) for kind in self.kinds)

    def schema(self) -> JsonObject:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


@dataclass(frozen=True, slots=True)
class Permutation:
    """Every one of the ids in ``values`` once, in any order."""

    values: tuple[str, ...]

    def accepts(self, value: object) -> bool:
        return (
            isinstance(value, list | tuple)
            and all(type(item) is str for item in value)
            and sorted(value) == sorted(self.values)
        )

    def schema(self) -> JsonObject:
        return {
            "type": "array",
            "items": {"type": "string", "enum": list(self.values)},
            "minItems": len(self.values),
            "maxItems": len(self.values),
            "uniqueItems": True,
        }


@dataclass(frozen=True, slots=True)
class Installed:
    """The id of one of ``editions``, to which an installation may add; ``offered`` are shown.

    A record may bring an edition of its own, which is played and not offered.
    """

    editions: Mapping[str, object]
    offered: Collection[str]

    def accepts(self, value: object) -> bool:
        return type(value) is str and value in self.editions

    def schema(self) -> JsonObject:
        return {"type": "string", "enum": [id_ for id_ in self.editions if id_ in self.offered]}
