"""Knock-out for tables of any number of seats, like heats on a track.

The winner of a table advances. If there are too few winners to fill the tables of the next round,
the best of the other entries advance too. In the first round, the first entries of the drawn order
may have byes.
"""

from collections.abc import Sequence

from rules.kernel.contract.fields import Integer
from rules.kernel.contract.ruleset import Option
from service.tournaments.figures.points import tally
from service.tournaments.formats.format import Format, Round, by_score
from service.tournaments.luck import Luck
from service.tournaments.tournament import Block, Tournament

REPEAT = Option("blocks", 1, Integer(1, 100), "How many blocks each table plays.")


class Knockout(Format):
    """Entries that do not win their table are out."""

    type = "knockout"
    doc = "The winner of each table goes on; the best of the others fill up the next round."
    options = (REPEAT,)

    def total_blocks(self, tournament: Tournament) -> int:
        plan, waiting = tournament.plan, len(tournament.starters())
        blocks: int = plan.format["blocks"]
        tables, total = waiting // plan.seats, 0
        while tables:
            total += tables * blocks
            if tables == 1 and waiting == plan.seats:
                break
            waiting = _filled(tables + waiting - tables * plan.seats, plan.seats)
            tables = waiting // plan.seats
        return total

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        plan = tournament.plan
        if tournament.rounds == 0:
            drawn = luck.shuffled("seeds", 1, tournament.starters())
            byes = len(drawn) % plan.seats
            return _tables(drawn[byes:], plan.seats, plan.format["blocks"], drawn[:byes])
        qualified = self._qualified(tournament)
        if len(qualified) < plan.seats:
            return None
        return _tables(qualified, plan.seats, plan.format["blocks"], ())

    def _qualified(self, tournament: Tournament) -> list[int]:
        """Return the entries of the next round: byes, winners, then the best of the others."""
        tables = _tables_of(tournament, tournament.rounds)
        resting = list(tournament.byes[-1])
        if len(tables) == 1 and not resting:
            return []
        winners, others = [], []
        for table in tables:
            first, *rest = _order(tournament, table, tournament.rounds)
            winners.append(first)
            others += rest
        places = _filled(len(winners) + len(resting), tournament.plan.seats)
        lucky = _order(tournament, others, tournament.rounds)
        return (resting + winners + lucky)[:places]

    def places(self, tournament: Tournament) -> list[Sequence[int]]:
        """Return the entries by the round that they reached, then by their scores there."""
        found: list[Sequence[int]] = []
        for number in range(tournament.rounds, 0, -1):
            met = {e for table in _tables_of(tournament, number) for e in table}
            met |= set(tournament.byes[number - 1])
            new = [entry for entry in sorted(met) if not any(entry in group for group in found)]
            found += _groups(tournament, new, number)
        found = found or [tournament.starters()]
        return [*found, tournament.never_played] if tournament.never_played else found


def _tables(order: Sequence[int], seats: int, blocks: int, byes: Sequence[int]) -> Round:
    """Distribute ordered entries to tables in a snake, so that the first ones do not meet."""
    count = len(order) // seats
    tables: list[list[int]] = [[] for _ in range(count)]
    for place, entry in enumerate(order):
        row, column = divmod(place, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(entry)
    return Round(tuple(tuple(table) for table in tables for _ in range(blocks)), tuple(byes))


def _filled(entries: int, seats: int) -> int:
    """Return how many of the entries play the next round, so that all its tables are full."""
    return -(-entries // seats) * seats


def _tables_of(tournament: Tournament, number: int) -> list[tuple[int, ...]]:
    """Return the tables of a round, each once."""
    lineups = [tuple(sorted(b.lineup)) for b in _blocks_of(tournament, number)]
    return list(dict.fromkeys(lineups))


def _blocks_of(tournament: Tournament, number: int) -> list[Block]:
    return [block for block in tournament.blocks.values() if block.round == number]


def _groups(tournament: Tournament, entries: Sequence[int], number: int) -> list[Sequence[int]]:
    """Group entries by their results in one round."""
    blocks = _blocks_of(tournament, number)
    outcomes = (outcome for block in blocks for outcome in tournament.outcomes_of(block.number))
    found = tally(outcomes, tournament.plan)
    return by_score(tournament, entries, found)


def _order(tournament: Tournament, entries: Sequence[int], number: int) -> list[int]:
    """Order entries by their results in one round, and equal entries by their seats."""
    return [entry for group in _groups(tournament, entries, number) for entry in group]
