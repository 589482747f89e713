"""The values of moves, effects and states: how each stands in JSON."""

from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, Field, Index, Integer, ListOf
from rules.plus_ultra import data


@dataclass(frozen=True, slots=True)
class Place(Field[int]):
    """A row, space or slot: counted from 0 here and from 1 in JSON."""

    places: int

    def read(self, value: object) -> int:
        return Integer(1, self.places).read(value) - 1

    def write(self, value: int) -> object:
        return value + 1

    def values(self) -> range:
        return range(self.places)

    def schema(self) -> JsonObject:
        return Integer(1, self.places).schema()


SEAT = Integer(0, data.MAX_SEATS - 1)
SEATS = ListOf(SEAT)
ROW = Place(data.ROWS)
"""Also the settlement space beside a row (R3)."""
CHURCH_SLOT = Place(data.CHURCH_SLOTS)
WAR_SPACE = Place(data.WAR_SPACES)
KIND: Index[data.Kind] = Index(data.KINDS)
TILE: Index[data.Kind] = Index((*data.KINDS, "face_down"), none=data.EMPTY)
CHARACTER: Index[data.Character] = Index(data.CHARACTERS)
CHARACTERS = ListOf(CHARACTER)
NO_CHARACTER: Index[data.Character] = Index(data.CHARACTERS, none=data.NO_CHARACTER)
ESTATE: Index[data.Estate] = Index(data.ESTATES)
ESTATES = ListOf(ESTATE)
AMOUNT = Integer(0, 99)
SOURCE = Choice(("market", "surplus"))
DESTINATION = Choice(("market", *data.SLOTS, "surplus"))
TERCIO = Choice(("active", "tired"))
