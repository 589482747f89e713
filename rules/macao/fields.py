"""Kinds of values: how colours, goods, piles of cubes and an edition's ids stand in JSON.

Colours, goods and tiles are small ints in a move and in the state, and a pile of cubes is one int
(``cubes``). Cards, quarters and sea spaces are ids everywhere, for each edition has its own.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    BadValue,
    Field,
    Index,
    Integer,
    Optional,
    WrongType,
    shown,
)
from rules.kernel.toolbox.packed import PileAsCounts, PileAsList
from rules.macao import data
from rules.macao.cards import CardId
from rules.macao.data import cubes
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


SEAT = Integer(0, data.MAX_SEATS - 1)
COLOUR: Index[int] = Index(data.COLOURS)
GOOD: Index[int] = Index(data.GOODS)
TILE: Index[int] = Index(data.TILES, none=data.NONE)
COLOURS = PileAsList(cubes, 0, MOST)
DICE = PileAsList(cubes, 2, 2, unique=True)
PAYMENT = PileAsCounts(cubes, MOST)
CHOSEN = Optional(COLOURS)
CARD: Id[CardId] = Id("cards", "bank")
QUARTER: Id[QuarterId] = Id("quarters", "q01")
SPACE: Id[SpaceId] = Id("spaces", "s01")
