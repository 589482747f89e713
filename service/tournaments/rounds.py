"""The rounds of a tournament, in the form that lists show: pairings and results."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from rules.kernel.canonical import JsonObject
from service.tournaments.figures.points import points
from service.tournaments.standing import TournamentStanding, TournamentStandings
from service.tournaments.tournament import Block, Tournament

_DIGITS = 4
_MAX_BLOCKS = 500
"""Number of blocks at which a page of rounds ends."""


def listed(
    standings: TournamentStandings, standing: TournamentStanding, after: int, limit: int
) -> Iterator[JsonObject]:
    """Yield up to ``limit`` rounds after round ``after``.

    There are fewer if rounds are large or not stored yet.
    """
    blocks = 0
    for paired in standings.rounds(standing, after, limit):
        if paired["round"] != after + 1 or blocks >= _MAX_BLOCKS:
            return
        after = paired["round"]
        blocks += len(paired["lineups"])
        first = paired["first_block"]
        found = standings.with_blocks(standing, first, first + len(paired["lineups"]) - 1)
        yield _round(found, paired)


def games_in_block(standings: TournamentStandings, standing: TournamentStanding) -> int | None:
    """Return the number of games in each block; None before the first one."""
    beginning = standings.with_blocks(standing, 1, 1)
    return len(beginning.game_ids(beginning.blocks[1])) if beginning.blocks else None


def _round(tournament: Tournament, paired: JsonObject) -> JsonObject:
    name = [entry.name for entry in tournament.plan.entries]
    tables = groupby(tournament.blocks.values(), lambda block: sorted(block.lineup))
    return {
        "round": paired["round"],
        "byes": [name[entry] for entry in paired["byes"]],
        "tables": [_table(tournament, list(blocks)) for _lineup, blocks in tables],
    }


def _table(tournament: Tournament, blocks: Sequence[Block]) -> JsonObject:
    """Return one table of a round: the entries that meet there, their points and their games.

    ``blocks`` are the table's blocks; their numbers are consecutive.
    """
    count = [block for block in blocks if not tournament.is_void(block)]
    outcomes = [outcome for block in count for outcome in tournament.outcomes_of(block.number)]
    won = dict.fromkeys(blocks[0].lineup, Fraction())
    for outcome in outcomes:
        worth = points(outcome.result.ranks, tournament.plan.points)
        for entry, share in zip(outcome.seating, worth, strict=True):
            won[entry] += share
    entries: Any = tournament.plan.entries
    return {
        "first_block": blocks[0].number,
        "last_block": blocks[-1].number,
        "games": {
            "played": len(outcomes),
            "planned": sum(len(tournament.game_ids(block)) for block in count),
        },
        "entries": [
            {"entry": entries[entry].name, "points": round(float(share), _DIGITS)}
            for entry, share in won.items()
        ],
    }
