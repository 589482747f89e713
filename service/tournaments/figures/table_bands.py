"""The confidence bands of a report: for the points and ratings of entries, and the points of seats.

An entry's points in a block depend on its opponents in the block, and the opponents are not random.
So the bootstrap resamples residuals. A residual is the entry's points in a block minus the points
that the ratings predict for that line-up.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, fsum
from operator import itemgetter, mul
from typing import NamedTuple

from service.tournaments.figures.bands import FEWEST, Band, band, drawings, groups
from service.tournaments.figures.points import points
from service.tournaments.figures.ratings import COARSE, Comparisons, Pair, Prior, fit
from service.tournaments.plan import WINS, Plan
from service.tournaments.tournament import GameOutcome

BlockOutcomes = Sequence[GameOutcome]
"""The games of a block."""

Weights = Sequence[float]


Draws = list[list[float]]
"""The values of each figure, one for each bootstrap sample."""


class TableBands(NamedTuple):
    """The confidence bands of a report; None for an entry with few blocks or no opponents."""

    points: list[Band | None]
    ratings: list[Band | None]
    seats: list[Band | None]


def none(plan: Plan) -> TableBands:
    """Return no bands."""
    entries, seats = len(plan.entries), plan.seats
    return TableBands([None] * entries, [None] * entries, [None] * seats)


class Bootstrap:
    """The bootstrap for a report's bands; its drawings can be divided among processes.

    ``ratings`` has the rating of each entry, None for an entry without opponents. ``scope`` is the
    chance scope of the tournament.
    """

    def __init__(
        self,
        plan: Plan,
        blocks: Sequence[BlockOutcomes],
        ratings: Sequence[float | None],
        scope: str,
    ) -> None:
        self._entries = EntryBootstrap(plan, blocks, ratings, f"{scope} bootstrap")
        self._seats = SeatBootstrap(plan, blocks, f"{scope} seats")

    def draw(self, first: int, until: int) -> tuple[Draws, Draws]:
        """Return the drawings from ``first`` up to ``until``, for the entries and for the seats."""
        return self._entries.draw(first, until), self._seats.draw(first, until)

    def bands(self, parts: Iterable[tuple[Draws, Draws]]) -> TableBands:
        """Return the bands; ``parts`` are results of ``draw`` for all drawings, in any order."""
        entries: Draws = []
        seats: Draws = []
        for more, more_seats in parts:
            entries += more
            seats += more_seats
        return TableBands(*self._entries.bands(entries), self._seats.bands(seats))


class EntryBootstrap:
    """Draws the entries' points per game and their ratings."""

    def __init__(
        self,
        plan: Plan,
        blocks: Sequence[BlockOutcomes],
        ratings: Sequence[float | None],
        seed: str,
    ) -> None:
        drawn_together = groups(blocks)
        self._seed = seed
        self._groups = len(drawn_together)
        self._ratings = ratings
        self._means = [_Mean(s) for s in _shares_of_entries(plan, drawn_together, ratings)]
        self._refit = _Refit(drawn_together, ratings)

    def draw(self, first: int, until: int) -> Draws:
        """Return drawings of the points of each entry, then of the ratings of rated entries."""
        if not any(mean.is_enough for mean in self._means):
            return []  # too few blocks for any band
        return [
            [
                *(
                    mean.drawn(weights, prior)
                    for mean, prior in zip(self._means, priors, strict=True)
                ),
                *self._refit.drawn(weights, priors),
            ]
            for weights, priors in _drawings(
                self._groups, len(self._means), first, until, self._seed
            )
        ]

    def bands(self, drawn: Draws) -> tuple[list[Band | None], list[Band | None]]:
        """Return the bands of the points and of the ratings."""
        columns = [list(column) for column in zip(*drawn, strict=True)]
        points: list[Band | None] = [None] * len(self._means)
        rated = points[:]
        if not drawn:
            return points, rated
        fits = iter(columns[len(self._means) :])
        for entry, (mean, rating) in enumerate(zip(self._means, self._ratings, strict=True)):
            points[entry] = mean.band(columns[entry])
            if rating is not None:
                found = next(fits)
                if mean.is_enough:
                    rated[entry] = band(rating, found, mean.drawn_from)
        return points, rated


class SeatBootstrap:
    """Draws the points per game of each seat, over all entries."""

    def __init__(self, plan: Plan, blocks: Sequence[BlockOutcomes], seed: str) -> None:
        drawn_together = groups(blocks)
        self._seed = seed
        self._groups = len(drawn_together)
        self._means = [_Mean(shares) for shares in _shares_of_seats(plan, drawn_together)]

    def draw(self, first: int, until: int) -> Draws:
        """Return drawings of the points of each seat."""
        return [
            [mean.drawn(weights, prior) for mean, prior in zip(self._means, priors, strict=True)]
            for weights, priors in _drawings(
                self._groups, len(self._means), first, until, self._seed
            )
        ]

    def bands(self, drawn: Draws) -> list[Band | None]:
        """Return the bands of the points."""
        if not drawn:
            return [None] * len(self._means)
        columns = zip(*drawn, strict=True)
        return [mean.band(found) for mean, found in zip(self._means, columns, strict=True)]


