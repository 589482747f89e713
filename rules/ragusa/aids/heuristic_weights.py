"""The weights of the heuristic, which are not from the rules: estimates, improved by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a VP unless stated otherwise.

    Access has its full value while all houses are still to be built, and loses value with each
    house.
    """

    others: int = 55
    """The deduction for each VP of the best opponent, during play, in percent."""

    fish: tuple[int, ...] = (0, 500, 1600, 2100, 3000, 3400, 4200, 4500, 5000)
    wood: tuple[int, ...] = (0, 1800, 3600, 4680, 5220, 5490, 5670, 5760, 5850)
    stone: tuple[int, ...] = (0, 4000, 8000, 12_000, 15_200, 16_800, 17_600, 17_920, 18_080)
    silver_ore: tuple[int, ...] = (0, 5060, 8740, 11_500, 13_800, 15_180, 16_100, 16_560, 17_020)
    grapes: tuple[int, ...] = (0, 2200, 3800, 5000, 6000, 6600, 7000, 7200, 7400)
    olives: tuple[int, ...] = (0, 1870, 3230, 4250, 5100, 5610, 5950, 6120, 6290)
    fish_kept: int = 1200
    """The value of an extra fish at the end, because two fish can become any resource."""
    tower: int = 1250
    """The value of an own tower at the end."""

    unit: int = 1200
    """The value of a unit that is of use; each unit beyond the fourth counts half."""
    spare_unit: int = 150
    card: int = 3800
    """The value of a bonus card, drawn or still to be drawn; a side's first card does not count."""
    known: int = 2800
    """The deduction for a card that the seat knows, because the VP of the card count separately."""
    bonus_now: int = 90
    """The percentage of a bonus card's present VP that counts."""
    chain: int = 95
    """The share of the chain's VP, in percent."""
    later: int = 102
    """The share of the value of an action that a further house may activate, in percent."""
    new_tower: int = 2000
    wall_end: int = 330
    """The value of a wall that is still to be built, besides its VP."""
    ship_cost: int = 60
    """How much of the market price of a ship's cost is deducted, in percent."""
    sold: int = 450
    """What a unit loses in value when it is sold at the dock."""


WEIGHTS = Weights()
