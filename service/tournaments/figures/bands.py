"""Bands: confidence intervals of figures, by bootstrap over blocks.

The games of a block share their luck, so blocks are resampled instead of games. Each drawing gives
every block a random weight from the standard exponential distribution, so that no block is left
out: Rubin, "The Bayesian bootstrap", Annals of Statistics 9(1), 1981. One game won and one game
lost are added, so that a band has some width even after 30 wins in 30 games: Laplace's rule, close
to Agresti and Coull, "Approximate is better than exact", American Statistician 52(2), 1998. For few
blocks a band is widened by the ratio of Student's distribution to the normal one: Hesterberg, "What
teachers should know about the bootstrap", American Statistician 69(4), 2015.
"""

import random
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import NamedTuple, TypeVar

from rules.kernel.canonical import digest

SAMPLES = 2_000
FEWEST = 5
"""Minimum number of blocks, or groups, for a band."""

MOST_GROUPS = 500
"""Maximum number of groups: more blocks than this are grouped, to save hours of drawing."""

LOW, HIGH = 0.025, 0.975
NORMAL = 1.959964
"""The normal quantile for HIGH, in standard deviations."""

_SMALLEST = 5e-324
"""The value used in place of 0, which ``random()`` returns once in 2 ** 53 times."""

T = TypeVar("T")


class Band(NamedTuple):
    """An interval that holds the true figure in 95 of 100 tournaments."""

    low: float
    high: float


def groups(blocks: Sequence[T]) -> list[Sequence[T]]:
    """Return the units of the bootstrap: single blocks, or groups if there are too many blocks.

    The number of groups is then ``MOST_GROUPS``. Wolter, "Introduction to variance estimation",
    2007, chapter 2: if groups are formed without knowledge of the results, the variance can be
    estimated from the groups as well as from their members.
    """
    return [blocks[first::MOST_GROUPS] for first in range(min(MOST_GROUPS, len(blocks)))]


def drawings(weights: int, samples: int, seed: str, first: int = 0) -> Iterator[list[float]]:
    """Yield the random weights of each drawing from ``first`` up to ``samples``.

    Equal seeds give equal weights, because only the method ``random.Random.random()`` is used. Its
    numbers are the same in every version of Python.
    """
    uniform = random.Random(int.from_bytes(digest(seed.encode()))).random  # noqa: S311 - statistics
    for _ in range(first * weights):
        uniform()
    for _ in range(first, samples):
        yield [-log(uniform() or _SMALLEST) for _ in range(weights)]


def band(estimate: float, drawn: Sequence[float], drawn_from: int) -> Band:
    """Return the band of a figure; ``drawn`` are its values in the drawings.

    ``drawn_from`` is the number of blocks or groups behind it.
    """
    last = len(drawn) - 1
    ordered = sorted(drawn)
    low, high = ordered[round(LOW * last)], ordered[round(HIGH * last)]
    wider = _stretch(drawn_from)
    return Band(
        estimate + wider * min(0.0, low - estimate), estimate + wider * max(0.0, high - estimate)
    )


def _stretch(count: int) -> float:
    """Return the factor by which a band from ``count`` units has to be widened.

    It is the ratio of Student's quantile to the normal one (Abramowitz and Stegun, 26.7.5), times
    the ratio of a mean's deviation to the deviation of its drawings.
    """
    z, free = NORMAL, count - 1
    student = (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )
    return student / z * sqrt((count + 1) / (count - 1))
