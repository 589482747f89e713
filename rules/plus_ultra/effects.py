"""What a log tells: each kind of line with its values; NOBODY_SEES but whom the call names."""

from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Flag, Index, Integer, ListOf, Maybe
from rules.plus_ultra import data, fields

EFFECTS = Effects()
_declare = EFFECTS.declare
_CAUSE = Maybe(Choice(("peer_order", "secretary", "viceroy", "crown", "cardinal", "constable")))
_DIE = Integer(1, len(data.DICE_FACES))
_TRADE = Integer(0, data.LAST_TRADE)
# The set-up and the start of a turn
PEERS_ORDERED = _declare("peers_ordered", order=fields.SEATS)
TILE_TURNED_UP = _declare("tile_turned_up", row=fields.ROW, kind=fields.KIND)
SETTLEMENT_PLACED = _declare("settlement_placed", space=fields.ROW, size=fields.AMOUNT)
TURN_BEGUN = _declare("turn_begun", turn=Integer(1, data.TURNS), order=fields.SEATS)
TERCIOS_REACTIVATED = _declare("tercios_reactivated", seat=fields.SEAT, count=fields.AMOUNT)
REACTIVATION_DECLINED = _declare("reactivation_declined", seat=fields.SEAT)
WAR_ROLLED = _declare("war_rolled", dice=ListOf(_DIE), level=_DIE)
PACK_PASSED = _declare("pack_passed", NOBODY_SEES, seat=fields.SEAT, characters=fields.CHARACTERS)
CHARACTER_DRAFTED = _declare("character_drafted", seat=fields.SEAT)
CHARACTERS_REVEALED = _declare(
    "characters_revealed", seat=fields.SEAT, characters=fields.CHARACTERS
)
BULL_GAINED = _declare("bull_gained", seat=fields.SEAT)
BULL_DECLINED = _declare("bull_declined", seat=fields.SEAT)
BID_COMMITTED = _declare("bid_committed", seat=fields.SEAT)
BIDS_OPENED = _declare("bids_opened", bids=ListOf(fields.AMOUNT))
# Activations
TERCIO_PLACED = _declare("tercio_placed", seat=fields.SEAT, space=fields.WAR_SPACE)
TERCIO_RELIEVED = _declare("tercio_relieved", seat=fields.SEAT, space=fields.WAR_SPACE)
TERCIOS_TIRED = _declare("tercios_tired", seat=fields.SEAT, count=fields.AMOUNT)
CHARACTER_ACTED = _declare("character_acted", seat=fields.SEAT, character=fields.CHARACTER)
CHARACTER_FORFEITED = _declare("character_forfeited", seat=fields.SEAT, character=fields.CHARACTER)
COMMON_SPACE_TAKEN = _declare("common_space_taken", seat=fields.SEAT, space=Index(data.COMMON))
BULL_SPENT = _declare("bull_spent", seat=fields.SEAT)
ORDER_CHANGED = _declare("order_changed", order=fields.SEATS)
GOOD_SHIPPED = _declare(
    "good_shipped", seat=fields.SEAT, good=fields.KIND, destination=fields.DESTINATION
)
GOOD_DONATED = _declare(
    "good_donated", seat=fields.SEAT, good=fields.KIND, church_slot=fields.CHURCH_SLOT
)
ROSETTE_USED = _declare("rosette_used", seat=fields.SEAT)
CHURCH_COMPLETED = _declare("church_completed", seat=fields.SEAT)
GOOD_SOLD = _declare("good_sold", seat=fields.SEAT, good=fields.KIND)
GOOD_HAULED = _declare("good_hauled", seat=fields.SEAT, good=fields.KIND)
GOOD_PLUNDERED = _declare("good_plundered", seat=fields.SEAT, good=fields.KIND, row=fields.ROW)
TRADE_ADVANCED = _declare("trade_advanced", seat=fields.SEAT, position=_TRADE)
TRADE_RAIDED = _declare("trade_raided", seat=fields.SEAT, position=_TRADE)
MAGELLAN_JOINED = _declare("magellan_joined", seat=fields.SEAT)
MAGELLAN_COMPLETED = _declare("magellan_completed")
ESTATE_TAKEN = _declare("estate_taken", seat=fields.SEAT)
OWN_ESTATE_TAKEN = _declare("own_estate_taken", NOBODY_SEES, seat=fields.SEAT, estate=fields.ESTATE)
ESTATE_USED = _declare("estate_used", seat=fields.SEAT, estate=fields.ESTATE)
HOUSE_GAINED = _declare("house_gained", seat=fields.SEAT)
ROSETTE_GAINED = _declare("rosette_gained", seat=fields.SEAT)
TERCIO_GAINED = _declare("tercio_gained", seat=fields.SEAT, state=fields.TERCIO)
HOUSE_PLACED = _declare("house_placed", seat=fields.SEAT, space=fields.ROW)
SETTLEMENT_DECLINED = _declare("settlement_declined", seat=fields.SEAT)
NATIVES_CAPTURED = _declare("natives_captured", seat=fields.SEAT, row=fields.ROW)
NATIVES_LEFT = _declare("natives_left", seat=fields.SEAT, row=fields.ROW)
ACTIVATION_ENDED = _declare("activation_ended", seat=fields.SEAT)
# Money and points
DUCATS_GAINED = _declare("ducats_gained", seat=fields.SEAT, amount=fields.AMOUNT, cause=_CAUSE)
DUCATS_PAID = _declare("ducats_paid", seat=fields.SEAT, amount=fields.AMOUNT)
PG_GAINED = _declare("pg_gained", seat=fields.SEAT, amount=fields.AMOUNT, cause=_CAUSE)
PG_LOST = _declare("pg_lost", seat=fields.SEAT, amount=fields.AMOUNT, cause=_CAUSE)
CROWN_PAID = _declare("crown_paid", amount=fields.AMOUNT)
CROWN_GAINED = _declare("crown_gained", amount=fields.AMOUNT)
# The end of a turn, and of the game
WAR_ENDED = _declare("war_ended", won=Flag(), tercios=fields.SEATS)
HOUSE_LOST = _declare("house_lost", seat=fields.SEAT, space=fields.ROW)
GOOD_PRODUCED = _declare("good_produced", row=fields.ROW, good=fields.KIND, place=fields.SOURCE)
GOODS_CONFISCATED = _declare(
    "goods_confiscated", character=fields.CHARACTER, good=fields.KIND, count=fields.AMOUNT
)
ESTATES_REVEALED = _declare("estates_revealed", seat=fields.SEAT, estates=fields.ESTATES)
GAME_ENDED = _declare("game_ended", reason=Choice((data.SEVEN_TURNS,)))
