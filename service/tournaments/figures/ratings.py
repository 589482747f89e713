"""Ratings of fixed entrants: one Bradley-Terry model for all their games together.

A game is a comparison of every two of its seats that belong to different entries. The entry of the
seat with the better rank wins the comparison. A tie is half a win for both entries.

In addition, each entry has one win and one loss against an opponent rated 0. Therefore the model
always has exactly one best fit. The condition for this is in Hunter, "MM algorithms for generalized
Bradley-Terry models", Annals of Statistics 32(1), 2004. The order of the games does not matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, fsum, log
from operator import mul
from typing import NamedTuple

from service.tournaments.tournament import GameOutcome

ELO = 400 / log(10)
ELO_MIDDLE = 1500
TOLERANCE = 1e-9
"""Change of a rating below which fitting ends, far below the published digits."""

COARSE = 1e-3
"""The tolerance for the thousands of fits of a band; the final error is about its square."""

LONGEST_STEP = 1.0
MOST_STEPS = 1_000


class Pair(NamedTuple):
    """The comparisons of two entries, whose numbers are ``first`` and ``second``.

    ``ahead`` is how often the first entry won, ``behind`` how often the second one did. A tie adds
    a half to both.
    """

    first: int
    second: int
    ahead: float
    behind: float


class Prior(NamedTuple):
    """Number of games that each entry won and lost beforehand against an opponent rated 0."""

    won: float = 1.0
    lost: float = 1.0


class Comparisons:
    """Counts how often each entry was ahead of each other entry, over games in any order."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._ahead: dict[tuple[int, int], list[float]] = {}
        for pair in pairs:
            self._add(*pair)

    def copy(self) -> "Comparisons":
        """Return a copy. Games that are added to the copy do not change the original."""
        new = Comparisons()
        new._ahead = {pair: known[:] for pair, known in self._ahead.items()}
        return new

    def add(self, outcomes: Iterable[GameOutcome]) -> None:
        """Add games. An entry on several seats is not compared with itself."""
        for outcome in outcomes:
            sides = zip(outcome.seating, outcome.result.ranks, strict=True)
            for (one, rank), (other, other_rank) in combinations(sides, 2):
                if one != other:
                    ahead = ((rank < other_rank) + (rank <= other_rank)) / 2
                    self._add(one, other, ahead, 1 - ahead)

    def _add(self, one: int, other: int, ahead: float, behind: float) -> None:
        if one > other:
            one, other, ahead, behind = other, one, behind, ahead
        known = self._ahead.setdefault((one, other), [0.0, 0.0])
        known[0] += ahead
        known[1] += behind

    def __iter__(self) -> Iterator[Pair]:
        """Yield each pair of entries that met, sorted by the numbers of the two entries."""
        for (one, other), (ahead, behind) in sorted(self._ahead.items()):
            yield Pair(one, other, ahead, behind)


def ratings(
    entries: int, pairs: Iterable[Pair], start: Sequence[float | None] | None = None
) -> list[float | None]:
    """Return the ratings in natural logarithms of odds, None for entries without opponents.

    ``start`` is a guess, such as the ratings after fewer games; it only saves time.
    """
    pairs = list(pairs)
    met = sorted({entry for pair in pairs for entry in pair[:2]})
    place = {entry: index for index, entry in enumerate(met)}
    found = fit(
        [Prior()] * len(met),
        [pair._replace(first=place[pair.first], second=place[pair.second]) for pair in pairs],
        [(start[entry] if start else None) or 0.0 for entry in met],
    )
    return [found[place[entry]] if entry in place else None for entry in range(entries)]


def fit(
    priors: Sequence[Prior],
    pairs: Sequence[Pair],
    start: Sequence[float],
    tolerance: float = TOLERANCE,
) -> list[float]:
    """Return the maximum-likelihood ratings, by Newton's method; mean 0.

    The objective is concave with one maximum, so ``start`` affects only the time.
    """
    found = list(start)
    for _ in range(MOST_STEPS):
        slope, bend = _derivatives(priors, pairs, found)
        step = solve(bend, slope)
        longest = max(map(abs, step), default=0.0)
        short = min(1.0, LONGEST_STEP / longest) if longest else 1.0
        found = [rating + short * change for rating, change in zip(found, step, strict=True)]
        if longest <= tolerance:
            mean = fsum(found) / max(1, len(found))
            return [rating - mean for rating in found]
    raise ArithmeticError(f"no fit of {len(found)} ratings within {MOST_STEPS} steps")


def elo(rating: float) -> float:
    """Return a rating on Elo's scale.

    The rating 0 becomes 1500. A difference of 400 on this scale means odds of ten to one.
    """
    return ELO_MIDDLE + ELO * rating


def _derivatives(
    priors: Sequence[Prior], pairs: Sequence[Pair], found: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the log-likelihood, and the lower half of its negative Hessian."""
    strengths = [exp(rating) for rating in found]
    slope, bend = [], []
    for index, (prior, strength) in enumerate(zip(priors, strengths, strict=True)):
        games, sum_ = prior.won + prior.lost, strength + 1
        slope.append(prior.won - games * strength / sum_)
        bend.append([0.0] * index + [games * strength / sum_ / sum_])
    for first, second, ahead, behind in pairs:
        one, other, games = strengths[first], strengths[second], ahead + behind
        sum_ = one + other
        change, curve = ahead - games * one / sum_, games * one / sum_ * other / sum_
        slope[first] += change
        slope[second] -= change
        bend[first][first] += curve
        bend[second][second] += curve
        bend[second][first] -= curve
    return slope, bend


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a positive definite system, given by the rows of its lower half (by L D L')."""
    rows: list[list[float]] = []
    diagonal: list[float] = []
    found: list[float] = []
    for row, value in zip(matrix, right, strict=True):
        scaled: list[float] = []
        for entry, above in zip(row[:-1], rows, strict=True):
            scaled.append(entry - sum(map(mul, scaled, above)))
        plain = [entry / divisor for entry, divisor in zip(scaled, diagonal, strict=True)]
        found.append(value - sum(map(mul, plain, found)))
        diagonal.append(row[-1] - sum(map(mul, scaled, plain)))
        rows.append(plain)
    found = [value / divisor for value, divisor in zip(found, diagonal, strict=True)]
    for last in reversed(range(len(found))):
        for index, factor in enumerate(rows[last]):
            found[index] -= factor * found[last]
    return found
