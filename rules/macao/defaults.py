"""The move that is played when nobody answers: the least that the rules allow (R50)."""

from collections.abc import Callable, Sequence
from typing import Any

from rules.kernel.contract import Move
from rules.macao import phases, play
from rules.macao.data import cubes
from rules.macao.state import State


def default_move(state: State, legal: Sequence[Move[State]]) -> Move[State]:
    """Return the one of the ``legal`` moves for a seat that does not answer."""
    if state.phase == phases.ACTIONS:
        return legal[-1]  # end the turn
    deck = state.tables.cards
    least: dict[str, Callable[[Any], int]] = {
        phases.CHOOSE_DICE: lambda move: sum(
            [play.die_value(state, c) for c in cubes.kinds(move.colors)]
        ),
        phases.DRAFT_OVERFLOW: lambda move: -cubes.total(deck[move.card].cost),
    }
    return min(legal, key=least[state.phase]) if state.phase in least else legal[0]
