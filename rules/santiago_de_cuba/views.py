"""What each viewer is shown, and what a seat with a perfect memory knows.

Screens hide pesos, VP and goods from the eye alone: every gain and payment is made in the open,
so a perfect memory knows every holding and there is nothing to guess.
"""

from rules.kernel.canonical import JsonObject
from rules.santiago_de_cuba.data import (
    BUILDING_IDS,
    CHEQUERED_FLAG,
    CITIZEN_FLOWERS,
    CITIZENS,
    COLOURS,
    FLAG_VALUES,
    FLOWERS,
    GOODS,
    HARBOUR,
    NONE,
    SHIPS,
    SPACES,
    SPACES_PER_FLOWER,
)
from rules.santiago_de_cuba.play import GAME_OVER, LOADING_ROUND
from rules.santiago_de_cuba.state import State


def view(state: State, viewer: int | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    return {
        "viewer": viewer,
        "holdings_visibility": "open" if state.open_holdings else "hidden",
        "turn_limit": state.turn_limit,
        "phase": state.phase,
        "decider": _known(state.decider),
        "active": _known(state.active),
        "start_player": _known(state.start_player),
        "turns_done": state.turns_done,
        "end_reason": state.end_reason,
        "street": _street(state),
        "car": state.car,
        "visited_citizen": None if state.visited == NONE else CITIZENS[state.visited],
        "buildings": _buildings(state),
        "ship_number": state.ship_number,
        "ships": SHIPS,
        "value_index": state.value_index,
        "flag_value": (
            FLAG_VALUES[state.value_index] if state.value_index < CHEQUERED_FLAG else None
        ),
        "roll": state.roll_json(),
        "demand": state.demand_json(),
        "left_out": None if state.left_out == NONE else GOODS[state.left_out],
        "supply": dict(zip(GOODS, state.supply, strict=True)),
        "tribute_queue": state.tribute_queue[:],
        "loading": _loading(state),
        "players": [_player(state, seat, viewer) for seat in range(state.seats)],
    }


def _street(state: State) -> list[JsonObject]:
    return [
        {
            "stop": stop,
            "citizen": None if stop == HARBOUR else CITIZENS[citizen],
            "flower": None if stop == HARBOUR else _flower(CITIZEN_FLOWERS[citizen]),
            "active": stop == HARBOUR or not state.inactive[citizen],
        }
        for stop, citizen in enumerate(state.citizens)
    ]


def _buildings(state: State) -> list[JsonObject]:
    return [
        {
            "space": SPACES[space],
            "flower": _flower(space // SPACES_PER_FLOWER),
            "building": BUILDING_IDS[building],
            "owner": _known(state.owner[building]),
            "pawn": state.pawn.index(building) if building in state.pawn else None,
        }
        for space, building in enumerate(state.buildings)
    ]


def _loading(state: State) -> JsonObject | None:
    if state.phase != LOADING_ROUND:
        return None
    passed = [seat for seat, done in enumerate(state.passed) if done]
    return {"current": state.decider, "passed": passed}


def _player(state: State, seat: int, viewer: int | None) -> JsonObject:
    pawn = state.pawn[seat]
    seen = state.open_holdings or seat == viewer or state.phase == GAME_OVER
    return {
        "seat": seat,
        "color": COLOURS[seat],
        "pawn": None if pawn == NONE else BUILDING_IDS[pawn],
        "markers_left": state.markers_left[seat],
        "pesos": state.pesos[seat] if seen else None,
        "vp": state.vp[seat] if seen else None,
        "goods": dict(zip(GOODS, state.goods[seat], strict=True)) if seen else None,
    }


def _known(seat: int) -> int | None:
    return None if seat == NONE else seat


def _flower(flower: int) -> str | None:
    return None if flower == NONE else FLOWERS[flower]


def information(state: State, seat: int) -> JsonObject:
    """Return all that ``seat`` can have learnt: everything, for it saw every gain and payment."""
    return {"seat": seat, "state": state.to_json()}


def determinize(known: JsonObject) -> State:
    """Return the one state with this information."""
    return State.from_json(known["state"])
