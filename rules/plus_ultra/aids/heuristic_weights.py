"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a PG unless it says otherwise."""

    rival: int = 25
    """What a PG of the best rival takes away, in percent."""

    ducat: int = 420
    """Means: what they may still bring if all turns are left, less as these run out."""
    active: int = 500
    tired: int = 250
    rosette: int = 600
    reserve: int = 300
    step: int = 350
    place: int = 150
    """Each rival who is behind in the order."""
    natives: int = 800
    magellan: int = 500

    bull: int = 2000
    """A bull that can still be spent: its PG at the end (R24), and as much for the action.

    With 2500, greedy buys two a game and comes first less often among two players.
    """
    won: int = 1000
    """A tercio in a matched war."""
    open_war: int = 350
    """A tercio in a war that still takes some."""
    honour: int = 1000
    """The constable in a matched war, for each tercio."""
    bid_wins: int = 800
    bid_costs: int = 300

    cards: tuple[int, ...] = (2600, 3000, 2800, 1200, 0, 1600, 0, 2200, 0)
    """What a card still promises, by character; 0 where that depends on the table."""
    king: int = 600
    """The king, besides his favour."""
    conquistador: int = 2200
    known_world: int = 1200
    """The conquistador, where nothing lies face down."""
    viceroy: int = 1800
    crowded: int = 800
    """The viceroy who can give no house."""
    forfeited: int = 1000
    """What it costs to have forfeited an action."""


WEIGHTS = Weights()
