"""The sequence of play: the phases, and what happens between them by itself.

Moves (``moves``) and draws (``chance``) call these procedures; none of them asks anybody.
"""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.phases import Phase
from rules.macao import cubes
from rules.macao.cards import (
    DISC_OVERTAKEN,
    GOODS_DELIVERED,
    QUARTER_CLAIMED,
    SHIP_STEP,
    Gain,
    Powers,
    with_card,
)
from rules.macao.data import (
    COLOURS,
    DIE_CAPS,
    GOODS,
    JOKER,
    LAST_SPACE,
    MARKERS,
    NONE,
    OFFICES_PER_ROUND,
    REMOVED_PER_ROUND,
    ROUNDS,
    START_CUBES,
    TABLEAU,
    TILES,
)
from rules.macao.scoring import total
from rules.macao.state import State

# Phases

SHUFFLE_WALL = "shuffle_wall"
SHUFFLE_GOODS = "shuffle_goods"
SHUFFLE_OFFICES = "shuffle_offices"
REVEAL_INITIAL = "reveal_initial_cards"
INITIAL_DRAFT = "initial_draft"
INITIAL_CUBES = "initial_cubes"
REVEAL_CARDS = "reveal_cards"
DRAFT = "draft"
DRAFT_OVERFLOW = "draft_overflow"
ROLL_DICE = "roll_dice"
CHOOSE_DICE = "choose_dice"
ACTIONS = "actions"
FINISHED = "finished"


PHASES = {
    # Set-up
    SHUFFLE_WALL: Phase("nature", (), (SHUFFLE_GOODS,)),
    SHUFFLE_GOODS: Phase("nature", (), (SHUFFLE_OFFICES,)),
    SHUFFLE_OFFICES: Phase("nature", (), (REVEAL_INITIAL,)),
    REVEAL_INITIAL: Phase("nature", (), (INITIAL_DRAFT,)),
    INITIAL_DRAFT: Phase(
        "every player, last on the wall first",  # R8
        ("draft_card",),
        (INITIAL_DRAFT, INITIAL_CUBES),
    ),
    INITIAL_CUBES: Phase(
        "every player in wall order", ("choose_start_cubes",), (INITIAL_CUBES, REVEAL_CARDS)
    ),
    # A round: draft a card, choose two dice, turn the windrose, take a turn.
    REVEAL_CARDS: Phase("nature", (), (DRAFT,)),
    DRAFT: Phase(
        "every player in turn order",
        ("draft_card", "skip_draft"),
        (DRAFT, DRAFT_OVERFLOW, ROLL_DICE),
    ),
    DRAFT_OVERFLOW: Phase(
        "whoever has just drafted a sixth card", ("discard_tableau_card",), (DRAFT, ROLL_DICE)
    ),
    ROLL_DICE: Phase("nature", (), (CHOOSE_DICE,)),
    CHOOSE_DICE: Phase(
        "every player in turn order, or all at the same time",
        ("choose_dice", "choose_dice_secretly"),
        (CHOOSE_DICE, ACTIONS),
    ),
    ACTIONS: Phase(
        "every player in turn order, until he ends his turn",
        (
            "activate_card",
            "claim_quarter",
            "advance_wall",
            "advance_wall_extra",
            "move_ship",
            "deliver_goods",
            "buy_prestige",
            "use_card",
            "use_joker",
            "end_turn",
        ),
        (ACTIONS, REVEAL_CARDS, FINISHED),
    ),
    FINISHED: Phase("nobody", (), ()),
}

BEFORE_REVEAL = (
    SHUFFLE_WALL,
    SHUFFLE_GOODS,
    SHUFFLE_OFFICES,
    REVEAL_INITIAL,
    INITIAL_DRAFT,
    INITIAL_CUBES,
    REVEAL_CARDS,
)
"""The phases in which the round's offices still lie aside."""

EMPTY_ARROW = "empty_arrow"
SIXTH_CARD = "sixth_card"
"""Why somebody is punished."""


def ask(state: State, phase: str, seats: Sequence[int]) -> None:
    """Put the question of ``phase`` to ``seats`` in this order."""
    state.phase = phase
    state.queue = list(seats)


# Set-up


def lay_discs(state: State, order: list[int], log: EffectLog | None) -> None:
    """Stack the discs on the first space of the wall, the first player's on top (R6)."""
    state.wall_order = order
    state.phase = SHUFFLE_GOODS
    if log:
        log.add("wall_order_shuffled", seats=order[:])


