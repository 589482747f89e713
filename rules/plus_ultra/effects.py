"""What a log of the game tells: each kind of line once, with its values."""

from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Flag, Index, Integer, ListOf, Maybe
from rules.plus_ultra import data
from rules.plus_ultra.fields import (
    AMOUNT,
    CHARACTER,
    CHARACTERS,
    CHURCH_SLOT,
    DESTINATION,
    ESTATE,
    ESTATES,
    KIND,
    ROW,
    SEAT,
    SEATS,
    SOURCE,
    TERCIO,
    WAR_SPACE,
)

EFFECTS = Effects()
_declare = EFFECTS.declare
_CAUSE = Maybe(
    Choice(("peer_order", "secretary", "viceroy", "crown", "cardinal", "constable")),
)
_DIE = Integer(1, len(data.DICE_FACES))
_TRADE = Integer(0, data.LAST_TRADE)

# The set-up and the start of a turn
PEERS_ORDERED = _declare("peers_ordered", order=SEATS)
TILE_TURNED_UP = _declare("tile_turned_up", row=ROW, kind=KIND)
SETTLEMENT_PLACED = _declare("settlement_placed", space=ROW, size=AMOUNT)
TURN_BEGUN = _declare("turn_begun", turn=Integer(1, data.TURNS), order=SEATS)
TERCIOS_REACTIVATED = _declare("tercios_reactivated", seat=SEAT, count=AMOUNT)
REACTIVATION_DECLINED = _declare("reactivation_declined", seat=SEAT)
WAR_ROLLED = _declare("war_rolled", dice=ListOf(_DIE), level=_DIE)
PACK_PASSED = _declare("pack_passed", NOBODY_SEES, seat=SEAT, characters=CHARACTERS)
"""To who picks from it."""
CHARACTER_DRAFTED = _declare("character_drafted", seat=SEAT)
CHARACTERS_REVEALED = _declare("characters_revealed", seat=SEAT, characters=CHARACTERS)
BULL_GAINED = _declare("bull_gained", seat=SEAT)
BULL_DECLINED = _declare("bull_declined", seat=SEAT)
BID_COMMITTED = _declare("bid_committed", seat=SEAT)
BIDS_OPENED = _declare("bids_opened", bids=ListOf(AMOUNT))

# Activations
TERCIO_PLACED = _declare("tercio_placed", seat=SEAT, space=WAR_SPACE)
TERCIO_RELIEVED = _declare("tercio_relieved", seat=SEAT, space=WAR_SPACE)
TERCIOS_TIRED = _declare("tercios_tired", seat=SEAT, count=AMOUNT)
CHARACTER_ACTED = _declare("character_acted", seat=SEAT, character=CHARACTER)
CHARACTER_FORFEITED = _declare("character_forfeited", seat=SEAT, character=CHARACTER)
COMMON_SPACE_TAKEN = _declare("common_space_taken", seat=SEAT, space=Index(data.COMMON))
BULL_SPENT = _declare("bull_spent", seat=SEAT)
ORDER_CHANGED = _declare("order_changed", order=SEATS)
GOOD_SHIPPED = _declare("good_shipped", seat=SEAT, good=KIND, destination=DESTINATION)
GOOD_DONATED = _declare("good_donated", seat=SEAT, good=KIND, church_slot=CHURCH_SLOT)
ROSETTE_USED = _declare("rosette_used", seat=SEAT)
CHURCH_COMPLETED = _declare("church_completed", seat=SEAT)
GOOD_SOLD = _declare("good_sold", seat=SEAT, good=KIND)
GOOD_HAULED = _declare("good_hauled", seat=SEAT, good=KIND)
GOOD_PLUNDERED = _declare("good_plundered", seat=SEAT, good=KIND, row=ROW)
TRADE_ADVANCED = _declare("trade_advanced", seat=SEAT, position=_TRADE)
TRADE_RAIDED = _declare("trade_raided", seat=SEAT, position=_TRADE)
MAGELLAN_JOINED = _declare("magellan_joined", seat=SEAT)
MAGELLAN_COMPLETED = _declare("magellan_completed")
ESTATE_TAKEN = _declare("estate_taken", seat=SEAT)
OWN_ESTATE_TAKEN = _declare("own_estate_taken", NOBODY_SEES, seat=SEAT, estate=ESTATE)
"""To its owner."""
ESTATE_USED = _declare("estate_used", seat=SEAT, estate=ESTATE)
HOUSE_GAINED = _declare("house_gained", seat=SEAT)
ROSETTE_GAINED = _declare("rosette_gained", seat=SEAT)
TERCIO_GAINED = _declare("tercio_gained", seat=SEAT, state=TERCIO)
HOUSE_PLACED = _declare("house_placed", seat=SEAT, space=ROW)
SETTLEMENT_DECLINED = _declare("settlement_declined", seat=SEAT)
NATIVES_CAPTURED = _declare("natives_captured", seat=SEAT, row=ROW)
NATIVES_LEFT = _declare("natives_left", seat=SEAT, row=ROW)
ACTIVATION_ENDED = _declare("activation_ended", seat=SEAT)

# Money and points
DUCATS_GAINED = _declare("ducats_gained", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
DUCATS_PAID = _declare("ducats_paid", seat=SEAT, amount=AMOUNT)
PG_GAINED = _declare("pg_gained", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
PG_LOST = _declare("pg_lost", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
CROWN_PAID = _declare("crown_paid", amount=AMOUNT)
CROWN_GAINED = _declare("crown_gained", amount=AMOUNT)

# The end of a turn, and of the game
WAR_ENDED = _declare("war_ended", won=Flag(), tercios=SEATS)
HOUSE_LOST = _declare("house_lost", seat=SEAT, space=ROW)
GOOD_PRODUCED = _declare("good_produced", row=ROW, good=KIND, place=SOURCE)
GOODS_CONFISCATED = _declare("goods_confiscated", character=CHARACTER, good=KIND, count=AMOUNT)
ESTATES_REVEALED = _declare("estates_revealed", seat=SEAT, estates=ESTATES)
GAME_ENDED = _declare("game_ended", reason=Choice((data.SEVEN_TURNS,)))
