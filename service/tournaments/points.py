"""What games are worth: exact fractions, so that ties are ties."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from service.tournaments.plan import WINS
from service.tournaments.tournament import Outcome, Tournament

HALF = Fraction(1, 2)


def points(ranks: Sequence[int], scheme: str) -> list[Fraction]:
    """Return the points of each seat, 0 to 1.

    ``wins``: a win is one point, shared by all who are first. ``opponents``: the share of the
    opponents that rank behind, and half of those that rank equal.
    """
    if scheme == WINS:
        return wins(ranks)
    others = len(ranks) - 1
    return [
        (sum(other > rank for other in ranks) + HALF * (ranks.count(rank) - 1)) / others
        for rank in ranks
    ]


def wins(ranks: Sequence[int]) -> list[Fraction]:
    """Return each seat's share of the first place."""
    best = min(ranks)
    return [Fraction(rank == best) / ranks.count(best) for rank in ranks]


@dataclass
class Score:
    """What an entry has come to. A game counts once for each seat that the entry had in it."""

    games: int = 0
    points: Fraction = Fraction()
    wins: Fraction = Fraction()
    score_sum: int = 0
    ranks: list[int] = field(default_factory=list)
    """How often it came first, second, …"""
    byes: int = 0
    failures: int = 0
    cpu_us: int = 0

    @property
    def rate(self) -> Fraction:
        """Points a game."""
        return self.points / self.games if self.games else Fraction()

    def by_name(self, name: str) -> Fraction:
        """Return a figure to rank by, a game each: entries may have played more or fewer."""
        games = self.games or 1
        match name:
            case "points":
                return self.rate
            case "wins":
                return self.wins / games
            case _:
                return Fraction(self.score_sum, games)


def tally(outcomes: Iterable[Outcome], entries: int, scheme: str) -> list[Score]:
    """Return what each entry has come to in these games."""
    found = [Score() for _ in range(entries)]
    for outcome in outcomes:
        result = outcome.result
        per_seat = zip(
            outcome.seating, points(result.ranks, scheme), wins(result.ranks), strict=True
        )
        for seat, (entry, worth, win) in enumerate(per_seat):
            score = found[entry]
            score.games += 1
            score.points += worth
            score.wins += win
            score.score_sum += result.scores[seat]
            score.cpu_us += result.cpu_us[seat]
            rank = result.ranks[seat]
            score.ranks += [0] * (len(result.ranks) - len(score.ranks))
            score.ranks[rank - 1] += 1
        for seat, _decision, _reason in result.failures:
            found[outcome.seating[seat]].failures += 1
    return found


def scores(tournament: Tournament, until: int | None = None) -> list[Score]:
    """Return what each entry has come to, byes included, up to block ``until``."""
    plan = tournament.plan
    found = tally(tournament.outcomes(until), len(plan.entries), plan.points)
    for sitting_out in tournament.byes:
        for entry in sitting_out:
            found[entry].byes += 1
    return found
