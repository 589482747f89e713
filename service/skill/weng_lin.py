"""The update of ratings by one game: the Plackett-Luce model.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning
Research 12, 2011, algorithm 4: a closed form for any number of seats, with ties. A game counts as
one ranking. It does not count as one game of each pair of players, because with four seats that
would count three times the information. The scale is 30 times the paper's, with 1500 in the middle:
between two players with little uncertainty, a difference of 400 means odds of about nine to one.
"""

from collections.abc import Sequence
from math import exp, fsum, sqrt
from typing import NamedTuple

FORMULA = 2
"""The version of the formula below. Another formula needs another number: see ``progress.PREFIX``.
"""

DIGITS = 6
"""Number of decimal digits that are stored, so that rounding errors of a machine do not matter."""


class Rating(NamedTuple):
    """The belief about a player's strength: its mean and standard deviation."""

    mean: float
    deviation: float

    @property
    def lower(self) -> float:
        """The lower bound of the strength; lists of players are sorted by it."""
        return self.mean - 2 * self.deviation

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to compare it with others."""
        return self.deviation > PROVISIONAL


NEW = Rating(1500.0, 250.0)
PROVISIONAL = 175.0
"""The deviation above which a rating is provisional. Newcomers who play each other need 15 to 25
games to get below it (docs/api/host.md).
"""

BETA = NEW.deviation / 2
"""The deviation of one player's performance from game to game."""
TAU = NEW.deviation / 100
"""The drift of strength from one game to the next, so that uncertainty never vanishes.

The drift is not in the paper, but in TrueSkill (Herbrich, Minka and Graepel, 2007).
"""
KAPPA = 1e-4
"""The minimum factor of a variance (the paper's formula 28)."""


def after_game(before: Sequence[Rating], ranks: Sequence[int], weight: float = 1.0) -> list[Rating]:
    """Return the ratings after a game, given the players' ranks: 1 is best, ties are equal.

    A game with a ``weight`` below 1 has that part of the effect: the drift before it, the step of
    the mean, and what it takes away from the variance are multiplied by the weight.
    """
    variances = [rating.deviation**2 + weight * TAU**2 for rating in before]
    c = sqrt(fsum(variance + BETA**2 for variance in variances))
    strengths = [exp((rating.mean - NEW.mean) / c) for rating in before]
    left = [  # for each player, the sum of the strengths of all who are not ranked better
        fsum(s for s, other in zip(strengths, ranks, strict=True) if other >= rank)
        for rank in ranks
    ]
    found = []
    for player, (rating, variance) in enumerate(zip(before, variances, strict=True)):
        slope, bend = [], []
        for choice, rank in enumerate(ranks):
            if rank <= ranks[player]:
                chance, ties = strengths[player] / left[choice], ranks.count(rank)
                slope.append(((choice == player) - chance) / ties)
                bend.append(chance * (1 - chance) / ties)
        mean = rating.mean + weight * variance / c * fsum(slope)
        shrink = 1 - weight * sqrt(variance) / c * variance / c**2 * fsum(bend)
        deviation = sqrt(variance * max(shrink, KAPPA))
        found.append(Rating(round(mean, DIGITS), round(deviation, DIGITS)))
    return found
