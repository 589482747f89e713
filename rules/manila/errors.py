"""The codes of everything that these rules refuse; the sentences stand where they are raised."""

# Any move

GAME_OVER = "game_over"
NOT_YOUR_TURN = "not_your_turn"
WRONG_PHASE = "wrong_phase"
MALFORMED_ACTION = "malformed_action"

# The auction

BID_TOO_LOW = "bid_too_low"
BID_EXCEEDS_FUNDS = "bid_exceeds_funds"

# The harbour master

UNKNOWN_WARE = "unknown_ware"
NO_SHARE_IN_SUPPLY = "no_share_in_supply"
INSUFFICIENT_FUNDS = "insufficient_funds"
START_OUT_OF_RANGE = "start_out_of_range"
START_SUM_NOT_NINE = "start_sum_not_nine"
WRONG_WARES = "wrong_wares"

# Accomplices

UNKNOWN_SPACE = "unknown_space"
WARE_NOT_LOADED = "ware_not_loaded"
PUNT_NOT_AT_SEA = "punt_not_at_sea"
SPACE_OCCUPIED = "space_occupied"
NO_ACCOMPLICE_LEFT = "no_accomplice_left"
BLIND_PASSENGER_PUNTS_ONLY = "blind_passenger_punts_only"
CHEAPEST_SPACE_ONLY = "cheapest_space_only"

# Pilots, arrivals, pirates

ILLEGAL_PILOT_MOVE = "illegal_pilot_move"
NOT_A_PERMUTATION = "not_a_permutation"
PUNT_NOT_BOARDABLE = "punt_not_boardable"
FILL_VACANCY_FIRST = "fill_vacancy_first"
DISPLACEMENT_NOT_ALLOWED = "displacement_not_allowed"
SEAT_PROTECTED = "seat_protected"
INVALID_DESTINATION = "invalid_destination"

# Loans

NO_FREE_SHARE = "no_free_share"
NO_PLEDGED_SHARE = "no_pledged_share"
FINANCE_DIRECTION_LOCKED = "finance_direction_locked"

CODES = tuple(code for name, code in list(globals().items()) if name.isupper())
