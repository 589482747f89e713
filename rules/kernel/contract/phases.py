"""The table of a game's phases, in which its sequence of play is seen at one glance."""

from typing import NamedTuple


class Phase(NamedTuple):
    """Who is asked, for which types of move, and the phases that can follow.

    A phase without moves waits for nature, or for nobody.
    """

    asks: str
    moves: tuple[str, ...]
    leads_to: tuple[str, ...]
