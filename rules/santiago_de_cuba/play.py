"""The sequence of play: the phases, and what happens between them by itself.

Moves (``moves``) and draws (``chance``) call these procedures; none of them asks anybody.
"""

from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.phases import Phase
from rules.santiago_de_cuba.data import (
    BUILDING_IDS,
    CHEQUERED_FLAG,
    CITIZEN,
    CITIZEN_FLOWERS,
    CITIZENS,
    DICE,
    FAVOURS,
    FLAG_VALUES,
    GOODS,
    HARBOUR,
    NONE,
    OWNER_BONUS_VP,
    SHIPS,
    SPACES_PER_FLOWER,
    STOPS,
    WOOD,
)
from rules.santiago_de_cuba.state import State

# Phases

SHUFFLE_BUILDINGS = "shuffle_buildings"
SHUFFLE_CITIZENS = "shuffle_citizens"
DRAW_START_PLAYER = "draw_start_player"
ROLL_DEMAND = "roll_demand"
CHOOSE_DEMAND = "choose_demand"
DRIVE_CAR = "drive_car"
LOADING_ROUND = "loading_round"
TAKE_GOOD = "take_good"
TRIBUTE = "tribute"
ALONSO = "alonso"
MOVE_PAWN = "move_pawn"
USE_BUILDING = "use_building"
GAME_OVER = "game_over"


_END_OF_TURN = (ROLL_DEMAND, DRIVE_CAR, GAME_OVER)
_PAWN = (MOVE_PAWN, USE_BUILDING, *_END_OF_TURN)

PHASES = {
    # Set-up. What an option fixes is not drawn.
    SHUFFLE_BUILDINGS: Phase("nature", (), (SHUFFLE_CITIZENS, DRAW_START_PLAYER, ROLL_DEMAND)),
    SHUFFLE_CITIZENS: Phase("nature", (), (DRAW_START_PLAYER, ROLL_DEMAND)),
    DRAW_START_PLAYER: Phase("nature", (), (ROLL_DEMAND,)),
    # A ship has come in.
    ROLL_DEMAND: Phase("nature", (), (CHOOSE_DEMAND,)),
    CHOOSE_DEMAND: Phase(
        "the right neighbour of the start player, later whose turn it is",
        ("choose_demand",),
        (DRIVE_CAR, ROLL_DEMAND, GAME_OVER),
    ),
    # A turn: drive, visit a citizen or the harbour, move the pawn, use its building.
    DRIVE_CAR: Phase(
        "whose turn it is",
        ("drive_car",),
        (LOADING_ROUND, TAKE_GOOD, TRIBUTE, ALONSO, *_PAWN),
    ),
    LOADING_ROUND: Phase(
        "every player in turn who has not passed",
        ("load_goods", "pass_loading"),
        (LOADING_ROUND, *_END_OF_TURN),
    ),
    TAKE_GOOD: Phase("whose turn it is", ("take_good",), _PAWN),
    TRIBUTE: Phase(
        "every other player in turn",
        ("give_tribute",),
        (TRIBUTE, USE_BUILDING, *_END_OF_TURN),
    ),
    ALONSO: Phase("whose turn it is", ("alonso_claim", "alonso_use", "alonso_decline"), _PAWN),
    MOVE_PAWN: Phase("whose turn it is", ("move_pawn",), (USE_BUILDING,)),
    USE_BUILDING: Phase("whose turn it is", ("use_building", "skip_building"), _END_OF_TURN),
    GAME_OVER: Phase("nobody", (), ()),
}

# Why a ship sails, why a pawn stays, why the game ends

DEMAND_MET_LOADING = "demand_met_loading"
DEMAND_MET_OFFICE = "demand_met_office"
DEMAND_MET_CUSTOMS = "demand_met_customs"
FLAG_PASSING_HARBOUR = "flag_passing_harbour"
FLAG_PORT_OFFICE = "flag_port_office"
FLAG_AFTER_LOADING = "flag_after_loading"
EMPTY_DEMAND = "empty_demand"

