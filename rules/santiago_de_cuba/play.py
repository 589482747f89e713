"""The sequence of play: the phases, and the automatic steps between them.

Moves (``moves``) and draws (``chance``) call these functions; none of them waits for an answer.
"""

from typing import cast

from rules.kernel.contract import EffectLog, Phase, Seat, clockwise, next_seat
from rules.santiago_de_cuba import data, effects
from rules.santiago_de_cuba.data import NONE, Building, Citizen, Good
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
    # Set-up. Facts that an option fixes are not drawn.
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

_EL_ZORRO = data.CITIZEN["el_zorro"]


# Set-up and new ships


def continue_setup(state: State) -> None:
    """Go on to the next draw of the set-up.

    In the last draw, the dice for the first ship are rolled.
    """
    if not state.buildings:
        state.wait(SHUFFLE_BUILDINGS)
    elif not state.citizens:
        state.wait(SHUFFLE_CITIZENS)
    elif state.start_player == NONE:
        state.wait(DRAW_START_PLAYER)
    else:
        state.active = state.start_player
        state.wait(ROLL_DEMAND)


def is_setup(state: State) -> bool:
    """Whether the demand of the first ship is being set, before any player's turn."""
    return state.turns_done == 0 and state.phase in (ROLL_DEMAND, CHOOSE_DEMAND)


def demand_chooser(state: State) -> Seat:
    """Return the player who rolls and chooses the dice for the new ship."""
    if is_setup(state):
        return clockwise(state.start_player, state.seats)[-1]  # R45
    return state.active  # R39


def set_demand(state: State, left_out: Good, log: EffectLog | None) -> None:
    """Put all rolled dice except one on the ship, and go on."""
    first_ship = is_setup(state)
    state.demand = state.roll[:]
    state.demand[left_out] = 0  # R41
    state.left_out = left_out
    if log:
        seat, demand = demand_chooser(state), state.demand_json()
        effects.DEMAND_SET.tell(log, seat=seat, left_out=left_out, demand=demand)
    if not any(state.demand):  # R40
        ship_departs(state, effects.EMPTY_DEMAND, log)
        if state.phase != GAME_OVER:
            state.wait(ROLL_DEMAND)
    elif first_ship:
        state.ask(DRIVE_CAR, state.active)
    else:
        next_turn(state)


# The street


def drive(state: State, steps: int, log: EffectLog | None) -> None:
    """Move the car; on its way, the harbour and face-down citizens have their effects."""
    start = state.car
    state.car = cast("data.Stop", (start + steps) % data.STOPS)
    if log:
        seat, citizen = state.active, state.citizens[state.car]
        effects.CAR_DRIVEN.tell(log, seat=seat, steps=steps, stop=state.car, citizen=citizen)
    for step in range(1, steps):
        stop = (start + step) % data.STOPS
        if stop == data.HARBOUR:  # R4
            move_value_marker(state, 1, effects.FLAG_PASSING_HARBOUR, log)
            if state.phase == GAME_OVER:
                return  # R43
        elif state.inactive[state.citizens[stop]]:
            reactivate(state, state.citizens[stop], log)
    resolve_stop(state, log)


def reactivate(state: State, citizen: Citizen, log: EffectLog | None) -> None:
    """Turn a citizen face up."""
    state.inactive[citizen] = 0
    effects.CITIZEN_REACTIVATED.tell(log, citizen=citizen)


def resolve_stop(state: State, log: EffectLog | None) -> None:
    """Load in the harbour, wake up an inactive citizen, or visit an active one."""
    if state.car == data.HARBOUR:
        _pawn_stays(state, effects.STAYS_IN_HARBOUR, log)
        state.ask(LOADING_ROUND, state.active)
        return
    citizen = state.citizens[state.car]
    if state.inactive[citizen]:  # R7
        reactivate(state, citizen, log)
        _pawn_stays(state, effects.STAYS_FOR_INACTIVE, log)
        end_of_turn(state, log)
        return
    state.visited = citizen
    visit(state, citizen, log)


