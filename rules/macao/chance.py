"""The draws of the game.

===================  ============================  =======================  ========
in the rulebook      drawn here                    label, occurrence        audience
===================  ============================  =======================  ========
wall_order_shuffled  first of all                  ``setup/wall`` 1         public
goods_shuffled       next                          ``setup/goods`` 1        public
offices_shuffled     next: they lie open           ``setup/offices`` 1      public
bp_deck_shuffled     not at all: the cards of the  ``cards/initial`` 1,     public
                     first draft and of round r    ``cards/round`` r
                     are drawn when they are shown
dice_rolled          in round r                    ``dice`` r               public
===================  ============================  =======================  ========

Every round shows and rolls once, whatever anybody does, and no choice changes what is left of the
deck: labels, sizes and what a pick means are the same under different play. The deck is kept
sorted and a pick is a position in what is left of it, so there is no order to leak.
"""

from collections.abc import Sequence

from rules.kernel.contract.chance import Chance, shuffle_sizes, shuffled
from rules.kernel.contract.effects import EffectLog
from rules.macao import play
from rules.macao.data import (
    COLOURS,
    FACES,
    GOODS,
    GOODS_COPIES,
    INITIAL_EXTRA,
    OFFICES_PER_ROUND,
    OTHERS_PER_ROUND,
    ROUNDS,
)
from rules.macao.state import State

_TILES = [good for good in range(len(GOODS)) for _ in range(GOODS_COPIES)]
_GOODS = Chance("setup/goods", 1, shuffle_sizes(len(_TILES)))
_OFFICES = Chance("setup/offices", 1, shuffle_sizes(ROUNDS * OFFICES_PER_ROUND))
_DICE = tuple(Chance("dice", n, (FACES,) * len(COLOURS)) for n in range(1, ROUNDS + 1))


def pending(state: State) -> Chance | None:
    """Return the draw that the state waits for, if it waits for one."""
    match state.phase:
        case play.ROLL_DICE:
            return _DICE[state.round - 1]
        case play.REVEAL_CARDS:
            return Chance("cards/round", state.round, _deals(state, OTHERS_PER_ROUND))
        case play.SHUFFLE_WALL:
            return Chance("setup/wall", 1, shuffle_sizes(state.seats))
        case play.SHUFFLE_GOODS:
            return _GOODS
        case play.SHUFFLE_OFFICES:
            return _OFFICES
        case play.REVEAL_INITIAL:
            return Chance("cards/initial", 1, _deals(state, state.seats + INITIAL_EXTRA))
    return None


def apply(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Apply nature's answer to the pending draw."""
    match state.phase:
        case play.ROLL_DICE:
            play.roll(state, [pick + 1 for pick in picks], log)
        case play.REVEAL_CARDS:
            play.reveal(state, _deal(state, picks), log)
        case play.SHUFFLE_WALL:
            play.lay_discs(state, shuffled(range(state.seats), picks), log)
        case play.SHUFFLE_GOODS:
            play.lay_goods(state, shuffled(_TILES, picks), log)
        case play.SHUFFLE_OFFICES:
            play.lay_offices(state, tuple(shuffled(state.tables.offices, picks)), log)
        case play.REVEAL_INITIAL:
            play.show_initial(state, _deal(state, picks), log)


def _deals(state: State, number: int) -> tuple[int, ...]:
    left = len(state.deck)
    return tuple(range(left, left - number, -1))


def _deal(state: State, picks: Sequence[int]) -> list[int]:
    return [state.deck.pop(pick) for pick in picks]
