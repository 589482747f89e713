"""The codes of everything that these rules refuse; the sentences stand where they are raised."""

# Any move

GAME_OVER = "game_over"
UNKNOWN_ACTION = "unknown_action"
MALFORMED_PARAMETERS = "malformed_parameters"
NOT_YOUR_DECISION = "not_your_decision"
WRONG_PHASE = "wrong_phase"

# Bonus cards

UNKNOWN_BONUS_CARD = "unknown_bonus_card"

# Placing a house

NO_HOUSES_LEFT = "no_houses_left"
UNKNOWN_SPACE = "unknown_space"
SPACE_OCCUPIED = "space_occupied"
SPACE_RESERVED = "space_reserved"
FIRST_HOUSE_NEEDS_WOOD_HEX = "first_house_needs_wood_hex"
COMMODITY_REQUIRED = "commodity_required"
NOT_ENOUGH_WOOD = "not_enough_wood"
NOT_ENOUGH_STONE = "not_enough_stone"
GRAPES_REQUIRED = "grapes_required"
OLIVES_REQUIRED = "olives_required"
SILVER_ORE_REQUIRED = "silver_ore_required"
FISH_REQUIRED = "fish_required"
LEGAL_SPACE_EXISTS = "legal_space_exists"

# Exchanging fish

UNKNOWN_RESOURCE = "unknown_resource"
NOT_ENOUGH_FISH = "not_enough_fish"
RESOURCE_AT_MAXIMUM = "resource_at_maximum"

# City hexes

HEX_NOT_PENDING = "hex_not_pending"
UNKNOWN_WALL = "unknown_wall"
WALL_ALREADY_BUILT = "wall_already_built"
NOT_A_TOWER_SPACE = "not_a_tower_space"
TOWER_ALREADY_BUILT = "tower_already_built"
EMPTY_SHIP_SLOT = "empty_ship_slot"
CANNOT_AFFORD_SHIP = "cannot_afford_ship"
UNKNOWN_COMMODITY = "unknown_commodity"
COMMODITY_NOT_IN_STOCK = "commodity_not_in_stock"

CODES = tuple(code for name, code in list(globals().items()) if name.isupper())
