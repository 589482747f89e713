"""Running totals of a tournament's games, block by block.

The cost of a figure that is computed from these totals does not depend on the number of games.
Computing the standings takes time linear in the number of entries. Fitting the ratings takes time
linear in the number of pairs of entries.
"""

from collections.abc import Iterable
from copy import copy
from typing import Self

from service.tournaments.figures.points import Score, ScoreTotals
from service.tournaments.figures.ratings import Comparisons, Pair, ratings
from service.tournaments.plan import Plan
from service.tournaments.tournament import Disqualification, GameOutcome, Part, Tournament

CURVE = 60
"""Maximum points of the curve of ratings."""


class Tally:
    """The totals of the games up to some block."""

    def __init__(self, plan: Plan, part: Part | None = None) -> None:
        """With ``part``, the comparisons of the parts before are in the ratings, too.

        The ratings are then those above the first entry, whose rating is 0.
        """
        self.games = 0
        self.scoring = ScoreTotals(len(plan.entries), plan.seats, plan.points)
        self.comparisons = Comparisons(() if part is None else pairs_before(part))
        self._anchored = part is not None
        self._entries = len(plan.entries)
        self._curve: list[_RatingPoint] = []
        self._step = 1

    def copy(self) -> Self:
        """Return a copy to add to."""
        new = copy(self)
        new.scoring, new.comparisons = self.scoring.copy(), self.comparisons.copy()
        new._curve = self._curve[:]  # noqa: SLF001 - its own
        return new

    def add(self, outcomes: Iterable[GameOutcome]) -> None:
        """Add the next block's counted games, in the order of rotation."""
        for outcome in outcomes:
            self.games += 1
            self.scoring.add(outcome)
            self.comparisons.add([outcome])
            if self.games > CURVE * self._step:
                self._step *= 2
                del self._curve[::2]
            if self.games % self._step == 0:
                self._curve.append(_RatingPoint(self.games, self.comparisons.copy()))

    def ratings(self) -> list[float | None]:
        """Return the current ratings."""
        return self._anchor(ratings(self._entries, self.comparisons))

    def _anchor(self, rated: list[float | None]) -> list[float | None]:
        if not self._anchored or rated[0] is None:
            return rated
        return [None if rating is None else rating - rated[0] for rating in rated]

    def curve(self) -> list[tuple[int, list[float | None]]]:
        """Return the ratings at regular numbers of games, and after the last.

        The interval between two points is the smallest power of two that gives at most ``CURVE``
        points.
        """
        points = self._curve
        if self.games % self._step:
            points = [*points, _RatingPoint(self.games, self.comparisons)]
        return [(point.games, self._anchor(point.ratings(self._entries))) for point in points]


class _RatingPoint:
    """A point of the curve of ratings: a number of games, and the comparisons of entries in them.

    The ratings are computed from the comparisons when they are asked for the first time.
    """

    def __init__(self, games: int, comparisons: Comparisons) -> None:
        self.games = games
        self._comparisons = comparisons
        self._found: list[float | None] | None = None

    def ratings(self, entries: int) -> list[float | None]:
        if self._found is None:
            self._found = ratings(entries, self._comparisons)
        return self._found


def pairs_before(part: Part) -> list[Pair]:
    """Return the comparisons of the parts before a part."""
    return [
        Pair(first, second, ahead / 2, behind / 2) for first, second, ahead, behind in part.pairs
    ]


class SettledBlocks:
    """The tally of a tournament's settled blocks.

    ``out`` has the disqualifications that were known when the tally was made.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tally = Tally(tournament.plan, tournament.part)
        self.entries = len(tournament.plan.entries)
        self.block = 0
        self.out: dict[int, Disqualification] = {}
        self.stopped_after: int | None = None

    def holds(self, tournament: Tournament) -> bool:
        """Whether all blocks in this tally still count, and it has all entries."""
        if len(tournament.plan.entries) != self.entries:
            return False
        new = [out.block for entry, out in tournament.disqualified.items() if entry not in self.out]
        if tournament.stopped_after != self.stopped_after:
            new.append(tournament.stopped_after or 0)
        return all(block >= self.block for block in new)

    def caught_up(self, tournament: Tournament, block: int) -> "SettledBlocks":
        """Return this tally, extended to a settled ``block``."""
        new = copy(self)
        new.tally = self.tally.copy()
        for number in range(self.block + 1, block + 1):
            new.tally.add(tournament.outcomes_of(number))
        new.block = block
        new.out = tournament.disqualified.copy()
        new.stopped_after = tournament.stopped_after
        return new


def of(tournament: Tournament) -> Tally:
    """Return the tally of all games that count; settled blocks are read only once.

    The caller must not change it.
    """
    found = up_to(tournament, tournament.settled(), "tally").tally
    if ahead := tournament.played_ahead():
        found = found.copy()
        for number in ahead:
            found.add(tournament.outcomes_of(number))
    return found


def up_to(tournament: Tournament, block: int, name: str) -> SettledBlocks:
    """Return the tally up to a settled ``block``, and keep it under ``name`` for the next call.

    The caller must not change it. The block must not be less than in an earlier call.
    """
    known: SettledBlocks | None = tournament.kept.get(name)
    if known is None or not known.holds(tournament):
        known = SettledBlocks(tournament)
    if known.block < block:
        known = known.caught_up(tournament, block)
    tournament.kept[name] = known
    return known


def scores(tournament: Tournament) -> list[Score]:
    """Return the score of each entry, byes included."""
    found = of(tournament).scoring.scores()
    for sitting_out in tournament.byes:
        for entry in sitting_out:
            found[entry].byes += 1
    return found
