"""A cache of folded aggregates.

It folds the events that other processes append, and it appends batches itself.

It is the common part of games and tournaments; each defines its own folding. A process that plays a
game alone does without this cache (``run``).
"""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import structlog
from redis.exceptions import RedisError

from rules.kernel.record.events import Event
from rules.kernel.record.game import UnsoundEventError
from rules.kernel.record.secrets import Secrets
from service.ledger.damage import Damage, GameDamagedError
from service.ledger.kinds import Participation, Participations
from service.ledger.lists import Listing
from service.ledger.notices import NO_NOTICES, Notices
from service.ledger.store import (
    AppendOutcome,
    AppendSuccess,
    ArchivedGame,
    DamagedStream,
    MissedEvents,
    Obligations,
    RepeatedRequest,
    Retry,
    RewoundStream,
    Store,
    StoredEvent,
    StreamSummary,
)
from service.metrics import LOAD_SECONDS, STREAM_REWOUND
from service.process import logs

log = structlog.get_logger(__name__)

ATTEMPTS = 32


class ConflictError(RuntimeError):
    """Other writers appended first at each try; a later retry is safe."""


class Aggregate(Protocol):
    """The folded state of a stream."""

    id: str
    version: int
    head: bytes


A = TypeVar("A", bound=Aggregate)


class StoredAggregate(NamedTuple, Generic[A]):
    """An aggregate with the service's data beside it; immutable.

    If the stream has a ``damage``, ``aggregate`` is folded from the sound part.
    """

    aggregate: A
    secrets: Secrets
    damage: Damage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedBatch(Generic[A]):
    """A batch ready to append: its events, the aggregate ``after`` them, and more.

    The other members are arguments of ``Store.append``. A batch without events is not appended.
    """

    after: A
    events: list[Event]
    obligations: Obligations
    listing: Listing | None = None
    seen: bool = False
    kept: Mapping[str, bytes] = field(default_factory=dict)
    beside: Mapping[str, bytes] = field(default_factory=dict)
    asked: list[str] | None = None
    since: int = 0
    notices: Notices = NO_NOTICES
    closes: bool = False
    parts: Sequence[Participation] = ()
    impersonal: bool = False
    """Whether the batch belongs to no request; then an equal batch of another process replaces it.
    """


S = TypeVar("S", bound=SealedBatch[Any])


