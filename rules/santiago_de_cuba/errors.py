"""The codes of all refusals."""

from rules.kernel.contract import ErrorCode


class Error(ErrorCode):
    """The refusals of Santiago de Cuba, in the order in which moves are checked (R57)."""

    # Any move
    GAME_OVER = "game_over", "the game is over"
    UNKNOWN_ACTION = "unknown_action", "there is no such move"
    MALFORMED_PARAMETERS = "malformed_parameters", "this building does not take {value}"
    WRONG_PHASE = "wrong_phase", "this move is not for now"
    NOT_YOUR_DECISION = "not_your_decision", "you are not asked"

    # Driving
    INVALID_STEPS = "invalid_steps", "the car does not drive {steps} steps"
    INSUFFICIENT_PESOS = "insufficient_pesos", "that costs more than your {pesos} pesos"

    # Before the use of a building
    UNKNOWN_BUILDING = "unknown_building", "there is no building {value}"
    NOT_OWNER = "not_owner", "{building} is not yours"
    NO_SHIP_DEMAND = "no_ship_demand", "the new ship has no dice yet"

    # Goods, dice and amounts
    UNKNOWN_GOOD = "unknown_good", "there is no good {value}"
    GOOD_HAS_NO_DIE = "good_has_no_die", "wood has no die"
    WOOD_NOT_ALLOWED = "wood_not_allowed", "wood is not allowed here"
    INVALID_AMOUNT = "invalid_amount", "{value} is not an amount allowed here"
    DIE_MISMATCH = "die_mismatch", "{good} is not for the {die} die"
    GOOD_NOT_HELD = "good_not_held", "you hold no {good}"
    GOOD_NOT_DEMANDED = "good_not_demanded", "the ship wants no {good}"
    EXCEEDS_DEMAND = "exceeds_demand", "the {die} die wants {wanted}"
    EXCEEDS_HELD = "exceeds_held", "you hold {held} {good}"
    SUPPLY_EXHAUSTED = "supply_exhausted", "the supply has {supply} {good}"
    NOTHING_TO_GIVE = "nothing_to_give", "you have no {what} to give"

    # Pawn, buildings and their owners
    BUILDING_WRONG_FLOWER = "building_wrong_flower", "{building} has not the flower of {citizen}"
    BUILDING_OCCUPIED = "building_occupied", "seat {seat} stands on {building}"
    PAWN_MUST_MOVE = "pawn_must_move", "your pawn is on {building} already"
    NO_MARKERS_LEFT = "no_markers_left", "all your ownership markers are placed"
    BUILDING_ALREADY_OWNED = "building_already_owned", "seat {owner} owns {building}"

    # Using a building
    INSUFFICIENT_VP = "insufficient_vp", "you have {vp} VP, not {times}"
    MARKER_AT_MINIMUM = "marker_at_minimum", "the value marker is on the first flag"
    DIE_ALREADY_ZERO = "die_already_zero", "the {good} die is at 0"
    SAME_GOOD = "same_good", "{give} for {take} is no swap"
    NOTHING_SELECTED = "nothing_selected", "sell rum, cigars or one of each"
    UNKNOWN_CITIZEN = "unknown_citizen", "there is no citizen {value}"
    CITIZEN_ALREADY_INACTIVE = "citizen_already_inactive", "{citizen} is inactive"
