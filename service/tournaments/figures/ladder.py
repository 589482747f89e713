"""What an endless tournament knows about its entries: who is better, and how sure that is.

The ratings are those of all parts together. Their covariance is the inverse of the information,
times the dispersion: pairwise comparisons of one game, and games of one block, depend on each
other, and the dispersion says how much more the blocks vary than independent comparisons would. It
is the first-moment adjustment of a composite likelihood (Varin, Reid and Firth, "An overview of
composite likelihood methods", Statistica Sinica 21, 2011, section 2.3).
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import erfc, exp, fsum, sqrt
from typing import NamedTuple

from service.tournaments.figures.bands import FEWEST, NORMAL, Band
from service.tournaments.figures.ratings import Comparisons, Pair, solve
from service.tournaments.tournament import GameOutcome

ERROR = 0.05
"""Maximum probability that some pair of equal entries is told apart, over all pairs together."""

BlockOutcomes = Sequence[GameOutcome]
"""The games of a block."""


class Residual(NamedTuple):
    """How often an entry was first in games, and how often its rating promised that.

    ``z`` is the difference in standard deviations.
    """

    games: int
    wins: float
    promised: float
    z: float


class Misfit(NamedTuple):
    """How often one entry was ahead of another, and how often their ratings promise that.

    ``z`` is the difference in standard deviations, with the dispersion taken into account.
    """

    first: int
    second: int
    games: int
    ahead: float
    promised: float
    z: float


class LadderFigures:
    """The comparison of all entries. ``ratings`` are None for entries without opponents.

    ``pairs`` are the comparisons of all parts, ``blocks`` the blocks of this part.
    """

    def __init__(
        self,
        ratings: Sequence[float | None],
        pairs: Iterable[Pair],
        blocks: Sequence[BlockOutcomes],
    ) -> None:
        self._ratings = ratings
        self._pairs = [*pairs]
        self._rated = [entry for entry, rating in enumerate(ratings) if rating is not None]
        self._place = {entry: index for index, entry in enumerate(self._rated)}
        self._strength = {entry: exp(ratings[entry] or 0.0) for entry in self._rated}
        self._inverse = self._inverted()
        self._blocks = blocks
        self.dispersion = self._dispersion()
        """How much more blocks vary than independent comparisons, at least 1; 1 for few blocks."""

    def _ahead(self, one: int, other: int) -> float:
        """Return the probability that one entry is ahead of another."""
        return self._strength[one] / (self._strength[one] + self._strength[other])

    def _inverted(self) -> list[list[float]]:
        """Return the inverse of the information about the ratings."""
        size = len(self._rated)
        matrix = [[0.0] * (row + 1) for row in range(size)]
        for row, entry in enumerate(self._rated):
            chance = self._strength[entry] / (self._strength[entry] + 1)
            matrix[row][row] = 2 * chance * (1 - chance)
        for first, second, ahead, behind in self._pairs:
            one, other = self._place[first], self._place[second]
            chance = self._ahead(first, second)
            more = (ahead + behind) * chance * (1 - chance)
            matrix[one][one] += more
            matrix[other][other] += more
            matrix[max(one, other)][min(one, other)] -= more
        unit = [[float(row == column) for row in range(size)] for column in range(size)]
        return [solve(matrix, column) for column in unit]

    def _dispersion(self) -> float:
        if len(self._blocks) < FEWEST or len(self._rated) < 2:
            return 1.0
        total, information = 0.0, 0.0
        for block in self._blocks:
            slopes: dict[int, float] = {}
            compared = Comparisons()
            compared.add(block)
            for first, second, ahead, behind in compared:
                chance = self._ahead(first, second)
                change = ahead - (ahead + behind) * chance
                slopes[first] = slopes.get(first, 0.0) + change
                slopes[second] = slopes.get(second, 0.0) - change
                information += (
                    (ahead + behind) * chance * (1 - chance) * self._variance(first, second)
                )
            places = [(self._place[entry], slope) for entry, slope in slopes.items()]
            total += fsum(
                one_slope * self._inverse[one][other] * other_slope
                for one, one_slope in places
                for other, other_slope in places
            )
        return max(1.0, total / information)

    def _variance(self, one: int, other: int) -> float:
        """Return the variance of the difference of two ratings, before the dispersion."""
        first, second, inverse = self._place[one], self._place[other], self._inverse
        found = inverse[first][first] + inverse[second][second] - 2 * inverse[first][second]
        return max(found, 1e-12)

    def _z(self, one: int, other: int) -> float:
        """Return by how many standard deviations one entry is rated above another."""
        difference = (self._ratings[one] or 0.0) - (self._ratings[other] or 0.0)
        return difference / sqrt(self.dispersion * self._variance(one, other))

    def bands(self) -> list[Band | None]:
        """Return the 95 % band of each rating above the anchor, which is the first entry."""
        found: list[Band | None] = [None] * len(self._ratings)
        for entry in self._rated:
            rating = self._ratings[entry] or 0.0
            around = 0.0
            if entry != 0 and 0 in self._place:
                around = NORMAL * sqrt(self.dispersion * self._variance(entry, 0))
            found[entry] = Band(rating - around, rating + around)
        return found

    def better(self) -> list[list[float | None]]:
        """Return the probability that the entry of a row is better than that of a column."""
        entries = range(len(self._ratings))
        return [
            [
                None
                if one == other or not {one, other} <= self._place.keys()
                else erfc(-self._z(one, other) / sqrt(2)) / 2
                for other in entries
            ]
            for one in entries
        ]

    def sets(self) -> list[list[int]]:
        """Return the largest sets of neighbours of which no two are told apart, best first.

        All pairs are tested together by Holm's method (Scandinavian Journal of Statistics 6, 1979).
        """
        order = sorted(self._rated, key=lambda entry: (-(self._ratings[entry] or 0.0), entry))
        apart = self._told_apart()
        found: list[list[int]] = []
        reached = 0
        for start in range(len(order)):
            end = start + 1
            while end < len(order) and not any(
                frozenset((order[end], one)) in apart for one in order[start:end]
            ):
                end += 1
            if end > reached:
                found.append(order[start:end])
                reached = end
        return found

    def _told_apart(self) -> set[frozenset[int]]:
        """Return the pairs of entries of which one is better, beyond chance."""
        chances = sorted(
            (erfc(abs(self._z(one, other)) / sqrt(2)), one, other)
            for one, other in combinations(self._rated, 2)
        )
        found: set[frozenset[int]] = set()
        for tested, (chance, one, other) in enumerate(chances):
            if chance > ERROR / (len(chances) - tested):
                break
            found.add(frozenset((one, other)))
        return found

    def misfits(self) -> list[Misfit]:
        """Return for each pair of entries that met how well their ratings fit."""
        found = []
        for first, second, ahead, behind in self._pairs:
            games, chance = ahead + behind, self._ahead(first, second)
            promised = games * chance
            spread = sqrt(self.dispersion * games * chance * (1 - chance))
            z = (ahead - promised) / max(spread, 1e-12)
            found.append(Misfit(first, second, round(games), ahead, promised, z))
        return found

    def winners(self) -> list[Residual | None]:
        """Return for each entry how often it was first in this part, and what its rating promised.

        In a game of strengths s, an entry is promised its share of the sum of s (Luce's choice
        axiom), which pairwise ratings do not have to fulfil. First places are shared.
        """
        games = [0] * len(self._ratings)
        wins, promised, spread = ([0.0] * len(games) for _ in range(3))
        for block in self._blocks:
            for outcome in block:
                total = fsum(self._strength[entry] for entry in outcome.seating)
                ranks = outcome.result.ranks
                for entry, rank in zip(outcome.seating, ranks, strict=True):
                    chance = self._strength[entry] / total
                    games[entry] += 1
                    wins[entry] += (rank == 1) / max(1, ranks.count(1))
                    promised[entry] += chance
                    spread[entry] += chance * (1 - chance)
        return [
            Residual(
                games[entry],
                wins[entry],
                promised[entry],
                (wins[entry] - promised[entry]) / max(sqrt(self.dispersion * spread[entry]), 1e-12),
            )
            if games[entry]
            else None
            for entry in range(len(games))
        ]
