"""The table of a game's phases: its sequence of play at a glance."""

from typing import NamedTuple


class Phase(NamedTuple):
    """The decider of a phase, its types of move, and the possible next phases.

    A phase without moves waits for a draw, or is the end.
    """

    asks: str
    moves: tuple[str, ...]
    leads_to: tuple[str, ...]
