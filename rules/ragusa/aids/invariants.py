"""Invariants of every state that play can reach."""

from collections.abc import Iterator
from itertools import chain

from rules.kernel.contract import all_seats, by_seat
from rules.ragusa import data, grid, play
from rules.ragusa.data import FISH, NEUTRAL, NONE, STONE, WOOD, Side
from rules.ragusa.state import FROM_CHAIN, State


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [*_board(state), *_sides(state), *_market(state), *_bonus(state), *_turn(state)]


def _board(state: State) -> Iterator[str]:
    for side in all_seats(state.sides):
        name = state.id(side)
        houses = state.house_at.count(side) + state.houses_left[side] + state.forfeited[side]
        if houses != data.HOUSES[state.seats] or state.houses_left[side] < 0:
            yield f"{name} has {houses} houses"
        towers = state.tower_at.count(side) + state.towers_left[side]
        if towers != data.TOWERS or state.towers_left[side] < 0:
            yield f"{name} has {towers} towers"
        for space in grid.TOWER_SPACES:
            pieces = (state.house_at[space] == side) + (state.tower_at[space] == side)
            if pieces != state.pieces[side][space]:
                told = state.pieces[side][space]
                yield f"{pieces} pieces of {name} stand on {grid.SPACES[space]}, not {told}"
    if state.house_at.count(NEUTRAL) not in (0, data.NEUTRAL_HOUSES * state.neutral):
        yield f"{state.house_at.count(NEUTRAL)} neutral houses stand on the board"


def _sides(state: State) -> Iterator[str]:
    for side in all_seats(state.sides):
        name, access = state.id(side), state.access[side]
        if not all(0 <= amount <= data.RESOURCE_MAX for amount in access):
            yield f"{name} has access {access}"
        if not all(0 <= units <= data.COMMODITY_MAX for units in state.stock[side]):
            yield f"{name} has stock {state.stock[side]}"
        if min(state.vp[side]) < 0:
            yield f"{name} has VP {state.vp[side]}"
        if state.phase != play.GAME_OVER and any(state.vp[side][FROM_CHAIN:]):
            yield f"{name} has VP of the final scoring"
        yield from _gains(state, side)
        if not state.is_automaton(side):
            yield from _supports(state, side)


def _gains(state: State, side: Side) -> Iterator[str]:
    """Yield a violation if the access of a side does not follow from its houses and exchanges."""
    access, houses = state.access[side], state.houses_round[side]
    gained = [0] * len(data.RESOURCES)
    for hex_, resource in enumerate(grid.GIVES):
        standing = sum(state.house_at[space] == side for space in grid.SPACES_ROUND[hex_])
        if standing != houses[hex_]:
            yield f"{standing} houses stand round {grid.HEXES[hex_]}, not {houses[hex_]}"
        if resource != NONE:
            gained[resource] += standing
    exchanged = sum(max(access[r] - gained[r], 0) for r in range(FISH + 1, len(gained)))
    if access[FISH] > gained[FISH] - data.FISH_PER_EXCHANGE * exchanged:
        yield f"{state.id(side)} has {access[FISH]} fish after {exchanged} exchanges"


def _supports(state: State, side: Side) -> Iterator[str]:
    """Yield a violation unless wood and stone suffice for the houses round each hex (R7)."""
    for hex_, houses in enumerate(state.houses_round[side]):
        kind = grid.HEX_KINDS[hex_]
        if kind != "sea" and houses > state.access[side][WOOD if kind == "rural" else STONE]:
            yield f"{state.id(side)} has {houses} houses round {grid.HEXES[hex_]}"


def _market(state: State) -> Iterator[str]:
    if not all(0 <= index <= data.TRACK_END for index in state.market):
        yield f"the markers of {', '.join(data.COMMODITIES)} are at {state.market}"
    if sorted([*chain(*state.ships), *state.row, *state.ships_left]) != [*range(len(data.SHIPS))]:
        yield "the ships are not each in one place"
    if state.phase == play.DEAL_SHIPS:
        return
    if state.ships_left and len(state.row) != data.SLOTS - (state.phase == play.DRAW_SHIP):
        yield f"{len(state.row)} ships are in the row"
    backs = [data.SHIP_BACKS[ship] for ship in state.ships_left]
    if state.top_back not in (backs or [NONE]):
        yield "no ship of the deck has the back of its top card"


def _bonus(state: State) -> Iterator[str]:
    choosing = state.phase in (play.DRAW_START_PLAYER, play.PLACE_NEUTRAL, play.CHOOSE_BONUS)
    cards = [*chain(*(state.offered if choosing else state.kept))]
    if state.phase == play.KEEP_BONUS:
        cards += state.draws[-1][1]
    cards = [*state.pile.rest, *state.pile.bottom, *(card for card in cards if card != NONE)]
    if sorted(cards) != [*range(len(data.CARDS))]:
        yield f"{len(cards)} bonus cards are in play"
    offered = [*chain(*state.offered)]
    if len(offered) != len({*offered}):
        yield "a bonus card was offered twice"
    if play.bonus_deck_size(state) < 0:
        yield "the automata keep more bonus cards than there are"
    if state.phase in (play.DEAL_SHIPS, play.DEAL_BONUS):
        return
    for side, kept in by_seat(state.kept):
        drawn = sum(drawer == side for drawer, _cards in state.draws)
        waiting = state.phase == play.KEEP_BONUS and state.active == side
        dealt = 1 if state.is_solo or not choosing else min(len(kept), 1)
        if len(kept) != dealt + drawn - waiting:
            yield f"{state.id(side)} keeps {len(kept)} bonus cards"


def _turn(state: State) -> Iterator[str]:
    phase = play.PHASES[state.phase]
    if (state.decider != NONE) != bool(phase.moves) and state.phase != play.CHOOSE_BONUS:
        yield f"{state.id(state.decider)} is asked in phase {state.phase}"
    if state.decider != NONE and state.is_automaton(state.decider):
        yield "an automaton is asked"
    here = grid.ACTIVATES[state.last_space] if state.last_space != NONE else ()
    if any(hex_ not in here for hex_ in state.pending):
        yield "a hex waits that the last house does not touch"
    if (state.hex != NONE) != bool(state.queue):
        yield "houses wait in no hex, or a hex for no house"
    if any(space not in grid.CORNERS[state.hex] for space in state.queue):
        yield f"a house waits that does not stand round {grid.HEXES[state.hex]}"
    if bool(state.final_queue) != (state.phase == play.FINAL_EXCHANGE):
        yield f"{len(state.final_queue)} players may exchange in phase {state.phase}"
    if (state.phase == play.GAME_OVER) != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if state.phase in (play.FINAL_EXCHANGE, play.GAME_OVER) and any(state.houses_left):
        yield "the game ends before all houses are placed"
