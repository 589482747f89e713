"""The types of effects, and the fields of each type."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, Effects, Index, Integer, ListOf
from rules.kernel.toolbox.packed import PileAsList
from rules.macao import data
from rules.macao.data import cubes
from rules.macao.fields import BENEFIT, CARD, COLOUR, COLOURS, GOOD, QUARTER, SEAT, SPACE

EMPTY_ARROW, SIXTH_CARD = CAUSES = ("empty_arrow", "sixth_card")
"""Reasons of punishments."""

EFFECTS = Effects()
_CARDS = ListOf(CARD, 1, data.OFFICES_PER_ROUND + data.OTHERS_PER_ROUND, unique=True)
_GOODS = ListOf(GOOD, len(data.GOODS_TILES), len(data.GOODS_TILES))
_ORDER = ListOf(SEAT, data.MIN_SEATS, data.MAX_SEATS, unique=True)
_TILE: Index[data.Tile] = Index(data.TILES)
_CUBES = PileAsList(cubes, 1, len(data.COLOURS) * data.CUBES_PER_COLOUR)
_ROUND, _FACE = Integer(1, data.ROUNDS), Integer(1, data.FACES)
_COUNT, _AMOUNT = Integer(0, data.FACES), Integer(1, 1_000)
_TRIBUTE = Integer(0, data.TRIBUTE_MOST)

WALL_ORDER_SHUFFLED = EFFECTS.declare("wall_order_shuffled", seats=_ORDER)
GOODS_SHUFFLED = EFFECTS.declare("goods_shuffled", goods=_GOODS)
OFFICES_SHUFFLED = EFFECTS.declare("offices_shuffled", cards=ListOf(CARD, unique=True))
ROUND_STARTED = EFFECTS.declare("round_started", round=_ROUND, seats=_ORDER)
CARDS_REVEALED = EFFECTS.declare("cards_revealed", cards=_CARDS)
TRIBUTE_SET = EFFECTS.declare("tribute_set", gold=_TRIBUTE, prestige=_TRIBUTE)
CARDS_DISCARDED = EFFECTS.declare("cards_discarded", cards=_CARDS)
CARD_DRAFTED = EFFECTS.declare("card_drafted", seat=SEAT, card=CARD)
DRAFT_SKIPPED = EFFECTS.declare("draft_skipped", seat=SEAT)
PUNISHMENT_TAKEN = EFFECTS.declare("punishment_taken", seat=SEAT, cause=Choice(CAUSES))
TABLEAU_CARD_DISCARDED = EFFECTS.declare("tableau_card_discarded", seat=SEAT, card=CARD)
START_CUBES_CHOSEN = EFFECTS.declare("start_cubes_chosen", seat=SEAT, first=COLOUR, second=COLOUR)
_DICE: JsonObject = dict.fromkeys(data.COLOURS, _FACE)
DICE_ROLLED = EFFECTS.declare("dice_rolled", **_DICE)
DICE_CAPPED = EFFECTS.declare("dice_capped", cap=_FACE)
DICE_SEALED = EFFECTS.declare("dice_sealed", seat=SEAT)
CUBES_PLACED = EFFECTS.declare("cubes_placed", seat=SEAT, color=COLOUR, count=_COUNT, sector=_FACE)
WINDROSE_ROTATED = EFFECTS.declare("windrose_rotated", seat=SEAT, colors=_CUBES)
CUBES_PAID = EFFECTS.declare("cubes_paid", seat=SEAT, colors=_CUBES)
CUBES_RETURNED = EFFECTS.declare("cubes_returned", seat=SEAT, colors=_CUBES)
CUBES_GAINED = EFFECTS.declare("cubes_gained", seat=SEAT, colors=_CUBES)
COINS_PAID = EFFECTS.declare("coins_paid", seat=SEAT, amount=_AMOUNT)
COINS_GAINED = EFFECTS.declare("coins_gained", seat=SEAT, amount=_AMOUNT)
PRESTIGE_GAINED = EFFECTS.declare("prestige_gained", seat=SEAT, amount=Integer(0, 1_000))
SHIP_STEPS_GAINED = EFFECTS.declare("ship_steps_gained", seat=SEAT, amount=_AMOUNT)
CARD_TRIGGERED = EFFECTS.declare("card_triggered", seat=SEAT, card=CARD)
CARD_ACTIVATED = EFFECTS.declare("card_activated", seat=SEAT, card=CARD)
CARD_USED = EFFECTS.declare("card_used", seat=SEAT, card=CARD)
JOKER_USED = EFFECTS.declare("joker_used", seat=SEAT, colors=COLOURS, coins=BENEFIT)
QUARTER_CLAIMED = EFFECTS.declare("quarter_claimed", seat=SEAT, quarter=QUARTER, tile=_TILE)
DISC_MOVED = EFFECTS.declare("disc_moved", seat=SEAT, space=Integer(1, data.LAST_SPACE))
DISCS_OVERTAKEN = EFFECTS.declare("discs_overtaken", seat=SEAT, seats=ListOf(SEAT, 1, unique=True))
DISC_LIFTED = EFFECTS.declare("disc_lifted", seat=SEAT, space=Integer(0, data.LAST_SPACE))
SHIP_MOVED = EFFECTS.declare("ship_moved", seat=SEAT, space=SPACE)
GOODS_DELIVERED = EFFECTS.declare("goods_delivered", seat=SEAT, good=GOOD)
PRESTIGE_BOUGHT = EFFECTS.declare("prestige_bought", seat=SEAT, coins=_TRIBUTE, prestige=_TRIBUTE)
TURN_ENDED = EFFECTS.declare("turn_ended", seat=SEAT)
ROUND_ENDED = EFFECTS.declare("round_ended", round=_ROUND)
GAME_SCORED = EFFECTS.declare("game_scored", totals=ListOf(Integer(-1_000, 1_000)))
