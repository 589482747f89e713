"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a VP unless it says otherwise.

    Access is worth so much while all houses are still to come, less as they run out.
    """

    others: int = 55
    """What a VP of the best opponent counts, in play, in percent."""

    fish: tuple[int, ...] = (0, 500, 1600, 2100, 3000, 3400, 4200, 4500, 5000)
    wood: tuple[int, ...] = (0, 1800, 3600, 4680, 5220, 5490, 5670, 5760, 5850)
    stone: tuple[int, ...] = (0, 4000, 8000, 12_000, 15_200, 16_800, 17_600, 17_920, 18_080)
    silver_ore: tuple[int, ...] = (0, 5060, 8740, 11_500, 13_800, 15_180, 16_100, 16_560, 17_020)
    grapes: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    olives: tuple[int, ...] = (0, 1870, 3230, 4250, 5100, 5610, 5950, 6120, 6290)
    fish_kept: int = 1200
    """A fish besides, to the end: two of them can become whatever is short."""
    tower: int = 1250
    """What a tower of one's own is worth as long."""

    unit: int = 1200
    """A unit that will be of use; each made beyond the fourth counts half."""
    spare_unit: int = 150
    card: int = 3800
    """A bonus card, but for each side's first: one that is still to be drawn, or was kept."""
    known: int = 2800
    """How much less a seat counts for a card that it knows, for its VP count, too."""
    bonus_now: int = 90
    """What a VP of a bonus card counts before it is scored, in percent."""
    chain: int = 95
    """What a VP of the chain counts, in percent."""
    later: int = 102
    """What counts of an action that another house may wake, in percent."""
    new_tower: int = 2000
    wall_end: int = 330
    """A segment of the wall that is built, besides its VP."""
    ship_cost: int = 60
    """What counts of the price of what a ship costs, in percent."""
    sold: int = 450
    """What is lost with a unit that is sold at the dock."""


WEIGHTS = Weights()
