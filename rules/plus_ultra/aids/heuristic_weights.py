"""The weights of the heuristic: from experience, not from the rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a PG unless stated otherwise."""

    rival: int = 22
    """The deduction for a PG of the best rival, in percent."""

    ducat: int = 359
    """Means: their expected gain with all turns left, less as these run out."""
    active: int = 685
    tired: int = 271
    rosette: int = 426
    reserve: int = 264
    step: int = 99
    place: int = 144
    """Each rival behind in the order."""
    natives: int = 730
    magellan: int = 542

    bull: int = 1606
    """An unspent bull: its PG at the end (R24), and the action that it pays for."""
    won: int = 825
    """A tercio in a matched war."""
    open_war: int = 228
    """A tercio in a war with room left."""
    honour: int = 926
    """The value of the constable in a matched war, for each tercio."""
    bid_wins: int = 813
    bid_costs: int = 263

    cards: tuple[int, ...] = (1936, 2227, 2130, 968, 0, 1210, 0, 1694, 0)
    """The expected gain of a card, by character; 0 if it depends on the table."""
    king: int = 1045
    """The value of the king, besides his favour."""
    conquistador: int = 1294
    known_world: int = 1049
    """The value of the conquistador when no tile is face down."""
    viceroy: int = 1090
    crowded: int = 862
    """The value of the viceroy without room for a house."""
    forfeited: int = 961
    """The cost of a forfeited action."""


WEIGHTS = Weights()
