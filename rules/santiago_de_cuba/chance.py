"""The draws of the game.

=====================  =========================  =========================  ========
in the rulebook        drawn here                 label, occurrence          audience
=====================  =========================  =========================  ========
buildings_shuffled     first of all               ``setup/buildings`` 1      public
citizens_shuffled      next                       ``setup/citizens`` 1       public
start_player_drawn     next                       ``setup/start_player`` 1   public
demand_rolled          when ship k wants dice     ``roll/demand`` k          public
=====================  =========================  =========================  ========

Every ship is rolled for once, so the k-th roll of any game is ship k's and labels are the same
under different play. A draw whose result an option fixes is left out.
"""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, shuffle_sizes, shuffled
from rules.kernel.contract.effects import EffectLog
from rules.santiago_de_cuba.data import (
    BUILDING_IDS,
    CITIZENS,
    DICE,
    FACES,
    SHIPS,
)
from rules.santiago_de_cuba.play import (
    CHOOSE_DEMAND,
    DRAW_START_PLAYER,
    ROLL_DEMAND,
    SHUFFLE_BUILDINGS,
    SHUFFLE_CITIZENS,
    ask,
    continue_setup,
    demand_chooser,
)
from rules.santiago_de_cuba.state import State, building_layout, citizen_layout

_BUILDINGS = Chance("setup/buildings", 1, shuffle_sizes(len(BUILDING_IDS)))
_CITIZENS = Chance("setup/citizens", 1, shuffle_sizes(len(CITIZENS)))
_ROLLS = tuple(
    Chance("roll/demand", ship, tuple(len(faces) for faces in FACES))
    for ship in range(1, SHIPS + 1)
)


def pending(state: State) -> Chance | None:
    """Return the draw that the state waits for, if it waits for one."""
    if state.phase == ROLL_DEMAND:
        return _ROLLS[state.ship_number - 1]
    if state.phase == SHUFFLE_BUILDINGS:
        return _BUILDINGS
    if state.phase == SHUFFLE_CITIZENS:
        return _CITIZENS
    if state.phase == DRAW_START_PLAYER:
        return Chance("setup/start_player", 1, (state.seats,))
    return None


def apply(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Apply nature's answer to the pending draw."""
    if state.phase == ROLL_DEMAND:
        _roll_demand(state, picks, log)
        return
    if state.phase == SHUFFLE_BUILDINGS:
        buildings = shuffled(BUILDING_IDS, picks)
        state.buildings = building_layout(buildings)
        if log:
            log.add("buildings_shuffled", buildings=buildings)
    elif state.phase == SHUFFLE_CITIZENS:
        citizens = shuffled(CITIZENS, picks)
        state.citizens = citizen_layout(citizens)
        if log:
            log.add("citizens_shuffled", citizens=citizens)
    else:
        (state.start_player,) = picks
        if log:
            log.add("start_player_drawn", seat=state.start_player)
    continue_setup(state)


def _roll_demand(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    chooser = demand_chooser(state)
    state.roll = [faces[pick] for faces, pick in zip(FACES, picks, strict=True)]
    ask(state, CHOOSE_DEMAND, chooser)
    if log:
        roll: JsonObject = dict(zip(DICE, state.roll, strict=True))
        log.add("demand_rolled", seat=chooser, ship=state.ship_number, **roll)
