"""Folding and caching of a store's tournaments."""

from collections.abc import Iterable
from typing import ClassVar

from rules.kernel.record.events import Event
from rules.kernel.record.secrets import Secrets
from service.ledger.repository import Repository, StoredAggregate
from service.tournaments import standing
from service.tournaments.tournament import (
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)


class Tournaments(Repository[Tournament]):
    """The tournaments of a store.

    Unlike games they have no snapshots, because few processes fold them, and they are never
    suspended.
    """

    kind = "tournament"
    missing = TournamentNotFoundError
    at_once: ClassVar = standing.PAGE

    def as_of(self, tournament_id: str, version: int) -> Tournament:
        """Return a tournament as it was at ``version``, or its newest state if that is older."""
        tournament = Tournament(tournament_id)
        for page in standing.pages(self.store, tournament_id, version):
            for event in page:
                tournament.take(event)
        return tournament

    def _restore(self, id_: str, secrets: Secrets, *, anew: bool) -> StoredAggregate[Tournament]:
        tournament = self.as_of(id_, self.store.newest(id_))
        if anew:
            raise TournamentDamagedError(
                id_, "its newest events were removed, or replaced by something else"
            )
        if tournament.version == 0:
            raise TournamentNotFoundError(id_)
        return StoredAggregate(tournament, secrets)

    def _without_secrets(self, id_: str, newest: Event) -> Exception:
        return TournamentDamagedError(id_, f"its secrets are missing: {newest.seq} events are left")

    def _fold(self, base: Tournament, events: Iterable[Event]) -> Tournament:
        tournament = base.fork()
        for event in events:
            tournament.take(event)
        return tournament
