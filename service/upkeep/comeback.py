"""Brings games back into the store that have left it."""

from collections.abc import Callable
from typing import NamedTuple

from service.ids import GAME_ID
from service.ledger.past import ArchiveUnreadableError, PastStreams
from service.ledger.places import PackPlaces
from service.ledger.returns import BACK, Returns
from service.ledger.store import Store


class ComebackOutcome(NamedTuple):
    """The result for a game: it is ``restored``, was ``here``, or it says ``why`` it is not."""

    restored: bool = False
    here: bool = False
    why: str = ""


class Comeback:
    """Brings games back from packs."""

    def __init__(self, store: Store, past: PastStreams, list_again: Callable[[str], None]) -> None:
        """``store`` is the one without ``past``; ``list_again`` lists a game from its events."""
        self._store = store
        self._past = past
        self._list_again = list_again
        self._places = PackPlaces(store.redis)
        self._returns = Returns(store)

    def bring_back(self, game_id: str) -> ComebackOutcome:
        """Bring a game back; this may be repeated at any time.

        Raises TooFewReplicasError: it is stored, but on fewer replicas than configured.
        """
        if not GAME_ID.match(game_id):
            return ComebackOutcome(why="it is not the id of a game")
        (here,) = self._store.newest_events([game_id])
        if here is not None:
            self._list_again(game_id)  # a run may have been killed before it did
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
        self._list_again(game_id)
        return ComebackOutcome(restored=True)
