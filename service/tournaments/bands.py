"""Bands by bootstrap over blocks: the games of a block share their luck, so they go together."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from rules.kernel.canonical import digest

T = TypeVar("T")

LOW, HIGH = 0.025, 0.975


class Band(NamedTuple):
    """What 95 of 100 resampled tournaments lie between."""

    low: float
    high: float


def bands(
    blocks: Sequence[T],
    figures: Callable[[Sequence[T]], Sequence[float]],
    samples: int,
    seed: str,
) -> list[Band] | None:
    """Return a band for each of the ``figures`` of these blocks; None if there are too few.

    Equal seeds give equal bands: of ``random.Random`` only ``random()`` is used, whose numbers
    are the same in every version of Python.
    """
    if len(blocks) < 2 or samples < 1:
        return None
    uniform = random.Random(int.from_bytes(digest(seed.encode()))).random  # noqa: S311 - statistics
    count = len(blocks)
    found = [
        figures([blocks[int(uniform() * count)] for _ in range(count)]) for _ in range(samples)
    ]
    return [_percentiles(sorted(column)) for column in zip(*found, strict=True)]


def _percentiles(values: Sequence[float]) -> Band:
    last = len(values) - 1
    return Band(values[round(LOW * last)], values[round(HIGH * last)])
