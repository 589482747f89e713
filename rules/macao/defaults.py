"""The move that is played when nobody answers: the least that the rules allow (R50)."""

from collections.abc import Sequence

from rules.kernel.contract.move import Move
from rules.macao import cubes, play
from rules.macao.data import COLOURS
from rules.macao.moves import ChooseDice, DiscardTableauCard
from rules.macao.state import State


def default_move(state: State, legal: Sequence[Move[State]]) -> Move[State]:
    """Return the one of the ``legal`` moves for a seat that does not answer."""
    if state.phase == play.ACTIONS:
        return legal[-1]  # end the turn
    if state.phase == play.CHOOSE_DICE:
        return min(legal, key=lambda move: _dice_sum(state, move))
    if state.phase == play.DRAFT_OVERFLOW:
        return max(legal, key=lambda move: _cost(state, move))
    return legal[0]


def _dice_sum(state: State, move: Move[State]) -> int:
    assert isinstance(move, ChooseDice)  # noqa: S101 - for the type checker
    return sum(play.die_value(state, COLOURS.index(id_)) for id_ in move.colors)


def _cost(state: State, move: Move[State]) -> int:
    assert isinstance(move, DiscardTableauCard)  # noqa: S101 - for the type checker
    tables = state.tables
    return cubes.total(tables.cards[tables.card_index[move.card]].cost)