def lay_goods(state: State, tiles: list[int], log: EffectLog | None) -> None:
    """Put a goods tile on every light quarter."""
    for quarter, tile in zip(state.tables.light, tiles, strict=True):
        state.tiles[quarter] = tile
    state.phase = SHUFFLE_OFFICES
    if log:
        log.add("goods_shuffled", goods=[GOODS[tile] for tile in tiles])


def lay_offices(state: State, offices: tuple[int, ...], log: EffectLog | None) -> None:
    """Lay out the pairs of offices for all rounds."""
    state.offices = offices
    state.phase = REVEAL_INITIAL
    if log:
        log.add("offices_shuffled", cards=state.card_ids(offices))


def show_initial(state: State, cards: list[int], log: EffectLog | None) -> None:
    """Show the cards of the initial draft."""
    state.display = cards
    if log:
        log.add("cards_revealed", cards=state.card_ids(cards))
    ask(state, INITIAL_DRAFT, state.wall_order[::-1])  # R8


def take_start_cubes(state: State, seat: int, colours: Sequence[int]) -> None:
    """Put the cubes of the set-up on the windrose, and ask the next player."""
    for colour, (sector, number) in zip(colours, START_CUBES, strict=True):
        _put_cubes(state, seat, colour, sector, number)
    del state.queue[0]
    if not state.queue:
        state.phase = REVEAL_CARDS


# The draft


def reveal(state: State, others: list[int], log: EffectLog | None) -> None:
    """Show the round's offices and the drawn cards, add up the tribute, take some away."""
    state.turn_order = state.wall_order[:]  # R7
    first = OFFICES_PER_ROUND * (state.round - 1)
    shown = [*state.offices[first : first + OFFICES_PER_ROUND], *others]
    deck = state.tables.cards
    state.tribute_gold = sum([deck[card].gold for card in shown])
    state.tribute_prestige = sum([deck[card].prestige for card in shown])
    if log:
        log.add("round_started", round=state.round, seats=state.turn_order[:])
        log.add("cards_revealed", cards=state.card_ids(shown))
        log.add("tribute_set", gold=state.tribute_gold, prestige=state.tribute_prestige)
    left = len(shown) - REMOVED_PER_ROUND[state.seats]
    state.display = shown[:left]
    _discard(state, shown[left:], log)  # R9
    ask(state, DRAFT, state.turn_order)


def draft(state: State, seat: int, card: int, log: EffectLog | None) -> None:
    """Take a card from the display; a sixth one has to go again, or another."""
    state.display.remove(card)
    state.tableau[seat].append(card)
    if log:
        log.add("card_drafted", seat=seat, card=state.tables.cards[card].id)
    if len(state.tableau[seat]) > TABLEAU:  # R10
        punish(state, seat, SIXTH_CARD, log)
        state.phase = DRAFT_OVERFLOW
    else:
        next_drafter(state, log)


def next_drafter(state: State, log: EffectLog | None) -> None:
    """Ask the next player; after the last one, throw away what is left."""
    del state.queue[0]
    if state.queue:
        return
    left, state.display = state.display, []
    _discard(state, left, log)
    if state.phase == INITIAL_DRAFT:
        ask(state, INITIAL_CUBES, state.wall_order)
    else:
        state.phase = ROLL_DICE


def _discard(state: State, cards: list[int], log: EffectLog | None) -> None:
    state.discard += cards
    if log and cards:
        log.add("cards_discarded", cards=state.card_ids(cards))


def punish(state: State, seat: int, cause: str, log: EffectLog | None) -> None:
    """Turn a marker to its punishment side; it counts even if there is none left (R5)."""
    state.punishments[seat] += 1
    if log:
        log.add("punishment_taken", seat=seat, cause=cause)


# Dice and windroses


def die_value(state: State, colour: int) -> int:
    """What a die counts: late rounds cap it (R14)."""
    return min(state.dice[colour], DIE_CAPS[state.round - 1])


def roll(state: State, dice: list[int], log: EffectLog | None) -> None:
    """Show the dice and ask everybody for two of them."""
    state.dice = dice
    if log:
        rolled: JsonObject = dict(zip(COLOURS, dice, strict=True))
        log.add("dice_rolled", **rolled)
        if DIE_CAPS[state.round - 1] < DIE_CAPS[0]:
            log.add("dice_capped", cap=DIE_CAPS[state.round - 1])
    ask(state, CHOOSE_DICE, state.turn_order)


