"""The kinds of values in moves, effects and states, with their JSON."""

from rules.kernel.contract import Choice, Index, Integer, ListOf, PlaceNumber, Seat
from rules.plus_ultra import data

SEAT: PlaceNumber[Seat] = PlaceNumber(data.MAX_SEATS, 0)
ORDER = ListOf(SEAT, data.MIN_SEATS, data.MAX_SEATS, unique=True)
# A row, and the settlement space beside it (R3).
ROW: PlaceNumber[data.Row] = PlaceNumber(data.ROWS)
CHURCH_SLOT: PlaceNumber[data.ChurchSlot] = PlaceNumber(data.CHURCH_SLOTS)
WAR_SPACE: PlaceNumber[data.WarSpace] = PlaceNumber(data.WAR_SPACES)
GOOD: Index[data.Kind] = Index(data.KINDS, data.GOODS)
TILE: Index[data.Kind] = Index((*data.KINDS, "face_down"), none=data.EMPTY)
CHARACTERS = ListOf(data.CHARACTER)
NO_CHARACTER: Index[data.Character] = Index(data.CHARACTERS, none=data.NO_CHARACTER)
COMMON_SPACE: Index[data.CommonSpace] = Index(data.COMMON)
ESTATES = ListOf(data.ESTATE)
AMOUNT = Integer(1, 99)
SOURCE = Choice(("market", "surplus"))
DESTINATION = Choice(("market", *data.SLOTS, "surplus"))
TERCIO = Choice(("active", "tired"))
