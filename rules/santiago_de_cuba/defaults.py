"""The move that is played when nobody answers: the least that the rules allow (R56)."""

from collections.abc import Sequence

from rules.kernel.contract.move import Move
from rules.santiago_de_cuba.data import GOOD
from rules.santiago_de_cuba.moves import ChooseDemand, GiveTribute
from rules.santiago_de_cuba.play import (
    ALONSO,
    CHOOSE_DEMAND,
    LOADING_ROUND,
    TRIBUTE,
    USE_BUILDING,
)
from rules.santiago_de_cuba.state import State


def default_move(state: State, legal: Sequence[Move[State]]) -> Move[State]:
    """Return the one of the ``legal`` moves for a seat that does not answer."""
    if state.phase == CHOOSE_DEMAND:
        return min(legal, key=lambda move: _rolled(state, move))
    if state.phase == TRIBUTE:
        return min(legal, key=_gift_order)
    if state.phase in (LOADING_ROUND, ALONSO, USE_BUILDING):
        return legal[-1]  # to pass, to decline, to skip
    return legal[0]


def _rolled(state: State, move: Move[State]) -> int:
    assert isinstance(move, ChooseDemand)  # noqa: S101 - for the type checker
    return state.roll[GOOD[move.leave_out]]


def _gift_order(move: Move[State]) -> int:
    assert isinstance(move, GiveTribute)  # noqa: S101 - for the type checker
    return (GiveTribute.PESO, GiveTribute.GOOD, GiveTribute.VP).index(move.kind)