def visit(state: State, citizen: Citizen, log: EffectLog | None) -> None:
    """Give the favour of a citizen; for three of the citizens, the seat first has a decision."""
    seat = state.active
    kind, good, amount = data.FAVOURS[citizen]
    match kind:
        case "gain_goods":  # R10, R11
            take_goods(state, seat, good, min(amount, state.supply[good]), log)
        case "gain_vp":
            gain_vp(state, seat, amount, log)
        case "gain_pesos":
            take_pesos(state, seat, amount, log)
        case "gain_good_of_choice" if any(state.supply[: data.WOOD]):  # R12
            return state.ask(TAKE_GOOD, seat)
        case "tribute":
            state.tribute_queue = clockwise(seat, state.seats)[1:]  # R13
            return next_giver(state, log)
        case "lawyer":
            return state.ask(ALONSO, seat)
    return enter_pawn_phase(state, log)


def next_giver(state: State, log: EffectLog | None) -> None:
    """Ask the next player who can pay El Zorro; after the last one, go on."""
    while state.tribute_queue:
        giver = state.tribute_queue[0]
        if state.pesos[giver] or state.vp[giver] or any(state.goods[giver][: data.WOOD]):
            state.ask(TRIBUTE, giver)
            return
        del state.tribute_queue[0]
        effects.TRIBUTE_SKIPPED.tell(log, seat=giver)
    enter_pawn_phase(state, log)


# The pawn


def district(state: State) -> tuple[Building, ...]:
    """Return the three buildings under the flower of the visited citizen; none for El Zorro."""
    flower = data.CITIZEN_FLOWERS[state.visited]
    if flower == NONE:
        return ()
    first = data.SPACES_PER_FLOWER * flower
    return state.buildings[first : first + data.SPACES_PER_FLOWER]


def enter_pawn_phase(state: State, log: EffectLog | None) -> None:
    """Let the seat move its pawn; if it cannot move, let it use the building under its pawn.

    If it cannot move and no building is under its pawn, its turn ends (R14, R15).
    """
    seat = state.active
    for building in district(state):
        # not a building under anybody's pawn, the seat's own pawn included (R16)
        if building not in state.pawn:
            state.ask(MOVE_PAWN, seat)
            return
    zorro = state.visited == _EL_ZORRO
    _pawn_stays(state, effects.STAYS_FOR_EL_ZORRO if zorro else effects.STAYS_BLOCKED, log)
    if state.pawn[seat] == NONE:
        end_of_turn(state, log)  # R14, R15
    else:
        state.ask(USE_BUILDING, seat)


def _pawn_stays(state: State, cause: str, log: EffectLog | None) -> None:
    pawn = state.pawn[state.active]
    if log and pawn != NONE:
        effects.PAWN_STAYED.tell(log, seat=state.active, building=pawn, cause=cause)


# The ship


def move_value_marker(state: State, flags: int, cause: str, log: EffectLog | None) -> None:
    """Move the value marker ``flags`` flags to the right; at the chequered flag the ship sails."""
    state.value_index += flags
    if log:
        index = state.value_index
        effects.VALUE_MARKER_MOVED.tell(log, value_index=index, flag=index, cause=cause)
    if state.value_index == data.CHEQUERED_FLAG:
        ship_departs(state, cause, log)


def reduce_demand(state: State, die: Good, amount: int, cause: str, log: EffectLog | None) -> None:
    """Turn a die down by ``amount``; when all dice show 0, the ship sails."""
    state.demand[die] -= amount
    if log:
        effects.DEMAND_REDUCED.tell(log, die=die, amount=amount, left=state.demand[die])
    if not any(state.demand):
        ship_departs(state, cause, log)


def ship_departs(state: State, cause: str, log: EffectLog | None) -> None:
    """Send the ship away at once; the seventh departure ends the game."""
    effects.SHIP_DEPARTED.tell(log, ship=state.ship_number, cause=cause)
    if state.ship_number == data.SHIPS:
        finish(state, effects.SEVENTH_SHIP, log)
        return
    state.ship_number += 1
    state.value_index = 0  # R44
    state.demand = []
    state.left_out = NONE
    effects.SHIP_ARRIVED.tell(log, ship=state.ship_number)


