"""The table of a game's phases, in which its sequence of play is seen at one glance."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Decision


class Phase(NamedTuple):
    """Who is asked, for which types of move, and the phases that can follow.

    A phase without moves waits for nature, or for nobody.
    """

    asks: str
    moves: tuple[str, ...]
    leads_to: tuple[str, ...]


def decisions(phases: Mapping[str, Phase], seats: int) -> dict[str, tuple[Decision, ...]]:
    """Return, for each phase that asks one seat at a time, the decision of each of ``seats``."""
    return {
        name: tuple(Decision(name, (seat,)) for seat in range(seats))
        for name, phase in phases.items()
        if phase.moves
    }


def moves_in(
    phases: Mapping[str, Phase], move_types: Sequence[type[Move[Any]]]
) -> dict[str, tuple[type[Move[Any]], ...]]:
    """Return, for each phase, its types of move in the order of ``move_types``."""
    return {
        name: tuple(type_ for type_ in move_types if type_.type in phase.moves)
        for name, phase in phases.items()
    }
