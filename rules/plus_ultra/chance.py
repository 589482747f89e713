"""The draws of the game.

=======================  =================================  ==========================  ========
in the rulebook          drawn here                         label, occurrence           audience
=======================  =================================  ==========================  ========
shuffle_peer_order       first of all                       ``setup/peer_order`` 1      public
... with ``clockwise``   first of all: the first player     ``setup/first_player`` 1    public
shuffle_new_world        tile by tile, when one is turned   ``new_world/tile`` 1 to 33  public
                         up (set-up, refill, exploration)
select_estates           estate by estate, when one is      ``estates/estate`` 1 to 6   none
                         taken
roll_war                 at the start of each turn          ``war/dice`` turn           public
set_aside_character      after the war dice of each turn    ``characters/set_aside``    none
                                                            turn
=======================  =================================  ==========================  ========

What tiles are left is no secret, so everybody sees which of them is turned up. An estate is picked
from those that nobody has taken, which would tell what others own: nobody sees the pick, and an
effect tells the buyer. The character set aside is opened at the end of the turn.
"""

from collections.abc import Sequence
from functools import cache

from rules.kernel.contract.chance import Chance, shuffle_sizes, shuffled
from rules.kernel.contract.effects import NONE as NOBODY
from rules.kernel.contract.effects import EffectLog, seat_audience
from rules.plus_ultra.data import (
    CHARACTERS,
    DICE,
    DICE_FACES,
    ESTATES,
    ESTATES_IN_PLAY,
    KINDS,
    PILE,
    SIZES,
)
from rules.plus_ultra.play import (
    EXPLORATION,
    FIRST_ROW,
    REFILL,
    ROLL_WAR,
    SET_ASIDE,
    START_ORDER,
    TAKE_ESTATE,
    begin_turn,
    discover,
    open_draft,
    place_settlement,
    refill,
    resume,
    wait_for_nature,
)
from rules.plus_ultra.state import EMPTY, State


def pending(state: State) -> Chance | None:
    """Return the draw that the state waits for, if it waits for one."""
    match state.phase:
        case "refill_new_world" | "exploration" | "first_row":
            return _tile(sum(state.unseen))
        case "roll_war":
            return _dice(state.turn)
        case "set_aside_character":
            return _set_aside(state.turn)
        case "take_estate":
            return _estate(ESTATES_IN_PLAY - state.estate_stack + 1, len(_not_taken(state)))
        case "start_order":
            if state.clockwise:
                return Chance("setup/first_player", 1, (state.seats,))
            return Chance("setup/peer_order", 1, shuffle_sizes(state.seats))
        case _:
            return None


@cache
def _tile(left: int) -> Chance:
    return Chance("new_world/tile", sum(PILE) - left + 1, (left,))


@cache
def _dice(turn: int) -> Chance:
    return Chance("war/dice", turn, (len(DICE_FACES),) * DICE)


@cache
def _set_aside(turn: int) -> Chance:
    return Chance("characters/set_aside", turn, (len(CHARACTERS),), NOBODY)


@cache
def _estate(n: int, left: int) -> Chance:
    return Chance("estates/estate", n, (left,), NOBODY)


def apply(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Apply nature's answer to the pending draw."""
    _APPLY[state.phase](state, picks, log)


def _order_peers(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    seats = range(state.seats)
    if state.clockwise:
        order = [(picks[0] + seat) % state.seats for seat in seats]
    else:
        order = shuffled(seats, picks)
    state.peer_order = order
    state.pending_order = order[:]
    if log:
        log.add("peers_ordered", order=order[:])
    wait_for_nature(state, FIRST_ROW)


def _turn_up(state: State, row: int, picks: Sequence[int], log: EffectLog | None) -> int:
    """Return the kind of the tile that is turned up: tiles are numbered by kind."""
    pick = picks[0]
    kind = 0
    while pick >= state.unseen[kind]:
        pick -= state.unseen[kind]
        kind += 1
    state.unseen[kind] -= 1
    if log:
        log.add("tile_turned_up", row=row + 1, kind=KINDS[kind])
    return kind


def _turn_up_first_row(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    kind = _turn_up(state, 0, picks, log)
    _lay(state, 0, kind, log)
    begin_turn(state, log)


def _refill_row(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.pile -= 1
    kind = _turn_up(state, state.row, picks, log)
    _lay(state, state.row, kind, log)
    state.row += 1
    refill(state)


def _lay(state: State, row: int, kind: int, log: EffectLog | None) -> None:
    """Lay a tile into a row; a settlement goes to its space, and the row is empty (R8)."""
    if SIZES[kind]:
        state.rows[row] = EMPTY
        place_settlement(state, kind, log)
    else:
        state.rows[row] = kind


def _explore(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    discover(state, _turn_up(state, state.row, picks, log), log)


def _roll_war(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    dice = sorted(DICE_FACES[pick] for pick in picks)
    state.war_level = dice[len(dice) // 2]
    if log:
        log.add("war_rolled", dice=dice, level=state.war_level)
    wait_for_nature(state, SET_ASIDE)


def _set_character_aside(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.set_aside = picks[0]
    open_draft(state, log)


def _take_estate(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    seat = state.peer_order[state.place]
    estate = _not_taken(state)[picks[0]]
    state.estate_stack -= 1
    state.estates[seat].append(estate)
    state.estates[seat].sort()
    if log:
        log.add("estate_taken", seat=seat)
        log.add("own_estate_taken", seat_audience(seat), seat=seat, estate=ESTATES[estate])
    resume(state)


def _not_taken(state: State) -> list[int]:
    taken = {*state.estates_used, *(estate for owned in state.estates for estate in owned)}
    return [estate for estate in range(len(ESTATES)) if estate not in taken]


_APPLY = {
    START_ORDER: _order_peers,
    FIRST_ROW: _turn_up_first_row,
    REFILL: _refill_row,
    EXPLORATION: _explore,
    ROLL_WAR: _roll_war,
    SET_ASIDE: _set_character_aside,
    TAKE_ESTATE: _take_estate,
}
