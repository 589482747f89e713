"""What the log tells: each kind of line with its values.

Of those that NOBODY_SEES, the call names who is told.
"""

from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Flag, Index, Integer, ListOf, Maybe
from rules.plus_ultra import data, fields
from rules.plus_ultra.fields import AMOUNT, CHARACTER, CHARACTERS, ESTATE, KIND, ROW, SEAT, SEATS

EFFECTS = Effects()
_CAUSE = Maybe(Choice(("peer_order", "secretary", "viceroy", "crown", "cardinal", "constable")))
_DIE = Integer(1, len(data.DICE_FACES))
_TRADE = Integer(0, data.LAST_TRADE)
# The set-up and the start of a turn
PEERS_ORDERED = EFFECTS.declare("peers_ordered", order=SEATS)
TILE_TURNED_UP = EFFECTS.declare("tile_turned_up", row=ROW, kind=KIND)
SETTLEMENT_PLACED = EFFECTS.declare("settlement_placed", space=ROW, size=AMOUNT)
TURN_BEGUN = EFFECTS.declare("turn_begun", turn=Integer(1, data.TURNS), order=SEATS)
TERCIOS_REACTIVATED = EFFECTS.declare("tercios_reactivated", seat=SEAT, count=AMOUNT)
REACTIVATION_DECLINED = EFFECTS.declare("reactivation_declined", seat=SEAT)
WAR_ROLLED = EFFECTS.declare("war_rolled", dice=ListOf(_DIE), level=_DIE)
PACK_PASSED = EFFECTS.declare("pack_passed", NOBODY_SEES, seat=SEAT, characters=CHARACTERS)
CHARACTER_DRAFTED = EFFECTS.declare("character_drafted", seat=SEAT)
CHARACTERS_REVEALED = EFFECTS.declare("characters_revealed", seat=SEAT, characters=CHARACTERS)
BULL_GAINED = EFFECTS.declare("bull_gained", seat=SEAT)
BULL_DECLINED = EFFECTS.declare("bull_declined", seat=SEAT)
BID_COMMITTED = EFFECTS.declare("bid_committed", seat=SEAT)
BIDS_OPENED = EFFECTS.declare("bids_opened", bids=ListOf(AMOUNT))
# Activations
TERCIO_PLACED = EFFECTS.declare("tercio_placed", seat=SEAT, space=fields.WAR_SPACE)
TERCIO_RELIEVED = EFFECTS.declare("tercio_relieved", seat=SEAT, space=fields.WAR_SPACE)
TERCIOS_TIRED = EFFECTS.declare("tercios_tired", seat=SEAT, count=AMOUNT)
CHARACTER_ACTED = EFFECTS.declare("character_acted", seat=SEAT, character=CHARACTER)
CHARACTER_FORFEITED = EFFECTS.declare("character_forfeited", seat=SEAT, character=CHARACTER)
COMMON_SPACE_TAKEN = EFFECTS.declare("common_space_taken", seat=SEAT, space=Index(data.COMMON))
BULL_SPENT = EFFECTS.declare("bull_spent", seat=SEAT)
ORDER_CHANGED = EFFECTS.declare("order_changed", order=SEATS)
GOOD_SHIPPED = EFFECTS.declare("good_shipped", seat=SEAT, good=KIND, destination=fields.DESTINATION)
GOOD_DONATED = EFFECTS.declare("good_donated", seat=SEAT, good=KIND, church_slot=fields.CHURCH_SLOT)
ROSETTE_USED = EFFECTS.declare("rosette_used", seat=SEAT)
CHURCH_COMPLETED = EFFECTS.declare("church_completed", seat=SEAT)
GOOD_SOLD = EFFECTS.declare("good_sold", seat=SEAT, good=KIND)
GOOD_HAULED = EFFECTS.declare("good_hauled", seat=SEAT, good=KIND)
GOOD_PLUNDERED = EFFECTS.declare("good_plundered", seat=SEAT, good=KIND, row=ROW)
TRADE_ADVANCED = EFFECTS.declare("trade_advanced", seat=SEAT, position=_TRADE)
TRADE_RAIDED = EFFECTS.declare("trade_raided", seat=SEAT, position=_TRADE)
MAGELLAN_JOINED = EFFECTS.declare("magellan_joined", seat=SEAT)
MAGELLAN_COMPLETED = EFFECTS.declare("magellan_completed")
ESTATE_TAKEN = EFFECTS.declare("estate_taken", seat=SEAT)
OWN_ESTATE_TAKEN = EFFECTS.declare("own_estate_taken", NOBODY_SEES, seat=SEAT, estate=ESTATE)
ESTATE_USED = EFFECTS.declare("estate_used", seat=SEAT, estate=ESTATE)
HOUSE_GAINED = EFFECTS.declare("house_gained", seat=SEAT)
ROSETTE_GAINED = EFFECTS.declare("rosette_gained", seat=SEAT)
TERCIO_GAINED = EFFECTS.declare("tercio_gained", seat=SEAT, state=fields.TERCIO)
HOUSE_PLACED = EFFECTS.declare("house_placed", seat=SEAT, space=ROW)
SETTLEMENT_DECLINED = EFFECTS.declare("settlement_declined", seat=SEAT)
NATIVES_CAPTURED = EFFECTS.declare("natives_captured", seat=SEAT, row=ROW)
NATIVES_LEFT = EFFECTS.declare("natives_left", seat=SEAT, row=ROW)
ACTIVATION_ENDED = EFFECTS.declare("activation_ended", seat=SEAT)
# Money and points
DUCATS_GAINED = EFFECTS.declare("ducats_gained", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
DUCATS_PAID = EFFECTS.declare("ducats_paid", seat=SEAT, amount=AMOUNT)
PG_GAINED = EFFECTS.declare("pg_gained", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
PG_LOST = EFFECTS.declare("pg_lost", seat=SEAT, amount=AMOUNT, cause=_CAUSE)
CROWN_PAID = EFFECTS.declare("crown_paid", amount=AMOUNT)
CROWN_GAINED = EFFECTS.declare("crown_gained", amount=AMOUNT)
# The end of a turn, and of the game
WAR_ENDED = EFFECTS.declare("war_ended", won=Flag(), tercios=SEATS)
HOUSE_LOST = EFFECTS.declare("house_lost", seat=SEAT, space=ROW)
GOOD_PRODUCED = EFFECTS.declare("good_produced", row=ROW, good=KIND, place=fields.SOURCE)
GOODS_CONFISCATED = EFFECTS.declare(
    "goods_confiscated", character=CHARACTER, good=KIND, count=AMOUNT
)
ESTATES_REVEALED = EFFECTS.declare("estates_revealed", seat=SEAT, estates=fields.ESTATES)
GAME_ENDED = EFFECTS.declare("game_ended", reason=Choice((data.SEVEN_TURNS,)))
