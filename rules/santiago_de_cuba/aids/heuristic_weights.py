"""The weights of the heuristic: from experience, not from the rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a VP unless stated otherwise.

    Instances compare by identity: derived values are cached by instance.
    """

    peso: int = 509
    """Each of the first six; from the seventh on half."""
    peso_at_the_end: int = 175
    """While the last ship is loaded."""
    demanded: int = 59
    """The share of a demanded good's VP, in percent: another player may load first."""
    next_ship: int = 1075
    """Each of the first two of a good that this ship does not take."""
    kept: int = 465
    """Each further one, and each that no ship will take."""
    owned_per_ship: int = 343
    """An own building, for each ship that is still to leave."""

    gift: int = 659
    """The outstanding tribute, for each building that it is owed for."""
    choice_of_goods: int = 1193
    """The next choice of goods."""
    lawyer: int = 1121
    """The next use of Alonso."""
    own_loading: int = 31
    """The bonus on each VP that can be loaded at once, in percent."""
    loading: int = 14
    """The same for those whose turn to load comes later."""
    threat: int = 32
    """The share of the goods that the next player can load at once, in percent."""

    casino: int = 95
    """For each VP that the pesos buy, and one more."""
    port_office: int = 273
    port_office_goods: int = 66
    """The bonus on each VP that could be loaded now."""
    sawmill: int = 739
    customs: int = 315


WEIGHTS = Weights()
