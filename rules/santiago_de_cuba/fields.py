"""The kinds of values that moves and effects are made of."""

from typing import cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    BadValue,
    Field,
    Index,
    Integer,
    PlaceNumber,
    Seat,
    WrongType,
    shown,
)
from rules.santiago_de_cuba import data

SEAT: PlaceNumber[Seat] = PlaceNumber(data.MAX_SEATS, 0)
GOOD: Index[data.Good] = Index(data.GOODS)
DIE: Index[data.Good] = Index(data.GOODS, some=range(data.WOOD), strict=False)
"""A good that has a die, which is any good except wood; the rules refuse wood with an error of its
own.
"""
CITIZEN: Index[data.Citizen] = Index(data.CITIZENS)
CITIZEN_OR_NONE: Index[data.Citizen] = Index(data.CITIZENS, none=data.NONE)
BUILDING: Index[data.Building] = Index(data.BUILDINGS)
STOP: PlaceNumber[data.Stop] = PlaceNumber(data.STOPS, 0)
FACE = Integer(0, max(max(faces) for faces in data.FACES))
COUNT = Integer(0, 2**53 - 1)
"""A count for which the rules have no upper bound.

Its upper bound is the largest integer of canonical JSON.
"""


class Demand(Field[JsonObject | None]):
    """The values of the dice on a ship, or null if there are no dice.

    The values are an object with a member for each good, except the good whose die was left out.
    """

    def read(self, value: object) -> JsonObject | None:
        if not isinstance(value, dict | None):
            raise WrongType(f"{shown(value)} is not an object")
        if not all(
            good in data.DICE and FACE.accepts(face) for good, face in (value or {}).items()
        ):
            raise BadValue(f"{shown(value)} are no dice")
        return cast("JsonObject | None", value)

    def schema(self) -> JsonObject:
        dice: JsonObject = {good: FACE.schema() for good in data.DICE}
        return {"type": ["object", "null"], "properties": dice, "additionalProperties": False}
