"""The tournaments that a player holds or held."""

from collections.abc import Iterator

from service.ledger.lists import id_at
from service.runtime import Runtime
from service.tournaments.standing import Standing

_PAGE = 500


def hosted(runtime: Runtime, player_id: str) -> Iterator[Standing]:
    """Yield how each of them stands, the newest first; this goes through all tournaments."""
    after: str | None = None
    while page := runtime.director.newest(_PAGE, after):
        for standing in runtime.standings.of_all(list(map(id_at, page))):
            if standing.made["created_by"] == player_id:
                yield standing
        after = page[-1]
