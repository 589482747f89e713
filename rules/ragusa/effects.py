"""What moves and draws tell: every kind of line of the log, with its values."""

from typing import Any

from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Integer, ListOf
from rules.ragusa import data, grid
from rules.ragusa.data import CARD, COMMODITY, RESOURCE, SHIP, SIDE, SLOT

_HEX, _SPACE, _WALL = grid.HEX, grid.SPACE, grid.WALL
_COUNT = Integer(0, 99)
_VP = Integer(0, 999)
_STEPS = Integer(-data.TRACK_END, data.TRACK_END)
_PRICE = ListOf(Choice(data.COMMODITIES))
"""Commodities unit by unit (``scoring.units``)."""
_OFFER = Choice(("production_exchange", "buy_ship", "sell_commodity", "final_exchange"))
"""The phases in which one may decline."""
_AMOUNTS: dict[str, Any] = dict.fromkeys(data.COMMODITIES, _COUNT)

EFFECTS = Effects()

# Set-up and market

SHIP_ARRIVED = EFFECTS.declare("ship_arrived", ship=SHIP, slot=SLOT)
TOP_BACK_SEEN = EFFECTS.declare("top_back_seen", commodity=COMMODITY, arrows=_COUNT)
PRICE_MOVED = EFFECTS.declare(
    "price_moved", commodity=COMMODITY, index=_COUNT, steps=_STEPS, price=_COUNT
)
BONUS_OFFERED = EFFECTS.declare("bonus_offered", side=SIDE, cards=ListOf(CARD))
"""Only the seat is told, except in solo mode."""
START_PLAYER_DRAWN = EFFECTS.declare("start_player_drawn", side=SIDE)
NEUTRAL_HOUSE_PLACED = EFFECTS.declare("neutral_house_placed", space=_SPACE)
PATRICIANS_DEALT = EFFECTS.declare("patricians_dealt", cards=ListOf(data.PATRICIAN))
BONUS_CHOSEN = EFFECTS.declare("bonus_chosen", side=SIDE)
BONUS_DECK_RESHUFFLED = EFFECTS.declare("bonus_deck_reshuffled", cards=_COUNT)

# A turn

PATRICIAN_USED = EFFECTS.declare("patrician_used", side=SIDE, card=data.PATRICIAN)
HOUSE_PLACED = EFFECTS.declare("house_placed", side=SIDE, space=_SPACE)
ACCESS_GAINED = EFFECTS.declare("access_gained", side=SIDE, resource=RESOURCE)
FISH_EXCHANGED = EFFECTS.declare(
    "fish_exchanged", side=SIDE, fish=_COUNT, resource=RESOURCE, units=_COUNT
)
HEX_ACTIVATED = EFFECTS.declare("hex_activated", side=SIDE, hex=_HEX)
HOUSE_IDLE = EFFECTS.declare("house_idle", side=SIDE, space=_SPACE, hex=_HEX)
COMMODITIES_PRODUCED = EFFECTS.declare(
    "commodities_produced", side=SIDE, space=_SPACE, commodity=COMMODITY, amount=_COUNT
)
FISH_SCORED = EFFECTS.declare("fish_scored", side=SIDE, space=_SPACE, vp=_VP)
WALL_BUILT = EFFECTS.declare("wall_built", side=SIDE, wall=_WALL, vp=_VP)
TOWER_BUILT = EFFECTS.declare("tower_built", side=SIDE, space=_SPACE)
SHIP_BOUGHT = EFFECTS.declare(
    "ship_bought", side=SIDE, ship=SHIP, slot=SLOT, **_AMOUNTS, price=_PRICE, vp=_VP
)
COMMODITY_SOLD = EFFECTS.declare("commodity_sold", side=SIDE, commodity=COMMODITY, vp=_VP)
BONUS_SEEN = EFFECTS.declare("bonus_seen", NOBODY_SEES, side=SIDE, cards=ListOf(CARD))
"""Only the seat is told."""
BONUS_KEPT = EFFECTS.declare("bonus_kept", side=SIDE, deck=_COUNT)
DECLINED = EFFECTS.declare("declined", side=SIDE, what=_OFFER)
HOUSE_FORFEITED = EFFECTS.declare("house_forfeited", side=SIDE)
TURN_ENDED = EFFECTS.declare("turn_ended", side=SIDE)

# The end

BONUS_REVEALED = EFFECTS.declare("bonus_revealed", side=SIDE, cards=ListOf(CARD))
CHAIN_SCORED = EFFECTS.declare("chain_scored", side=SIDE, walls=_COUNT, vp=_VP)
CATHEDRAL_SOLD = EFFECTS.declare("cathedral_sold", side=SIDE, **_AMOUNTS, sold=_PRICE, vp=_VP)
BONUS_SCORED = EFFECTS.declare("bonus_scored", side=SIDE, card=CARD, vp=_VP)
GAME_ENDED = EFFECTS.declare("game_ended", reason=Choice(("houses_placed",)))
