"""What the fields of moves look like in JSON, and how they are read.

A reader takes what the JSON said and returns the field, of immutable parts, or raises TypeError.
It judges types alone: which wares, spaces and numbers are allowed is for the moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.fields import Choice, Integer
from rules.kernel.contract.move import MalformedMove, RawMove
from rules.manila.data import BIG_REACH, LANES, START_MAX, START_MIN, WARE, WARES
from rules.manila.state import State

Reader = Callable[[object], Any]
Starts = tuple[tuple[str, int], ...]
"""Start spaces of wares: ``(ware, space)``, in the order of the lanes."""
Steps = tuple[tuple[str, int], ...]
"""What a pilot does: ``(ware, delta)``, in the order given."""


class ReadMove(RawMove[State]):
    """A move whose fields are read by ``readers``, one for each field."""

    __slots__ = ()
    readers: ClassVar[tuple[Reader, ...]] = ()

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back.

        Raises:
            MalformedMove: a field is missing, one too many, or of a wrong type.

        """
        data = cls.completed(data)
        super().from_json(data)
        names: tuple[str, ...] = cls.__match_args__
        try:
            fields = [read(data[name]) for name, read in zip(names, cls.readers, strict=True)]
        except TypeError as error:
            raise MalformedMove(f"{cls.type}: {error}") from None
        return cls(*fields)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of field made of others."""

    read: Reader
    described: JsonObject

    def accepts(self, value: object) -> bool:
        """Whether the value has this shape."""
        try:
            self.read(value)
        except TypeError:
            return False
        return True

    def schema(self) -> JsonObject:
        return dict(self.described)


# Readers


def integer(value: object) -> int:
    """Read an integer; ``true`` is none."""
    if type(value) is not int:
        raise TypeError(f"{shown(value)} is not an integer")
    return value


def word(value: object) -> str:
    """Read an id, or what should be one."""
    if type(value) is not str:
        raise TypeError(f"{shown(value)} is not a word")
    return value


def integer_or_null(value: object) -> int | None:
    """Read an integer or ``null``."""
    return None if value is None else integer(value)


def words(value: object) -> tuple[str, ...]:
    """Read ``["silk", …]``."""
    if type(value) is not list:
        raise TypeError(f"{shown(value)} is not a list")
    return tuple(word(item) for item in value)


def starts(value: object) -> Starts:
    """Read ``{"silk": 5, …}``."""
    if type(value) is not dict:
        raise TypeError(f"{shown(value)} is not an object")
    spaces = {word(ware): integer(space) for ware, space in value.items()}
    return tuple(sorted(spaces.items(), key=lambda item: (WARE.get(item[0], len(WARE)), item[0])))


def steps(value: object) -> Steps:
    """Read ``[{"ware": "silk", "delta": -1}, …]``."""
    if type(value) is not list:
        raise TypeError(f"{shown(value)} is not a list")
    return tuple(_step(item) for item in value)


def _step(value: object) -> tuple[str, int]:
    if type(value) is not dict or value.keys() != {"ware", "delta"}:
        raise TypeError(f"{shown(value)} is not an object of ware and delta")
    return word(value["ware"]), integer(value["delta"])


# Shapes

_WARE = Choice(WARES).schema()

_SPACES = dict.fromkeys(WARES, Integer(START_MIN, START_MAX).schema())

STARTS = Shape(
    starts,
    {
        "type": "object",
        "properties": _SPACES,
        "required": [],
        "additionalProperties": False,
        "maxProperties": LANES,
        "anyOf": [
            {"properties": {ware: _SPACES[ware] for ware in loaded}, "required": list(loaded)}
            for loaded in combinations(WARES, LANES)
        ],
    },
)
STEPS = Shape(
    steps,
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"ware": _WARE, "delta": Integer(-BIG_REACH, BIG_REACH).schema()},
            "required": ["ware", "delta"],
            "additionalProperties": False,
        },
        "minItems": 1,
        "maxItems": 2,
    },
)
ORDER = Shape(
    words,
    {"type": "array", "items": _WARE, "minItems": 2, "maxItems": LANES, "uniqueItems": True},
)
