"""Games and tournaments that have left the store: what reads them finds them in the archive.

A stream that has left is over, so nothing is ever appended to it. What the store has of an id is
believed before what the archive has, because a game that is brought back is in both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import UNREADABLE, Event
from rules.kernel.record.secrets import Secrets
from service.ledger.origin import Origin
from service.ledger.store import (
    MISSED,
    AppendOutcome,
    LostError,
    MissedEvents,
    RepeatedRequest,
    Retry,
    RewoundStream,
    Store,
    StoredEvent,
    StreamSummary,
    index_size,
    repeated,
)
from service.ledger.terms import TOMBSTONE
from service.ledger.unlisting import PastLists
from service.redis.keys import game_key

T = TypeVar("T")


class ArchiveUnreadableError(RedisError):
    """A game is in the archive and cannot be read there; a later retry may succeed."""


class ArchivedStream(NamedTuple):
    """A finished game or tournament in the archive.

    ``events`` has all of its events, so the event ``seq`` is at ``seq - 1``. ``table`` has the
    fields of a game's table, ``origin`` the origin of an imported game or tournament, and
    ``report`` the final report of a tournament.
    """

    id: str
    events: Sequence[StoredEvent]
    secrets: Secrets
    table: Mapping[str, bytes]
    origin: Origin | None
    report: JsonObject | None = None

    def has(self, seq: int, what: bytes | Retry) -> bool:
        """Whether the event ``seq`` has this hash, or was stored with this retry."""
        found = self.events[seq - 1 : seq] if seq > 0 else ()
        return any(what in (stored.event.hash, stored.retry) for stored in found)

    def after(self, seq: int, limit: int | None = None) -> list[StoredEvent]:
        """Return up to ``limit`` events after the event ``seq``."""
        return [*self.events[seq : None if limit is None else seq + limit]]

    def answer_to(self, retry: Retry) -> RepeatedRequest | None:
        """Return the batch that answered an equal request; None if there is none.

        Raises RefusedError (``idempotency_key_reused``) if the request was another one.
        """
        for stored in self.events:
            if stored.retry is not None and stored.retry.key == retry.key:
                return repeated(self.id, retry, stored)
        return None


class PastStreams(Protocol):
    """The games and tournaments that have left a store."""

    def find(self, stream_id: str) -> ArchivedStream | None:
        """Return a game or tournament, None if it has not left the store, or never was there.

        Raises:
            ArchiveUnreadableError: it cannot be read.
            RedisError: it is not known where it is.
        """
        ...


class PastStore(Store):
    """A store whose reads also find what has left it.

    If a stream is in the store, nothing is asked of the archive, except where a read finds no
    further events.
    """

    def __init__(
        self,
        *arguments: Any,
        past: PastStreams,
        past_lists: PastLists | None = None,
        **options: Any,
    ) -> None:
        """Take the arguments of ``Store``, its ``past``, and the lists of what has left them."""
        super().__init__(*arguments, **options)
        self._past = past
        self._past_lists = past_lists
        self._here = Store(*arguments, **options)

    @property
    def here(self) -> Store:
        return self._here

    @property
    def past_lists(self) -> PastLists:
        return super().past_lists if self._past_lists is None else self._past_lists

    # Appending

    def append(self, game_id: str, base_seq: int, *rest: Any, **more: Any) -> AppendOutcome:
        """Append a batch as ``Store`` does; creating what has left is a repetition, or behind."""
        gone = self._past.find(game_id) if base_seq == 0 else None
        if gone is None:
            return super().append(game_id, base_seq, *rest, **more)
        retry: Retry | None = more.get("retry")
        answer = None if retry is None else gone.answer_to(retry)
        return answer or MissedEvents(gone.after(0, MISSED))

    def confirm(self, game_id: str, seq: int, what: bytes | Retry) -> None:
        """Wait until enough replicas hold an event. What has left the store is safe."""
        try:
            super().confirm(game_id, seq, what)
        except LostError:
            gone = self._past.find(game_id)
            if gone is None or not gone.has(seq, what):
                raise

    # Reading

    def read(self, game_id: str, after: int, limit: int) -> list[StoredEvent]:
        return super().read(game_id, after, limit) or self._of_past(
            game_id, lambda gone: gone.after(after, limit), []
        )

    def read_all(self, game_id: str, after: int = 0) -> list[StoredEvent]:
        found = super().read_all(game_id, after)
        if self._is_here(game_id, found):
            return found
        return self._of_past(game_id, lambda gone: gone.after(after), found)

    def look(
        self,
        game_id: str,
        seq: int,
        hash_: bytes,
        retry: Retry | None = None,
        limit: int | None = None,
    ) -> StreamSummary:
        found = super().look(game_id, seq, hash_, retry, limit)
        if isinstance(found.missed, RewoundStream):
            is_here = False
        else:
            is_here = seq > 0 or self._is_here(game_id, found.missed)
        if is_here:
            return found
        gone = self._past.find(game_id)
        if gone is None or (seq and not gone.has(seq, hash_)):
            return found
        return StreamSummary(
            missed=gone.after(seq, limit if seq else None),
            damage=None,
            replayed=None if retry is None else gone.answer_to(retry),
            indexed=index_size(gone.events) if seq == 0 else None,
        )

    def seq_of(self, game_id: str, wanted: bytes, likely: int, until: int) -> int | None:
        if seq := super().seq_of(game_id, wanted, likely, until):
            return seq
        gone = self._past.find(game_id)
        events = () if gone is None else gone.events[:until]
        return next((s.event.seq for s in events if s.event.hash == wanted), None)

    def read_before(
        self, game_id: str, seq: int, hash_: bytes, after: int, limit: int
    ) -> list[StoredEvent] | RewoundStream:
        found = super().read_before(game_id, seq, hash_, after, limit)
        if not isinstance(found, RewoundStream):
            return found
        gone = self._past.find(game_id)
        if gone is None or not gone.has(seq, hash_):
            return found
        return gone.after(after, max(0, min(limit, seq - after)))

    def newest_events(self, game_ids: Iterable[str]) -> list[Event | None]:
        ids = [*game_ids]
        return [
            newest or self._of_past(id_, lambda gone: gone.events[-1].event, None)
            for id_, newest in zip(ids, super().newest_events(ids), strict=True)
        ]

    def events_at(self, game_id: str, seqs: Sequence[int]) -> list[Event]:
        def told(gone: ArchivedStream) -> list[Event]:
            there = sorted(seq for seq in {*seqs} if 0 < seq <= len(gone.events))
            return [gone.events[seq - 1].event for seq in there]

        return super().events_at(game_id, seqs) or self._of_past(game_id, told, [])

    def secrets(self, game_id: str) -> Secrets | None:
        return super().secrets(game_id) or self._of_past(game_id, lambda gone: gone.secrets, None)

    def is_archived(self, game_id: str) -> bool:
        (here,) = super().newest_events([game_id])
        return here is None and self._past.find(game_id) is not None

    def report(self, tournament_id: str) -> JsonObject | None:
        gone = self._past.find(tournament_id)
        (here,) = super().newest_events([tournament_id])
        # One that comes back has its stream first, and then what is derived from it.
        is_same = gone is not None and here in (None, gone.events[-1].event)
        return gone.report if gone is not None and is_same else None

    # Beside streams

    def table(self, game_id: str, names: Sequence[str]) -> list[bytes | None]:
        found = super().table(game_id, names)
        gone = None if all(found) else self._gone(game_id)
        if gone is None:
            return found
        # What was stored since the game left is newer.
        pairs = zip(names, found, strict=True)
        newest = (gone.table.get(name) if value is None else value for name, value in pairs)
        return [None if value == TOMBSTONE else value for value in newest]

    def whole_table(self, game_id: str) -> dict[str, bytes]:
        found = super().whole_table(game_id)
        gone = self._gone(game_id)
        newest = found if gone is None else {**gone.table, **found}
        return {name: value for name, value in newest.items() if value != TOMBSTONE}

    def origin(self, stream_id: str) -> Origin | None:
        return super().origin(stream_id) or self._of_past(stream_id, lambda gone: gone.origin, None)

    def _gone(self, game_id: str) -> ArchivedStream | None:
        """Return a game that has left the store, None if the store has its stream.

        What was removed from the table of a game that is back is still in the archive.
        """
        if self.redis.exists(game_key(game_id, "events")):
            return None
        return self._past.find(game_id)

    def _is_here(self, game_id: str, found: Sequence[StoredEvent]) -> bool:
        """Whether the store has a stream, of which these are the newest events.

        If the game leaves between two commands of a read, its end seems to be lost.
        """
        if not found or found[-1].event.kind != UNREADABLE:
            return bool(found)
        return self._here.newest_event(game_id) is not None

    def _of_past(self, stream_id: str, told: Callable[[ArchivedStream], T], otherwise: T) -> T:
        gone = self._past.find(stream_id)
        return otherwise if gone is None else told(gone)
