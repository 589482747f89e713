"""Ratings: Bradley-Terry over all pairs of a game (openskill's ``BradleyTerryFull``).

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, algorithm 1.
The default model of the library, Plackett-Luce, may rate who shared the first place below who came
after; this one is monotone in the ranks, and a test shows it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from service.tournaments.tournament import Outcome

_MODEL = BradleyTerryFull()


class Rating(NamedTuple):
    """What is believed of an entry's strength: a normal distribution, 25 and 25/3 at first."""

    mu: float
    sigma: float


START = Rating(_MODEL.mu, _MODEL.sigma)


def rate(
    games: Iterable[tuple[Sequence[str], Sequence[int]]], start: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Return the ratings after games: who sat on each seat, and the ranks of the seats.

    The games count in their order. Who sits on several seats of one game is rated once, by the
    mean of what its seats would be.
    """
    found = dict(start or {})
    for names, ranks in games:
        before = [found.get(name, START) for name in names]
        teams = [[BradleyTerryFullRating(mu, sigma)] for mu, sigma in before]
        after = [Rating(t[0].mu, t[0].sigma) for t in _MODEL.rate(teams, ranks=list(ranks))]
        for name in dict.fromkeys(names):
            own = [rating for other, rating in zip(names, after, strict=True) if other == name]
            found[name] = Rating(
                sum(rating.mu for rating in own) / len(own),
                sum(rating.sigma for rating in own) / len(own),
            )
    return found


def games_of(
    outcomes: Iterable[Outcome], names: Sequence[str]
) -> list[tuple[list[str], list[int]]]:
    """Return games as ``rate`` takes them."""
    return [([names[e] for e in outcome.seating], outcome.result.ranks) for outcome in outcomes]
