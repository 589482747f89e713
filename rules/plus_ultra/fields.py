"""The values of moves, effects and states, with their JSON."""

from rules.kernel.contract import Choice, Index, Integer, ListOf, Numbered, Seat
from rules.plus_ultra import data

SEAT: Numbered[Seat] = Numbered(data.MAX_SEATS, 0)
ORDER = ListOf(SEAT, data.MIN_SEATS, data.MAX_SEATS, unique=True)
ROW: Numbered[data.Row] = Numbered(data.ROWS)  # also the settlement space beside it (R3)
CHURCH_SLOT: Numbered[data.ChurchSlot] = Numbered(data.CHURCH_SLOTS)
WAR_SPACE: Numbered[data.WarSpace] = Numbered(data.WAR_SPACES)
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
