"""The codes of everything that these rules refuse, each with its sentence."""

# Any move

GAME_OVER = "game_over"
NOT_YOUR_DECISION = "not_your_decision"
WRONG_PHASE = "wrong_phase"
INVALID_PARAMETER = "invalid_parameter"
INSUFFICIENT_DUCATS = "insufficient_ducats"

# The start of a turn

CHARACTER_NOT_IN_PACK = "character_not_in_pack"
BID_TOO_HIGH = "bid_too_high"
BID_ALREADY_COMMITTED = "bid_already_committed"

# Activations and bulls

CHARACTER_NOT_YOURS = "character_not_yours"
CHARACTER_ALREADY_USED = "character_already_used"
ALREADY_ACTED = "already_acted"
NOT_ACTED_YET = "not_acted_yet"
NOT_CURRENT_CHARACTER = "not_current_character"
NO_BULL = "no_bull"
BULL_ALREADY_USED = "bull_already_used_this_turn"
BULL_SUPPLY_EMPTY = "bull_supply_empty"
COMMON_SPACE_TAKEN = "common_space_taken"
COMMON_ALREADY_USED = "common_already_used"

# Goods, church and war

NO_GOOD_IN_ROW = "no_good_in_row"
BAD_DESTINATION = "bad_destination"
CHURCH_SLOT_TAKEN = "church_slot_taken"
MARKET_SLOT_EMPTY = "market_slot_empty"
SURPLUS_EMPTY = "surplus_empty"
NO_READY_ROSETTE = "no_ready_rosette"
NO_ACTIVE_TERCIO = "no_active_tercio"
TERCIO_SUPPLY_EMPTY = "tercio_supply_empty"
WAR_NOT_MATCHED = "war_not_matched"
WAR_ALREADY_MATCHED = "war_already_matched"
WAR_SPACE_EMPTY = "war_space_empty"

# The New World

NOTHING_TO_EXPLORE = "nothing_to_explore"
NO_TRADE_MARKER = "no_trade_marker"
NO_SETTLEMENT_IN_ROW = "no_settlement_in_row"
RAID_POSSIBLE = "raid_possible"
NO_HOUSE_IN_RESERVE = "no_house_in_reserve"
NO_SETTLEMENT = "no_settlement"
SETTLEMENT_FULL = "settlement_full"
NO_NATIVES_IN_ROW = "no_natives_in_row"

# Supplies, peer order, estates

ROSETTE_SUPPLY_EMPTY = "rosette_supply_empty"
HOUSE_SUPPLY_EMPTY = "house_supply_empty"
MAGELLAN_SUPPLY_EMPTY = "magellan_supply_empty"
ESTATE_SUPPLY_EMPTY = "estate_supply_empty"
SEA_TRADE_FULL = "sea_trade_full"
COURT_TOO_FAR = "court_too_far"
ESTATE_NOT_OWNED = "estate_not_owned"
ESTATE_WITHOUT_RESOURCE = "estate_without_resource"

CODES = tuple(code for name, code in list(globals().items()) if name.isupper())

OK = ""
"""No code: nothing is wrong."""

SENTENCES = {
    INSUFFICIENT_DUCATS: "you have not enough ducats",
    CHARACTER_NOT_IN_PACK: "that character is not in the pack",
    BID_TOO_HIGH: "you have not so many active tercios",
    BID_ALREADY_COMMITTED: "you have bid already, and a bid cannot be changed",
    CHARACTER_NOT_YOURS: "you do not hold that character",
    CHARACTER_ALREADY_USED: "that character has been used in this turn",
    ALREADY_ACTED: "a character has been used in this activation: another action costs a bull",
    NOT_ACTED_YET: "use or forfeit a character first",
    NOT_CURRENT_CHARACTER: "a bull repeats only the character used in this activation",
    NO_BULL: "you have no bull",
    BULL_ALREADY_USED: "you have spent a bull in this turn",
    BULL_SUPPLY_EMPTY: "no bull is left in the supply",
    COMMON_SPACE_TAKEN: "that space was taken in this turn",
    COMMON_ALREADY_USED: "you have taken a common action in this turn: another costs a bull",
    NO_GOOD_IN_ROW: "no good lies face up in that row",
    BAD_DESTINATION: "a good goes to the market, or if that is full to one of its slots or the"
    " surplus",
    CHURCH_SLOT_TAKEN: "that slot of the church is taken",
    MARKET_SLOT_EMPTY: "that slot of the market is empty",
    SURPLUS_EMPTY: "the surplus is empty",
    NO_READY_ROSETTE: "you have no rosette that is ready",
    NO_ACTIVE_TERCIO: "you have no active tercio",
    TERCIO_SUPPLY_EMPTY: "all your tercios are in play",
    WAR_NOT_MATCHED: "the war still takes tercios: place one",
    WAR_ALREADY_MATCHED: "the war takes no more tercios: swap one",
    WAR_SPACE_EMPTY: "no tercio stands on that space",
    NOTHING_TO_EXPLORE: "no tile lies face down",
    NO_TRADE_MARKER: "that player has no sea trade",
    NO_SETTLEMENT_IN_ROW: "there is no settlement beside that row",
    RAID_POSSIBLE: "there is something to raid",
    NO_HOUSE_IN_RESERVE: "you have no house in reserve",
    NO_SETTLEMENT: "there is no settlement on that space",
    SETTLEMENT_FULL: "that settlement is full",
    NO_NATIVES_IN_ROW: "no natives lie face up in that row",
    ROSETTE_SUPPLY_EMPTY: "no rosette is left in the supply",
    HOUSE_SUPPLY_EMPTY: "all your houses are in play",
    MAGELLAN_SUPPLY_EMPTY: "no Magellan card is left",
    ESTATE_SUPPLY_EMPTY: "no estate is left",
    SEA_TRADE_FULL: "your sea trade is at the end of the track",
    COURT_TOO_FAR: "fewer players are ahead of you",
    ESTATE_NOT_OWNED: "you do not own that estate",
    ESTATE_WITHOUT_RESOURCE: "that estate gives nothing",
}
