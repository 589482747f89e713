"""The values of moves, effects and states: how each stands in JSON."""

from rules.kernel.contract import Choice, Index, Integer, ListOf, Numbered
from rules.plus_ultra import data

SEAT = Integer(0, data.MAX_SEATS - 1)
ORDER = ListOf(SEAT, data.MIN_SEATS, data.MAX_SEATS, unique=True)
ROW = Numbered(data.ROWS)  # also the settlement space beside it (R3)
CHURCH_SLOT = Numbered(data.CHURCH_SLOTS)
WAR_SPACE = Numbered(data.WAR_SPACES)
KIND: Index[data.Kind] = Index(data.KINDS)
GOOD: Index[data.Kind] = Index(data.KINDS, data.GOODS)
TILE: Index[data.Kind] = Index((*data.KINDS, "face_down"), none=data.EMPTY)
CHARACTER: Index[data.Character] = Index(data.CHARACTERS)
CHARACTERS = ListOf(CHARACTER)
NO_CHARACTER: Index[data.Character] = Index(data.CHARACTERS, none=data.NO_CHARACTER)
ESTATE: Index[data.Estate] = Index(data.ESTATES)
ESTATES = ListOf(ESTATE)
AMOUNT = Integer(1, 99)
SOURCE = Choice(("market", "surplus"))
DESTINATION = Choice(("market", *data.SLOTS, "surplus"))
TERCIO = Choice(("active", "tired"))
