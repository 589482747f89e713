"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a PG unless it says otherwise."""

    rival: int = 22
    """What a PG of the best rival takes away, in percent."""

    ducat: int = 359
    """Means: what they may still bring if all turns are left, less as these run out."""
    active: int = 685
    tired: int = 271
    rosette: int = 426
    reserve: int = 264
    step: int = 99
    place: int = 144
    """Each rival who is behind in the order."""
    natives: int = 730
    magellan: int = 542

    bull: int = 1606
    """A bull that can still be spent: its PG at the end (R24), and the action that it pays for."""
    won: int = 825
    """A tercio in a matched war."""
    open_war: int = 228
    """A tercio in a war that still takes some."""
    honour: int = 926
    """The constable in a matched war, for each tercio."""
    bid_wins: int = 813
    bid_costs: int = 263

    cards: tuple[int, ...] = (1936, 2227, 2130, 968, 0, 1210, 0, 1694, 0)
    """What a card still promises, by character; 0 where that depends on the table."""
    king: int = 1045
    """The king, besides his favour."""
    conquistador: int = 1294
    known_world: int = 1049
    """The conquistador, where nothing lies face down."""
    viceroy: int = 1090
    crowded: int = 862
    """The viceroy who can give no house."""
    forfeited: int = 961
    """What it costs to have forfeited an action."""


WEIGHTS = Weights()
