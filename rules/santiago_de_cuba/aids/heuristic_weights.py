"""The weights of the heuristic, which are not from the rules: estimates, improved by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a VP unless stated otherwise.

    Two instances are never equal, even if all their weights are. An instance is the key under which
    values computed from it are cached.
    """

    peso: int = 509
    """The value of each of the first six pesos; further pesos count half."""
    peso_at_the_end: int = 175
    """The value of a peso while the last ship is loaded."""
    demanded: int = 59
    """The share of a demanded good's VP, in percent: another player may load first."""
    next_ship: int = 1075
    """The value of each of the first two units of a good beyond what this ship takes."""
    kept: int = 465
    """The value of each unit beyond these two, and of each unit that no ship will take."""
    owned_per_ship: int = 343
    """The value of a building for its owner, for each ship that is still to leave."""

    gift: int = 659
    """The value of the tribute for its receiver, for each player who still owes it."""
    choice_of_goods: int = 1193
    """The value of the next choice of goods."""
    lawyer: int = 1121
    """The value of the next use of Alonso."""
    own_loading: int = 31
    """The bonus of the deciding seat for each VP that it can load at once, in percent."""
    loading: int = 14
    """The bonus of the other seats for each VP that they can load, in percent."""
    threat: int = 32
    """How much of the VP that the next driver could load at once counts, in percent."""

    casino: int = 95
    """The value of the casino for each VP that the seat's pesos buy, and for one VP more."""
    port_office: int = 273
    port_office_goods: int = 66
    """The bonus for each VP that could be loaded now."""
    sawmill: int = 739
    customs: int = 315


WEIGHTS = Weights()
