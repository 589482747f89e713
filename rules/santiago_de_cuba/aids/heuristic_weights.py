"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a VP unless it says otherwise.

    Each is itself and equal to no other: what was worked out by it is remembered with it.
    """

    peso: int = 509
    """Each of the first six; each from the seventh on counts half."""
    peso_at_the_end: int = 175
    """While the last ship is loaded."""
    demanded: int = 59
    """What counts of a demanded good's VP, in percent: somebody else may load first."""
    next_ship: int = 1075
    """Each of the first two of a good that this ship does not take."""
    kept: int = 465
    """Each further one, and each that no ship will take."""
    owned_per_ship: int = 343
    """A building that one owns, for each ship that is still to leave."""

    gift: int = 659
    """What is still to be had of a tribute, for each building it is owed for."""
    choice_of_goods: int = 1193
    """To have the next choice of goods."""
    lawyer: int = 1121
    """To be about to use Alonso."""
    own_loading: int = 31
    """What more each VP counts that can be loaded at once, in percent."""
    loading: int = 14
    """The same for those whose turn to load comes later."""
    threat: int = 32
    """What counts of all that the next player can load at once, in percent."""

    casino: int = 95
    """For each VP that the pesos buy, and one more."""
    port_office: int = 273
    port_office_goods: int = 66
    """More for each VP for which one could load now."""
    sawmill: int = 739
    customs: int = 315


WEIGHTS = Weights()