def _drawings(
    count: int, priors: int, first: int, until: int, seed: str
) -> Iterator[tuple[Weights, list[Prior]]]:
    """Yield the weights of the groups, and of the added games (``Prior``)."""
    for weights in drawings(count + 2 * priors, until, seed, first):
        yield weights, list(map(Prior, weights[count::2], weights[count + 1 :: 2]))


@dataclass(slots=True)
class _Share:
    """The results of an entry or a seat in the blocks of a group.

    ``promised`` are the points expected from the ratings in these line-ups.
    """

    games: int = 0
    points: Fraction = Fraction()
    promised: float = 0.0


Shares = dict[int, _Share]
"""Shares by the number of the group."""


def _shares_of_entries(
    plan: Plan, drawn_together: Sequence[Sequence[BlockOutcomes]], ratings: Sequence[float | None]
) -> list[Shares]:
    strengths = [exp(rating or 0.0) for rating in ratings]
    found: list[Shares] = [{} for _ in ratings]
    for group, blocks in enumerate(drawn_together):
        for block in blocks:
            lineup = block[0].seating
            promised = _promised([strengths[entry] for entry in lineup], plan)
            for entry in set(lineup):
                share = found[entry].setdefault(group, _Share())
                share.games += len(block) * lineup.count(entry)
            for entry, worth in zip(lineup, promised, strict=True):
                found[entry][group].promised += len(block) * worth
            for outcome in block:
                won = points(outcome.result.ranks, plan.points)
                for entry, more in zip(outcome.seating, won, strict=True):
                    found[entry][group].points += more
    return found


def _shares_of_seats(plan: Plan, drawn_together: Sequence[Sequence[BlockOutcomes]]) -> list[Shares]:
    found: list[Shares] = [{} for _ in range(plan.seats)]
    for group, blocks in enumerate(drawn_together):
        outcomes = [outcome for block in blocks for outcome in block]
        won = [points(outcome.result.ranks, plan.points) for outcome in outcomes]
        for shares, column in zip(found, zip(*won, strict=True), strict=True):
            shares[group] = _Share(len(outcomes), sum(column, Fraction()))
    return found


def _promised(strengths: Sequence[float], plan: Plan) -> list[float]:
    """Return the expected points of each seat of a game."""
    if plan.points == WINS:
        return [strength / fsum(strengths) for strength in strengths]
    return [
        (fsum(one / (one + other) for other in strengths) - 0.5) / (len(strengths) - 1)
        for one in strengths
    ]


class _Mean:
    """The points per game of an entry or a seat, and bootstrap samples of them.

    Each sample is the expected points per game plus the weighted mean of the residuals.
    """

    def __init__(self, shares: Shares) -> None:
        self.drawn_from = len(shares)
        games = max(1, sum(share.games for share in shares.values()))
        self._mean = float(sum(share.points for share in shares.values()) / games)
        promised = fsum(share.promised for share in shares.values()) / games
        self._pick = _picking(list(shares))
        self._games = [float(share.games) for share in shares.values()]
        self._points = [
            float(share.points) - share.promised + share.games * promised
            for share in shares.values()
        ]

    def drawn(self, weights: Weights, prior: Prior) -> float:
        """Return the mean under these weights, with one game won and one game lost added."""
        own = self._pick(weights)
        return (fsum(map(mul, own, self._points)) + prior.won) / (
            fsum(map(mul, own, self._games)) + prior.won + prior.lost
        )

    @property
    def is_enough(self) -> bool:
        """Whether there are enough blocks for a band."""
        return self.drawn_from >= FEWEST

    def band(self, drawn: Sequence[float]) -> Band | None:
        """Return the band of the mean, which cannot be less than 0 or more than 1."""
        if not drawn or not self.is_enough:
            return None
        low, high = band(self._mean, drawn, self.drawn_from + len(Prior()))
        return Band(max(0.0, low), min(1.0, high))


class _Refit:
    """Fits the ratings again, with other weights of the groups."""

    def __init__(
        self, drawn_together: Sequence[Sequence[BlockOutcomes]], ratings: Sequence[float | None]
    ) -> None:
        self._rated = [entry for entry, rating in enumerate(ratings) if rating is not None]
        self._start = [rating for rating in ratings if rating is not None]
        met: dict[tuple[int, int], list[tuple[int, float, float]]] = {}
        for group, blocks in enumerate(drawn_together):
            comparisons = Comparisons()
            for block in blocks:
                comparisons.add(block)
            for first, second, ahead, behind in comparisons:
                met.setdefault((first, second), []).append((group, ahead, behind))
        self._pairs = [
            (
                self._rated.index(first),
                self._rated.index(second),
                _picking([group for group, _, _ in found]),
                [ahead for _, ahead, _ in found],
                [behind for _, _, behind in found],
            )
            for (first, second), found in sorted(met.items())
        ]

    def drawn(self, weights: Weights, priors: Sequence[Prior]) -> list[float]:
        """Return the rating of each rated entry under these weights."""
        pairs = []
        for first, second, pick, ahead, behind in self._pairs:
            own = pick(weights)
            pairs.append(
                Pair(first, second, fsum(map(mul, own, ahead)), fsum(map(mul, own, behind)))
            )
        return fit([priors[entry] for entry in self._rated], pairs, self._start, COARSE)


def _picking(places: Sequence[int]) -> Callable[[Weights], Weights]:
    """Return a function that picks the weights at these places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda weights: [weights[place] for place in places]
