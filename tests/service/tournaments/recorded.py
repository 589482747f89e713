"""Tournaments of any size on a real store, without played games: a function ends each block."""

from service.runtime import Runtime
from service.tournaments.plan import Plan
from service.tournaments.tournament import Tournament
from tests.service.tournaments.held import Ranks, by_number, plan, result

HOST = {"player": "p-aaaaaaaaaaaaaaaa"}


def opened(runtime: Runtime, wanted: Plan | None = None, games: int = 30) -> Tournament:
    """Return a new tournament, by default a round robin of three entries."""
    made = runtime.director.create(wanted or plan(3, "round_robin", games=games), HOST)
    return made.tournament


def play(
    runtime: Runtime, tournament: Tournament, ranks: Ranks = by_number, *, most: int = 1_000_000
) -> Tournament:
    """End blocks until the tournament is over, or ``most`` blocks have ended."""
    for _ in range(most):
        if not (blocks := tournament.open_blocks()):
            break
        seatings = blocks[0].seatings(tournament.plan.rotations)
        games = [result(ranks(blocks[0], seating)) for seating in seatings]
        tournament = runtime.director.record_block(tournament.id, blocks[0], games, tournament.at)
    return tournament
