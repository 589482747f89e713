"""The tables of ``data.json`` as typed constants.

Kinds of tiles, characters, estates and common spaces are small ints in the state: indices into the
tuples here. In JSON they are ids. Rows, spaces and slots count from 0 here and from 1 in JSON.
"""

from typing import NewType

from rules.kernel.contract import Edition, Index

Kind = NewType("Kind", int)  # a kind of tile
Character = NewType("Character", int)
Estate = NewType("Estate", int)
Row = NewType("Row", int)  # a row of the New World, and the settlement space beside it
ChurchSlot = NewType("ChurchSlot", int)
WarSpace = NewType("WarSpace", int)
CommonSpace = NewType("CommonSpace", int)

EDITION = Edition.load(__package__)
_T = EDITION.tables

NONE = -1  # no bid

MIN_SEATS: int = _T["players"]["min"]
MAX_SEATS: int = _T["players"]["max"]
COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["player_colors"])
TURNS: int = _T["turns"]
ROUNDS: int = _T["rounds_per_turn"]
PICKS_EACH = 2  # number of characters that every player drafts in a turn

# Tiles: the goods come first, then natives, then settlements.
KINDS: tuple[str, ...] = tuple(kind["id"] for kind in _T["tile_kinds"])
KIND: Index[Kind] = Index(KINDS)
EMPTY, FACE_DOWN = Kind(-1), Kind(len(KINDS))
"""The content of a row that is empty, and of one that is face down. An empty slot of the church is
EMPTY, too.
"""
ALL_KINDS = KIND.values()
GOODS = range(len(_T["goods"]))
NATIVES = KIND.read("natives")
BLUE_SETTLEMENT = KIND.read("settlement_3")
SIZES: tuple[int, ...] = (0,) * (len(KINDS) - len(_T["settlements"])) + tuple(
    settlement["capacity"] for settlement in _T["settlements"]
)
"""The number of houses that a settlement holds, by kind; 0 for all other kinds."""
MAJORITIES: dict[int, int] = {s["capacity"]: s["majority_pg"] for s in _T["settlements"]}
PILE: tuple[int, ...] = tuple(_T["new_world_tile_counts"]["pile"].get(kind, 0) for kind in KINDS)
"""The number of shuffled tiles of each kind."""
TILES: tuple[int, ...] = tuple(_T["new_world_tile_counts"]["total"][kind] for kind in KINDS)
ROSETTE_BONUS: tuple[int, ...] = tuple(good["rosette_bonus"] for good in _T["goods"])

# The board
ROWS: int = _T["board"]["exploration_rows"]
ALL_ROWS, NO_ROW = tuple(map(Row, range(ROWS))), Row(-1)
MARKET_SLOTS: int = _T["board"]["market_slots"]
SLOTS = tuple(f"slot_{slot}" for slot in range(1, MARKET_SLOTS + 1))
CHURCH_SLOTS: int = _T["board"]["church_slots"]
WAR_SPACES: int = _T["board"]["war_spaces"]
LAST_TRADE: int = _T["board"]["sea_trade_length"]
CROWN_CAP: int = _T["board"]["crown_cap"]
START_MARKET = tuple(map(KIND.read, _T["initial"]["market_slots_1_to_4"]))
START_SURPLUS = tuple(map(KIND.read, _T["initial"]["surplus_bottom_to_top"]))
START_CROWN: int = _T["initial"]["crown_ducats"]
BLUE_TURNS: tuple[int, ...] = tuple(_T["blue_settlement_turns"])
DICE_FACES: tuple[int, ...] = tuple(_T["war"]["faces"])
DICE: int = _T["war"]["dice"]

# Pieces
DUCATS: int = _T["supplies"]["ducats"]
TERCIOS: int = _T["supplies"]["tercios_per_player"]
HOUSES: int = _T["supplies"]["houses_per_player"]
ROSETTES: int = _T["supplies"]["rosettes"]
BULLS: dict[int, int] = {int(n): counts["bulls"] for n, counts in _T["player_counts"].items()}
MAGELLAN: dict[int, int] = {int(n): counts["magellan"] for n, counts in _T["player_counts"].items()}
ESTATES_IN_PLAY: int = _T["supplies"]["estates_in_play"]
START_DUCATS: int = _T["initial"]["player"]["ducats"]
START_ACTIVE: int = _T["initial"]["player"]["tercios_active"]
START_RESERVE: int = _T["initial"]["player"]["houses_in_reserve"]
START_ROSETTES: int = _T["initial"]["player"]["rosettes_ready"]

