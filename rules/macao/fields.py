"""Kinds of values in this game's moves: how they stand in JSON and in a move.

Lists of colours and payments are piles of cubes in a move (see ``cubes``). What is of the wrong
type is malformed; what names no colour is kept as it is, for ``check`` to say so in its turn.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.move import MalformedMove
from rules.macao import cubes
from rules.macao.data import COLOURS

Cubes = int | tuple[str, ...]
"""A pile, or names that are not all colours."""


class Kind(ABC):
    """A kind of value that need not be the same in a move as in its JSON."""

    __slots__ = ()

    @abstractmethod
    def read(self, value: object) -> Any:
        """Return the value of a move.

        Raises:
            MalformedMove: JSON of another type.

        """

    def write(self, value: Any) -> object:
        """Return the JSON of a move's value."""
        return value

    @abstractmethod
    def schema(self) -> JsonObject:
        """Return the JSON Schema of this kind."""

    def accepts(self, value: object) -> bool:
        """Whether ``value`` is JSON of this kind."""
        try:
            self.read(value)
        except MalformedMove:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Id(Kind):
    """An id: one of ``values``, or, without them, one that the edition's tables have.

    ``example`` is such an id.
    """

    values: tuple[str, ...] = ()
    example: str = ""

    def read(self, value: object) -> str:
        if type(value) is not str:
            raise MalformedMove(f"{shown(value)} is not an id")
        return value

    def schema(self) -> JsonObject:
        if self.values:
            return {"type": "string", "enum": list(self.values)}
        return {"type": "string", "examples": [self.example]}


@dataclass(frozen=True, slots=True)
class Colours(Kind):
    """A list of colours in any order, which may repeat."""

    most: int

    def read(self, value: object) -> Cubes:
        if not isinstance(value, list) or not all(type(item) is str for item in value):
            raise MalformedMove(f"{shown(value)} is not a list of colours")
        if len(value) > cubes.MOST:  # more than a pile can count, whatever colours they are
            raise MalformedMove(f"there are not {len(value)} colours to choose")
        return _pile(value)

    def write(self, value: int) -> object:
        return cubes.ids(value)

    def schema(self) -> JsonObject:
        items = {"type": "string", "enum": list(COLOURS)}
        return {"type": "array", "items": items, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Payment(Kind):
    """Cubes: colour to count, each at least 1."""

    most: int

    def read(self, value: object) -> Cubes:
        if not isinstance(value, dict):
            raise MalformedMove(f"{shown(value)} is not a payment by colours")
        for id_, number in value.items():
            if type(number) is not int or number < 1:
                raise MalformedMove(f"{shown(number)} {shown(id_)} is no number of cubes")
        if not all(id_ in COLOURS for id_ in value):
            return tuple(value)
        return cubes.from_counts({id_: min(n, cubes.MOST) for id_, n in value.items()})

    def write(self, value: int) -> object:
        return cubes.payment(value)

    def schema(self) -> JsonObject:
        count = {"type": "integer", "minimum": 1, "maximum": self.most}
        return {
            "type": "object",
            "properties": dict.fromkeys(COLOURS, count),
            "additionalProperties": False,
            "minProperties": 1,
            "examples": [{COLOURS[0]: 1}],
        }


@dataclass(frozen=True, slots=True)
class Dice(Kind):
    """Two colours in any order."""

    def read(self, value: object) -> tuple[str, ...]:
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(type(item) is str for item in value)
        ):
            raise MalformedMove(f"{shown(value)} is not two colours")
        return tuple(sorted(value, key=lambda id_: COLOURS.index(id_) if id_ in COLOURS else -1))

    def write(self, value: tuple[str, ...]) -> object:
        return list(value)

    def schema(self) -> JsonObject:
        items = {"type": "string", "enum": list(COLOURS)}
        return {
            "type": "array",
            "items": items,
            "minItems": 2,
            "maxItems": 2,
            "uniqueItems": True,
        }


@dataclass(frozen=True, slots=True)
class Count(Kind):
    """A whole number from 0 on."""

    most: int

    def read(self, value: object) -> int:
        if type(value) is not int or value < 0:
            raise MalformedMove(f"{shown(value)} is not a number of coins")
        return value

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": 0, "maximum": self.most}


def _pile(names: Sequence[str]) -> Cubes:
    return cubes.pile_of(names) if all(id_ in COLOURS for id_ in names) else tuple(names)
