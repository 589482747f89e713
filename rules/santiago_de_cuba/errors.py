"""The codes of everything that these rules refuse; the sentences stand where they are raised."""

# Any move

GAME_OVER = "game_over"
UNKNOWN_ACTION = "unknown_action"
MALFORMED_PARAMETERS = "malformed_parameters"
WRONG_PHASE = "wrong_phase"
NOT_YOUR_DECISION = "not_your_decision"

# Driving

INVALID_STEPS = "invalid_steps"
INSUFFICIENT_PESOS = "insufficient_pesos"

# Goods, dice and amounts

UNKNOWN_GOOD = "unknown_good"
GOOD_HAS_NO_DIE = "good_has_no_die"
WOOD_NOT_ALLOWED = "wood_not_allowed"
GOOD_NOT_HELD = "good_not_held"
GOOD_NOT_DEMANDED = "good_not_demanded"
DIE_MISMATCH = "die_mismatch"
INVALID_AMOUNT = "invalid_amount"
EXCEEDS_DEMAND = "exceeds_demand"
EXCEEDS_HELD = "exceeds_held"
SUPPLY_EXHAUSTED = "supply_exhausted"
NOTHING_TO_GIVE = "nothing_to_give"

# Pawn, buildings and their owners

UNKNOWN_BUILDING = "unknown_building"
BUILDING_WRONG_FLOWER = "building_wrong_flower"
BUILDING_OCCUPIED = "building_occupied"
PAWN_MUST_MOVE = "pawn_must_move"
NO_MARKERS_LEFT = "no_markers_left"
BUILDING_ALREADY_OWNED = "building_already_owned"
NOT_OWNER = "not_owner"

# Using a building

INSUFFICIENT_VP = "insufficient_vp"
MARKER_AT_MINIMUM = "marker_at_minimum"
NO_SHIP_DEMAND = "no_ship_demand"
DIE_ALREADY_ZERO = "die_already_zero"
SAME_GOOD = "same_good"
NOTHING_SELECTED = "nothing_selected"
UNKNOWN_CITIZEN = "unknown_citizen"
CITIZEN_ALREADY_INACTIVE = "citizen_already_inactive"

CODES = tuple(code for name, code in list(globals().items()) if name.isupper())
