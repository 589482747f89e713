"""The types of effects, and the fields of each type. All effects are public."""

from typing import Any

from rules.kernel.contract import Choice, Effects, Index, Integer, ListOf
from rules.santiago_de_cuba import data, fields
from rules.santiago_de_cuba.fields import BUILDING, CITIZEN, COUNT, FACE, GOOD, SEAT, Demand

EFFECTS = Effects()
_VALUE = Integer(0, data.CHEQUERED_FLAG)
_FLAG: Index[int] = Index((*map(str, data.FLAG_VALUES), "chequered"))
_SHIP = Integer(1, data.SHIPS)

# Reasons why a ship sails, the value marker moves, a pawn stays, or the game ends

DEMAND_MET_LOADING = "demand_met_loading"
DEMAND_MET_OFFICE = "demand_met_office"
DEMAND_MET_CUSTOMS = "demand_met_customs"
FLAG_PASSING_HARBOUR = "flag_passing_harbour"
FLAG_PORT_OFFICE = "flag_port_office"
FLAG_AFTER_LOADING = "flag_after_loading"
EMPTY_DEMAND = "empty_demand"
_MOVES_MARKER = Choice((FLAG_PASSING_HARBOUR, FLAG_PORT_OFFICE, FLAG_AFTER_LOADING))
_SENDS_SHIP = Choice(
    (DEMAND_MET_LOADING, DEMAND_MET_OFFICE, DEMAND_MET_CUSTOMS, EMPTY_DEMAND, *_MOVES_MARKER.ids)
)

STAYS_IN_HARBOUR = "harbour_stop"
STAYS_FOR_INACTIVE = "inactive_citizen"
STAYS_FOR_EL_ZORRO = "el_zorro"
STAYS_BLOCKED = "all_occupied"
_STAYS = Choice((STAYS_IN_HARBOUR, STAYS_FOR_INACTIVE, STAYS_FOR_EL_ZORRO, STAYS_BLOCKED))

SEVENTH_SHIP = "seventh_ship"
TURN_LIMIT = "turn_limit"
END_REASONS = (SEVENTH_SHIP, TURN_LIMIT)

# Set-up and demand

_FACES: dict[str, Any] = dict.fromkeys(data.DICE, FACE)
BUILDINGS_SHUFFLED = EFFECTS.declare("buildings_shuffled", buildings=ListOf(BUILDING))
CITIZENS_SHUFFLED = EFFECTS.declare("citizens_shuffled", citizens=ListOf(CITIZEN))
START_PLAYER_DRAWN = EFFECTS.declare("start_player_drawn", seat=SEAT)
DEMAND_ROLLED = EFFECTS.declare("demand_rolled", seat=SEAT, ship=_SHIP, **_FACES)
DEMAND_SET = EFFECTS.declare("demand_set", seat=SEAT, left_out=GOOD, demand=Demand())
DEMAND_REDUCED = EFFECTS.declare("demand_reduced", die=GOOD, amount=FACE, left=FACE)

# The street and the ship

CAR_DRIVEN = EFFECTS.declare(
    "car_driven",
    seat=SEAT,
    steps=Integer(1, data.MAX_STEPS),
    stop=fields.STOP,
    citizen=fields.CITIZEN_OR_NONE,
)
VALUE_MARKER_MOVED = EFFECTS.declare(
    "value_marker_moved", value_index=_VALUE, flag=_FLAG, cause=_MOVES_MARKER
)
SHIP_DEPARTED = EFFECTS.declare("ship_departed", ship=_SHIP, cause=_SENDS_SHIP)
SHIP_ARRIVED = EFFECTS.declare("ship_arrived", ship=_SHIP)
CITIZEN_DEACTIVATED = EFFECTS.declare("citizen_deactivated", seat=SEAT, citizen=CITIZEN)
CITIZEN_REACTIVATED = EFFECTS.declare("citizen_reactivated", citizen=CITIZEN)

# Gains and payments

GOODS_TAKEN = EFFECTS.declare("goods_taken", seat=SEAT, good=GOOD, amount=COUNT)
GOODS_PAID = EFFECTS.declare("goods_paid", seat=SEAT, good=GOOD, amount=COUNT)
PESOS_TAKEN = EFFECTS.declare("pesos_taken", seat=SEAT, amount=COUNT)
PESOS_PAID = EFFECTS.declare("pesos_paid", seat=SEAT, amount=COUNT)
VP_GAINED = EFFECTS.declare("vp_gained", seat=SEAT, amount=COUNT)
VP_PAID = EFFECTS.declare("vp_paid", seat=SEAT, amount=COUNT)

# Citizens, buildings and the harbour

_GIFT = Choice(("peso", "vp", *data.DICE))
TRIBUTE_GIVEN = EFFECTS.declare("tribute_given", seat=SEAT, to=SEAT, what=_GIFT)
TRIBUTE_SKIPPED = EFFECTS.declare("tribute_skipped", seat=SEAT)
ALONSO_DECLINED = EFFECTS.declare("alonso_declined", seat=SEAT)
BUILDING_CLAIMED = EFFECTS.declare("building_claimed", seat=SEAT, building=BUILDING)
PAWN_MOVED = EFFECTS.declare("pawn_moved", seat=SEAT, building=BUILDING)
PAWN_STAYED = EFFECTS.declare("pawn_stayed", seat=SEAT, building=BUILDING, cause=_STAYS)
BUILDING_USED = EFFECTS.declare(
    "building_used", seat=SEAT, building=BUILDING, by=Choice(("pawn", "alonso"))
)
BUILDING_SKIPPED = EFFECTS.declare("building_skipped", seat=SEAT, building=BUILDING)
GOODS_LOADED = EFFECTS.declare(
    "goods_loaded", seat=SEAT, good=GOOD, amount=FACE, die=GOOD, vp=COUNT
)
LOADING_PASSED = EFFECTS.declare("loading_passed", seat=SEAT)
LOADING_ROUND_ENDED = EFFECTS.declare("loading_round_ended", demand=Demand())

# The end of a turn and of the game

OWNER_BONUS_PAID = EFFECTS.declare(
    "owner_bonus_paid", seat=SEAT, visitor=SEAT, building=BUILDING, vp=COUNT
)
TURN_ENDED = EFFECTS.declare("turn_ended", seat=SEAT, turns_done=COUNT)
GAME_ENDED = EFFECTS.declare("game_ended", reason=Choice(END_REASONS))
