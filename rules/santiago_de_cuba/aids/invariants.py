"""Invariants of every state that play can reach."""

from collections.abc import Iterator, Sequence

from rules.kernel.contract import Seat, by_seat
from rules.santiago_de_cuba import data, effects, moves, play
from rules.santiago_de_cuba.data import NONE
from rules.santiago_de_cuba.state import State

_Judged = Iterator[tuple[bool, str]]
"""Pairs: whether an invariant is broken, and the sentence about it."""
_TOWN = list(range(len(data.BUILDINGS)))
_STREET = [NONE, *range(len(data.CITIZENS))]
_FAVOUR = {play.TAKE_GOOD: "gain_good_of_choice", play.TRIBUTE: "tribute", play.ALONSO: "lawyer"}
"""The kind of favour that causes each phase."""


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that ``state`` breaks."""
    parts = (_holdings, _town, _ship, _turn, _end)
    found = [said for part in parts for broken, said in part(state) if broken]
    return found or [said for broken, said in _question(state) if broken]


def _holdings(state: State) -> _Judged:
    for good, name in enumerate(data.GOODS):
        held = [goods[good] for goods in state.goods]
        there, total = state.supply[good] + sum(held), data.GOOD_TOTALS[good]
        yield state.supply[good] < 0 or min(held) < 0, f"there is less than no {name}"
        yield there != total, f"{there} {name} in the game, not {total}"
    for seat, (pesos, vp) in by_seat(zip(state.pesos, state.vp, strict=True)):
        yield pesos < 0, f"seat {seat} has {pesos} pesos"
        yield vp < 0, f"seat {seat} has {vp} VP"


def _town(state: State) -> _Judged:
    town, street = sorted(state.buildings), sorted(state.citizens)
    no_town = not town and state.phase == play.SHUFFLE_BUILDINGS
    no_street = not street and state.phase in (play.SHUFFLE_BUILDINGS, play.SHUFFLE_CITIZENS)
    yield town != _TOWN and not no_town, "the buildings are not each on one space"
    yield street != _STREET and not no_street, "the citizens are not each at one stop"
    yield not 0 <= state.car < data.STOPS, f"the car is at stop {state.car}"
    placed = [pawn for pawn in state.pawn if pawn != NONE]
    yield len(set(placed)) != len(placed), "two pawns share a building"
    for building, owner in zip(data.BUILDINGS, state.owner, strict=True):
        yield not NONE <= owner < state.seats, f"{building} belongs to seat {owner}"
    for seat, left in by_seat(state.markers_left):
        strange = left + state.owner.count(seat) != data.MARKERS
        yield strange, f"seat {seat} has lost an ownership marker or found one"


def _ship(state: State) -> _Judged:
    demand, left_out, phase = state.demand, state.left_out, state.phase
    sailed = state.end_reason == effects.SEVENTH_SHIP
    last_flag = data.CHEQUERED_FLAG - (not sailed)
    yield not 1 <= state.ship_number <= data.SHIPS, f"ship {state.ship_number} is in the harbour"
    yield (
        not 0 <= state.value_index <= last_flag,
        f"the value marker is on flag {state.value_index}",
    )
    one_alone = bool(demand) != (left_out != NONE)
    yield one_alone, "there are dice on the ship or one left out, but not both"
    for die, value in enumerate(demand):
        yield not 0 <= value <= max(data.FACES[die]), f"the {data.GOODS[die]} die shows {value}"
    yield bool(demand and demand[left_out]), "the die left out is on the ship"
    idle = phase in (play.DRIVE_CAR, play.LOADING_ROUND) and not any(demand)
    yield idle, f"the ship wants nothing in phase {phase}"
    again = phase in (play.ROLL_DEMAND, play.CHOOSE_DEMAND) and bool(demand)
    yield again, "dice are rolled for a ship that has some"
    yield bool(demand) and not any(demand) and not sailed, "a full ship has not sailed"


def _turn(state: State) -> _Judged:
    active, phase = state.active, state.phase
    setting_up = phase in (play.SHUFFLE_BUILDINGS, play.SHUFFLE_CITIZENS, play.DRAW_START_PLAYER)
    yield (active == NONE) != setting_up, f"seat {active} has the turn in phase {phase}"
    yield not NONE <= active < state.seats, f"seat {active} has the turn among {state.seats}"
    yield state.decider not in _deciders(state), f"seat {state.decider} is asked in phase {phase}"
    owing = len(state.tribute_queue)
    yield bool(owing) != (phase == play.TRIBUTE), f"{owing} players owe El Zorro in phase {phase}"
    passed = [seat for seat, done in by_seat(state.passed) if done]
    may_pass = phase == play.LOADING_ROUND or state.end_reason == effects.SEVENTH_SHIP  # R43
    yield bool(passed) and not may_pass, f"seats {passed} have passed in phase {phase}"


def _deciders(state: State) -> Sequence[Seat]:
    """Return the seats that may be asked now."""
    if not play.PHASES[state.phase].moves:
        return [NONE]
    if state.phase == play.CHOOSE_DEMAND:
        return [play.demand_chooser(state)]
    if state.phase == play.LOADING_ROUND:
        return [seat for seat, passed in by_seat(state.passed) if not passed]
    if state.phase == play.TRIBUTE:
        return state.tribute_queue[:1]
    return [state.active]


def _end(state: State) -> _Judged:
    reason, turns, limit = state.end_reason, state.turns_done, state.turn_limit
    over = state.phase == play.GAME_OVER
    yield over != (reason is not None), f"the end reason is {reason} in phase {state.phase}"
    sailed = reason == effects.SEVENTH_SHIP
    last = state.ship_number == data.SHIPS
    yield sailed and not last, f"the game has ended with ship {state.ship_number}"
    full = bool(state.demand) and not any(state.demand)
    early = sailed and not full and state.value_index != data.CHEQUERED_FLAG
    yield early, "the game has ended before the last ship has sailed"
    by_limit = reason == effects.TURN_LIMIT
    beyond = 0 < limit <= turns and not (by_limit and turns == limit)
    yield beyond, f"turn {turns} is beyond the limit of {limit}"
    yield by_limit and not 0 < limit <= turns, "the game has ended before the turn limit"


def _question(state: State) -> _Judged:
    """Yield invariants of the open question; they make sense only if all other invariants hold."""
    seat, phase, visited = state.decider, state.phase, state.visited
    host = "nobody" if visited == NONE else data.CITIZENS[visited]
    visiting = phase in (*_FAVOUR, play.MOVE_PAWN, play.USE_BUILDING)
    odd = visiting != (visited != NONE) and state.end_reason != effects.SEVENTH_SHIP  # R43
    yield odd, f"{host} is visited in phase {phase}"
    elsewhere = visited != NONE and state.citizens[state.car] != visited
    yield elsewhere, f"{host} is visited from stop {state.car}"
    wrong_host = phase in _FAVOUR and data.FAVOURS[visited][0] != _FAVOUR[phase]
    yield wrong_host, f"{host} is the host in phase {phase}"
    homeless = phase == play.USE_BUILDING and state.pawn[state.active] == NONE
    yield homeless, f"seat {state.active} uses a building without a pawn on it"
    types = [type_ for type_ in moves.MOVE_TYPES if type_.type in play.PHASES[phase].moves]
    stuck = bool(types) and not any(type_.legal(state, seat) for type_ in types)
    yield stuck, f"seat {seat} has no legal move in phase {phase}"
