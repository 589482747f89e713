"""Refusals."""

from rules.kernel.contract import ErrorCode


class Error(ErrorCode):
    """The codes of refusals, each with a sentence that may use the values of the move."""

    # Any move
    GAME_OVER = "game_over", "the game is over"
    NOT_YOUR_TURN = "not_your_turn", "it is not for you to decide"
    WRONG_PHASE = "wrong_phase", "this move is not for now"
    MALFORMED_ACTION = "malformed_action", "{given} does not fit here: {expected} would"

    # The auction
    BID_TOO_LOW = "bid_too_low", "{amount} is too low: bid at least {minimum}"
    BID_EXCEEDS_FUNDS = "bid_exceeds_funds", "{amount} is too high: you can raise {funds}"

    # The harbour master
    UNKNOWN_WARE = "unknown_ware", "there is no ware {value}"
    NO_SHARE_IN_SUPPLY = "no_share_in_supply", "no share of {ware} is left"
    INSUFFICIENT_FUNDS = "insufficient_funds", "this costs {price} and you can pay {funds}"
    START_OUT_OF_RANGE = "start_out_of_range", "{ware} is not on 0 to 5 in {starts}"
    START_SUM_NOT_NINE = "start_sum_not_nine", "the start spaces add up to {total}, not to 9"
    WRONG_WARES = "wrong_wares", "{starts} are not the start spaces of the wares that are loaded"

    # Accomplices
    UNKNOWN_SPACE = "unknown_space", "there is no space {space}"
    WARE_NOT_LOADED = "ware_not_loaded", "the ware of {space} is not loaded"
    PUNT_NOT_AT_SEA = "punt_not_at_sea", "{space} is in port already"
    SPACE_OCCUPIED = "space_occupied", "nothing is vacant on {space}"
    NO_ACCOMPLICE_LEFT = "no_accomplice_left", "all your accomplices are placed"
    BLIND_PASSENGER_PUNTS_ONLY = (
        "blind_passenger_punts_only",
        "without money you can only board a punt, not {space}",
    )
    CHEAPEST_SPACE_ONLY = "cheapest_space_only", "{space} is too dear: take one for {cheapest}"

    # Pilots, arrivals, pirates
    ILLEGAL_PILOT_MOVE = "illegal_pilot_move", "this pilot cannot move {moves} here"
    NOT_A_PERMUTATION = "not_a_permutation", "{order} is no order of the punts that arrive"
    PUNT_NOT_BOARDABLE = "punt_not_boardable", "{ware} is not a punt that you can board"
    FILL_VACANCY_FIRST = "fill_vacancy_first", "take an empty seat first: {vacant}"
    DISPLACEMENT_NOT_ALLOWED = "displacement_not_allowed", "in this game pirates displace nobody"
    SEAT_PROTECTED = "seat_protected", "a pirate has just taken seat {displace_seat} of {ware}"
    INVALID_DESTINATION = "invalid_destination", "{destination} is neither port nor shipyard"

    # Loans
    NO_FREE_SHARE = "no_free_share", "you have no free share to pledge"
    NO_PLEDGED_SHARE = "no_pledged_share", "you have no pledged share"
    FINANCE_DIRECTION_LOCKED = "finance_direction_locked", "borrow or redeem, not both: decide now"
