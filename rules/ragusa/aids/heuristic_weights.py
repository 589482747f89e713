"""The weights of the heuristic: from experience, not from the rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a VP unless stated otherwise.

    Access has its full value while all houses are still to come, less as they run out.
    """

    others: int = 55
    """The deduction for a VP of the best opponent, during play, in percent."""

    fish: tuple[int, ...] = (0, 500, 1600, 2100, 3000, 3400, 4200, 4500, 5000)
    wood: tuple[int, ...] = (0, 1800, 3600, 4680, 5220, 5490, 5670, 5760, 5850)
    stone: tuple[int, ...] = (0, 4000, 8000, 12_000, 15_200, 16_800, 17_600, 17_920, 18_080)
    silver_ore: tuple[int, ...] = (0, 5060, 8740, 11_500, 13_800, 15_180, 16_100, 16_560, 17_020)
    grapes: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    olives: tuple[int, ...] = (0, 1870, 3230, 4250, 5100, 5610, 5950, 6120, 6290)
    fish_kept: int = 1200
    """The value of an extra fish at the end: two of them can become any resource."""
    tower: int = 1250
    """The value of an own tower until the end."""

    unit: int = 1200
    """A useful unit; each made beyond the fourth counts half."""
    spare_unit: int = 150
    card: int = 3800
    """A bonus card, except each side's first: one still to be drawn, or kept."""
    known: int = 2800
    """The deduction for a card that the seat knows, because its VP count already."""
    bonus_now: int = 90
    """The share of a VP of a bonus card before it is scored, in percent."""
    chain: int = 95
    """The share of a VP of the chain, in percent."""
    later: int = 102
    """The share of an action that another house may activate, in percent."""
    new_tower: int = 2000
    wall_end: int = 330
    """A built segment of the wall, besides its VP."""
    ship_cost: int = 60
    """The share of the price of a ship's cost, in percent."""
    sold: int = 450
    """The loss with a unit that is sold at the dock."""


WEIGHTS = Weights()
