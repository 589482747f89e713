"""Which heads in the log the store still has."""

from collections.abc import Iterable, Mapping
from enum import Enum, auto

from service.following.consumer import Renewed
from service.ledger.places import PackPlaces
from service.ledger.store import Store
from service.publishing.index import PAGE
from service.publishing.reading import ask, events, events_from
from service.redis.commands import Commands

Head = tuple[str, int, str]
"""The id of a stream, the ``seq`` of one of its events, and the hash of that, in hex."""


class HeadState(Enum):
    """Where a head is.

    A game that has left the store has all of its own: it was over, and its pack was checked.
    """

    HERE = auto()
    ARCHIVED = auto()
    LOST = auto()


class StoredHeads:
    """The heads of one store. What was read is remembered until ``begin`` names another server."""

    def __init__(self, store: Store) -> None:
        self._commands = Commands(store.redis)
        self._places = PackPlaces(store.redis)
        self._server: object = None
        self._known: dict[Head, HeadState] = {}

    def begin(self, server: object) -> None:
        """Name the server that is asked; another one may not have what the last one had."""
        if server != self._server:
            self._server = server
            self._known.clear()

    def forget(self) -> None:
        """Forget what was read."""
        self._known.clear()

    def find(self, renewed: Renewed, heads: Iterable[Head]) -> Mapping[Head, HeadState]:
        """Return where each of the heads is, and perhaps where others are."""
        left = [head for head in heads if head not in self._known]
        for first in range(0, len(left), PAGE):
            renewed()
            self._read(left[first : first + PAGE])
        return self._known

    def _read(self, heads: list[Head]) -> None:
        replies = ask(self._commands, (events_from(id_, seq) for id_, seq, _hash in heads))
        missing = []
        for head, reply in zip(heads, replies, strict=True):
            if any(event.hash.hex() == head[2] for event in events(reply)):
                self._known[head] = HeadState.HERE
            else:
                missing.append(head)
        places = self._places.of_each([id_ for id_, _seq, _hash in missing])
        for head, place in zip(missing, places, strict=True):
            self._known[head] = HeadState.LOST if place is None else HeadState.ARCHIVED
