"""What is true of every state that play can reach."""

from collections.abc import Iterator

from rules.santiago_de_cuba.data import (
    BUILDING_IDS,
    CHEQUERED_FLAG,
    CITIZENS,
    FACES,
    GOOD_TOTALS,
    GOODS,
    MARKERS,
    NONE,
    SHIPS,
    STOPS,
)
from rules.santiago_de_cuba.play import (
    CHOOSE_DEMAND,
    DRIVE_CAR,
    GAME_OVER,
    LOADING_ROUND,
    PHASES,
    ROLL_DEMAND,
    SEVENTH_SHIP,
    TRIBUTE,
    TURN_LIMIT,
    is_setup,
)
from rules.santiago_de_cuba.state import State


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [*_holdings(state), *_town(state), *_ship(state), *_turn(state), *_end(state)]


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
    if state.buildings and sorted(state.buildings) != list(range(len(BUILDING_IDS))):
        yield "the buildings are not each on one space"
    if state.citizens and sorted(state.citizens) != [NONE, *range(len(CITIZENS))]:
        yield "the citizens are not each at one stop"
    if not 0 <= state.car < STOPS:
        yield f"the car is at stop {state.car}"
    placed = [pawn for pawn in state.pawn if pawn != NONE]
    if len(set(placed)) != len(placed):
        yield "two pawns share a building"
    for seat in range(state.seats):
        if state.markers_left[seat] + state.owner.count(seat) != MARKERS:
            yield f"seat {seat} has lost an ownership marker or found one"


def _ship(state: State) -> Iterator[str]:
    over = state.phase == GAME_OVER
    if not 1 <= state.ship_number <= SHIPS:
        yield f"ship {state.ship_number} is in the harbour"
    if not 0 <= state.value_index <= CHEQUERED_FLAG - (not over):
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
    if state.demand and not any(state.demand) and not over:
        yield "a full ship has not sailed"


def _turn(state: State) -> Iterator[str]:
    if (state.decider != NONE) != bool(PHASES[state.phase].moves):
        yield f"seat {state.decider} is asked in phase {state.phase}"
    if state.phase == DRIVE_CAR and state.visited != NONE:
        yield "a citizen is visited before the car has moved"
    if bool(state.tribute_queue) != (state.phase == TRIBUTE):
        yield f"{len(state.tribute_queue)} players owe El Zorro in phase {state.phase}"
    if state.phase == LOADING_ROUND and state.passed[state.decider]:
        yield f"seat {state.decider} is asked to load after passing"
    passed = [seat for seat, done in enumerate(state.passed) if done]
    if passed and state.phase != LOADING_ROUND and state.end_reason != SEVENTH_SHIP:  # R43
        yield f"seats {passed} have passed in phase {state.phase}"


def _end(state: State) -> Iterator[str]:
    if (state.phase == GAME_OVER) != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if state.end_reason == SEVENTH_SHIP and state.ship_number != SHIPS:
        yield f"the game has ended with ship {state.ship_number}"
    reached = bool(state.turn_limit) and state.turns_done >= state.turn_limit
    if reached and (state.end_reason != TURN_LIMIT or state.turns_done > state.turn_limit):
        yield f"turn {state.turns_done} is beyond the limit of {state.turn_limit}"
    if state.end_reason == TURN_LIMIT and not reached:
        yield "the game has ended before the turn limit"
    if state.turns_done and is_setup(state):
        yield "the set-up goes on after a turn"
