"""Invariants of every state that play can reach."""

from collections.abc import Iterator

from rules.kernel.contract import NOBODY, all_seats, by_seat
from rules.manila import data, play
from rules.manila.data import NONE
from rules.manila.scoring import fortune
from rules.manila.state import State

_ASHORE = (play.AUCTION, play.BUY_SHARE, play.LOAD_WARES, play.PLACE_PUNTS, play.GAME_OVER)
"""Phases in which no voyage is under way."""


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    rules = (_money, _shares, _accomplices, _punts, _turn, _end)
    return [sentence for rule in rules for sentence in rule(state)]


def _money(state: State) -> Iterator[str]:
    for seat, cash in by_seat(state.cash):
        if cash < 0:
            yield f"seat {seat} has {cash} pesos"
        if fortune(state, seat) < -data.PENALTY * (state.free[seat] + state.pledged[seat]):
            yield f"seat {seat} is worth {fortune(state, seat)}"
    if sum(state.cash) + state.box != data.START_CASH * state.seats:
        yield f"there are {sum(state.cash) + state.box} pesos in the game"


def _shares(state: State) -> Iterator[str]:
    for ware in data.ALL_WARES:
        held = sum(shares[ware] for shares in [*state.dealt, *state.bought])
        if state.supply[ware] < 0 or state.supply[ware] + held != data.SHARES_PER_WARE:
            yield f"{held} shares of {data.WARES[ware]} are held and {state.supply[ware]} are left"
    for seat in all_seats(state.seats):
        held = sum(state.shares(seat))
        if min(state.free[seat], state.pledged[seat]) < 0:
            yield f"seat {seat} has pledged {state.pledged[seat]} of {held} shares"
        if state.free[seat] + state.pledged[seat] != held:
            yield f"seat {seat} has lost a share or found one"


def _accomplices(state: State) -> Iterator[str]:
    rounds = play.rounds_begun(state, data.PLACEMENT_ROUND)
    for seat in all_seats(state.seats):
        placed = sum(crew.count(seat) for crew in state.crews)
        if placed + state.in_hand[seat] != data.ACCOMPLICES[state.seats]:
            yield f"seat {seat} has lost an accomplice or found one"
        if placed > rounds:
            yield f"seat {seat} has {placed} accomplices on the board after {rounds} rounds"
    for space in data.ALL_SPACES:
        if len(state.crews[space]) > data.CAPACITY[space]:
            yield f"{len(state.crews[space])} accomplices share {data.SPACES[space]}"
    for ware in data.ALL_WARES:
        if state.crews[ware] and state.position[ware] == NONE:
            yield f"accomplices are aboard {data.WARES[ware]}, which is not loaded"
    if state.phase in _ASHORE and any(state.crews):
        yield "accomplices are on the board between two voyages"


def _punts(state: State) -> Iterator[str]:
    placed = [ware for ware in data.ALL_WARES if state.position[ware] != NONE]
    if placed != (play.loaded(state) if state.step != NONE else []):
        yield f"punts of wares {placed} are on the board"
    if sorted([*state.at_sea, *state.docked, *state.wrecked]) != placed:
        yield "a punt is in two places, or in none"
    for ware in state.at_sea:
        on = state.position[ware]
        if on > data.ARRIVED or (on == data.ARRIVED) != (ware in state.arrivals):
            yield f"{data.WARES[ware]} is at sea on {on}"
    # A punt that docks from the last space without plunder is paid off at once
    for ware in state.docked:
        if state.position[ware] != (data.LAST_SPACE if ware in state.plundered else data.ARRIVED):
            yield f"{data.WARES[ware]} is in port on {state.position[ware]}"
    if any(state.position[ware] > data.LAST_SPACE for ware in state.wrecked):
        yield "a punt has arrived in a shipyard"
    starts = [state.position[ware] for ware in placed]
    if state.phase == play.PLACEMENT and not play.rounds_begun(state, data.MOVEMENT_ROUND):
        within = data.START_MIN <= min(starts) <= max(starts) <= data.START_MAX
        if sum(starts) != data.START_SUM or not within:
            yield f"the punts start on {starts}"


def _turn(state: State) -> Iterator[str]:
    if (state.decider != NOBODY) != bool(play.PHASES[state.phase].moves):
        yield f"seat {state.decider} is asked in phase {state.phase}"
    if not NONE <= state.step < len(data.SCHEDULES[state.seats]):
        yield f"the voyage is in round {state.step}"
    if state.phase == play.AUCTION:
        if state.decider in state.passed or state.decider == state.high_bidder:
            yield f"seat {state.decider} bids out of turn"
        if state.high_bidder != NOBODY and state.high > play.funds(state, state.high_bidder):
            yield f"seat {state.high_bidder} cannot pay {state.high}"
    if state.phase == play.PLACEMENT and state.decider in state.abstained:
        yield f"seat {state.decider} places after abstaining"
    pending = {
        play.ARRIVAL_ORDER: bool(state.arrivals),
        play.PIRATE_BOARDING: bool(state.to_board),
        play.PLUNDER: bool(state.plunder_queue),
    }
    if any(waits != (state.phase == phase) for phase, waits in pending.items()):
        yield f"something else is to be decided in phase {state.phase}"
    if state.boarded and state.phase != play.PIRATE_BOARDING:
        yield f"pirates have just boarded {state.boarded} in phase {state.phase}"
    if state.plundered and state.phase != play.PLUNDER:
        yield f"wares {state.plundered} are plundered in phase {state.phase}"


def _end(state: State) -> Iterator[str]:
    over = state.phase == play.GAME_OVER
    if over != (state.end_reason is not None):
        yield f"the end reason is {state.end_reason} in phase {state.phase}"
    if not 0 <= min(state.market) <= max(state.market) <= data.TOP_OF_MARKET:
        yield f"the market is at {state.market}"
    if (data.TOP_OF_MARKET in state.market) != (state.end_reason == data.WARE_AT_THE_TOP):
        yield f"the market is at {state.market} and the end reason is {state.end_reason}"
    if state.voyage_limit and state.voyage > state.voyage_limit:
        yield f"voyage {state.voyage} is beyond the limit of {state.voyage_limit}"
    if state.end_reason == data.VOYAGE_LIMIT and state.voyage != state.voyage_limit:
        yield "the game has ended before the voyage limit"