STAYS_IN_HARBOUR = "harbour_stop"
STAYS_FOR_INACTIVE = "inactive_citizen"
STAYS_FOR_EL_ZORRO = "el_zorro"
STAYS_BLOCKED = "all_occupied"

SEVENTH_SHIP = "seventh_ship"
TURN_LIMIT = "turn_limit"

_EL_ZORRO = CITIZEN["el_zorro"]


def ask(state: State, phase: str, seat: int) -> None:
    """Put the question of ``phase`` to ``seat``."""
    state.phase = phase
    state.decider = seat


def wait_for_nature(state: State, phase: str) -> None:
    """Wait for the draw of ``phase``."""
    state.phase = phase
    state.decider = NONE


# Set-up and new ships


def continue_setup(state: State) -> None:
    """Draw what is not laid out yet, in order; then the dice for the first ship."""
    if not state.buildings:
        wait_for_nature(state, SHUFFLE_BUILDINGS)
    elif not state.citizens:
        wait_for_nature(state, SHUFFLE_CITIZENS)
    elif state.start_player == NONE:
        wait_for_nature(state, DRAW_START_PLAYER)
    else:
        state.active = state.start_player
        wait_for_nature(state, ROLL_DEMAND)


def is_setup(state: State) -> bool:
    """Whether the dice in question are the first ship's: nobody has driven yet."""
    return state.turns_done == 0 and state.phase in (ROLL_DEMAND, CHOOSE_DEMAND)


def demand_chooser(state: State) -> int:
    """Who rolls and chooses the dice for the ship that has come in."""
    if is_setup(state):
        return (state.start_player - 1) % state.seats  # R45
    return state.active  # R39


def set_demand(state: State, left_out: int, log: EffectLog | None) -> None:
    """Put all rolled dice but one on the ship, and go on."""
    first_ship = is_setup(state)
    state.demand = state.roll[:]
    state.demand[left_out] = 0  # R41
    state.left_out = left_out
    if log:
        log.add(
            "demand_set",
            seat=demand_chooser(state),
            left_out=DICE[left_out],
            demand=state.demand_json(),
        )
    if not any(state.demand):  # R40
        ship_departs(state, EMPTY_DEMAND, log)
        if state.phase != GAME_OVER:
            wait_for_nature(state, ROLL_DEMAND)
    elif first_ship:
        ask(state, DRIVE_CAR, state.active)
    else:
        next_turn(state)


# The street


def drive(state: State, steps: int, log: EffectLog | None) -> None:
    """Move the car; the harbour and sleeping citizens driven through count on the way."""
    start = state.car
    state.car = (start + steps) % STOPS
    if log:
        citizen = CITIZENS[state.citizens[state.car]] if state.car != HARBOUR else None
        log.add("car_driven", seat=state.active, steps=steps, stop=state.car, citizen=citizen)
    for step in range(1, steps):
        stop = (start + step) % STOPS
        if stop == HARBOUR:  # R4
            advance_value_marker(state, FLAG_PASSING_HARBOUR, log)
            if state.phase == GAME_OVER:
                return  # R43
        elif state.inactive[state.citizens[stop]]:
            reactivate(state, state.citizens[stop], log)
    resolve_stop(state, log)


def reactivate(state: State, citizen: int, log: EffectLog | None) -> None:
    """Turn a citizen face up."""
    state.inactive[citizen] = 0
    if log:
        log.add("citizen_reactivated", citizen=CITIZENS[citizen])


def resolve_stop(state: State, log: EffectLog | None) -> None:
    """Load in the harbour, wake up an inactive citizen, or visit an active one."""
    if state.car == HARBOUR:
        _pawn_stays(state, STAYS_IN_HARBOUR, log)
        ask(state, LOADING_ROUND, state.active)
        return
    citizen = state.citizens[state.car]
    if state.inactive[citizen]:  # R7
        reactivate(state, citizen, log)
        _pawn_stays(state, STAYS_FOR_INACTIVE, log)
        end_of_turn(state, log)
        return
    state.visited = citizen
    visit(state, citizen, log)