class Repository(ABC, Generic[A]):
    """The aggregates of one kind in a store. Threads may share a repository.

    The repository caches up to ``cache_size`` aggregates.
    """

    kind: ClassVar[str]
    """The aggregate's name in logs."""
    missing: ClassVar[type[LookupError]]
    """The error for an id without an aggregate."""
    at_once: ClassVar[int | None] = None
    """Number of events that are read before other requests get a turn."""

    def __init__(self, store: Store, cache_size: int) -> None:
        self.store = store
        self.cache_size = cache_size
        self._parts = Participations(store.redis)
        self._cache: OrderedDict[str, StoredAggregate[A]] = OrderedDict()
        self._lock = Lock()
        """Guards the cache; no thread holds it during I/O or while it folds events."""

    @abstractmethod
    def _restore(self, id_: str, secrets: Secrets, *, anew: bool) -> StoredAggregate[A]:
        """Fold an aggregate that is not cached.

        If ``anew`` is true, fold it from its first event. Raises the repository's error ``missing``
        if the aggregate has no events.
        """

    @abstractmethod
    def _without_secrets(self, id_: str, newest: Event) -> Exception:
        """Return the error to raise for an aggregate whose secrets are missing."""

    @abstractmethod
    def _fold(self, base: A, events: Iterable[Event]) -> A:
        """Return a copy of ``base`` with more events folded; ``base`` itself stays unchanged.

        Raises UnsoundEventError.
        """

    # Reading

    def load(self, id_: str, at_least: int | None = None) -> StoredAggregate[A]:
        """Return an aggregate as of its newest event.

        If ``at_least`` is given, a cached aggregate is good enough if its version is at least that
        one. Raises the repository's error ``missing``, and the errors of folding.
        """
        kept = self._cached(id_)
        if kept is None:
            return self._load(id_)
        if at_least is None or kept.aggregate.version < at_least:
            return self._catch_up(kept)
        return kept

    def secrets(self, id_: str) -> Secrets:
        """Return an aggregate's secrets.

        Raises the repository's error ``missing`` if there is no such aggregate. Raises the error
        that ``_without_secrets`` returns if the aggregate has no secrets.
        """
        kept = self._cached(id_)
        found = self.store.secrets(id_) if kept is None else kept.secrets
        if found is None:
            newest = self.store.newest_event(id_)
            if newest is None:
                raise self.missing(id_)
            # Read again, because the aggregate may have been created since.
            found = self.store.secrets(id_)
            if found is None:
                raise self._without_secrets(id_, newest)
        return found

    def _load(self, id_: str, *, anew: bool = False) -> StoredAggregate[A]:
        with LOAD_SECONDS.labels(self.kind).time():
            kept = self._restore(id_, self.secrets(id_), anew=anew)
        self._keep(kept)
        return kept

    def _catch_up(self, kept: StoredAggregate[A]) -> StoredAggregate[A]:
        return self._as_seen(kept, self._look(kept))

    def _look(self, kept: StoredAggregate[A], retry: Retry | None = None) -> StreamSummary:
        known = kept.aggregate
        return self.store.look(known.id, known.version, known.head, retry, self.at_once)

    def _as_seen(self, kept: StoredAggregate[A], look: StreamSummary) -> StoredAggregate[A]:
        """Return the aggregate as of the newest event that the store has.

        ``kept`` is the cached aggregate. ``look`` is what the store said about its stream: the
        events that ``kept`` lacks, and the known damage. The lacking events are folded. If the
        stream was rewound, or if its damage has changed, the aggregate is loaded again instead.
        """
        if isinstance(look.missed, RewoundStream):
            return self._rewound(kept)
        if look.damage != kept.damage:
            return self._again(kept.aggregate.id)
        if kept.damage is not None:
            return kept
        found = self._fold_missed(kept, look.missed)
        return found if len(look.missed) != self.at_once else self._catch_up(found)

    def _fold_missed(
        self, kept: StoredAggregate[A], missed: list[StoredEvent]
    ) -> StoredAggregate[A]:
        """Fold the missed events, except those that other threads have already folded."""
        base = kept.aggregate
        if missed and base.version == 0:
            return self._again(base.id)  # the stream exists already, with other secrets
        newer = self._cached(base.id) or kept
        known = newer.aggregate.version - base.version
        if 0 < known <= len(missed) and newer.aggregate.head == missed[known - 1].event.hash:
            kept, missed = newer, missed[known:]
        if not missed:
            return kept
        try:
            found = self._fold(kept.aggregate, [event for event, _retry in missed])
        except UnsoundEventError as unsound:
            kept = self._again(base.id)
            if kept.damage is None and unsound.__cause__ is not None:
                # The events are sound, so the error is a fault of the code.
                raise unsound.__cause__ from None
            return kept
        kept = kept._replace(aggregate=found)
        self._keep(kept)
        return kept

    def _rewound(self, kept: StoredAggregate[A]) -> StoredAggregate[A]:
        """Load an aggregate again, because its stream lost events or has another history."""
        known = kept.aggregate
        if self._forget(known.id):
            log.error("stream_rewound", **{self.kind: known.id}, version=known.version)
            STREAM_REWOUND.inc()
        return self._load(known.id)

    def _again(self, id_: str, *, anew: bool = False) -> StoredAggregate[A]:
        self._forget(id_)
        return self._load(id_, anew=anew)

    # The cache

    def _cached(self, id_: str) -> StoredAggregate[A] | None:
        with self._lock:
            kept = self._cache.get(id_)
            if kept is not None:
                self._cache.move_to_end(id_)
            return kept

    def _keep(self, kept: StoredAggregate[A]) -> None:
        """Cache an aggregate, unless a later version is cached."""
        with self._lock:
            known = self._cache.get(kept.aggregate.id)
            if known is None or known.aggregate.version < kept.aggregate.version:
                self._cache[kept.aggregate.id] = kept
            self._cache.move_to_end(kept.aggregate.id)
            if len(self._cache) > self.cache_size:
                self._cache.popitem(last=False)

    def _forget(self, id_: str) -> bool:
        """Remove an aggregate from the cache; return whether it was there."""
        with self._lock:
            return self._cache.pop(id_, None) is not None

    # Appending

    def append(
        self,
        id_: str,
        act: Callable[[StoredAggregate[A], str], S],
        *,
        at_least: int | None = None,
        retry: Retry | None = None,
        new: StoredAggregate[A] | None = None,
    ) -> S | RepeatedRequest:
        """Append the batch that ``act`` makes on the newest version, or find the earlier request.

        ``act`` may run several times. It runs again if it raised an error because its version was
        outdated or its time was wrong. ``new`` is an aggregate that has no stream yet.

        Raises:
            LookupError: ``missing``.
            GameDamagedError: the game is suspended.
            ConflictError: other writers kept appending first.
            RefusedError: ``idempotency_key_reused``; ``rated_table``: a program takes part.
            TooFewReplicasError: the batch is stored, but on fewer replicas than configured.
            LostError: the batch was stored, and a failover lost it.
        """
        kept = new or self.load(id_, at_least)
        for _ in range(ATTEMPTS):
            if new is not None and kept is not new:
                break  # the aggregate exists already
            if kept.damage is not None:
                raise GameDamagedError(id_, kept.damage)
            base, now = kept.aggregate, self.store.clock.now()
            try:
                sealed = act(kept, now)
                claim = self._parts.claim(sealed.parts)
            except Exception:
                look = self._look(kept, retry)
                kept = self._as_seen(kept, look)
                if look.replayed is not None and kept.damage is None:
                    self._confirm(id_, look.replayed.first, retry)
                    return look.replayed
                if kept.aggregate.head == base.head and self.store.clock.was(now):
                    raise
                continue
            match self._append(kept, sealed, retry, claim.until):
                case AppendSuccess():
                    self._parts.settle(claim)
                    return sealed
                case RepeatedRequest() as found:
                    self._confirm(id_, found.first, retry)
                    return found
                case refused:
                    kept = self._as_told(kept, refused)
        raise ConflictError(id_)

    def _as_told(self, kept: StoredAggregate[A], refused: AppendOutcome) -> StoredAggregate[A]:
        """Return the aggregate on which the next try builds.

        The store has refused a batch that was built on ``kept``; ``refused`` is the reason.
        """
        match refused:
            case MissedEvents(missed):
                return self._fold_missed(kept, missed)
            case RewoundStream():
                return self._rewound(kept)
            case DamagedStream():  # the store may know of damage that this process does not
                return self._again(kept.aggregate.id, anew=True)
            case ArchivedGame() if kept.aggregate.version == 0:
                # The id is reserved for an imported game.
                raise ConflictError(kept.aggregate.id)
            case ArchivedGame():
                raise self.missing(kept.aggregate.id)
        return kept  # ``Store.clock`` has learnt the store's time from the answer

    def _append(
        self,
        kept: StoredAggregate[A],
        sealed: SealedBatch[A],
        retry: Retry | None,
        until: int | None,
    ) -> AppendOutcome:
        base = kept.aggregate
        if not sealed.events:
            return AppendSuccess()
        outcome = self.store.append(
            base.id, base.version, base.head, sealed.events, sealed.obligations,
            retry=retry, secrets=None if base.version else kept.secrets, listing=sealed.listing,
            seen=sealed.seen, kept=sealed.kept, beside=sealed.beside,
            asked=sealed.asked, since=sealed.since, notices=sealed.notices,
            closes=sealed.closes, until=until,
        )  # fmt: skip
        # Perhaps the store's answer was lost and the Redis client repeated the command.
        match outcome:
            case RepeatedRequest() if retry is not None and retry.is_own:
                outcome = AppendSuccess()
            case MissedEvents(missed) if sealed.impersonal and _are(missed, sealed.events):
                outcome = AppendSuccess()
        if isinstance(outcome, AppendSuccess):
            if logs.request_id() is not None:
                first, last = sealed.events[0].seq, sealed.events[-1].seq
                log.info("appended", **{self.kind: base.id}, first=first, last=last)
            self._confirm(base.id, sealed.after.version, sealed.after.head)
            self._keep(kept._replace(aggregate=sealed.after))
        return outcome

    def _confirm(self, id_: str, seq: int, what: bytes | Retry | None) -> None:
        """Wait until enough replicas hold an event; on failure, forget the cached aggregate."""
        assert what is not None  # noqa: S101 - what was replayed answered a request
        try:
            self.store.confirm(id_, seq, what)
        except RedisError:
            self._forget(id_)
            raise


def _are(missed: list[StoredEvent], events: list[Event]) -> bool:
    """Whether ``events`` are the first of the missed events."""
    found = [stored.event.hash for stored in missed[: len(events)]]
    return found == [event.hash for event in events]
