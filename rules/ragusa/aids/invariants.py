"""What is true of every state that play can reach."""

from collections.abc import Iterator

from rules.ragusa.data import (
    BONUS_CARDS,
    COMMODITIES,
    COMMODITY_MAX,
    FISH,
    FISH_PER_EXCHANGE,
    HOUSES,
    NEUTRAL,
    NEUTRAL_HOUSES,
    NONE,
    RESOURCE_MAX,
    RESOURCES,
    SHIP_BACKS,
    SHIPS,
    SLOTS,
    STONE,
    TOWERS,
    TRACK_END,
    WOOD,
)
from rules.ragusa.grid import ACTIVATES, CORNERS, GIVES, HEX_KINDS, HEXES, SPACES
from rules.ragusa.play import (
    CHOOSE_BONUS,
    DEAL_BONUS,
    DEAL_SHIPS,
    DRAW_SHIP,
    DRAW_START_PLAYER,
    FINAL_EXCHANGE,
    GAME_OVER,
    KEEP_BONUS,
    PHASES,
    PLACE_NEUTRAL,
    bonus_deck_size,
    is_solo,
)
from rules.ragusa.state import FROM_CHAIN, State


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [*_board(state), *_sides(state), *_market(state), *_bonus(state), *_turn(state)]


def _board(state: State) -> Iterator[str]:
    for side in range(state.sides):
        name = state.id(side)
        houses = state.house_at.count(side) + state.houses_left[side] + state.forfeited[side]
        if houses != HOUSES[state.seats] or state.houses_left[side] < 0:
            yield f"{name} has {houses} houses"
        towers = state.tower_at.count(side) + state.towers_left[side]
        if towers != TOWERS or state.towers_left[side] < 0:
            yield f"{name} has {towers} towers"
    if state.house_at.count(NEUTRAL) not in (0, NEUTRAL_HOUSES * state.neutral):
        yield f"{state.house_at.count(NEUTRAL)} neutral houses stand on the board"
    if [space for space in state.free if state.house_at[space] != NONE]:
        yield "a space with a house counts as free"
    taken = len(SPACES) - state.house_at.count(NONE)
    reserved = 3 * len(state.patricians)
    if not 0 <= len(SPACES) - taken - len(state.free) <= reserved:
        yield f"{len(state.free)} spaces count as free"


def _sides(state: State) -> Iterator[str]:
    for side in range(state.sides):
        name, access = state.id(side), state.access[side]
        if not all(0 <= amount <= RESOURCE_MAX for amount in access):
            yield f"{name} has access {access}"
        if not all(0 <= units <= COMMODITY_MAX for units in state.stock[side]):
            yield f"{name} has stock {state.stock[side]}"
        if min(state.vp[side]) < 0:
            yield f"{name} has VP {state.vp[side]}"
        if state.phase != GAME_OVER and any(state.vp[side][FROM_CHAIN:]):
            yield f"{name} has VP of the final scoring"
        yield from _gains(state, side)
        if not state.is_automaton(side):
            yield from _supports(state, side)


def _gains(state: State, side: int) -> Iterator[str]:
    """Access comes from houses and exchanges, less what was lost at the limit."""
    access, houses = state.access[side], state.houses_round[side]
    gained = [0] * len(RESOURCES)
    for hex_, resource in enumerate(GIVES):
        standing = sum(space != NONE and state.house_at[space] == side for space in CORNERS[hex_])
        if standing != houses[hex_]:
            yield f"{standing} houses stand round {HEXES[hex_]}, not {houses[hex_]}"
        if resource != NONE:
            gained[resource] += standing
    exchanged = sum(max(access[r] - gained[r], 0) for r in range(FISH + 1, len(RESOURCES)))
    if access[FISH] > gained[FISH] - FISH_PER_EXCHANGE * exchanged:
        yield f"{state.id(side)} has {access[FISH]} fish after {exchanged} exchanges"


def _supports(state: State, side: int) -> Iterator[str]:
    """Wood and stone allow the houses that stand round a hex (R7)."""
    for hex_, houses in enumerate(state.houses_round[side]):
        kind = HEX_KINDS[hex_]
        if kind != "sea" and houses > state.access[side][WOOD if kind == "rural" else STONE]:
            yield f"{state.id(side)} has {houses} houses round {HEXES[hex_]}"


def _market(state: State) -> Iterator[str]:
    if not all(0 <= index <= TRACK_END for index in state.market):
        yield f"the markers of {', '.join(COMMODITIES)} are at {state.market}"
    owned = [ship for ships in state.ships for ship in ships]
    if sorted(owned + state.row + state.ships_left) != list(range(len(SHIPS))):
        yield "the ships are not each in one place"
    expected = SLOTS - (state.phase == DRAW_SHIP)
    if state.phase != DEAL_SHIPS and state.ships_left and len(state.row) != expected:
        yield f"{len(state.row)} ships are in the row"
    backs = [SHIP_BACKS[ship] for ship in state.ships_left]
    if state.phase != DEAL_SHIPS and (
        state.top_back not in backs if backs else state.top_back != NONE
    ):
        yield "no ship of the deck has the back of its top card"


def _bonus(state: State) -> Iterator[str]:
    choosing = state.phase in (DRAW_START_PLAYER, PLACE_NEUTRAL, CHOOSE_BONUS)
    cards = state.pile.rest + state.pile.bottom
    if choosing:
        cards = cards + [card for offered in state.offered for card in offered]
    else:
        cards = cards + [card for kept in state.kept for card in kept if card != NONE]
    if state.phase == KEEP_BONUS:
        cards = cards + list(state.draws[-1][1])
    if sorted(cards) != list(range(len(BONUS_CARDS))):
        yield f"{len(cards)} bonus cards are in play"
    offered = [card for dealt in state.offered for card in dealt]
    if len(offered) != len(set(offered)):
        yield "a bonus card was offered twice"
    if bonus_deck_size(state) < 0:
        yield "the automata keep more bonus cards than there are"
    for side, kept in enumerate(state.kept):
        drawn = sum(drawer == side for drawer, _cards in state.draws)
        waiting = state.phase == KEEP_BONUS and state.active == side
        dealt = 1 if is_solo(state) or not choosing else min(len(kept), 1)
        if state.phase not in (DEAL_SHIPS, DEAL_BONUS) and len(kept) != dealt + drawn - waiting:
            yield f"{state.id(side)} keeps {len(kept)} bonus cards"


def _turn(state: State) -> Iterator[str]:
    phase = PHASES[state.phase]
    if (state.decider != NONE) != bool(phase.moves) and state.phase != CHOOSE_BONUS:
        yield f"{state.id(state.decider)} is asked in phase {state.phase}"
    if state.decider != NONE and state.is_automaton(state.decider):
        yield "an automaton is asked"
    here = ACTIVATES[state.last_space] if state.last_space != NONE else ()
    if any(hex_ not in here for hex_ in state.pending):
        yield "a hex waits that the last house does not touch"
    if (state.hex != NONE) != bool(state.queue):
        yield "houses wait in no hex, or a hex for no house"
    if any(space not in CORNERS[state.hex] for space in state.queue):
        yield f"a house waits that does not stand round {HEXES[state.hex]}"
    if bool(state.final_queue) != (state.phase == FINAL_EXCHANGE):
        yield f"{len(state.final_queue)} players may exchange in phase {state.phase}"
    if (state.phase == GAME_OVER) != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if state.phase in (FINAL_EXCHANGE, GAME_OVER) and any(state.houses_left):
        yield "the game ends before all houses are placed"
