"""The ladder: neighbours meet, and swap rungs according to their results."""

from collections.abc import Sequence

from service.tournaments.figures.points import tally
from service.tournaments.formats.format import Format, Round, by_score
from service.tournaments.formats.swiss import ROUNDS
from service.tournaments.luck import Luck
from service.tournaments.tournament import Tournament


class Ladder(Format):
    """The entries stand on rungs in the order of the plan."""

    type = "ladder"
    doc = "Neighbours on the ladder meet and change rungs; it begins in the order of the entries."
    options = (ROUNDS,)

    def total_blocks(self, tournament: Tournament) -> int:
        plan = tournament.plan
        entries, seats = len(tournament.starters()), plan.seats
        rounds: int = plan.format["rounds"]
        return sum((entries - _offset(n, entries, seats)) // seats for n in range(rounds))

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        plan = tournament.plan
        rungs = [entry for entry in self.rungs(tournament) if entry not in tournament.disqualified]
        if tournament.rounds == plan.format["rounds"] or len(rungs) < plan.seats:
            return None
        first = _offset(tournament.rounds, len(rungs), plan.seats)
        starts = range(first, len(rungs) - plan.seats + 1, plan.seats)
        lineups = tuple(tuple(rungs[start : start + plan.seats]) for start in starts)
        playing = {entry for lineup in lineups for entry in lineup}
        return Round(lineups, tuple(sorted(set(rungs) - playing)))

    def rungs(self, tournament: Tournament) -> list[int]:
        """Return the ladder after all rounds, from the top."""
        rungs = list(range(len(tournament.plan.entries)))
        for block in tournament.blocks.values():
            found = tally(tournament.outcomes_of(block.number), tournament.plan)
            before = sorted(block.lineup, key=rungs.index)
            after = [entry for group in by_score(tournament, before, found) for entry in group]
            for rung, entry in zip([rungs.index(entry) for entry in before], after, strict=True):
                rungs[rung] = entry
        return rungs

    def places(self, tournament: Tournament) -> list[Sequence[int]]:
        """Return the entries by rung, one on each."""
        rungs = self.rungs(tournament)
        return [[entry] for entry in sorted(rungs, key=lambda e: e in tournament.disqualified)]


def _offset(round_index: int, entries: int, seats: int) -> int:
    """Return the first rung of a round; every second round is shifted to reach the last rung."""
    if round_index % 2 == 0:
        return 0
    return entries % seats or (seats // 2 if entries > seats else 0)
