"""The score of a position, for the lead over time."""

from rules.ragusa.data import Side
from rules.ragusa.scoring import score_side
from rules.ragusa.state import State


def score_now(state: State, side: Side) -> int:
    """Return the VP of ``side`` as if the game ended now, with the final scoring (R31)."""
    then = state.copy()
    if then.end_reason is None:
        score_side(then, side, None)
    return sum(then.vp[side])
