"""Means with their standard errors, as integers, so that they are the same on every machine."""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from rules.kernel.canonical import JsonObject

SURE = 2
"""Number of standard errors above which a mean is significant."""


class Estimate(NamedTuple):
    """A mean of trials, and its standard error, both in thousandths of a point."""

    mean: int
    error: int

    @property
    def is_cost(self) -> bool:
        """Whether the mean is above zero by more than chance explains."""
        return self.mean > 0 and self.mean >= SURE * self.error

    def to_json(self) -> JsonObject:
        """Return ``{"mean", "error"}``."""
        return self._asdict()


NOTHING = Estimate(0, 0)


def measured(values: Sequence[int]) -> Estimate:
    """Return the mean of at least two values, rounded, and the standard error of that mean."""
    count, total = len(values), sum(values)
    spread = count * sum(value * value for value in values) - total * total
    return Estimate(_rounded(total, count), isqrt(spread // (count * count * (count - 1))))


def total(parts: Sequence[Estimate]) -> Estimate:
    """Return the sum of independent estimates."""
    return Estimate(sum(part.mean for part in parts), isqrt(sum(part.error**2 for part in parts)))


def _rounded(value: int, by: int) -> int:
    return (2 * value + by) // (2 * by)
