"""All that these rules refuse."""

from rules.kernel.contract import ErrorCode


class Error(ErrorCode):
    """The codes, each with its sentence."""

    # Any move

    GAME_FINISHED = "game_finished", "the game is over"
    WRONG_PHASE = "wrong_phase", "this move is not for now"
    NOT_YOUR_TURN = "not_your_turn", "it is not for you to decide"
    MALFORMED_ACTION = "malformed_action", "{type} takes {needs} here"
    UNKNOWN_ID = "unknown_id", "there is no {value} in this game"
    UNKNOWN_COLOR = "unknown_color", "{value} names what is no colour"

    # Drafting and dice

    CARD_NOT_IN_DISPLAY = "card_not_in_display", "{card} is not in the display"
    MUST_DRAFT = "must_draft", "no active card of yours lets you skip the draft"
    CARD_NOT_ON_TABLEAU = "card_not_on_tableau", "{card} is not on your tableau"
    SAME_DIE_TWICE = "same_die_twice", "choose two dice, not {colors}"

    # Paying

    WRONG_PAYMENT = "wrong_payment", "it costs {cost}, which you do not pay with {payment}"
    CUBES_NOT_AVAILABLE = "cubes_not_available", "your supply does not hold {needed}"
    NOT_ENOUGH_COINS = "not_enough_coins", "it costs {cost} coins and you have fewer"

    # The city and the wall

    QUARTER_ALREADY_OWNED = "quarter_already_owned", "seat {owner} owns {quarter}"
    CLAIM_LIMIT_REACHED = "claim_limit_reached", "{quarter} would be one claim too many this round"
    NO_OWNERSHIP_MARKERS = "no_ownership_markers", "you have no ownership marker left"
    WALL_ALREADY_ADVANCED = "wall_already_advanced", "you have advanced on the wall this round"
    WALL_NOT_OPEN = "wall_not_open", "a further space follows directly on a wall advance"
    WALL_END_REACHED = "wall_end_reached", "your disc is on the last space of the wall"

    # The sea

    NOT_ADJACENT = "not_adjacent", "{space} is not adjacent to {ship}"
    FREE_STEP_AVAILABLE = "free_step_available", "you have {free_steps} free steps: pay no {color}"
    NO_SUCH_GOODS = "no_such_goods", "you have no {good} aboard"
    PORT_NOT_REACHABLE = "port_not_reachable", "{port} wants {good}, and your ship is elsewhere"

    # Tribute, cards and jokers

    TRIBUTE_LIMIT_REACHED = "tribute_limit_reached", "you have bought all that one may this round"
    CARD_NOT_ACTIVE = "card_not_active", "{card} is not active for you"
    CARD_HAS_NO_USE = "card_has_no_use", "{card} works by itself"
    CARD_ALREADY_USED = "card_already_used", "you have used {card} this round"
    SUPPLY_COLOR_EMPTY = "supply_color_empty", "the bank does not hold {needed}"
    NO_JOKER = "no_joker", "you have no joker tile"
