"""The draws of the game.

====================  ==============================  ========================  ========
in the rulebook       drawn here                      label, occurrence         audience
====================  ==============================  ========================  ========
deal_shares           first of all, for all seats     ``setup/shares`` 1        none
draw_starting_player  next, unless an option says it  ``setup/starter`` 1       public
roll_dice             in each movement round, if a    ``roll/dice``             public
                      punt is at sea                  3 × (voyage - 1) + round
====================  ==============================  ========================  ========

A pick is a position among the remaining shares of the pool, which are sorted by ware, so it would
reveal earlier picks. So nobody sees the picks. An effect shows each seat its own wares, and the
supply, which is laid out next, shows everybody the sum of the dealt shares.

In the draw of a roll, each of the four wares has a fixed position, so the die of a ware does not
depend on which other punts are at sea. Only the dice of punts at sea are rolled: the others have
the size 1.
"""

from collections.abc import Sequence
from functools import cache

from rules.kernel.contract import NOBODY_SEES, Chance, Draw, EffectLog, all_seats, seat_audience
from rules.manila import data, effects, play
from rules.manila.data import Ware
from rules.manila.state import State, by_ware


def _pool(state: State) -> list[Ware]:
    """Return the shares that are shuffled for the deal (R10)."""
    return [ware for ware in data.ALL_WARES for _ in range(data.POOLS[state.initial_pool])]


def _deal(state: State) -> Chance:
    cards = len(_pool(state))
    sizes = tuple(range(cards, cards - data.DEALT * state.seats, -1))
    return Chance("setup/shares", 1, sizes, NOBODY_SEES)


def _deal_shares(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    pool = _pool(state)
    for seat in all_seats(state.seats):
        wares = [pool.pop(pick) for pick in picks[data.DEALT * seat : data.DEALT * (seat + 1)]]
        for ware in wares:
            state.dealt[seat][ware] += 1
            state.supply[ware] -= 1
        state.free[seat] += data.DEALT
        effects.OWN_SHARES_DEALT.tell(log, seat_audience(seat), seat=seat, wares=sorted(wares))
    effects.SHARES_DEALT.tell(log, count=data.DEALT, **by_ware(*state.supply))
    play.continue_setup(state)


def _draw_starter(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.starter = all_seats(state.seats)[picks[0]]
    effects.STARTING_PLAYER_DRAWN.tell(log, seat=state.starter)
    play.continue_setup(state)


def _roll(state: State) -> Chance:
    movement = play.rounds_begun(state, data.MOVEMENT_ROUND)
    return _dice(data.MOVEMENTS * (state.voyage - 1) + movement, tuple(state.at_sea))


@cache
def _dice(n: int, at_sea: tuple[Ware, ...]) -> Chance:
    faces = len(data.FACES)
    return Chance("roll/dice", n, tuple(faces if w in at_sea else 1 for w in data.ALL_WARES))


def _sail(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    play.sail(state, [data.FACES[pick] for pick in picks], log)


DRAWS = {
    play.DEAL_SHARES: Draw(_deal, _deal_shares),
    play.DRAW_STARTER: Draw(
        lambda state: Chance("setup/starter", 1, (state.seats,)), _draw_starter
    ),
    play.MOVEMENT: Draw(_roll, _sail),
}
