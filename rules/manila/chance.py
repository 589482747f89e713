"""The draws of the game.

====================  ==============================  ========================  ========
in the rulebook       drawn here                      label, occurrence         audience
====================  ==============================  ========================  ========
deal_shares           first of all, for all seats     ``setup/shares`` 1        none
draw_starting_player  next, unless an option says it  ``setup/starter`` 1       public
roll_dice             in each movement round, if a    ``roll/dice``             public
                      punt is at sea                  3 × (voyage - 1) + round
====================  ==============================  ========================  ========

A share is picked from the pool that is left, sorted by ware, so a pick's position would tell of
the picks before it. Nobody sees the picks therefore; an effect tells each seat its own wares, and
the supply that is laid out next tells everybody their sum.

The dice of all four wares have their places in a roll, so the dice of a ware are the same whatever
else is at sea. Only those of the punts at sea are rolled: the others have one face here.
"""

from collections.abc import Sequence
from functools import cache

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE as NOBODY
from rules.kernel.contract.effects import EffectLog, seat_audience
from rules.manila.data import ALL_WARES, DEALT, FACES, MOVEMENT_ROUND, MOVEMENTS, POOLS
from rules.manila.play import (
    DEAL_SHARES,
    DRAW_STARTER,
    MOVEMENT,
    continue_setup,
    rounds_begun,
    sail,
)
from rules.manila.state import State, by_ware, ware_ids


def pending(state: State) -> Chance | None:
    """Return the draw that the state waits for, if it waits for one."""
    if state.phase == MOVEMENT:
        movement = rounds_begun(state, MOVEMENT_ROUND)
        return _roll(MOVEMENTS * (state.voyage - 1) + movement, tuple(state.at_sea))
    if state.phase == DEAL_SHARES:
        cards = len(_pool(state))
        sizes = tuple(range(cards, cards - DEALT * state.seats, -1))
        return Chance("setup/shares", 1, sizes, NOBODY)
    if state.phase == DRAW_STARTER:
        return Chance("setup/starter", 1, (state.seats,))
    return None


@cache
def _roll(n: int, at_sea: tuple[int, ...]) -> Chance:
    return Chance("roll/dice", n, tuple(len(FACES) if rolled else 1 for rolled in at_sea))


def _pool(state: State) -> list[int]:
    """The shares that are shuffled for the deal (R10)."""
    return [ware for ware in ALL_WARES for _ in range(POOLS[state.initial_pool])]


def apply(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Apply nature's answer to the pending draw."""
    if state.phase == MOVEMENT:
        sail(state, [FACES[pick] for pick in picks], log)
    elif state.phase == DEAL_SHARES:
        _deal_shares(state, picks, log)
        continue_setup(state)
    else:
        (state.starter,) = picks
        if log:
            log.add("starting_player_drawn", seat=state.starter)
        continue_setup(state)


def _deal_shares(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    pool = _pool(state)
    for seat in range(state.seats):
        wares = [pool.pop(pick) for pick in picks[DEALT * seat : DEALT * (seat + 1)]]
        for ware in wares:
            state.dealt[seat][ware] += 1
            state.supply[ware] -= 1
        state.free[seat] += DEALT
        if log:
            audience = seat_audience(seat)
            log.add("own_shares_dealt", audience, seat=seat, wares=ware_ids(sorted(wares)))
    if log:
        supply: JsonObject = by_ware(state.supply)
        log.add("shares_dealt", count=DEALT, **supply)