def choose_dice(state: State, seat: int, pair: tuple[int, ...], log: EffectLog | None) -> None:
    """Put cubes on the windrose; if all choose at the same time, wait for the last one."""
    state.queue.remove(seat)
    if not state.simultaneous:
        _put_dice(state, seat, pair, log)
    else:
        state.picked[seat] = pair
        if log:
            log.add("dice_sealed", seat=seat)
        if not state.queue:
            for chooser in state.turn_order:
                if log:
                    log.open_move(chooser, "choose_dice_secretly")
                _put_dice(state, chooser, state.picked[chooser], log)
            state.picked = [()] * state.seats
    if not state.queue:
        rotate(state, log)


def _put_dice(state: State, seat: int, pair: tuple[int, ...], log: EffectLog | None) -> None:
    for colour in pair:
        value = die_value(state, colour)
        number = _put_cubes(state, seat, colour, value, value)
        if log:
            color = COLOURS[colour]
            log.add("cubes_placed", seat=seat, color=color, count=number, sector=value)


def _put_cubes(state: State, seat: int, colour: int, sector: int, wanted: int) -> int:
    """Put cubes on a sector, as many as the bank has (R3); return how many."""
    number = min(wanted, cubes.count(state.bank, colour))
    pile = number * cubes.ONE[colour]
    state.bank -= pile
    state.windrose[seat][sector - 1] += pile
    return number


def rotate(state: State, log: EffectLog | None) -> None:
    """Turn all windroses: the first sector's cubes are what there is to spend this round."""
    for seat in state.turn_order:
        arrow, *others = state.windrose[seat]
        state.supply[seat] = arrow
        state.windrose[seat] = [*others, 0]
        if not arrow:  # R15
            punish(state, seat, EMPTY_ARROW, log)
        elif log:
            log.add("windrose_rotated", seat=seat, colors=cubes.ids(arrow))
    ask(state, ACTIONS, state.turn_order)


# Actions


def pay(state: State, seat: int, pile: int, log: EffectLog | None) -> None:
    """Put cubes of the supply back into the bank."""
    state.supply[seat] -= pile
    state.bank += pile
    if log and pile:
        log.add("cubes_paid", seat=seat, colors=cubes.ids(pile))