def go_on_loading(state: State, log: EffectLog | None) -> None:
    """Continue the loading round, unless the ship has sailed or everybody has passed."""
    if state.phase == GAME_OVER:
        return
    if state.demand and not all(state.passed):
        seat = next_seat(state.decider, state.seats)
        while state.passed[seat]:
            seat = next_seat(seat, state.seats)
        state.ask(LOADING_ROUND, seat)  # the same seat may be asked again (R33)
        return
    if log:
        effects.LOADING_ROUND_ENDED.tell(log, demand=state.demand_json())
    if state.demand:  # the ship is still there, because a full ship has sailed (R32)
        move_value_marker(state, 1, effects.FLAG_AFTER_LOADING, log)  # R37
    if state.phase != GAME_OVER:
        end_of_turn(state, log)


# The end of a turn and of the game


def end_of_turn(state: State, log: EffectLog | None) -> None:
    """Pay the owner of the building under the pawn; then roll for a new ship, or begin a turn."""
    seat = state.active
    pawn = state.pawn[seat]
    owner = state.owner[pawn] if pawn != NONE else NONE
    if owner not in (NONE, seat):  # R17, R18
        vp = data.OWNER_BONUS_VP
        state.vp[owner] += vp
        if log:
            effects.OWNER_BONUS_PAID.tell(log, seat=owner, visitor=seat, building=pawn, vp=vp)
    state.visited = NONE
    state.passed = [0] * state.seats
    state.turns_done += 1
    if log:
        effects.TURN_ENDED.tell(log, seat=seat, turns_done=state.turns_done)
    if state.turns_done == state.turn_limit:  # R50
        finish(state, effects.TURN_LIMIT, log)
    elif state.demand:
        next_turn(state)
    else:
        state.wait(ROLL_DEMAND)  # R42


def next_turn(state: State) -> None:
    """Let the next player clockwise drive."""
    state.active = next_seat(state.active, state.seats)
    state.ask(DRIVE_CAR, state.active)


def finish(state: State, reason: str, log: EffectLog | None) -> None:
    """End the game at once (R43, R49)."""
    state.end_reason = reason
    state.wait(GAME_OVER)
    effects.GAME_ENDED.tell(log, reason=reason)


# Gains and payments


def take_goods(state: State, seat: Seat, good: Good, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` goods from the supply."""
    state.supply[good] -= amount
    state.goods[seat][good] += amount
    if log:
        effects.GOODS_TAKEN.tell(log, seat=seat, good=good, amount=amount)


def pay_goods(state: State, seat: Seat, good: Good, amount: int, log: EffectLog | None) -> None:
    """Put goods of ``seat`` back into the supply."""
    state.supply[good] += amount
    state.goods[seat][good] -= amount
    if log:
        effects.GOODS_PAID.tell(log, seat=seat, good=good, amount=amount)


def take_pesos(state: State, seat: Seat, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` pesos from the bank."""
    state.pesos[seat] += amount  # R24
    if log:
        effects.PESOS_TAKEN.tell(log, seat=seat, amount=amount)


def pay_pesos(state: State, seat: Seat, amount: int, log: EffectLog | None) -> None:
    """Take pesos from ``seat``."""
    state.pesos[seat] -= amount
    if log:
        effects.PESOS_PAID.tell(log, seat=seat, amount=amount)


def gain_vp(state: State, seat: Seat, amount: int, log: EffectLog | None) -> None:
    """Give ``seat`` VP."""
    state.vp[seat] += amount  # R24
    if log:
        effects.VP_GAINED.tell(log, seat=seat, amount=amount)


def pay_vp(state: State, seat: Seat, amount: int, log: EffectLog | None) -> None:
    """Take VP from ``seat``."""
    state.vp[seat] -= amount
    if log:
        effects.VP_PAID.tell(log, seat=seat, amount=amount)