def visit(state: State, citizen: int, log: EffectLog | None) -> None:
    """Get a citizen's favour; three of them ask somebody first."""
    seat = state.active
    kind, good, amount = FAVOURS[citizen]
    match kind:
        case "gain_goods":  # R10, R11
            take_goods(state, seat, good, min(amount, state.supply[good]), log)
        case "gain_vp":
            gain_vp(state, seat, amount, log)
        case "gain_pesos":
            take_pesos(state, seat, amount, log)
        case "gain_good_of_choice" if any(state.supply[:WOOD]):  # R12
            return ask(state, TAKE_GOOD, seat)
        case "tribute":
            state.tribute_queue = [(seat + i) % state.seats for i in range(1, state.seats)]  # R13
            return next_giver(state, log)
        case "lawyer":
            return ask(state, ALONSO, seat)
    return enter_pawn_phase(state, log)


def next_giver(state: State, log: EffectLog | None) -> None:
    """Ask the next player who has something for El Zorro; after the last, go on."""
    while state.tribute_queue:
        giver = state.tribute_queue[0]
        if state.pesos[giver] or state.vp[giver] or any(state.goods[giver][:WOOD]):
            ask(state, TRIBUTE, giver)
            return
        del state.tribute_queue[0]
        if log:
            log.add("tribute_skipped", seat=giver)
    enter_pawn_phase(state, log)


# The pawn


def district(state: State) -> tuple[int, ...]:
    """The three buildings under the flower of the citizen visited; none for El Zorro."""
    flower = CITIZEN_FLOWERS[state.visited]
    if flower == NONE:
        return ()
    first = SPACES_PER_FLOWER * flower
    return state.buildings[first : first + SPACES_PER_FLOWER]


def enter_pawn_phase(state: State, log: EffectLog | None) -> None:
    """Move the pawn if it can; if it stays, use the building under it, if there is one."""
    seat = state.active
    for building in district(state):
        if building not in state.pawn:  # nobody's pawn, nor your own (R16)
            ask(state, MOVE_PAWN, seat)
            return
    zorro = state.visited == _EL_ZORRO
    _pawn_stays(state, STAYS_FOR_EL_ZORRO if zorro else STAYS_BLOCKED, log)
    if state.pawn[seat] == NONE:
        end_of_turn(state, log)  # R14, R15
    else:
        ask(state, USE_BUILDING, seat)


def _pawn_stays(state: State, cause: str, log: EffectLog | None) -> None:
    pawn = state.pawn[state.active]
    if log and pawn != NONE:
        log.add("pawn_stayed", seat=state.active, building=BUILDING_IDS[pawn], cause=cause)


# The ship


def advance_value_marker(state: State, cause: str, log: EffectLog | None) -> None:
    """Move the value marker one flag to the right; at the chequered flag the ship sails."""
    state.value_index += 1
    if log:
        _log_marker(state, cause, log)
    if state.value_index == CHEQUERED_FLAG:
        ship_departs(state, cause, log)


def lower_value_marker(state: State, cause: str, log: EffectLog | None) -> None:
    """Move the value marker one flag to the left."""
    state.value_index -= 1
    if log:
        _log_marker(state, cause, log)


def _log_marker(state: State, cause: str, log: EffectLog) -> None:
    flag = (
        str(FLAG_VALUES[state.value_index]) if state.value_index < CHEQUERED_FLAG else "chequered"
    )
    log.add("value_marker_moved", value_index=state.value_index, flag=flag, cause=cause)


def reduce_demand(state: State, die: int, amount: int, cause: str, log: EffectLog | None) -> None:
    """Turn a die down; when all of them show 0 the ship sails."""
    state.demand[die] -= amount
    if log:
        log.add("demand_reduced", die=DICE[die], amount=amount, left=state.demand[die])
    if not any(state.demand):
        ship_departs(state, cause, log)


