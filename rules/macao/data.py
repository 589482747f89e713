"""The numbers of ``data.json`` as typed constants; they are the same in every edition of the game.

Colours, goods and kinds of card are small ints in the state: indices into the tuples here. In JSON
they are ids. Cards, quarters and the sea are tables of an edition (``edition``).
"""

from typing import NewType

from rules.kernel.contract import Edition
from rules.kernel.toolbox.packed import PileCodec

Colour = NewType("Colour", int)
Tile = NewType("Tile", int)  # a tile on a quarter: a good or the joker
Good = NewType("Good", Tile)
Event = NewType("Event", int)  # a triggering event
Kind = NewType("Kind", Event)  # a kind of card, and the event that such a card is activated

EDITION = Edition.load(__package__)
_T = EDITION.tables
_C = _T["constants"]

NONE = Good(Tile(-1))
"""No tile or no good."""

# Colours, goods, kinds of card
COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["colors"])
cubes: PileCodec[Colour] = PileCodec(COLOURS)
"""The codec of piles of action cubes, which are ints."""
MOST_CUBES = 4
"""Maximum number of cubes that a card or quarter costs, or that a player chooses."""
SEAT_COLOURS: tuple[str, ...] = tuple(colour["id"] for colour in _T["player_colors"])
GOODS: tuple[str, ...] = tuple(good["id"] for good in _T["goods"])
GOODS_COPIES: int = _C["goods_copies"]
ALL_GOODS = tuple(Good(Tile(index)) for index in range(len(GOODS)))
GOODS_TILES = [good for good in ALL_GOODS for _ in range(GOODS_COPIES)]
JOKER = Tile(len(GOODS))
"""The tile on a dark quarter."""
JOKER_TILES: int = _C["joker_tiles"]
TILES: tuple[str, ...] = (*GOODS, "joker")
KINDS = ("office", "building", "person")
ALL_KINDS = OFFICE, BUILDING, PERSON = Kind(Event(0)), Kind(Event(1)), Kind(Event(2))

# Rounds, cards, dice
MIN_SEATS: int = _T["players"]["min"]
MAX_SEATS: int = _T["players"]["max"]
ROUNDS: int = _C["rounds"]
OFFICES_PER_ROUND: int = _C["offices_per_round"]
OTHERS_PER_ROUND: int = _C["bp_cards_per_round"]
REMOVED_PER_ROUND = {int(seats): n for seats, n in _C["removed_bp_cards"].items()}
INITIAL_EXTRA: int = _C["initial_draft_extra"]
TABLEAU: int = _C["tableau_capacity"]
DIE_CAPS: tuple[int, ...] = tuple(_T["die_cap_by_round"])
"""The maximum count of a die, indexed by round - 1."""
FACES = DIE_CAPS[0]
SECTORS: int = _C["windrose_positions"]
START_CUBES: tuple[tuple[int, int], ...] = tuple(
    (start["position"], start["count"]) for start in _C["start_cubes"]
)
"""For both choices of start cubes: the sector, and the number of cubes."""

# Players' possessions and payments
CUBES_PER_COLOUR: int = _C["cubes_per_color"]
START_COINS: int = _C["start_coins"]
MARKERS: int = _C["markers_per_player"]
LAST_SPACE: int = _C["wall_spaces"] - 1
WALL_EXTRA_COST: int = _C["wall_extra_space_cost"]
CLAIMS_PER_ROUND: int = _C["claims_per_round"]
TRIBUTES_PER_ROUND: int = _C["tributes_per_round"]
JOKER_COINS: int = _C["joker_coins"]
TRIBUTE_MOST: int = _C["tribute_track_max"]

# The end
PUNISHMENT_PRESTIGE: int = _C["punishment_prestige"]
TABLEAU_PRESTIGE: int = _C["tableau_card_prestige"]
CHAIN_PRESTIGE: int = _C["chain_prestige_per_quarter"]
