"""Kinds of values: how colours, goods, piles of cubes and an edition's ids stand in JSON.

Colours, goods and tiles are small ints in a move and in the state, and a pile of cubes is one int
(``cubes``). Cards, quarters and sea spaces are ids everywhere, for each edition has its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    BadValue,
    Field,
    Index,
    Integer,
    ListOf,
    Optional,
    WrongType,
    shown,
)
from rules.macao import cubes, data
from rules.macao.cards import CardId
from rules.macao.tables import TABLES, QuarterId, SpaceId

Named = TypeVar("Named", bound=str)
MOST = 4
"""No payment or choice is of more cubes (``tables``)."""


@dataclass(frozen=True, slots=True)
class Id(Field[Named], Generic[Named]):
    """The id of a row of ``table``, one of ``Tables``, in any edition; ``example`` is one."""

    table: str
    example: str

    def read(self, value: object) -> Named:
        if type(value) is not str:
            raise WrongType(f"{shown(value)} is not an id")
        if not any(value in getattr(tables, self.table) for tables in TABLES.values()):
            raise BadValue(f"{shown(value)} is none of the {self.table}")
        return cast("Named", value)

    def schema(self) -> JsonObject:
        return {"type": "string", "examples": [self.example]}


@dataclass(frozen=True, slots=True)
class Colours(Field[int]):
    """A pile of so many cubes as a list, in any order: a colour for each."""

    least: int
    most: int
    unique: bool = False
    """Whether no two shall be of one colour; the rules judge, in their own words."""

    def read(self, value: object) -> int:
        if not isinstance(value, list) or not all(type(item) is str for item in value):
            raise WrongType(f"{shown(value)} is not a list of colours")
        if not self.least <= len(value) <= self.most:
            raise WrongType(f"there are not {len(value)} colours to choose")
        return sum([cubes.ONE[COLOUR.read(item)] for item in value])

    def write(self, value: int) -> object:
        return cubes.ids(value)

    def values(self) -> Sequence[int]:
        if self.unique:
            return cubes.PAIRS
        numbers = range(self.least, self.most + 1)
        return [pile for number in numbers for pile in cubes.any_cubes(number)]

    def schema(self) -> JsonObject:
        return ListOf(COLOUR, self.least, self.most, unique=self.unique).schema()


class Payment(Field[int]):
    """A pile as an object: colour to count, each at least 1."""

    def read(self, value: object) -> int:
        if not isinstance(value, dict):
            raise WrongType(f"{shown(value)} is not a payment by colours")
        for number in value.values():
            if type(number) is not int or number < 1:
                raise WrongType(f"{shown(number)} is no number of cubes")
        return sum([cubes.ONE[COLOUR.read(id_)] * min(n, cubes.MOST) for id_, n in value.items()])

    def write(self, value: int) -> object:
        return cubes.payment(value)

    def schema(self) -> JsonObject:
        count = Integer(1, MOST).schema()
        return {
            "type": "object",
            "properties": dict.fromkeys(data.COLOURS, count),
            "additionalProperties": False,
            "minProperties": 1,
            "examples": [{data.COLOURS[0]: 1}],
        }


SEAT = Integer(0, data.MAX_SEATS - 1)
COLOUR: Index[int] = Index(data.COLOURS)
GOOD: Index[int] = Index(data.GOODS)
TILE: Index[int] = Index(data.TILES, none=data.NONE)
COLOURS, DICE, PAYMENT = Colours(0, MOST), Colours(2, 2, unique=True), Payment()
CHOSEN = Optional(COLOURS)
CARD: Id[CardId] = Id("cards", "bank")
QUARTER: Id[QuarterId] = Id("quarters", "q01")
SPACE: Id[SpaceId] = Id("spaces", "s01")
