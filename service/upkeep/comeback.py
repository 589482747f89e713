"""Brings games and tournaments back into the store that have left it."""

from collections.abc import Callable
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service.ids import GAME_ID, TOURNAMENT_ID, is_tournament
from service.ledger.past import ArchiveUnreadableError, PastStreams
from service.ledger.places import PackPlaces
from service.ledger.returns import BACK, Returns
from service.ledger.store import Store
from service.ledger.unlisting import ListExits
from service.tournaments import global_ratings
from service.tournaments.report_store import Reports
from service.tournaments.repository import Tournaments
from service.tournaments.standing import TournamentStandings


class ComebackOutcome(NamedTuple):
    """The result for a stream: it is ``restored``, was ``here``, or it says ``why`` it is not."""

    restored: bool = False
    here: bool = False
    why: str = ""


class Comeback:
    """Brings games and tournaments back from packs."""

    def __init__(self, store: Store, past: PastStreams, list_again: Callable[[str], None]) -> None:
        """``store`` is the one without ``past``; ``list_again`` lists a stream from its events."""
        self._store = store
        self._past = past
        self._list_again = list_again
        self._places = PackPlaces(store.redis)
        self._returns = Returns(store)

    def bring_back(self, game_id: str) -> ComebackOutcome:
        """Bring a game back, or a tournament without its games; this may be repeated at any time.

        Raises TooFewReplicasError: it is stored, but on fewer replicas than configured.
        """
        if not GAME_ID.match(game_id) and not TOURNAMENT_ID.match(game_id):
            return ComebackOutcome(why="it is not the id of a game or tournament")
        (here,) = self._store.newest_events([game_id])
        if here is not None:
            self._derive_again(game_id)  # a run may have been killed before it did
            return ComebackOutcome(here=True)
        place = self._places.of(game_id)
        try:
            found = self._past.find(game_id)
        except ArchiveUnreadableError as error:
            return ComebackOutcome(why=str(error))
        if place is None or found is None:
            return ComebackOutcome(why="it is neither in the Redis nor in a pack that it knows")
        if self._returns.bring_back(found, place) != BACK:
            return ComebackOutcome(why="it has just changed")
        self._derive_again(game_id, found.report)
        return ComebackOutcome(restored=True)

    def _derive_again(self, stream_id: str, report: JsonObject | None = None) -> None:
        """Store again what is derived from a stream. Workers make a report that is missing."""
        if is_tournament(stream_id):
            if ListExits(self._store.redis).listings([stream_id]) == [None]:
                # It had counted before it left the lists: it would count again.
                global_ratings.note_counted(self._store.redis, stream_id)
            tournament = Tournaments(self._store, 1).load(stream_id).aggregate
            TournamentStandings(self._store).make_again(tournament)
            if report is not None:
                Reports(self._store).put(tournament, report)
        self._list_again(stream_id)
