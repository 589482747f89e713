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

Every round shows cards and rolls dice once, and no choice changes which cards are left in the deck.
So labels, sizes and the meaning of a pick do not depend on the moves. The deck is kept sorted, and
a pick is a position among its remaining cards, so no order can leak.
"""

from rules.kernel.contract import Chance, Draw, shuffle_sizes
from rules.macao import data, phases, play
from rules.macao.state import State

_GOODS = Chance("setup/goods", 1, shuffle_sizes(len(data.GOODS_TILES)))
_OFFICES = Chance("setup/offices", 1, shuffle_sizes(data.ROUNDS * data.OFFICES_PER_ROUND))
_FACES = (data.FACES,) * len(data.COLOURS)
_DICE = tuple(Chance("dice", n, _FACES) for n in range(1, data.ROUNDS + 1))


def _deal(state: State, label: str, n: int, number: int) -> Chance:
    left = len(state.deck)
    return Chance(label, n, tuple(range(left, left - number, -1)))


DRAWS = {
    phases.SHUFFLE_WALL: Draw(
        lambda state: Chance("setup/wall", 1, shuffle_sizes(state.seats)), play.lay_discs
    ),
    phases.SHUFFLE_GOODS: Draw(lambda _: _GOODS, play.lay_goods),
    phases.SHUFFLE_OFFICES: Draw(lambda _: _OFFICES, play.lay_offices),
    phases.REVEAL_INITIAL: Draw(
        lambda state: _deal(state, "cards/initial", 1, state.seats + data.INITIAL_EXTRA),
        play.show_initial,
    ),
    phases.REVEAL_CARDS: Draw(
        lambda state: _deal(state, "cards/round", state.round, data.OTHERS_PER_ROUND), play.reveal
    ),
    phases.ROLL_DICE: Draw(lambda state: _DICE[state.round - 1], play.roll),
}
