"""Invariants of every state that play can reach."""

from collections.abc import Iterator
from itertools import pairwise

from rules.kernel.contract import NOBODY, all_seats, by_seat
from rules.macao import data, phases
from rules.macao.data import cubes
from rules.macao.fields import COLOUR
from rules.macao.state import State


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [*_cubes(state), *_tiles(state), *_cards(state), *_wall(state), *_turn(state)]


def _cubes(state: State) -> Iterator[str]:
    piles = [state.bank, *state.supply, *(pile for rose in state.windrose for pile in rose)]
    for id_ in data.COLOURS:
        found = sum(cubes.count(pile, COLOUR.read(id_)) for pile in piles)
        if found != data.CUBES_PER_COLOUR:
            yield f"there are {found} {id_} cubes, not {data.CUBES_PER_COLOUR}"
    if sum(piles) != cubes.each(data.CUBES_PER_COLOUR):
        yield "the piles of cubes do not add up"
    # The cubes of round r must reach the arrow in round 12 at the latest; in round 12, only sector
    # 1 can have cubes.
    passed = 0 if state.phase in (phases.ACTIONS, phases.FINISHED) else 1
    for seat, rose in by_seat(state.windrose):
        for sector, pile in enumerate(rose, start=1):
            if pile and state.round + sector - passed > data.ROUNDS:
                yield f"seat {seat} has cubes on sector {sector} in round {state.round}"
    for seat, supply in by_seat(state.supply):
        if supply and (state.phase != phases.ACTIONS or seat not in state.queue):
            yield f"seat {seat} holds cubes in phase {state.phase}"


def _tiles(state: State) -> Iterator[str]:
    laid = state.phase not in (phases.SHUFFLE_WALL, phases.SHUFFLE_GOODS)
    on_quarters = [*state.tiles.values()]
    for good, id_ in zip(data.ALL_GOODS, data.GOODS, strict=True):
        held = [goods[good] for goods in state.goods + state.delivered]
        tiles = on_quarters.count(good) + sum(held)
        if tiles != laid * data.GOODS_COPIES or min(held) < 0:
            yield f"there are {tiles} tiles of {id_}"
    if not 0 <= sum(state.jokers) + on_quarters.count(data.JOKER) <= data.JOKER_TILES:
        yield "there are too many jokers"
    for quarter, owner in state.owner.items():
        if laid and (owner is None) != (state.tiles[quarter] != data.NONE):
            yield f"{quarter} belongs to {owner} and has the tile {state.tiles[quarter]}"
    for seat, claimed in by_seat(state.claimed):
        owned = [row.bit for id_, row in state.tables.quarters.items() if state.owner[id_] == seat]
        if sum(owned) != claimed or len(owned) > data.MARKERS:
            yield f"seat {seat} owns other quarters than it has claimed"
        if min(state.coins[seat], state.punishments[seat], state.jokers[seat]) < 0:
            yield f"seat {seat} has less than nothing of something"


def _cards(state: State) -> Iterator[str]:
    tables = state.tables
    shown = state.round - (state.phase in phases.BEFORE_REVEAL)
    offices = state.offices[data.OFFICES_PER_ROUND * shown :] if state.offices else tables.offices
    held = [card for cards in state.tableau + state.activated for card in cards]
    places = [*state.deck, *offices, *state.display, *state.discard, *held]
    if sorted(places) != sorted(tables.cards):
        yield "the cards are not each in one place"
    if state.deck != [card for card in tables.others if card in state.deck]:
        yield "the deck has an order"
    for seat, cards in by_seat(state.tableau):
        most = data.TABLEAU + (state.phase == phases.DRAFT_OVERFLOW and state.decider == seat)
        if len(cards) > most:
            yield f"seat {seat} has {len(cards)} cards on the tableau"
    drafting = (phases.INITIAL_DRAFT, phases.DRAFT, phases.DRAFT_OVERFLOW)
    if bool(state.display) != (state.phase in drafting):
        yield f"{len(state.display)} cards are displayed in phase {state.phase}"
    gold, prestige = state.tribute_gold, state.tribute_prestige
    if not 0 <= min(gold, prestige) <= max(gold, prestige) <= data.TRIBUTE_MOST:
        yield f"the tribute costs {gold} and brings {prestige}"


def _wall(state: State) -> Iterator[str]:
    if state.phase == phases.SHUFFLE_WALL:
        return
    order, disc = state.wall_order, state.disc
    if sorted(order) != [*all_seats(state.seats)]:
        yield "the discs are not each on the wall once"
    elif any(disc[a] < disc[b] for a, b in pairwise(order)):
        yield f"the wall order {order} does not follow the spaces {disc}"
    if not all(0 <= space <= data.LAST_SPACE for space in disc):
        yield f"a disc is off the wall: {disc}"
    for seat in all_seats(state.seats):
        stack = [other for other in order if disc[other] == disc[seat]]
        if state.powers[seat].stack_top and stack[0] != seat:
            yield f"seat {seat} is not on top of its stack"


def _turn(state: State) -> Iterator[str]:
    if bool(state.queue) != bool(phases.PHASES[state.phase].moves):
        yield f"{len(state.queue)} seats are to act in phase {state.phase}"
    if len(set(state.queue)) != len(state.queue):
        yield "a seat is to act twice"
    if state.decider != (NOBODY if state.together or not state.queue else state.queue[0]):
        yield f"seat {state.decider} is asked, and the queue is {state.queue}"
    if not 1 <= state.round <= len(data.DIE_CAPS):
        yield f"it is round {state.round}"
    acts = state.phase == phases.ACTIONS
    done = (state.claims, state.tributes, state.wall_advanced, state.wall_open, state.free_steps)
    if not acts and (any(done) or state.used_cards):
        yield f"a turn goes on in phase {state.phase}"
    if min(done) < 0 or (state.wall_open and not state.wall_advanced):
        yield "the turn is out of order"
    if acts:
        powers, seat = state.powers[state.decider], state.decider
        if state.claims > powers.claims_per_round or state.tributes > powers.tributes_per_round:
            yield f"seat {seat} has claimed or bought too often"
        for card in state.used_cards:
            convert = state.tables.cards[card].convert
            if card not in state.activated[seat] or not (convert and convert.once_per_round):
                yield f"seat {seat} has used {card}, which it cannot use once a round"
    if any(state.picked) and not state.together:
        yield "dice are chosen ahead of time"
