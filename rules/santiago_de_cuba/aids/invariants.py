"""What is true of every state that play can reach."""

from collections.abc import Iterator, Sequence

from rules.santiago_de_cuba.data import (
    BUILDING_IDS,
    CHEQUERED_FLAG,
    CITIZENS,
    FACES,
    FAVOURS,
    GOOD_TOTALS,
    GOODS,
    MARKERS,
    NONE,
    SHIPS,
    STOPS,
)
from rules.santiago_de_cuba.moves import MOVES_IN
from rules.santiago_de_cuba.play import (
    ALONSO,
    CHOOSE_DEMAND,
    DRAW_START_PLAYER,
    DRIVE_CAR,
    GAME_OVER,
    LOADING_ROUND,
    MOVE_PAWN,
    PHASES,
    ROLL_DEMAND,
    SEVENTH_SHIP,
    SHUFFLE_BUILDINGS,
    SHUFFLE_CITIZENS,
    TAKE_GOOD,
    TRIBUTE,
    TURN_LIMIT,
    USE_BUILDING,
    demand_chooser,
)
from rules.santiago_de_cuba.state import State

_TOWN = list(range(len(BUILDING_IDS)))
_STREET = [NONE, *range(len(CITIZENS))]
_SETUP_DRAWS = (SHUFFLE_BUILDINGS, SHUFFLE_CITIZENS, DRAW_START_PLAYER)
_FAVOUR = {TAKE_GOOD: "gain_good_of_choice", TRIBUTE: "tribute", ALONSO: "lawyer"}
"""The kind of favour that asks somebody, by its phase."""


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    broken = [*_holdings(state), *_town(state), *_ship(state), *_turn(state), *_end(state)]
    return broken or [*_question(state)]  # which can be judged if all else is in order


def _holdings(state: State) -> Iterator[str]:
    for good, name in enumerate(GOODS):
        held = [goods[good] for goods in state.goods]
        if state.supply[good] < 0 or min(held) < 0:
            yield f"there is less than no {name}"
        if state.supply[good] + sum(held) != GOOD_TOTALS[good]:
            yield f"{state.supply[good] + sum(held)} {name} in the game, not {GOOD_TOTALS[good]}"
    for seat in range(state.seats):
        if state.pesos[seat] < 0:
            yield f"seat {seat} has {state.pesos[seat]} pesos"
        if state.vp[seat] < 0:
            yield f"seat {seat} has {state.vp[seat]} VP"


def _town(state: State) -> Iterator[str]:
    town, street = sorted(state.buildings), sorted(state.citizens)
    if town != _TOWN and (town or state.phase != SHUFFLE_BUILDINGS):
        yield "the buildings are not each on one space"
    if street != _STREET and (street or state.phase not in (SHUFFLE_BUILDINGS, SHUFFLE_CITIZENS)):
        yield "the citizens are not each at one stop"
    if not 0 <= state.car < STOPS:
        yield f"the car is at stop {state.car}"
    placed = [pawn for pawn in state.pawn if pawn != NONE]
    if len(set(placed)) != len(placed):
        yield "two pawns share a building"
    for building, owner in zip(BUILDING_IDS, state.owner, strict=True):
        if not NONE <= owner < state.seats:
            yield f"{building} belongs to seat {owner}"
    for seat in range(state.seats):
        if state.markers_left[seat] + state.owner.count(seat) != MARKERS:
            yield f"seat {seat} has lost an ownership marker or found one"


def _ship(state: State) -> Iterator[str]:
    sailed = state.end_reason == SEVENTH_SHIP
    if not 1 <= state.ship_number <= SHIPS:
        yield f"ship {state.ship_number} is in the harbour"
    if not 0 <= state.value_index <= CHEQUERED_FLAG - (not sailed):
        yield f"the value marker is on flag {state.value_index}"
    if bool(state.demand) != (state.left_out != NONE):
        yield "there are dice on the ship or one left out, but not both"
    for die, value in enumerate(state.demand):
        if not 0 <= value <= max(FACES[die]):
            yield f"the {GOODS[die]} die shows {value}"
    if state.demand and state.demand[state.left_out]:
        yield "the die left out is on the ship"
    if state.phase in (DRIVE_CAR, LOADING_ROUND) and not any(state.demand):
        yield f"the ship wants nothing in phase {state.phase}"
    if state.phase in (ROLL_DEMAND, CHOOSE_DEMAND) and state.demand:
        yield "dice are rolled for a ship that has some"
    if state.demand and not any(state.demand) and not sailed:
        yield "a full ship has not sailed"


def _turn(state: State) -> Iterator[str]:
    if (state.active == NONE) != (state.phase in _SETUP_DRAWS):
        yield f"seat {state.active} has the turn in phase {state.phase}"
    if not NONE <= state.active < state.seats:
        yield f"seat {state.active} has the turn among {state.seats}"
    if state.decider not in _deciders(state):
        yield f"seat {state.decider} is asked in phase {state.phase}"
    if bool(state.tribute_queue) != (state.phase == TRIBUTE):
        yield f"{len(state.tribute_queue)} players owe El Zorro in phase {state.phase}"
    passed = [seat for seat, done in enumerate(state.passed) if done]
    if passed and state.phase != LOADING_ROUND and state.end_reason != SEVENTH_SHIP:  # R43
        yield f"seats {passed} have passed in phase {state.phase}"


def _deciders(state: State) -> Sequence[int]:
    """Who may be the one that is asked."""
    if not PHASES[state.phase].moves:
        return [NONE]
    if state.phase == CHOOSE_DEMAND:
        return [demand_chooser(state)]
    if state.phase == LOADING_ROUND:
        return [seat for seat, passed in enumerate(state.passed) if not passed]
    if state.phase == TRIBUTE:
        return state.tribute_queue[:1]
    return [state.active]


def _end(state: State) -> Iterator[str]:
    if (state.phase == GAME_OVER) != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if state.end_reason == SEVENTH_SHIP and state.ship_number != SHIPS:
        yield f"the game has ended with ship {state.ship_number}"
    full = bool(state.demand) and not any(state.demand)
    if state.end_reason == SEVENTH_SHIP and not full and state.value_index != CHEQUERED_FLAG:
        yield "the game has ended before the last ship has sailed"
    reached = bool(state.turn_limit) and state.turns_done >= state.turn_limit
    if reached and (state.end_reason != TURN_LIMIT or state.turns_done > state.turn_limit):
        yield f"turn {state.turns_done} is beyond the limit of {state.turn_limit}"
    if state.end_reason == TURN_LIMIT and not reached:
        yield "the game has ended before the turn limit"


def _question(state: State) -> Iterator[str]:
    visiting = state.phase in (*_FAVOUR, MOVE_PAWN, USE_BUILDING)
    visited = state.visited != NONE
    host = CITIZENS[state.visited] if visited else "nobody"
    if visited != visiting and state.end_reason != SEVENTH_SHIP:  # R43
        yield f"{host} is visited in phase {state.phase}"
    if visited and state.citizens[state.car] != state.visited:
        yield f"{host} is visited from stop {state.car}"
    if state.phase in _FAVOUR and FAVOURS[state.visited][0] != _FAVOUR[state.phase]:
        yield f"{host} is the host in phase {state.phase}"
    if state.phase == USE_BUILDING and state.pawn[state.active] == NONE:
        yield f"seat {state.active} uses a building without a pawn on it"
    types = MOVES_IN[state.phase]
    if types and not any(type_.legal(state, state.decider) for type_ in types):
        yield f"seat {state.decider} has no legal move in phase {state.phase}"
