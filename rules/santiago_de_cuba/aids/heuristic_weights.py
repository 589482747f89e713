"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a VP unless it says otherwise.

    Each is itself and equal to no other: what was worked out by it is remembered with it.
    """

    peso: int = 400
    """Each of the first six; each from the seventh on counts half."""
    peso_at_the_end: int = 150
    """While the last ship is loaded."""
    demanded: int = 70
    """What counts of a demanded good's VP, in percent: somebody else may load first."""
    next_ship: int = 1000
    """Each of the first two of a good that this ship does not take."""
    kept: int = 333
    """Each further one, and each that no ship will take."""
    owned_per_ship: int = 500
    """A building that one owns, for each ship that is still to leave."""

    gift: int = 600
    """What is still to be had of a tribute, for each building it is owed for."""
    choice_of_goods: int = 1200
    """To have the next choice of goods."""
    lawyer: int = 1600
    """To be about to use Alonso."""
    own_loading: int = 30
    """What more each VP counts that can be loaded at once, in percent."""
    loading: int = 15
    """The same for those whose turn to load comes later."""
    threat: int = 35
    """What counts of all that the next player can load at once, in percent."""

    casino: int = 100
    """For each VP that the pesos buy, and one more."""
    port_office: int = 300
    port_office_goods: int = 75
    """More for each VP for which one could load now."""
    sawmill: int = 700
    customs: int = 300


WEIGHTS = Weights()
