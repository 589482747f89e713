"""Kinds of values: the JSON of colours, goods, piles of cubes and an edition's ids.

Colours, goods and tiles are small ints in a move and in the state, and a pile of cubes is one int.
Cards, quarters and sea spaces are ids everywhere, because each edition has its own.
"""

from rules.kernel.contract import Index, Integer, Optional, PlaceNumber, Seat
from rules.kernel.toolbox.packed import PileAsCounts, PileAsList
from rules.kernel.toolbox.rows import RowId
from rules.macao import data
from rules.macao.cards import CardId
from rules.macao.data import cubes
from rules.macao.tables import TABLES, QuarterId, SpaceId

SEAT: PlaceNumber[Seat] = PlaceNumber(data.MAX_SEATS, 0)
COLOUR: Index[data.Colour] = Index(data.COLOURS)
GOOD: Index[data.Good] = Index(data.GOODS)
TILE: Index[data.Tile] = Index(data.TILES, none=data.NONE)
COLOURS = PileAsList(cubes, 0, data.MOST_CUBES)
DICE = PileAsList(cubes, 2, 2, unique=True)
PAYMENT = PileAsCounts(cubes, data.MOST_CUBES)
BENEFIT = Integer(0, data.MOST_CUBES * data.JOKER_COINS)
CHOSEN = Optional(COLOURS)
CARD: RowId[CardId] = RowId(TABLES, "cards", "bank")
QUARTER: RowId[QuarterId] = RowId(TABLES, "quarters", "q01")
SPACE: RowId[SpaceId] = RowId(TABLES, "spaces", "s01")
