"""The codes of all refusals, each with its sentence."""

from rules.kernel.contract import ErrorCode


class Error(ErrorCode):
    """A refusal of Plus Ultra."""

    # Any move
    GAME_OVER = "game_over", "the game is over"
    NOT_YOUR_DECISION = "not_your_decision", "you are not asked"
    WRONG_PHASE = "wrong_phase", "{type} is not for this phase"
    INVALID_PARAMETER = "invalid_parameter", "{type} takes no {parameter} {value} here"
    INSUFFICIENT_DUCATS = "insufficient_ducats", "you have not enough ducats for {type}"
    # The start of a turn
    CHARACTER_NOT_IN_PACK = "character_not_in_pack", "the {character} is not in the pack"
    BID_TOO_HIGH = "bid_too_high", "you have not {count} active tercios"
    BID_ALREADY_COMMITTED = "bid_already_committed", "you have bid already: no bid can be changed"
    # Activations and bulls
    CHARACTER_NOT_YOURS = "character_not_yours", "you do not hold the {character}"
    CHARACTER_ALREADY_USED = "character_already_used", "you have used the {character} in this turn"
    ALREADY_ACTED = "already_acted", "a character has acted already: another action costs a bull"
    NOT_ACTED_YET = "not_acted_yet", "use or forfeit a character first"
    NOT_CURRENT_CHARACTER = "not_current_character", "a bull repeats only who has acted, not {type}"
    NO_BULL = "no_bull", "you have no bull"
    BULL_ALREADY_USED = "bull_already_used_this_turn", "you have spent a bull in this turn"
    BULL_SUPPLY_EMPTY = "bull_supply_empty", "no bull is left in the supply"
    COMMON_SPACE_TAKEN = "common_space_taken", "{type} was taken in this turn"
    COMMON_ALREADY_USED = "common_already_used", "another common action in this turn costs a bull"
    # Goods, church and war
    NO_GOOD_IN_ROW = "no_good_in_row", "no good lies face up in row {row}"
    BAD_DESTINATION = "bad_destination", "with this market, no good goes to {destination}"
    CHURCH_SLOT_TAKEN = "church_slot_taken", "slot {church_slot} of the church is taken"
    MARKET_SLOT_EMPTY = "market_slot_empty", "that slot of the market is empty"
    SURPLUS_EMPTY = "surplus_empty", "the surplus is empty"
    NO_READY_ROSETTE = "no_ready_rosette", "you have no rosette that is ready"
    NO_ACTIVE_TERCIO = "no_active_tercio", "you have no active tercio"
    TERCIO_SUPPLY_EMPTY = "tercio_supply_empty", "all your tercios are in play"
    WAR_NOT_MATCHED = "war_not_matched", "the war still takes tercios: place one"
    WAR_ALREADY_MATCHED = "war_already_matched", "the war takes no more tercios: swap one"
    WAR_SPACE_EMPTY = "war_space_empty", "no tercio stands on space {war_space}"
    # The New World
    NOTHING_TO_EXPLORE = "nothing_to_explore", "no tile lies face down"
    NO_TRADE_MARKER = "no_trade_marker", "seat {target} has no sea trade"
    NO_SETTLEMENT_IN_ROW = "no_settlement_in_row", "there is no settlement beside row {row}"
    RAID_POSSIBLE = "raid_possible", "there is something to raid"
    NO_HOUSE_IN_RESERVE = "no_house_in_reserve", "you have no house in reserve"
    NO_SETTLEMENT = "no_settlement", "there is no settlement on space {settlement_space}"
    SETTLEMENT_FULL = "settlement_full", "the settlement on space {settlement_space} is full"
    NO_NATIVES_IN_ROW = "no_natives_in_row", "no natives lie face up in row {row}"
    # Supplies, peer order, estates
    ROSETTE_SUPPLY_EMPTY = "rosette_supply_empty", "no rosette is left in the supply"
    HOUSE_SUPPLY_EMPTY = "house_supply_empty", "all your houses are in play"
    MAGELLAN_SUPPLY_EMPTY = "magellan_supply_empty", "no Magellan card is left"
    ESTATE_SUPPLY_EMPTY = "estate_supply_empty", "no estate is left"
    SEA_TRADE_FULL = "sea_trade_full", "your sea trade is at the end of the track"
    COURT_TOO_FAR = "court_too_far", "fewer than {steps} players are ahead of you"
    ESTATE_NOT_OWNED = "estate_not_owned", "you do not own the {estate}"
    ESTATE_WITHOUT_RESOURCE = "estate_without_resource", "the {estate} gives nothing"
