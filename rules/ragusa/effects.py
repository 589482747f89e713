"""The types of effects of moves and draws, and the fields of each type."""

from typing import Any

from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Integer, ListOf
from rules.ragusa import data, grid
from rules.ragusa.data import CARD, COMMODITY, RESOURCE, SHIP, SIDE, SLOT
from rules.ragusa.grid import ACTIVATED, SPACE, TOWER_SPACE, WALL

_ACCESS, _STOCK = Integer(0, data.RESOURCE_MAX), Integer(0, data.COMMODITY_MAX)
_ARROWS, _VALUE = Integer(1, max(n for _, n in data.BACKS)), Integer(1, max(data.PRICES))
_CARDS, _VP = Integer(0, len(data.CARDS)), Integer(0, 999)
_INDEX, _STEPS = Integer(0, data.TRACK_END), Integer(-data.TRACK_END, data.TRACK_END)
_PRICE = ListOf(Choice(data.COMMODITIES))
"""A list of commodities, with one item for each unit (``scoring.units``)."""
_OFFER = Choice(("production_exchange", "buy_ship", "sell_commodity", "final_exchange"))
"""A phase in which a player may decline."""
_AMOUNTS: dict[str, Any] = dict.fromkeys(data.COMMODITIES, _STOCK)

EFFECTS = Effects()

# Set-up and market

SHIP_ARRIVED = EFFECTS.declare("ship_arrived", ship=SHIP, slot=SLOT)
TOP_BACK_SEEN = EFFECTS.declare("top_back_seen", commodity=COMMODITY, arrows=_ARROWS)
PRICE_MOVED = EFFECTS.declare(
    "price_moved", commodity=COMMODITY, index=_INDEX, steps=_STEPS, price=_VALUE
)
BONUS_OFFERED = EFFECTS.declare("bonus_offered", side=SIDE, cards=ListOf(CARD))
"""Shown only to the seat, except in solo mode."""
START_PLAYER_DRAWN = EFFECTS.declare("start_player_drawn", side=SIDE)
NEUTRAL_HOUSE_PLACED = EFFECTS.declare("neutral_house_placed", space=SPACE)
PATRICIANS_DEALT = EFFECTS.declare("patricians_dealt", cards=ListOf(data.PATRICIAN))
BONUS_CHOSEN = EFFECTS.declare("bonus_chosen", side=SIDE)
BONUS_DECK_RESHUFFLED = EFFECTS.declare("bonus_deck_reshuffled", cards=_CARDS)

# A turn

PATRICIAN_USED = EFFECTS.declare("patrician_used", side=SIDE, card=data.PATRICIAN)
HOUSE_PLACED = EFFECTS.declare("house_placed", side=SIDE, space=SPACE)
ACCESS_GAINED = EFFECTS.declare("access_gained", side=SIDE, resource=RESOURCE)
FISH_EXCHANGED = EFFECTS.declare(
    "fish_exchanged", side=SIDE, fish=_ACCESS, resource=RESOURCE, units=_ACCESS
)
HEX_ACTIVATED = EFFECTS.declare("hex_activated", side=SIDE, hex=ACTIVATED)
HOUSE_IDLE = EFFECTS.declare("house_idle", side=SIDE, space=SPACE, hex=ACTIVATED)
COMMODITIES_PRODUCED = EFFECTS.declare(
    "commodities_produced", side=SIDE, space=SPACE, commodity=COMMODITY, amount=_STOCK
)
FISH_SCORED = EFFECTS.declare("fish_scored", side=SIDE, space=SPACE, vp=_VP)
WALL_BUILT = EFFECTS.declare("wall_built", side=SIDE, wall=WALL, vp=_VP)
TOWER_BUILT = EFFECTS.declare("tower_built", side=SIDE, space=TOWER_SPACE)
SHIP_BOUGHT = EFFECTS.declare(
    "ship_bought", side=SIDE, ship=SHIP, slot=SLOT, **_AMOUNTS, price=_PRICE, vp=_VP
)
COMMODITY_SOLD = EFFECTS.declare("commodity_sold", side=SIDE, commodity=COMMODITY, vp=_VALUE)
BONUS_SEEN = EFFECTS.declare("bonus_seen", NOBODY_SEES, side=SIDE, cards=ListOf(CARD))
"""Shown only to the seat."""
BONUS_KEPT = EFFECTS.declare("bonus_kept", side=SIDE, deck=_CARDS)
DECLINED = EFFECTS.declare("declined", side=SIDE, what=_OFFER)
HOUSE_FORFEITED = EFFECTS.declare("house_forfeited", side=SIDE)
TURN_ENDED = EFFECTS.declare("turn_ended", side=SIDE)

# The end

BONUS_REVEALED = EFFECTS.declare("bonus_revealed", side=SIDE, cards=ListOf(CARD))
CHAIN_SCORED = EFFECTS.declare("chain_scored", side=SIDE, walls=Integer(0, grid.RING), vp=_VP)
CATHEDRAL_SOLD = EFFECTS.declare("cathedral_sold", side=SIDE, **_AMOUNTS, sold=_PRICE, vp=_VP)
BONUS_SCORED = EFFECTS.declare("bonus_scored", side=SIDE, card=CARD, vp=_VP)
GAME_ENDED = EFFECTS.declare("game_ended", reason=Choice(("houses_placed",)))
