"""The weights of the heuristic, which are not from the rules: estimates, improved by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a PG unless stated otherwise."""

    rival: int = 22
    """The deduction for each PG of the best rival, in percent."""

    ducat: int = 359
    """The expected gain of each of the first eight ducats when all turns are left; it falls with
    the turns, and so do the next weights.
    """
    active: int = 685
    tired: int = 271
    rosette: int = 426
    reserve: int = 264
    step: int = 99
    place: int = 144
    """The expected gain for each rival behind the seat in the peer order."""
    natives: int = 730
    magellan: int = 542

    bull: int = 1606
    """An unspent bull: its PG at the end (R24), and the action for which it can pay."""
    won: int = 825
    """The value of a tercio in a war with as many tercios as its level."""
    open_war: int = 228
    """The value of a tercio in a war with room left."""
    honour: int = 926
    """The value of the constable for each own tercio in such a war."""
    bid_wins: int = 813
    bid_costs: int = 263

    cards: tuple[int, ...] = (1936, 2227, 2130, 968, 0, 1210, 0, 1694, 0)
    """The expected gain of each character's card; 0 if it depends on the position."""
    king: int = 1045
    """The value of the king, besides the PG of his favour."""
    conquistador: int = 1294
    known_world: int = 1049
    """The value of the conquistador when no tile is face down any more."""
    viceroy: int = 1090
    crowded: int = 862
    """The value of the viceroy if there is no room for a house."""
    forfeited: int = 961
    """The cost of a forfeited action."""


WEIGHTS = Weights()
