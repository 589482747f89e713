"""How good a state looks for each seat."""

from rules.kernel.contract import all_seats
from rules.macao.aids.heuristic_1 import heuristic_1
from rules.macao.state import State


def heuristic(state: State) -> list[int]:
    """Return how good this looks for each seat, in thousandths of a point."""
    return [round(1000 * heuristic_1(state, seat)) for seat in all_seats(state.seats)]
