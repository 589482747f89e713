"""What is true of every state that play can reach (10)."""

from collections.abc import Iterator
from itertools import pairwise

from rules.macao import cubes, play
from rules.macao.data import (
    COLOURS,
    CUBES_PER_COLOUR,
    DIE_CAPS,
    GOODS,
    GOODS_COPIES,
    JOKER,
    JOKER_TILES,
    LAST_SPACE,
    MARKERS,
    NONE,
    OFFICES_PER_ROUND,
    ROUNDS,
    TABLEAU,
    TRIBUTE_MOST,
)
from rules.macao.state import State


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [*_cubes(state), *_tiles(state), *_cards(state), *_wall(state), *_turn(state)]


def _cubes(state: State) -> Iterator[str]:
    piles = [state.bank, *state.supply, *(pile for rose in state.windrose for pile in rose)]
    for colour, id_ in enumerate(COLOURS):
        found = sum(cubes.count(pile, colour) for pile in piles)
        if found != CUBES_PER_COLOUR:
            yield f"there are {found} {id_} cubes, not {CUBES_PER_COLOUR}"
    if sum(piles) != cubes.each(CUBES_PER_COLOUR):
        yield "the piles of cubes do not add up"
    # A die of round r reaches the arrow in round 12 at the latest: then sector 1 is used.
    passed = 0 if state.phase in (play.ACTIONS, play.FINISHED) else 1
    for seat, rose in enumerate(state.windrose):
        for sector, pile in enumerate(rose, start=1):
            if pile and state.round + sector - passed > ROUNDS:
                yield f"seat {seat} has cubes on sector {sector} in round {state.round}"
    for seat, supply in enumerate(state.supply):
        if supply and (state.phase != play.ACTIONS or seat not in state.queue):
            yield f"seat {seat} holds cubes in phase {state.phase}"


def _tiles(state: State) -> Iterator[str]:
    laid = state.phase not in (play.SHUFFLE_WALL, play.SHUFFLE_GOODS)
    for good, id_ in enumerate(GOODS):
        aboard = [goods[good] for goods in state.goods]
        delivered = [goods[good] for goods in state.delivered]
        tiles = state.tiles.count(good) + sum(aboard) + sum(delivered)
        if tiles != laid * GOODS_COPIES or min(aboard + delivered) < 0:
            yield f"there are {tiles} tiles of {id_}"
    if not 0 <= sum(state.jokers) + state.tiles.count(JOKER) <= JOKER_TILES:
        yield "there are too many jokers"
    for quarter, owner, tile in zip(state.tables.quarters, state.owner, state.tiles, strict=True):
        if laid and (owner == NONE) != (tile != NONE):
            yield f"{quarter.id} belongs to {owner} and has the tile {tile}"
    for seat in range(state.seats):
        owned = sum(1 << q for q, owner in enumerate(state.owner) if owner == seat)
        if owned != state.claimed[seat] or owned.bit_count() > MARKERS:
            yield f"seat {seat} owns other quarters than it has claimed"
        if state.coins[seat] < 0 or state.punishments[seat] < 0 or state.jokers[seat] < 0:
            yield f"seat {seat} has less than nothing of something"


def _cards(state: State) -> Iterator[str]:
    tables = state.tables
    shown = state.round - (state.phase in play.BEFORE_REVEAL)
    offices: tuple[int, ...] = state.offices[OFFICES_PER_ROUND * shown :]
    if not state.offices:
        offices = tables.offices
    held = [card for cards in state.tableau + state.activated for card in cards]
    places = [*state.deck, *offices, *state.display, *state.discard, *held]
    if sorted(places) != list(range(len(tables.cards))):
        yield "the cards are not each in one place"
    if state.deck != sorted(state.deck):
        yield "the deck has an order"
    for seat, cards in enumerate(state.tableau):
        most = TABLEAU + (state.phase == play.DRAFT_OVERFLOW and state.queue[0] == seat)
        if len(cards) > most:
            yield f"seat {seat} has {len(cards)} cards on the tableau"
    drafting = (play.INITIAL_DRAFT, play.DRAFT, play.DRAFT_OVERFLOW)
    if bool(state.display) != (state.phase in drafting):
        yield f"{len(state.display)} cards are displayed in phase {state.phase}"
    if not 0 <= state.tribute_gold <= TRIBUTE_MOST:
        yield f"the tribute costs {state.tribute_gold}"
    if not 0 <= state.tribute_prestige <= TRIBUTE_MOST:
        yield f"the tribute brings {state.tribute_prestige}"


def _wall(state: State) -> Iterator[str]:
    if state.phase == play.SHUFFLE_WALL:
        return
    order, disc = state.wall_order, state.disc
    if sorted(order) != list(range(state.seats)):
        yield "the discs are not each on the wall once"
    elif any(disc[a] < disc[b] for a, b in pairwise(order)):
        yield f"the wall order {order} does not follow the spaces {disc}"
    if not all(0 <= space <= LAST_SPACE for space in disc):
        yield f"a disc is off the wall: {disc}"
    for seat in range(state.seats):
        stack = [other for other in order if disc[other] == disc[seat]]
        if state.powers[seat].stack_top and stack[0] != seat:
            yield f"seat {seat} is not on top of its stack"


def _turn(state: State) -> Iterator[str]:
    if bool(state.queue) != bool(play.PHASES[state.phase].moves):
        yield f"{len(state.queue)} seats are to act in phase {state.phase}"
    if len(set(state.queue)) != len(state.queue):
        yield "a seat is to act twice"
    if not 1 <= state.round <= len(DIE_CAPS):
        yield f"it is round {state.round}"
    acts = state.phase == play.ACTIONS
    done = (state.claims, state.tributes, state.wall_advanced, state.wall_open, state.free_steps)
    if not acts and (any(done) or state.used):
        yield f"a turn goes on in phase {state.phase}"
    if min(done) < 0 or (state.wall_open and not state.wall_advanced):
        yield "the turn is out of order"
    if acts:
        powers, seat = state.powers[state.queue[0]], state.queue[0]
        if state.claims > powers.claims_per_round or state.tributes > powers.tributes_per_round:
            yield f"seat {seat} has claimed or bought too often"
        for card in state.activated[seat]:
            convert = state.tables.cards[card].convert
            if state.used >> card & 1 and not (convert and convert.once_per_round):
                yield f"seat {seat} has used card {card}, which is not used once a round"
    if any(state.picked) and not (state.simultaneous and state.phase == play.CHOOSE_DICE):
        yield "dice are chosen ahead of time"
