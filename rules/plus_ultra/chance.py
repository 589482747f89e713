"""The draws of the game.

==================================  =============================  ========
drawn                               label, occurrence              audience
==================================  =============================  ========
the peer order, first of all        ``setup/peer_order`` 1         public
with ``clockwise`` the first in it  ``setup/first_player`` 1       public
each tile that is turned up         ``new_world/tile`` 1 to 33     public
the war dice of each turn           ``war/dice`` turn              public
then the character set aside        ``characters/set_aside`` turn  none
each estate that is taken           ``estates/estate`` 1 to 6      none
==================================  =============================  ========

Which tiles remain is public, so everybody sees the pick of a tile. The pick of an estate is a
position among the free estates, so it would reveal which ones others have: nobody sees it, and an
effect shows the estate to the buyer. The character set aside is revealed at the end of the turn.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate

from rules.kernel.contract import (
    NOBODY_SEES,
    Chance,
    Draw,
    EffectLog,
    all_seats,
    clockwise,
    seat_audience,
    shuffle_sizes,
    shuffled,
)
from rules.plus_ultra import data, effects, play
from rules.plus_ultra.state import State


def _peers(state: State) -> Chance:
    if state.start_order == "clockwise":
        return Chance("setup/first_player", 1, (state.seats,))
    return Chance("setup/peer_order", 1, shuffle_sizes(state.seats))


def _order_peers(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    seats = all_seats(state.seats)
    if state.start_order == "clockwise":
        state.peer_order = clockwise(seats[picks[0]], state.seats)
    else:
        state.peer_order = shuffled(seats, picks)
    state.pending_order = state.peer_order[:]
    effects.PEERS_ORDERED.tell(log, order=state.peer_order)
    state.wait(play.FIRST_ROW)


def _tile(state: State) -> Chance:
    left = sum(state.unseen)
    return Chance("new_world/tile", sum(data.PILE) - left + 1, (left,))


def _turn_up_first_row(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    _lay(state, data.ALL_ROWS[0], picks, log)
    play.begin_turn(state, log)


def _refill_row(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.pile -= 1
    _lay(state, state.row, picks, log)
    state.row = data.Row(state.row + 1)
    play.refill(state)


def _explore(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    play.discover(state, _turn_up(state, state.row, picks, log), log)


def _turn_up(state: State, row: data.Row, picks: Sequence[int], log: EffectLog | None) -> data.Kind:
    """Take a hidden tile for ``row``, and return its kind.

    ``picks`` has the number of the tile, counted among all hidden tiles in the order of their
    kinds. If the tile is a settlement, the row becomes empty.
    """
    kind = data.ALL_KINDS[bisect([*accumulate(state.unseen)], picks[0])]
    state.unseen[kind] -= 1
    state.rows[row] = data.EMPTY if data.SIZES[kind] else kind  # R8
    effects.TILE_TURNED_UP.tell(log, row=row, kind=kind)
    return kind


def _lay(state: State, row: data.Row, picks: Sequence[int], log: EffectLog | None) -> None:
    kind = _turn_up(state, row, picks, log)
    if data.SIZES[kind]:
        state.place_settlement(kind, log)


def _roll_war(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    dice = sorted(data.DICE_FACES[pick] for pick in picks)
    state.war_level = dice[len(dice) // 2]
    effects.WAR_ROLLED.tell(log, dice=dice, level=state.war_level)
    state.wait(play.SET_ASIDE)


def _aside(state: State) -> Chance:
    return Chance("characters/set_aside", state.turn, (len(data.CHARACTERS),), NOBODY_SEES)


def _set_character_aside(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.set_aside = data.Character(picks[0])
    state.pack = [c for c in data.ALL_CHARACTERS if c != state.set_aside]
    play.pass_pack(state, log)


def _estate(state: State) -> Chance:
    taken = data.ESTATES_IN_PLAY - state.estate_stack
    return Chance("estates/estate", taken + 1, (len(state.estates_left),), NOBODY_SEES)


def _take_estate(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    seat = state.peer
    estate = state.estates_left[picks[0]]
    state.estate_stack -= 1
    state.estates[seat].append(estate)
    state.estates[seat].sort()
    effects.ESTATE_TAKEN.tell(log, seat=seat)
    effects.OWN_ESTATE_TAKEN.tell(log, seat_audience(seat), seat=seat, estate=estate)
    play.resume(state)


_DICE = (len(data.DICE_FACES),) * data.DICE
DRAWS = {
    play.START_ORDER: Draw(_peers, _order_peers),
    play.FIRST_ROW: Draw(_tile, _turn_up_first_row),
    play.REFILL: Draw(_tile, _refill_row),
    play.EXPLORATION: Draw(_tile, _explore),
    play.ROLL_WAR: Draw(lambda state: Chance("war/dice", state.turn, _DICE), _roll_war),
    play.SET_ASIDE: Draw(_aside, _set_character_aside),
    play.TAKE_ESTATE: Draw(_estate, _take_estate),
}
