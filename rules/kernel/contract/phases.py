"""The table of a game's phases, which shows its sequence of play."""

from typing import NamedTuple


class Phase(NamedTuple):
    """A phase: who decides, the types of move, and the possible next phases.

    In a phase without moves, the game waits for a draw or is over.
    """

    asks: str
    moves: tuple[str, ...]
    leads_to: tuple[str, ...]
