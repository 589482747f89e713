"""Leads in points: factors that turn leads of the heuristic into leads of final scores.

A heuristic is made to order moves, so its leads may be, for instance, twice the final ones.
``aids/leads.json`` of a ruleset has a factor for each number of seats and each third of a game;
``python -m tools.points`` computes these factors.
"""

from collections.abc import Sequence
from typing import Any, Literal

from rules.kernel.contract import published
from rules.kernel.contract.ruleset import GameOver, Ruleset
from workers.bots.worlds import MILLI, Position, leads

Teller = Literal["analysis", "thoughts"]
"""The source of leads: an analysis, or a bot's thoughts. Thoughts use fewer worlds, so their
factors are smaller.
"""


class Scale:
    """The factors that turn leads into points, by how much of the game is over.

    ``thirds`` has the factor of each third in thousandths; it is 1000 if nobody has measured it.
    """

    def __init__(self, ruleset: Ruleset[Any], seats: int, teller: Teller) -> None:
        found = published.leads(ruleset).get(str(seats), {})
        self.thirds: Sequence[int] = found.get(teller, [MILLI] * 3)

    def at(self, done: int, steps: int) -> int:
        """Return the factor (thousandths) after ``done`` of a game's ``steps``.

        The factor of a third is exact in the middle of the third. Between two middles it is
        interpolated, so that leads do not jump.
        """
        first, middle, last = self.thirds
        # 6 times the steps since the middle of the first third; the middle of the last third is at
        # 4 * steps
        place = min(max(6 * done - steps, 0), 4 * steps)
        if place <= 2 * steps:
            return first + (middle - first) * place // (2 * steps)
        return middle + (last - middle) * (place - 2 * steps) // (2 * steps)


def is_over(position: Position) -> bool:
    """Whether the game of a position is over."""
    return isinstance(position.turn, GameOver)


def raw_leads(ruleset: Ruleset[Any], position: Position) -> list[int]:
    """Return each seat's lead over the mean of the others, not scaled.

    Leads are in thousandths of a point. If the game is over, they compare the final scores;
    otherwise they compare the values of the heuristic.
    """
    looks = ruleset.heuristic(position.state)
    if not is_over(position):
        return leads(looks)
    sides = ruleset.result(position.state).standings[: len(looks)]
    return leads([MILLI * side.score for side in sides])


def told(raw: Sequence[int], scale: int, *, over: bool) -> list[int]:
    """Return leads in thousandths of a point, scaled by ``scale`` unless the game is ``over``."""
    return [*raw] if over else [lead * scale // MILLI for lead in raw]