# Characters, common spaces, estates
CHARACTERS: tuple[str, ...] = tuple(character["id"] for character in _T["characters"])
CHARACTER: Index[Character] = Index(CHARACTERS)
ALL_CHARACTERS = CHARACTER.values()
NO_CHARACTER, FORFEIT = Character(-1), Character(len(CHARACTERS))
"""Values of ``acted`` that are not characters: before a character has acted, and after a
forfeit.
"""
(
    ADMIRAL, CARDINAL, MERCHANT, CONSTABLE, CONQUISTADOR, PIRATE, KING, SECRETARY, VICEROY,
) = ALL_CHARACTERS  # fmt: skip
ACTOR = {action: CHARACTER.read(c["id"]) for c in _T["characters"] for action in c["actions"]}
"""The character that has each action."""
ICONS: tuple[Kind, ...] = tuple(KIND.read(character["icon"]) for character in _T["characters"])
"""For each character, the good that is confiscated at the end of the turn in which it is set
aside.
"""

COMMON: tuple[str, ...] = tuple(action["id"] for action in _T["common_actions"])
COMMON_SPACE = {id_: CommonSpace(index) for index, id_ in enumerate(COMMON)}
ESTATES: tuple[str, ...] = tuple(estate["id"] for estate in _T["estates"])
ESTATE: Index[Estate] = Index(ESTATES)
ESTATE_PG: tuple[int, ...] = tuple(estate["pg"] for estate in _T["estates"])
ESTATE_RESOURCES: tuple[tuple[str, int], ...] = tuple(
    (found["kind"], found["amount"]) if (found := estate["resource"]) else ("nothing", 0)
    for estate in _T["estates"]
)

# Prices and gains
BULL_PRICE: int = _T["bull_price"]
REACTIVATION_PRICE: int = _T["reactivation_price"]
PEER_DUCATS: tuple[int, ...] = tuple(_T["peer_order_ducats"].values())
# indexed by turn, from 0, and then by place
PEER_PG: tuple[list[int], ...] = tuple(_T["peer_order_pg"].values())
KING_FAVOUR: tuple[int, ...] = tuple(
    next(row["pg"] for row in _T["king_favor"] if row["crown_min"] <= crown <= row["crown_max"])
    for crown in range(CROWN_CAP + 1)
)  # indexed by the wealth of the crown, from 0
LEVY: int = _T["king_levy"]["crown_gain"]
SALE_BASE: int = _T["merchant"]["base_price"]
TITLES: list[tuple[int, int]] = [(t["ducats"], t["pg"]) for t in _T["merchant"]["titles"]]
NEW_GOOD_PG: int = _T["admiral"]["new_good_pg"]
SHIP_TRADE: int = _T["admiral"]["ship_sea_trade"]
TRADE_STEPS: int = _T["admiral"]["trade_sea_trade"]
TRADE_DUCATS: int = _T["admiral"]["trade_ducats"]
DONATION_PG: int = _T["church"]["donation_pg"]
COMPLETION_PG: int = _T["church"]["completion_pg"]
DISCOVERY_PG: int = _T["conquistador"]["good_revealed_pg"]
CAPTURE_PRICE: int = _T["conquistador"]["capture_ducats"]
BUILD_PRICE: int = _T["conquistador"]["settle_ducats"]
HAUL_DUCATS: int = _T["conquistador"]["haul_ducats"]
RAID_DUCATS: int = _T["pirate"]["raid_goods_ducats"]
ESTATE_PRICE: int = _T["secretary"]["estate_ducats"]
SECRETARY_PG: int = _T["characters"][SECRETARY]["passive"]["effect"]["pg"]
COMMON_PRICES: dict[str, int] = {a["id"]: a["cost"].get("ducats", 0) for a in _T["common_actions"]}
PAINTER_PG: int = _T["common_actions"][0]["gain"]["pg"]
LOAN_PG: int = _T["common_actions"][1]["cost"]["pg"]
LOAN_DUCATS: int = _T["common_actions"][1]["gain"]["ducats"]

# The end
SEVEN_TURNS = "seven_turns"
HOUSE_PG: int = _T["house_pg"]
TRADE_PG: tuple[int, ...] = tuple(_T["final_scoring"]["sea_trade_by_distinct_level"])
TRADE_PRESENCE_PG: int = _T["final_scoring"]["sea_trade_presence"]
BULL_PG: int = _T["final_scoring"]["bull_pg"]
DUCATS_PER_PG: int = _T["final_scoring"]["pg_per_ducats"]["ducats"]
MAGELLAN_COMPLETED_PG: int = _T["magellan"]["completed_pg_each"]
MAGELLAN_PG: int = _T["magellan"]["not_completed_pg_each"]
