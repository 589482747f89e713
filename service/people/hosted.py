"""The tournaments that a player hosts or hosted."""

from collections.abc import Iterator

from service.ledger.lists import id_at
from service.redis.format import is_indexed
from service.runtime import Runtime
from service.tournaments.standing import TournamentStanding

_PAGE = 500


def hosted(runtime: Runtime, player_id: str) -> Iterator[TournamentStanding]:
    """Yield the TournamentStanding of each tournament that a player hosts or hosted, newest first.

    While an upgrade is unfinished, this scans all tournaments.
    """
    held_by = player_id if is_indexed(runtime.redis) else None
    after: str | None = None
    while page := runtime.director.newest(_PAGE, after, held_by):
        for standing in runtime.standings.of_all(list(map(id_at, page))):
            if standing.made["created_by"] == player_id:
                yield standing
        after = page[-1]
