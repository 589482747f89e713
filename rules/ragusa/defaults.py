"""The move that is played when nobody answers: to decline, or the first."""

from collections.abc import Sequence

from rules.kernel.contract.move import Move
from rules.ragusa.state import State


def default_move(legal: Sequence[Move[State]]) -> Move[State]:
    """Return the one of the ``legal`` moves for a seat that does not answer.

    It gives no fish away: nobody has to exchange (R1).
    """
    if legal[-1].type == "decline":
        return legal[-1]
    return next(move for move in legal if move.type != "exchange_fish")
