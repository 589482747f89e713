"""What is true of every state that play can reach; the numbers are those of the rules."""

from collections.abc import Iterator

from rules.manila.data import (
    ACCOMPLICES,
    ALL_SPACES,
    ALL_WARES,
    ARRIVED,
    CAPACITY,
    LAST_SPACE,
    MOVEMENT_ROUND,
    NONE,
    PENALTY,
    PLACEMENT_ROUND,
    SCHEDULES,
    SHARES_PER_WARE,
    SPACES,
    START_CASH,
    START_MAX,
    START_MIN,
    START_SUM,
    TOP_OF_MARKET,
    WARES,
)
from rules.manila.play import (
    ARRIVAL_ORDER,
    AUCTION,
    BUY_SHARE,
    GAME_OVER,
    LOAD_WARES,
    PHASES,
    PIRATE_BOARDING,
    PLACE_PUNTS,
    PLACEMENT,
    PLUNDER,
    VOYAGE_LIMIT,
    WARE_AT_THE_TOP,
    funds,
    rounds_begun,
)
from rules.manila.scoring import fortune
from rules.manila.state import State

_ASHORE = (AUCTION, BUY_SHARE, LOAD_WARES, PLACE_PUNTS, GAME_OVER)
"""Phases in which no voyage is under way."""


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    return [
        *_money(state),
        *_shares(state),
        *_accomplices(state),
        *_punts(state),
        *_turn(state),
        *_end(state),
    ]


def _money(state: State) -> Iterator[str]:
    for seat, cash in enumerate(state.cash):
        if cash < 0:  # 1
            yield f"seat {seat} has {cash} pesos"
        if fortune(state, seat) < -PENALTY * (state.free[seat] + state.pledged[seat]):  # 17
            yield f"seat {seat} is worth {fortune(state, seat)}"
    if sum(state.cash) + state.box != START_CASH * state.seats:  # 2
        yield f"there are {sum(state.cash) + state.box} pesos in the game"


def _shares(state: State) -> Iterator[str]:
    for ware in ALL_WARES:  # 3
        held = sum(shares[ware] for shares in [*state.dealt, *state.bought])
        if state.supply[ware] < 0 or state.supply[ware] + held != SHARES_PER_WARE:
            yield f"{held} shares of {WARES[ware]} are held and {state.supply[ware]} are left"
    for seat in range(state.seats):  # 4
        held = sum(state.dealt[seat]) + sum(state.bought[seat])
        if min(state.free[seat], state.pledged[seat]) < 0:
            yield f"seat {seat} has pledged {state.pledged[seat]} of {held} shares"
        if state.free[seat] + state.pledged[seat] != held:
            yield f"seat {seat} has lost a share or found one"


def _accomplices(state: State) -> Iterator[str]:
    rounds = rounds_begun(state, PLACEMENT_ROUND)
    for seat in range(state.seats):  # 5
        placed = sum(crew.count(seat) for crew in state.crews)
        if placed + state.in_hand[seat] != ACCOMPLICES[state.seats]:
            yield f"seat {seat} has lost an accomplice or found one"
        if placed > rounds:
            yield f"seat {seat} has {placed} accomplices on the board after {rounds} rounds"
    for space in ALL_SPACES:  # 6, 7
        if len(state.crews[space]) > CAPACITY[space]:
            yield f"{len(state.crews[space])} accomplices share {SPACES[space]}"
    for ware in ALL_WARES:
        if state.crews[ware] and state.position[ware] == NONE:
            yield f"accomplices are aboard {WARES[ware]}, which is not loaded"
    if state.phase in _ASHORE and any(state.crews):  # 16
        yield "accomplices are on the board between two voyages"


def _punts(state: State) -> Iterator[str]:
    placed = [ware for ware in ALL_WARES if state.position[ware] != NONE]
    under_way = state.step != NONE
    if placed != [w for w in ALL_WARES if under_way and w != state.left_out]:
        yield f"punts of wares {placed} are on the board"
    if sorted([*_at_sea(state), *state.docked, *state.wrecked]) != placed:  # 9
        yield "a punt is in two places, or in none"
    for ware in _at_sea(state):  # 8
        arriving = ware in state.arrivals
        if (state.position[ware] == ARRIVED) != arriving or state.position[ware] > ARRIVED:
            yield f"{WARES[ware]} is at sea on {state.position[ware]}"
    for ware in state.docked:  # 8; what docks from the last space unplundered is paid off at once
        if state.position[ware] != (LAST_SPACE if ware in state.plundered else ARRIVED):
            yield f"{WARES[ware]} is in port on {state.position[ware]}"
    if any(state.position[ware] > LAST_SPACE for ware in state.wrecked):  # 8
        yield "a punt has arrived in a shipyard"
    starts = [state.position[ware] for ware in placed]
    if state.phase == PLACEMENT and not rounds_begun(state, MOVEMENT_ROUND):  # 8
        within = START_MIN <= min(starts) <= max(starts) <= START_MAX
        if sum(starts) != START_SUM or not within:
            yield f"the punts start on {starts}"


def _at_sea(state: State) -> list[int]:
    return [ware for ware in ALL_WARES if state.at_sea[ware]]


def _turn(state: State) -> Iterator[str]:
    if (state.decider != NONE) != bool(PHASES[state.phase].moves):  # 13
        yield f"seat {state.decider} is asked in phase {state.phase}"
    if not NONE <= state.step < len(SCHEDULES[state.seats]):  # 14
        yield f"the voyage is in round {state.step}"
    if state.phase == AUCTION:  # 11
        if state.passed[state.decider] or state.decider == state.high_bidder:
            yield f"seat {state.decider} bids out of turn"
        if state.high_bidder != NONE and state.high > funds(state, state.high_bidder):
            yield f"seat {state.high_bidder} cannot pay {state.high}"
    if state.phase == PLACEMENT and state.abstained[state.decider]:  # 12
        yield f"seat {state.decider} places after abstaining"
    pending = {
        ARRIVAL_ORDER: bool(state.arrivals),
        PIRATE_BOARDING: bool(state.to_board),
        PLUNDER: bool(state.plunder_queue),
    }
    if any(waits != (state.phase == phase) for phase, waits in pending.items()):
        yield f"something else is to be decided in phase {state.phase}"
    if state.boarded and state.phase != PIRATE_BOARDING:
        yield f"pirates have just boarded {state.boarded} in phase {state.phase}"
    if state.plundered and state.phase != PLUNDER:
        yield f"wares {state.plundered} are plundered in phase {state.phase}"


def _end(state: State) -> Iterator[str]:
    over = state.phase == GAME_OVER
    if over != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if not 0 <= min(state.market) <= max(state.market) <= TOP_OF_MARKET:  # 10
        yield f"the market is at {state.market}"
    if (TOP_OF_MARKET in state.market) != (state.end_reason == WARE_AT_THE_TOP):  # 10
        yield f"the market is at {state.market} and the end reason is {state.end_reason}"
    if state.voyage_limit and state.voyage > state.voyage_limit:
        yield f"voyage {state.voyage} is beyond the limit of {state.voyage_limit}"
    if state.end_reason == VOYAGE_LIMIT and state.voyage != state.voyage_limit:
        yield "the game has ended before the voyage limit"
