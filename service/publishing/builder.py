"""The consumer of feeds that builds the public log.

While games move it only notes which. Once a minute it reads their heads, and makes a checkpoint in
steps, of which each may be the last if the process is killed:

1. The leaves follow from the heads.
2. Replicas and disks hold all that was read, as the settings ask.
3. The new tiles are on disk, in ``pending/``.
4. The checkpoint is signed, in memory.
5. The marker in the store is moved from the last tree to this one, and replicas hold it.
6. The tiles are published, then the checkpoint.
7. The store notes what the log has of each id; then the cursors of the feeds may move.

Before it builds, and after each error, ``recovery`` finds out how far the last one came.
"""

from collections.abc import Iterable, Sequence

import structlog

from service.following.consumer import Lead, StreamAdvance
from service.ledger.store import Store, TooFewReplicasError
from service.ledger.streams import stream_ids
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFolder, PrivateLeaf
from service.publishing.heads import Draft, Heads, logged_key
from service.publishing.marker import DIVERGED, DUE, MARKER, NAME, Marker
from service.publishing.publisher import Publisher
from service.publishing.recovery import Recovery
from service.publishing.tree import SignedTree
from service.redis.commands import Commands, Word, checked

log = structlog.get_logger(__name__)

INTERVAL_MS = 60_000
RENEW_MS = 3_600_000
"""Interval at which the time of an idle log is signed again."""
RETRY_MS = 5_000
"""Time after an attempt that failed."""
AT_ONCE = 20_000
"""Maximum number of ids in one checkpoint; the others are in the next one."""
LEASE_MS = 15_000
"""Duration of the builder's lease; a checkpoint takes less."""
GATHER_SECONDS, BLOCK_MS = 4.0, 3_000
"""Pause after new entries of the feeds, and maximum wait of a read for one."""


class LogBuilder:
    """Builds the log in ``folder`` from the streams of ``store``."""

    name = NAME

    def __init__(
        self,
        store: Store,
        folder: LogFolder,
        *,
        is_synced: bool = True,
        interval_ms: int = INTERVAL_MS,
    ) -> None:
        """``is_synced``: whether the store has on disk what it has answered."""
        self._store = store
        self._folder = folder
        self._interval_ms = interval_ms
        self._marker = Marker(store.redis)
        self._publisher = Publisher(store, folder, self._marker, is_synced=is_synced)
        self._recovery = Recovery(store, folder, self._marker, self._publisher)
        self._heads = Heads(store)
        self._commands = Commands(store.redis)
        self._moved: dict[str, None] = {}
        """The ids of streams that have moved, the first one first."""
        self._tree: SignedTree | None = None
        """The newest tree, once folder and store are known to fit; None after an error."""
        self._token = 0
        self._next_at = 0
        self._retry_at = 0
        self._scanned = False
        self._complaint = ""

    def take(self, news: Sequence[StreamAdvance], lead: Lead) -> None:
        """Note which streams have moved."""
        self._moved.update(dict.fromkeys(moved.stream_id for moved in news))

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Note that a stream may have moved."""
        self._moved[stream_id] = None

    def is_durable(self, lead: Lead) -> bool:
        """Make a checkpoint if it is time; return whether the log has all that was taken."""
        now = self._store.clock.now_ms()
        if not self._retry_at - RETRY_MS <= now < self._retry_at:
            try:
                self._work(lead, now)
            except TooFewReplicasError as error:
                self._fail(str(error), now)
            except (UnfitError, OSError) as error:
                self._fail(str(error), now)
            except BaseException:
                self._tree = None
                raise
        return not self._moved and self._tree is not None

    def _fail(self, why: str, now: int) -> None:
        self._tree = None
        self._retry_at = now + RETRY_MS
        if why != self._complaint:
            log.error("public_log_stands", reason=why)
        self._complaint = why

    def _work(self, lead: Lead, now: int) -> None:
        known = self._begun(lead, now)
        if self._next_at - self._interval_ms <= now < self._next_at:  # else the clock was set back
            return
        boundary = now // self._interval_ms * self._interval_ms
        self._tree = None  # unless all goes well
        self._tree = self._advanced(lead, known, boundary)
        if not self._scanned and not self._moved:
            self._store.redis.hset(MARKER, "scanned", 1)
            self._scanned = True
        self._next_at = boundary + self._interval_ms
        self._complaint = ""

    def _begun(self, lead: Lead, now: int) -> SignedTree:
        """Return the newest tree, after what was begun before is finished."""
        known, mark = self._tree, self._marker.read().mark
        if known is not None and lead.token == self._token and known.mark == mark:
            return known
        self._tree = None
        found = self._recovery.recover(lead, now)
        self._moved.update(dict.fromkeys(found.touched))
        self._scanned, self._token = found.is_scanned, lead.token
        if not self._scanned:  # the log is new, and there may be streams that no feed tells of
            self._moved.update(dict.fromkeys(stream_ids(self._store.redis)))
        self._next_at = (now // self._interval_ms + 1) * self._interval_ms
        self._tree = found.tree
        log.info("public_log_begun", origin=self._folder.signer.origin, size=found.tree.size)
        return found.tree

    def _advanced(self, lead: Lead, known: SignedTree, boundary: int) -> SignedTree:
        """Return the tree after a checkpoint of what has moved by the time ``boundary``."""
        self._publisher.begin()
        due = self._due(boundary)
        ids = [*dict.fromkeys((*due, *self._moved))][:AT_ONCE]
        found = self._heads.read(ids, due, boundary)
        if found.diverged:
            log.error("streams_diverged", ids=found.diverged[:10], count=len(found.diverged))
            self._store.redis.sadd(DIVERGED, *found.diverged)
        drafts = [draft for draft in found.drafts if draft.leaves]
        leaves = [leaf for draft in drafts for leaf, _seq in draft.leaves]
        now, first = self._store.clock.now_ms(), known.size
        if leaves:
            known = self._publisher.extend(lead, known, leaves, _private(first, drafts), now)
        elif now >= 1000 * known.at + RENEW_MS:
            known = self._publisher.renew(lead, known, now)
        self._index(first, found.drafts, [id_ for id_ in due if id_ in ids], known.size)
        for id_ in ids:
            self._moved.pop(id_, None)
        return known

    def _due(self, boundary: int) -> list[str]:
        (found,) = self._commands.ask(("ZRANGEBYSCORE", DUE, "-inf", boundary))
        return [id_.decode() for id_ in found]

    def _index(self, first: int, drafts: Iterable[Draft], done: Sequence[str], size: int) -> None:
        """Note in the store what the log has of each id, and last that all of it is noted.

        The leaves of the ``drafts`` begin with the index ``first``. ``done`` were due.
        """
        commands: list[Sequence[Word]] = [("ZREM", DUE, *done)] if done else []
        for draft in drafts:
            if draft.leaves:
                entry = draft.entry(first).dump()
                commands.append(("HSET", logged_key(draft.id), draft.id, entry))
                first += len(draft.leaves)
            if draft.due is not None:
                commands.append(("ZADD", DUE, "NX", draft.due, draft.id))
        commands.append(("HSET", MARKER, "indexed", size))
        checked(self._commands.ask(*commands))


def _private(first: int, drafts: Iterable[Draft]) -> dict[int, PrivateLeaf]:
    """Return the games of the leaves with pseudonyms; the first leaf has the index ``first``."""
    found = {}
    for draft in drafts:
        for index, (_leaf, seq) in enumerate(draft.leaves, first):
            if draft.counted:
                found[index] = PrivateLeaf(draft.id, seq)
        first += len(draft.leaves)
    return found
