"""Refusals."""

from rules.kernel.contract import ErrorCode


class Error(ErrorCode):
    """The codes of refusals, in the order of the rulebook."""

    # Any move
    GAME_OVER = "game_over", "the game is over"
    UNKNOWN_ACTION = "unknown_action", "there is no move {type}"
    MALFORMED_PARAMETERS = "malformed_parameters", "{type} lacks a parameter, or has one too many"
    NOT_YOUR_DECISION = "not_your_decision", "seat {seat} is not asked"
    WRONG_PHASE = "wrong_phase", "{type} is not for this phase"

    # Bonus cards
    UNKNOWN_BONUS_CARD = "unknown_bonus_card", "you were not shown {card_id}"

    # Placing a house
    NO_HOUSES_LEFT = "no_houses_left", "all your houses are placed"
    UNKNOWN_SPACE = "unknown_space", "there is no space {space_id}"
    SPACE_OCCUPIED = "space_occupied", "there is a house on {space_id}"
    SPACE_RESERVED = "space_reserved", "{space_id} is reserved for the Patrician"
    FIRST_HOUSE_NEEDS_WOOD_HEX = (
        "first_house_needs_wood_hex",
        "your first house needs a woodcutter beside it, unlike {space_id}",
    )
    COMMODITY_REQUIRED = "commodity_required", "{space_id} needs a commodity, and you have none"
    NOT_ENOUGH_WOOD = "not_enough_wood", "for {space_id} you lack {units} wood, and fish for it"
    NOT_ENOUGH_STONE = "not_enough_stone", "for {space_id} you lack {units} stone, and fish for it"
    GRAPES_REQUIRED = "grapes_required", "for {space_id} you lack {units} grapes, and fish for it"
    OLIVES_REQUIRED = "olives_required", "for {space_id} you lack {units} olives, and fish for it"
    SILVER_ORE_REQUIRED = (
        "silver_ore_required",
        "for {space_id} you lack {units} silver ore, and fish for it",
    )
    FISH_REQUIRED = "fish_required", "{space_id} needs more fish after exchanges than {fish}"
    LEGAL_SPACE_EXISTS = "legal_space_exists", "you can build, for example on {space}"

    # Exchanging fish
    UNKNOWN_RESOURCE = "unknown_resource", "fish cannot be exchanged for {resource} now"
    NOT_ENOUGH_FISH = "not_enough_fish", "an exchange takes more fish than your {fish}"
    RESOURCE_AT_MAXIMUM = "resource_at_maximum", "you have as much {resource} as one can have"

    # City hexes
    HEX_NOT_PENDING = "hex_not_pending", "{hex_id} does not wait to be activated"
    UNKNOWN_WALL = "unknown_wall", "there is no wall {wall_id}"
    WALL_ALREADY_BUILT = "wall_already_built", "{wall_id} has a wall already"
    NOT_A_TOWER_SPACE = "not_a_tower_space", "{space_id} is not on the city boundary"
    TOWER_ALREADY_BUILT = "tower_already_built", "there is a tower on {space_id}"
    EMPTY_SHIP_SLOT = "empty_ship_slot", "there is no ship in slot {slot}"
    CANNOT_AFFORD_SHIP = (
        "cannot_afford_ship",
        "slot {slot} costs {wine} wine, {oil} oil and {silver} silver, and you lack some",
    )
    UNKNOWN_COMMODITY = "unknown_commodity", "there is no commodity {commodity}"
    COMMODITY_NOT_IN_STOCK = "commodity_not_in_stock", "you have no {commodity} in stock"
