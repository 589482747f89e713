"""What luck of each game's own costs in games: ``python -m tools.own_luck`` prints a table.

It reads the blocks that ``tools.levels`` has played, in which all games have the same luck. An
entry's points in a block are the sum of its points on each seat. If each game had luck of its own,
the variance of this sum would be the sum of the variances of the seats. The ratio of the two is the
number of games that own luck needs for a band as narrow as that of one game with shared luck. Its
band is bootstrapped over blocks.
"""

from collections.abc import Iterator, Sequence
from math import fsum
from pathlib import Path
from statistics import variance
from typing import NamedTuple

import click
import orjson

from service.tournaments.figures.bands import drawings
from tools.levels import FOLDER

FEWEST_BLOCKS = 30
SAMPLES = 1_000
LOW, HIGH = 0.025, 0.975

Block = Sequence[float]
"""The points of an entry in a block, by its seat."""


class Cost(NamedTuple):
    """The cost of own luck in a series of blocks: how many times as many games it needs."""

    series: str
    blocks: int
    times: float
    low: float
    high: float


def times(blocks: Sequence[Block]) -> float:
    """Return how many times as many games own luck needs."""
    own = fsum(map(variance, zip(*blocks, strict=True)))
    shared: float = variance(map(fsum, blocks))
    return own / shared


def cost(series: str, blocks: Sequence[Block]) -> Cost:
    """Return the cost in a series, with its band."""
    drawn = sorted(_weighted(blocks, weights) for weights in drawings(len(blocks), SAMPLES, series))
    low, high = (drawn[round(share * (SAMPLES - 1))] for share in (LOW, HIGH))
    return Cost(series, len(blocks), times(blocks), low, high)


def costs(folder: Path = FOLDER) -> Iterator[Cost]:
    """Yield the cost in each series that has enough blocks."""
    for file in sorted(folder.glob("*.ndjson")):
        _head, *lines = map(orjson.loads, file.read_bytes().splitlines())
        blocks = [[game[0] for game in line] for line in lines if isinstance(line, list)]
        if len(blocks) >= FEWEST_BLOCKS:
            yield cost(file.stem, blocks)


def _weighted(blocks: Sequence[Block], weights: Sequence[float]) -> float:
    """Return ``times`` if the blocks have these weights."""
    own = fsum(_variance(seat, weights) for seat in zip(*blocks, strict=True))
    return own / _variance([fsum(block) for block in blocks], weights)


def _variance(found: Sequence[float], weights: Sequence[float]) -> float:
    total = fsum(weights)
    mean = fsum(w * x for w, x in zip(weights, found, strict=True)) / total
    return fsum(w * (x - mean) ** 2 for w, x in zip(weights, found, strict=True)) / total


@click.command()
def main() -> None:
    """Print the cost in each series of played blocks."""
    for each in costs():
        click.echo(
            f"{each.series:42} {each.blocks:3} blocks  {each.times:.2f}"
            f" ({each.low:.2f} to {each.high:.2f})"
        )


if __name__ == "__main__":
    main()
