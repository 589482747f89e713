"""The draws of the game.

=====================  =========================  =========================  ========
in the rulebook        drawn here                 label, occurrence          audience
=====================  =========================  =========================  ========
buildings_shuffled     first of all               ``setup/buildings`` 1      public
citizens_shuffled      next                       ``setup/citizens`` 1       public
start_player_drawn     next                       ``setup/start_player`` 1   public
demand_rolled          when ship k wants dice     ``roll/demand`` k          public
=====================  =========================  =========================  ========

The dice are rolled once for every ship, so the k-th roll of any game is the roll of ship k. The
labels do not depend on how players play. If an option fixes the result of a draw, there is no such
draw.
"""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Chance, Draw, EffectLog, Seat, shuffle_sizes, shuffled
from rules.santiago_de_cuba import data, effects, fields, play
from rules.santiago_de_cuba.state import State

_BUILDINGS = Chance("setup/buildings", 1, shuffle_sizes(len(data.BUILDINGS)))
_CITIZENS = Chance("setup/citizens", 1, shuffle_sizes(len(data.CITIZENS)))
_DICE = tuple(len(faces) for faces in data.FACES)
_ROLLS = tuple(Chance("roll/demand", 1 + ship, _DICE) for ship in range(data.SHIPS))


def _lay_out_buildings(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.buildings = tuple(shuffled(fields.BUILDING.values(), picks))
    effects.BUILDINGS_SHUFFLED.tell(log, buildings=state.buildings)
    play.continue_setup(state)


def _lay_out_citizens(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    citizens = tuple(shuffled(fields.CITIZEN.values(), picks))
    state.citizens = (data.NONE, *citizens)  # stop 0 is the harbour, without a citizen
    effects.CITIZENS_SHUFFLED.tell(log, citizens=citizens)
    play.continue_setup(state)


def _draw_start_player(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    (state.start_player,) = map(Seat, picks)
    effects.START_PLAYER_DRAWN.tell(log, seat=state.start_player)
    play.continue_setup(state)


def _roll_demand(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    chooser = play.demand_chooser(state)
    state.roll = [faces[pick] for faces, pick in zip(data.FACES, picks, strict=True)]
    state.ask(play.CHOOSE_DEMAND, chooser)
    if log:
        roll: JsonObject = dict(zip(data.DICE, state.roll, strict=True))
        effects.DEMAND_ROLLED.tell(log, seat=chooser, ship=state.ship_number, **roll)


DRAWS = {
    play.SHUFFLE_BUILDINGS: Draw(lambda _state: _BUILDINGS, _lay_out_buildings),
    play.SHUFFLE_CITIZENS: Draw(lambda _state: _CITIZENS, _lay_out_citizens),
    play.DRAW_START_PLAYER: Draw(
        lambda state: Chance("setup/start_player", 1, (state.seats,)), _draw_start_player
    ),
    play.ROLL_DEMAND: Draw(lambda state: _ROLLS[state.ship_number - 1], _roll_demand),
}
