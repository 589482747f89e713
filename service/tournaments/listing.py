"""The list of tournaments as clients ask for it, newest first."""

from typing import NamedTuple

from service.ledger.lists import id_at
from service.tournaments.director import Director
from service.tournaments.standing import TournamentStanding, TournamentStandings

_AT_ONCE = 50
"""Number of tournaments that are read at a time when some have to be skipped."""
_SCANNED = 200
"""Maximum number of tournaments that one page skips because they do not match."""


class TournamentFilter(NamedTuple):
    """Selects tournaments: finished or not, of a ruleset, a host (present or past), a format."""

    over: bool | None = None
    ruleset: str | None = None
    host: str | None = None
    format: str | None = None

    def has(self, standing: TournamentStanding) -> bool:
        """Whether the filter selects a tournament."""
        return (
            self.over in (None, standing.over)
            and self.ruleset in (None, standing.made["plan"]["ruleset"])
            and self.host in (None, standing.made["created_by"])
            and self.format in (None, standing.made["plan"]["format"]["type"])
        )


class TournamentPage(NamedTuple):
    """A page of tournaments, newest first; ``place`` begins the next page, None at the end."""

    standings: list[TournamentStanding]
    place: str | None


def page(
    director: Director,
    standings: TournamentStandings,
    wanted: TournamentFilter,
    limit: int,
    after: str | None = None,
    *,
    indexed: bool,
) -> TournamentPage:
    """Return up to ``limit`` selected tournaments, from ``after`` on.

    A page may be shorter than ``limit`` and still have a next one. ``indexed`` says whether there
    are lists by host.
    """
    held_by = wanted.host if indexed else None
    at_once = limit if wanted == TournamentFilter() else max(limit, _AT_ONCE)
    found: list[TournamentStanding] = []
    scanned = 0
    while scanned < _SCANNED:
        places = director.newest(at_once, after, held_by)
        shown = standings.of_all([id_at(place) for place in places])
        by_id = {standing.id: standing for standing in shown}
        for place in places:
            after, standing = place, by_id.get(id_at(place))
            if standing is not None and wanted.has(standing):
                found.append(standing)
                if len(found) == limit:
                    return TournamentPage(found, after)
        if len(places) < at_once:
            return TournamentPage(found, None)
        scanned += len(places)
    return TournamentPage(found, after)
