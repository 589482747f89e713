"""How good a state looks for each seat."""

from rules.kernel.contract import all_seats
from rules.santiago_de_cuba import play
from rules.santiago_de_cuba.aids.heuristic_1 import heuristic_1
from rules.santiago_de_cuba.scoring import final_vp
from rules.santiago_de_cuba.state import State


def heuristic(state: State) -> list[int]:
    """Return how good this looks for each seat, in thousandths of a point."""
    seats = all_seats(state.seats)
    if state.phase == play.GAME_OVER:  # R47
        finals = [
            10_000 * final_vp(state, seat)
            + 100 * sum(state.goods[seat])
            + min(state.pesos[seat], 99)
            for seat in seats
        ]
        return [final - max([*finals[:s], *finals[s + 1 :]]) for s, final in enumerate(finals)]
    return [round(1000 * heuristic_1(state, seat)) for seat in seats]
