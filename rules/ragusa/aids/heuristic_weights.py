"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a VP unless it says otherwise.

    Access is worth so much while all houses are still to come, less as they run out.
    """

    others: int = 50
    """What a VP of the best opponent counts, in play, in percent."""

    fish: tuple[int, ...] = (0, 500, 1600, 2100, 3000, 3400, 4200, 4500, 5000)
    wood: tuple[int, ...] = (0, 2000, 4000, 5200, 5800, 6100, 6300, 6400, 6500)
    stone: tuple[int, ...] = (0, 2500, 5000, 7500, 9500, 10_500, 11_000, 11_200, 11_300)
    silver_ore: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    grapes: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    olives: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    tower: int = 1000
    """What a tower of one's own is worth as long."""

    unit: int = 800
    """A unit that will be of use; each made beyond the fourth counts half."""
    spare_unit: int = 150
    card: int = 3500
    """A bonus card that is still to be drawn or chosen."""
    bonus_now: int = 90
    """What a VP of a bonus card counts before it is scored, in percent."""
    chain: int = 95
    """What a VP of the chain counts, in percent."""
    later: int = 70
    """What counts of an action that another house may wake, in percent."""
    new_tower: int = 1300
    wall_end: int = 500
    """A segment of the wall that is built, besides its VP."""
    ship_cost: int = 60
    """What counts of the price of what a ship costs, in percent."""
    sold: int = 400
    """What is lost with a unit that is sold at the dock."""


WEIGHTS = Weights()
