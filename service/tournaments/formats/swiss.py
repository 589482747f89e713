"""Swiss system for tables of any number of seats: entries with equal points meet, rarely twice."""

from fractions import Fraction

from rules.kernel.contract.fields import Integer
from rules.kernel.contract.ruleset import Option
from service.tournaments.figures.points import HALF
from service.tournaments.figures.tally import scores
from service.tournaments.formats.format import Format, Round, games_in_block
from service.tournaments.luck import Luck
from service.tournaments.tournament import Tournament

ROUNDS = Option("rounds", 5, Integer(1, 100), "How many rounds.")


class Swiss(Format):
    """Each round groups the entries by points; nobody is knocked out."""

    type = "swiss"
    doc = "Each round seats the entries by their points, and who met already apart if possible."
    options = (ROUNDS,)

    def total_blocks(self, tournament: Tournament) -> int:
        plan = tournament.plan
        rounds: int = plan.format["rounds"]
        return rounds * (len(tournament.starters()) // plan.seats)

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        plan = tournament.plan
        waiting = self._standing(tournament, luck)
        if tournament.rounds == plan.format["rounds"] or len(waiting) < plan.seats:
            return None
        byes = _byes(tournament, waiting)
        waiting = [entry for entry in waiting if entry not in byes]
        met = _meetings(tournament)
        lineups = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < plan.seats:
                often = {e: sum(met.get(frozenset((e, t)), 0) for t in table) for e in waiting}
                # min returns the first of equal entries
                table.append(min(waiting, key=lambda entry: often[entry]))
                waiting.remove(table[-1])
            lineups.append(tuple(table))
        return Round(tuple(lineups), byes)

    def _standing(self, tournament: Tournament, luck: Luck) -> list[int]:
        """Return the entries that remain, the best first; a drawn order breaks ties.

        A bye is worth half of the round's maximum points.
        """
        found = scores(tournament)
        drawn = luck.shuffled("seeds", 1, range(len(found)))
        games = games_in_block(tournament.plan)

        def standing(entry: int) -> Fraction:
            return found[entry].points + found[entry].byes * games * HALF

        return sorted(
            tournament.entries_left(), key=lambda entry: (-standing(entry), drawn.index(entry))
        )


def _byes(tournament: Tournament, standing: list[int]) -> tuple[int, ...]:
    """Return the entries that get a bye: the lowest of those with the fewest byes."""
    often = {entry: sum(entry in byes for byes in tournament.byes) for entry in standing}
    last_first = sorted(standing, key=lambda entry: (often[entry], -standing.index(entry)))
    return tuple(sorted(last_first[: len(standing) % tournament.plan.seats]))


def _meetings(tournament: Tournament) -> dict[frozenset[int], int]:
    met: dict[frozenset[int], int] = {}
    for block in tournament.blocks.values():
        for one in block.lineup:
            for other in block.lineup:
                if one < other:
                    pair = frozenset((one, other))
                    met[pair] = met.get(pair, 0) + 1
    return met
