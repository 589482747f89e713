"""A tournament's games as lists show them, by block and rotation."""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from service.tournaments import rounds
from service.tournaments.standing import TournamentStanding, TournamentStandings
from service.tournaments.tournament import Block, Tournament


def listed(
    standings: TournamentStandings, standing: TournamentStanding, after: int, limit: int
) -> Iterator[JsonObject]:
    """Yield the games that follow the first ``after`` games, at most ``limit`` of them.

    The results of a block appear together. Only the blocks of these games are read.
    """
    size = rounds.games_in_block(standings, standing)
    if size is None:
        return
    first, last = after // size + 1, -(-(after + limit) // size)
    found = standings.with_blocks(standing, first, last)
    for number, block in found.blocks.items():
        before = (number - 1) * size
        yield from _of_block(found, block)[max(0, after - before) : after + limit - before]


def _of_block(tournament: Tournament, block: Block) -> list[JsonObject]:
    plan, results = tournament.plan, tournament.results.get(block.number)
    seatings = block.seatings(plan.rotations)
    return [
        {
            "id": game,
            "block": block.number,
            "rotation": rotation,
            "seating": [plan.entries[entry].name for entry in seating],
            "counts": results is not None and not tournament.is_void(block),
            "result": None
            if results is None
            else {
                "ranks": results[rotation].ranks,
                "scores": results[rotation].scores,
                "failures": results[rotation].failures,
            },
        }
        for rotation, (seating, game) in enumerate(
            zip(seatings, tournament.game_ids(block), strict=True)
        )
    ]
