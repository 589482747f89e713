"""The types of effects, and the fields of each type."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY_SEES, Choice, Effects, Flag, Integer, ListOf, Maybe
from rules.manila import data
from rules.manila.data import SLOT, SPACE, WARE
from rules.manila.fields import COUNT, SEAT, ByWare

_DIE = Integer(min(data.FACES), max(data.FACES))
_FARE = Integer(0, data.DEAREST_PLACE)
_MOVEMENT = Integer(1, data.MOVEMENTS)
_PILOT = Choice(tuple(data.SPACES[pilot] for pilot in data.PILOTS))
_POSITION = Integer(0, data.ARRIVED)
_STEPS = Integer(-data.BIG_REACH, max(data.FACES))

EFFECTS = Effects()

OWN_SHARES_DEALT = EFFECTS.declare("own_shares_dealt", NOBODY_SEES, seat=SEAT, wares=ListOf(WARE))
"""Shown only to the seat that is dealt the shares."""
_SUPPLY: JsonObject = dict.fromkeys(data.WARES, Integer(0, data.SHARES_PER_WARE))
SHARES_DEALT = EFFECTS.declare("shares_dealt", count=COUNT, **_SUPPLY)
"""The number of shares dealt to each seat, and the remaining supply by ware."""
STARTING_PLAYER_DRAWN = EFFECTS.declare("starting_player_drawn", seat=SEAT)

BID_PLACED = EFFECTS.declare("bid_placed", seat=SEAT, amount=COUNT)
AUCTION_PASSED = EFFECTS.declare("auction_passed", seat=SEAT)
OFFICE_AWARDED = EFFECTS.declare("office_awarded", seat=SEAT, price=COUNT)
LOAN_TAKEN = EFFECTS.declare("loan_taken", seat=SEAT, count=COUNT, amount=COUNT, forced=Flag())
SHARE_REDEEMED = EFFECTS.declare("share_redeemed", seat=SEAT, amount=COUNT)
SHARE_BOUGHT = EFFECTS.declare("share_bought", seat=SEAT, ware=WARE, price=COUNT)
SHARE_SKIPPED = EFFECTS.declare("share_skipped", seat=SEAT)
WARES_LOADED = EFFECTS.declare("wares_loaded", seat=SEAT, wares=ListOf(WARE), left_out=WARE)
_LANES: JsonObject = {f"ware_{lane}": Choice(data.WARES) for lane in (1, 2, 3)}
_LANES |= {f"start_{lane}": Integer(data.START_MIN, data.START_MAX) for lane in (1, 2, 3)}
PUNTS_PLACED = EFFECTS.declare("punts_placed", seat=SEAT, **_LANES)

ACCOMPLICE_PLACED = EFFECTS.declare(
    "accomplice_placed", seat=SEAT, space=SPACE, price=_FARE, paid=_FARE
)
PREMIUM_RECEIVED = EFFECTS.declare("premium_received", seat=SEAT, amount=COUNT)
ABSTAINED = EFFECTS.declare("abstained", seat=SEAT)
PILOT_MOVED = EFFECTS.declare("pilot_moved", seat=SEAT, pilot=_PILOT)
PILOT_SKIPPED = EFFECTS.declare("pilot_skipped", seat=SEAT, pilot=_PILOT)

DICE_ROLLED = EFFECTS.declare("dice_rolled", movement=_MOVEMENT, dice=ByWare(_DIE))
PUNT_MOVED = EFFECTS.declare("punt_moved", ware=WARE, steps=_STEPS, position=_POSITION)
PUNT_DOCKED = EFFECTS.declare("punt_docked", ware=WARE, place=Choice(data.BERTHS), slot=SLOT)
PIRATE_BOARDED = EFFECTS.declare("pirate_boarded", seat=SEAT, ware=WARE, displaced=Maybe(SEAT))
PIRATE_STAYED = EFFECTS.declare("pirate_stayed", seat=SEAT)
PUNT_PLUNDERED = EFFECTS.declare("punt_plundered", ware=WARE, seats=ListOf(SEAT))

LOOT_PAID = EFFECTS.declare("loot_paid", seat=SEAT, ware=WARE, amount=COUNT)
CARGO_PAID = EFFECTS.declare("cargo_paid", seat=SEAT, ware=WARE, amount=COUNT)
PORT_PAID = EFFECTS.declare("port_paid", seat=SEAT, slot=SLOT, amount=COUNT)
SHIPYARD_PAID = EFFECTS.declare("shipyard_paid", seat=SEAT, slot=SLOT, amount=COUNT)
REPAIRS_PAID = EFFECTS.declare("repairs_paid", seat=SEAT, amount=COUNT, waived=COUNT)
MARKET_RAISED = EFFECTS.declare("market_raised", ware=WARE, value=Integer(0, max(data.MARKET)))
VOYAGE_ENDED = EFFECTS.declare("voyage_ended", voyage=COUNT)
SHARES_REVEALED = EFFECTS.declare("shares_revealed", seat=SEAT, wares=ListOf(WARE))
GAME_ENDED = EFFECTS.declare("game_ended", reason=Choice(data.END_REASONS))
