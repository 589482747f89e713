"""The codes of everything that these rules refuse; the sentences stand where they are raised."""

# Any move

GAME_FINISHED = "game_finished"
WRONG_PHASE = "wrong_phase"
NOT_YOUR_TURN = "not_your_turn"
MALFORMED_ACTION = "malformed_action"
UNKNOWN_ID = "unknown_id"
UNKNOWN_COLOR = "unknown_color"

# Drafting and dice

CARD_NOT_IN_DISPLAY = "card_not_in_display"
MUST_DRAFT = "must_draft"
CARD_NOT_ON_TABLEAU = "card_not_on_tableau"
SAME_DIE_TWICE = "same_die_twice"

# Paying

WRONG_PAYMENT = "wrong_payment"
CUBES_NOT_AVAILABLE = "cubes_not_available"
NOT_ENOUGH_COINS = "not_enough_coins"

# The city and the wall

QUARTER_ALREADY_OWNED = "quarter_already_owned"
CLAIM_LIMIT_REACHED = "claim_limit_reached"
NO_OWNERSHIP_MARKERS = "no_ownership_markers"
WALL_ALREADY_ADVANCED = "wall_already_advanced"
WALL_NOT_OPEN = "wall_not_open"
WALL_END_REACHED = "wall_end_reached"

# The sea

NOT_ADJACENT = "not_adjacent"
FREE_STEP_AVAILABLE = "free_step_available"
NO_SUCH_GOODS = "no_such_goods"
PORT_NOT_REACHABLE = "port_not_reachable"

# Tribute, cards and jokers

TRIBUTE_LIMIT_REACHED = "tribute_limit_reached"
CARD_NOT_ACTIVE = "card_not_active"
CARD_HAS_NO_USE = "card_has_no_use"
CARD_ALREADY_USED = "card_already_used"
SUPPLY_COLOR_EMPTY = "supply_color_empty"
NO_JOKER = "no_joker"

CODES = tuple(code for name, code in list(globals().items()) if name.isupper())