def ship_departs(state: State, cause: str, log: EffectLog | None) -> None:
    """Send the ship away at once; the seventh takes the game with it."""
    if log:
        log.add("ship_departed", ship=state.ship_number, cause=cause)
    if state.ship_number == SHIPS:
        finish(state, SEVENTH_SHIP, log)
        return
    state.ship_number += 1
    state.value_index = 0  # R44
    state.demand = []
    state.left_out = NONE
    if log:
        log.add("ship_arrived", ship=state.ship_number)


def next_loader(state: State) -> None:
    """Ask the next player clockwise who has not passed, who may be the same one."""
    seat = (state.decider + 1) % state.seats
    while state.passed[seat]:
        seat = (seat + 1) % state.seats
    ask(state, LOADING_ROUND, seat)


def after_load(state: State, log: EffectLog | None) -> None:
    """Go round again, unless that load has sent the ship away."""
    if state.demand and state.phase != GAME_OVER:
        next_loader(state)
    elif state.phase != GAME_OVER:  # R32
        _end_loading_round(state, log)
        end_of_turn(state, log)


def after_pass(state: State, log: EffectLog | None) -> None:
    """Go round again, unless everybody has passed: then the marker moves once."""
    if not all(state.passed):
        next_loader(state)  # R33
        return
    _end_loading_round(state, log)
    advance_value_marker(state, FLAG_AFTER_LOADING, log)  # R37
    if state.phase != GAME_OVER:
        end_of_turn(state, log)


def _end_loading_round(state: State, log: EffectLog | None) -> None:
    if log:
        log.add("loading_round_ended", demand=state.demand_json())


# The end of a turn and of the game


def end_of_turn(state: State, log: EffectLog | None) -> None:
    """Pay the owner of the building under the pawn; then dice for a new ship, or the next turn."""
    seat = state.active
    pawn = state.pawn[seat]
    owner = state.owner[pawn] if pawn != NONE else NONE
    if owner not in (NONE, seat):  # R17, R18
        state.vp[owner] += OWNER_BONUS_VP
        if log:
            building = BUILDING_IDS[pawn]
            log.add(
                "owner_bonus_paid", seat=owner, visitor=seat, building=building, vp=OWNER_BONUS_VP
            )
    state.visited = NONE
    state.passed = [0] * state.seats
    state.turns_done += 1
    if log:
        log.add("turn_ended", seat=seat, turns_done=state.turns_done)
    if state.turns_done == state.turn_limit:  # R50
        finish(state, TURN_LIMIT, log)
    elif state.demand:
        next_turn(state)
    else:
        wait_for_nature(state, ROLL_DEMAND)  # R42


def next_turn(state: State) -> None:
    """The next player clockwise drives."""
    state.active = (state.active + 1) % state.seats
    ask(state, DRIVE_CAR, state.active)


def finish(state: State, reason: str, log: EffectLog | None) -> None:
    """End the game at once (R43, R49)."""
    state.end_reason = reason
    ask(state, GAME_OVER, NONE)
    if log:
        log.add("game_ended", reason=reason)


# Gains and payments


def take_goods(state: State, seat: int, good: int, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` goods from the supply."""
    state.supply[good] -= amount
    state.goods[seat][good] += amount
    if log:
        log.add("goods_taken", seat=seat, good=GOODS[good], amount=amount)


def pay_goods(state: State, seat: int, good: int, amount: int, log: EffectLog | None) -> None:
    """Put goods of ``seat`` back into the supply."""
    state.supply[good] += amount
    state.goods[seat][good] -= amount
    if log:
        log.add("goods_paid", seat=seat, good=GOODS[good], amount=amount)


def take_pesos(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` pesos from the bank."""
    state.pesos[seat] += amount  # R24
    if log:
        log.add("pesos_taken", seat=seat, amount=amount)


def pay_pesos(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take pesos from ``seat``."""
    state.pesos[seat] -= amount
    if log:
        log.add("pesos_paid", seat=seat, amount=amount)


def gain_vp(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` VP."""
    state.vp[seat] += amount  # R24
    if log:
        log.add("vp_gained", seat=seat, amount=amount)


def pay_vp(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take VP from ``seat``."""
    state.vp[seat] -= amount
    if log:
        log.add("vp_paid", seat=seat, amount=amount)
