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

RatedGame = tuple[Sequence[str], Sequence[int]]
"""Who sat on each seat, and the ranks of the seats."""

Team = list[BradleyTerryFullRating]
"""What the library rates; here always of one."""


def rate(
    games: Iterable[RatedGame], start: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Return the ratings after games.

    The games count in their order. Who sits on several seats of one game is rated once, by the
    mean of what its seats would be.
    """
    teams = {name: [_MODEL.rating(*rating)] for name, rating in (start or {}).items()}
    for names, ranks in games:
        before = [teams.get(name) or [_MODEL.rating(*START)] for name in names]
        after = _MODEL.rate(before, ranks=list(ranks))
        teams.update(zip(names, after, strict=True))
        if len(set(names)) < len(names):
            teams.update((name, _mean(name, names, after)) for name in names)
    return {name: Rating(team[0].mu, team[0].sigma) for name, team in teams.items()}


def _mean(name: str, names: Sequence[str], after: Sequence[Team]) -> Team:
    own = [team[0] for other, team in zip(names, after, strict=True) if other == name]
    return [
        _MODEL.rating(
            sum(rating.mu for rating in own) / len(own),
            sum(rating.sigma for rating in own) / len(own),
        )
    ]


def games_of(outcomes: Iterable[Outcome], names: Sequence[str]) -> list[RatedGame]:
    """Return games as ``rate`` takes them."""
    return [([names[e] for e in outcome.seating], outcome.result.ranks) for outcome in outcomes]