def pay_coins(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take coins from ``seat``."""
    state.coins[seat] -= amount
    if log and amount:
        log.add("coins_paid", seat=seat, amount=amount)


def give(state: State, seat: int, gain: Gain, log: EffectLog | None, chosen: int = 0) -> None:
    """Give ``seat`` a gain; ``chosen`` are the cubes whose colours it chose."""
    if gain.coins:
        state.coins[seat] += gain.coins  # R4
        if log:
            log.add("coins_gained", seat=seat, amount=gain.coins)
    if gain.prestige:
        score(state, seat, gain.prestige, log)
    if gain.cubes or chosen:
        pile = cubes.common(gain.cubes + chosen, state.bank)  # R35
        state.bank -= pile
        state.supply[seat] += pile
        if log and pile:
            log.add("cubes_gained", seat=seat, colors=cubes.ids(pile))
    if gain.ship_steps:
        state.free_steps += gain.ship_steps
        if log:
            log.add("ship_steps_gained", seat=seat, amount=gain.ship_steps)
    for _ in range(gain.wall):  # R26
        move_disc(state, seat, log)


def score(state: State, seat: int, prestige: int, log: EffectLog | None) -> None:
    """Give ``seat`` prestige points."""
    state.prestige[seat] += prestige  # R44
    if log:
        log.add("prestige_gained", seat=seat, amount=prestige)


def trigger(state: State, seat: int, event: int, log: EffectLog | None, times: int = 1) -> None:
    """Give ``seat`` what its cards give for an event, in the order of activation (R31)."""
    _trigger(state, seat, state.powers[seat], event, log, times)


def _trigger(
    state: State, seat: int, powers: Powers, event: int, log: EffectLog | None, times: int
) -> None:
    for card, gain in powers.triggers[event]:
        if log and times:
            log.add("card_triggered", seat=seat, card=state.tables.cards[card].id)
        for _ in range(times):
            give(state, seat, gain, log)


def activate(state: State, seat: int, index: int, log: EffectLog | None) -> None:
    """Turn a paid card active; the cards activated before it react (R32)."""
    card = state.tables.cards[index]
    before = state.powers[seat]
    state.tableau[seat].remove(index)
    state.activated[seat].append(index)  # R39
    state.powers[seat] = with_card(before, index, card)
    if log:
        log.add("card_activated", seat=seat, card=card.id)
    for gain in card.gains_now:
        give(state, seat, gain, log)
    if state.powers[seat].stack_top and not before.stack_top:  # R29
        _lift(state, seat, log)
    _trigger(state, seat, before, card.kind, log, 1)


def claim(state: State, seat: int, quarter: int, log: EffectLog | None) -> None:
    """Take possession of a paid quarter and of its tile."""
    tile, state.tiles[quarter] = state.tiles[quarter], NONE
    state.owner[quarter] = seat
    state.claimed[seat] |= 1 << quarter
    if tile == JOKER:
        state.jokers[seat] += 1
    else:
        state.goods[seat][tile] += 1  # R20
    state.claims += 1
    if log:
        quarter_id = state.tables.quarters[quarter].id
        log.add("quarter_claimed", seat=seat, quarter=quarter_id, tile=TILES[tile])
    trigger(state, seat, QUARTER_CLAIMED, log)


def markers_left(state: State, seat: int) -> int:
    """How many ownership markers are neither on quarters nor turned over (R5)."""
    return max(0, MARKERS - state.claimed[seat].bit_count() - state.punishments[seat])


def move_disc(state: State, seat: int, log: EffectLog | None) -> None:
    """Move a disc one space along the wall; on the last space nothing happens (R28)."""
    if state.disc[seat] == LAST_SPACE:
        return
    space = state.disc[seat] = state.disc[seat] + 1
    disc, order = state.disc, state.wall_order
    ahead = order[: order.index(seat)]
    stack = [other for other in ahead if disc[other] == space]
    if state.powers[seat].stack_top:
        above = 0  # R29
    elif space == LAST_SPACE:
        above = len(stack)  # first come, first in order
    else:
        above = 1 if stack and state.powers[stack[0]].stack_top else 0  # R29
    place = sum([disc[other] > space for other in ahead]) + above
    order.remove(seat)
    order.insert(place, seat)
    if log:
        log.add("disc_moved", seat=seat, space=space)
    overtaken = [other for other in ahead[place:] if disc[other] < LAST_SPACE]  # R30
    if overtaken:
        if log:
            log.add("discs_overtaken", seat=seat, seats=overtaken)
        trigger(state, seat, DISC_OVERTAKEN, log, len(overtaken))


def _lift(state: State, seat: int, log: EffectLog | None) -> None:
    """Put a disc on top of its stack; that overtakes nobody (R29, R30)."""
    order, space = state.wall_order, state.disc[seat]
    place = sum(other_space > space for other_space in state.disc)
    order.remove(seat)
    order.insert(place, seat)
    if log:
        log.add("disc_lifted", seat=seat, space=space)


def sail(state: State, seat: int, space: int, log: EffectLog | None) -> None:
    """Move a ship to a space."""
    state.ship[seat] = space
    if log:
        log.add("ship_moved", seat=seat, space=state.tables.spaces[space].id)
    trigger(state, seat, SHIP_STEP, log)  # R47


def delivery_prestige(state: State, seat: int, good: int) -> int:
    """What a delivery is worth: the best free slot of the port, times what cards make of it."""
    slot = sum([delivered[good] for delivered in state.delivered])  # R21
    points = state.tables.points[good][slot]
    return points * state.powers[seat].delivery_multiplier[good]  # R22


def deliver(state: State, seat: int, good: int, log: EffectLog | None) -> None:
    """Put a tile on the best free slot of its port."""
    prestige = delivery_prestige(state, seat, good)
    state.goods[seat][good] -= 1
    state.delivered[seat][good] += 1
    if log:
        log.add("goods_delivered", seat=seat, good=GOODS[good])
    score(state, seat, prestige, log)
    trigger(state, seat, GOODS_DELIVERED, log)


# The end of a turn, a round and the game


def end_turn(state: State, seat: int, log: EffectLog | None) -> None:
    """Give back all unspent cubes and steps; the next player's turn."""
    unspent = state.supply[seat]
    pay(state, seat, unspent, None)
    if log and unspent:
        log.add("cubes_returned", seat=seat, colors=cubes.ids(unspent))
    state.claims = state.tributes = 0
    state.wall_advanced = state.wall_open = 0
    state.free_steps = 0  # R24
    state.used = 0
    if log:
        log.add("turn_ended", seat=seat)
    del state.queue[0]
    if not state.queue:
        _end_round(state, log)


def _end_round(state: State, log: EffectLog | None) -> None:
    if log:
        log.add("round_ended", round=state.round)
    state.dice = []
    if state.round < ROUNDS:
        state.round += 1
        state.phase = REVEAL_CARDS
        return
    state.phase = FINISHED
    if log:
        totals = [total(state, seat) for seat in range(state.seats)]
        log.add("game_scored", totals=totals)
