"""Points of games, as exact fractions, so that equal results are equal."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Self

from service.tournaments.plan import WINS, Plan
from service.tournaments.tournament import GameOutcome

HALF = Fraction(1, 2)


def points(ranks: Sequence[int], scheme: str) -> tuple[Fraction, ...]:
    """Return the points of each seat, 0 to 1.

    ``wins``: a win is one point, shared by all in first place. ``opponents``: the share of the
    opponents ranked lower, plus half of those ranked equal.
    """
    return _points(tuple(ranks), scheme)


def wins(ranks: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each seat's share of the first place."""
    return _points(tuple(ranks), WINS)


@lru_cache(4096)
def _points(ranks: tuple[int, ...], scheme: str) -> tuple[Fraction, ...]:
    if scheme == WINS:
        best = min(ranks)
        return tuple(Fraction(rank == best) / ranks.count(best) for rank in ranks)
    others = len(ranks) - 1
    return tuple(
        (sum(other > rank for other in ranks) + HALF * (ranks.count(rank) - 1)) / others
        for rank in ranks
    )


@lru_cache(4096)
def _units(ranks: tuple[int, ...], scheme: str) -> tuple[int, ...]:
    """Return the points as integers, because integers add up quickly.

    One point is the integer ``_unit``.
    """
    return tuple(int(worth * _unit(len(ranks))) for worth in _points(ranks, scheme))


@cache
def _unit(seats: int) -> int:
    return 2 * lcm(*range(1, seats + 1))


@dataclass
class Score:
    """The score of an entry. A game counts once for each seat that the entry has in the game."""

    games: int = 0
    points: Fraction = Fraction()
    wins: Fraction = Fraction()
    score_sum: int = 0
    ranks: list[int] = field(default_factory=list)
    """The number of games at each rank."""
    byes: int = 0
    failures: int = 0
    cpu_us: int = 0

    @property
    def rate(self) -> Fraction:
        """The points per game."""
        return self.points / self.games if self.games else Fraction()

    def by_name(self, name: str) -> Fraction:
        """Return the figure ``name``, divided by the number of games.

        Entries with different numbers of games can be compared by it.
        """
        games = self.games or 1
        match name:
            case "points":
                return self.rate
            case "wins":
                return self.wins / games
            case _:
                return Fraction(self.score_sum, games)


class ScoreTotals:
    """Adds up scores in integers, by entry and seat."""

    def __init__(self, entries: int, seats: int, scheme: str) -> None:
        self._scheme = scheme
        self._seats = seats
        self._games = [[0] * seats for _ in range(entries)]
        self._points = [[0] * seats for _ in range(entries)]
        self._wins = [0] * entries
        self._score_sums = [0] * entries
        self._ranks = [[0] * seats for _ in range(entries)]
        self._failures = [0] * entries
        self._cpu_us = [0] * entries

    def copy(self) -> Self:
        """Return an independent copy."""
        new = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                lists = [each[:] if isinstance(each, list) else each for each in value]
                setattr(new, name, lists)
        return new

    def add(self, outcome: GameOutcome) -> None:
        """Add a game."""
        result, seating = outcome.result, outcome.seating
        ranks = tuple(result.ranks)
        worth, won = _units(ranks, self._scheme), _units(ranks, WINS)
        for seat, entry in enumerate(seating):
            self._games[entry][seat] += 1
            self._points[entry][seat] += worth[seat]
            self._wins[entry] += won[seat]
            self._score_sums[entry] += result.scores[seat]
            self._cpu_us[entry] += result.cpu_us[seat]
            self._ranks[entry][ranks[seat] - 1] += 1
        for seat, _decision, _reason in result.failures:
            self._failures[seating[seat]] += 1

    def scores(self) -> list[Score]:
        """Return the score of each entry, without byes."""
        unit = _unit(self._seats)
        return [
            Score(
                games=games,
                points=Fraction(sum(self._points[entry]), unit),
                wins=Fraction(self._wins[entry], unit),
                score_sum=self._score_sums[entry],
                ranks=self._ranks[entry][:] if games else [],
                failures=self._failures[entry],
                cpu_us=self._cpu_us[entry],
            )
            for entry, games in enumerate(map(sum, self._games))
        ]

    def by_seat(self, entry: int) -> list[tuple[int, Fraction]]:
        """Return the games of an entry on each seat, and its points in them."""
        unit = _unit(self._seats)
        pairs = zip(self._games[entry], self._points[entry], strict=True)
        return [(games, Fraction(points_, unit)) for games, points_ in pairs]

    def of_seats(self) -> list[Fraction]:
        """Return the points of each seat, over all entries."""
        columns = zip(*self._points, strict=True)
        return [Fraction(sum(column), _unit(self._seats)) for column in columns]


def tally(outcomes: Iterable[GameOutcome], plan: Plan) -> list[Score]:
    """Return the score of each entry in these games."""
    found = ScoreTotals(len(plan.entries), plan.seats, plan.points)
    for outcome in outcomes:
        found.add(outcome)
    return found.scores()
