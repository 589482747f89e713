"""The consumer of feeds that builds the public log.

While games move it only notes which. Once a minute it reads their heads, and makes a checkpoint. A
table that is closed and waits for a beacon gets one at once, so that witnesses see it before the
round is out. Each checkpoint is made in steps, of which each may be the last if the process is
killed:

1. The leaves follow from the heads.
2. Replicas and disks hold all that was read, as the settings ask.
3. The new tiles are on disk, in ``pending/``.
4. The checkpoint is signed, in memory.
5. The marker in the store is moved from the last tree to this one, and replicas hold it.
6. Witnesses co-sign, those that answer within a few seconds.
7. The tiles are published, then the checkpoint. Later co-signatures are added to it.
8. The store notes what the log has of each id; then the cursors of the feeds may move.

Before it builds, and after each error, ``recovery`` finds out how far the last one came.
"""

from collections.abc import Collection, Iterable, Sequence

import structlog

from rules.kernel.record.instants import from_ms
from service.following.consumer import Lead, Renewed, StreamAdvance
from service.following.cursors import behind_since
from service.following.follower import MARGIN_MS
from service.ledger.store import Store, TooFewReplicasError
from service.ledger.streams import StreamScan
from service.publishing.errors import NotOnDiskError, UnfitError
from service.publishing.folder import LogFolder, PrivateLeaf, Server
from service.publishing.heads import Draft, Drafts, Heads
from service.publishing.index import PAGE, LogIndex
from service.publishing.marker import DIVERGED, DUE, NAME, Marker
from service.publishing.publisher import Publisher
from service.publishing.recovery import Recovery
from service.publishing.servers import StoreServers
from service.publishing.tree import SignedTree
from service.publishing.witnesses import Witnesses
from service.records.statements import BEGUN, BEHIND, Statement
from service.redis.commands import Commands, checked

log = structlog.get_logger(__name__)

INTERVAL_MS = 60_000
RENEW_MS = 3_600_000
"""Interval at which the time of an idle log is signed again."""
RETRY_MS = 5_000
"""Time after an attempt that failed."""
AT_ONCE = 20_000
"""Maximum number of ids in one checkpoint; the others are in the next one, at once."""
MOST_MOVED = 200_000
"""Maximum number of ids that wait. If there are more, all streams are read instead."""
BEHIND_MS = 90_000
"""Age of what waits from which on a checkpoint says that it lacks it. A receipt promises that an
event is in the log after 120 s, and the event may be older than its entry in a feed.
"""
LEASE_MS = 15_000
"""Duration of the builder's lease without renewal."""
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
        interval_ms: int = INTERVAL_MS,
        witnesses: Witnesses | None = None,
    ) -> None:
        self.witnesses = witnesses
        self._store = store
        self._folder = folder
        self._interval_ms = interval_ms
        self._marker = Marker(store.redis)
        self._publisher = Publisher(store, folder, self._marker, witnesses)
        self._servers = StoreServers(folder)
        self._recovery = Recovery(store, folder, self._marker, self._publisher, self._servers)
        self._heads = Heads(store)
        self._index = LogIndex(store.redis)
        self._commands = Commands(store.redis)
        self._moved: dict[str, None] = {}
        """The ids of streams that have moved, the first one first."""
        self._closed: dict[str, int] = {}
        """The versions at which tables were closed that wait for a beacon, by id."""
        self._scan: tuple[Server | None, StreamScan] | None = None
        """A scan of all streams, of one server; None: the feeds tell of all that is new."""
        self._tree: SignedTree | None = None
        """The newest tree, once folder and store are known to fit; None after an error."""
        self._token = 0
        self._next_at = 0
        self._retry_at = 0
        self._complaint = ""

    def take(self, news: Sequence[StreamAdvance], lead: Lead) -> None:
        """Note which streams have moved."""
        self._add(moved.stream_id for moved in news)
        self._closed.update({one.stream_id: one.version for one in news if one.closes})

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Note that a stream may have moved."""
        self._add([stream_id])

    def _add(self, ids: Iterable[str]) -> None:
        known = len(self._moved)
        self._moved.update(dict.fromkeys(ids))
        if len(self._moved) > max(known, MOST_MOVED):
            self._moved.clear()
            self._scan_all()

    def _scan_all(self) -> None:
        self._scan = None, StreamScan(self._store.redis)

    def is_durable(self, renewed: Renewed) -> bool:
        """Make a checkpoint if it is time; return whether the log has all that was taken."""
        now = self._store.clock.now_ms()
        if not self._retry_at - RETRY_MS <= now < self._retry_at:
            try:
                self._work(renewed, now)
            except UnfitError as error:
                self._fail(str(error))
                raise
            except (TooFewReplicasError, NotOnDiskError, OSError) as error:
                self._fail(str(error))
                self._retry_at = now + RETRY_MS
            except BaseException:
                self._tree = None
                raise
        waits = self._moved or self._closed or self._scan is not None
        return self._tree is not None and not waits

    def _fail(self, why: str) -> None:
        self._tree = None
        if why != self._complaint:
            log.error("public_log_stands", reason=why)
        self._complaint = why

    def _work(self, renewed: Renewed, now: int) -> None:
        known = self._begun(renewed, now)
        self._publisher.refresh(known)
        # Otherwise the clock was set back.
        is_between = self._next_at - self._interval_ms <= now < self._next_at
        if is_between and not self._closed:
            return
        boundary = now // self._interval_ms * self._interval_ms
        self._tree = None  # unless all goes well
        self._tree = self._advanced(renewed, known, boundary, at_once=is_between)
        if not is_between:
            waits = self._moved or self._scan is not None
            self._next_at = now if waits else boundary + self._interval_ms
        self._complaint = ""

    def _begun(self, renewed: Renewed, now: int) -> SignedTree:
        """Return the newest tree, after what was begun before is finished."""
        known, mark = self._tree, self._marker.read().mark
        if known is not None and renewed().token == self._token and known.mark == mark:
            return known
        self._tree = None
        found = self._recovery.recover(renewed, now)
        self._add(found.touched)
        self._token = renewed().token
        if not found.is_scanned and self._scan is None:
            self._scan_all()  # the log is new, and there may be streams that no feed tells of
        self._next_at = (now // self._interval_ms + 1) * self._interval_ms
        self._tree = found.tree
        self._publisher.resume(found.tree)
        log.info("public_log_begun", origin=self._folder.signer.origin, size=found.tree.size)
        return found.tree

    def _advanced(
        self, renewed: Renewed, known: SignedTree, boundary: int, *, at_once: bool
    ) -> SignedTree:
        """Return the tree after a checkpoint of what has moved by the time ``boundary``.

        ``at_once``: it has only the tables that were closed and wait for a beacon.
        """
        since = behind_since(self._store.redis, NAME)
        server = self._publisher.begin()
        self._servers.notice(server, 1000 * known.at)
        due: list[str] = []
        if not at_once:
            self._scan_on(renewed, server)
            due = self._due(boundary)
        ids = [*dict.fromkeys((*self._closed, *due, *(() if at_once else self._moved)))][:AT_ONCE]
        found = self._read(renewed, ids, boundary)
        if found.diverged:
            log.error("streams_diverged", ids=found.diverged[:10], count=len(found.diverged))
            self._store.redis.sadd(DIVERGED, *found.diverged)
        drafts = [draft for draft in found.drafts if draft.leaves]
        leaves = [leaf for draft in drafts for leaf, _seq in draft.leaves]
        now = self._store.clock.now_ms()
        said = [*_statements(known, since, now), *self._servers.statements(now)]
        if leaves or said:
            first = known.size + len(said)
            private, closed = _private(first, drafts), _last_of(first, drafts, self._closed)
            known = self._publisher.extend(renewed(), known, [*said, *leaves], private, now, closed)
            self._servers.have_said()
            self._index.note(renewed, ((draft.id, draft.entry) for draft in drafts))
        elif now >= 1000 * known.at + RENEW_MS:
            known = self._publisher.renew(renewed(), known, now)
        waiting: dict[str, int | None] = dict.fromkeys(due)
        waiting |= {one.id: one.due for one in found.drafts if one.counted or one.due is not None}
        if leaves or said or waiting:
            self._marker.note(renewed(), known.mark, known.size, waiting.items())
        for id_ in ids:
            self._moved.pop(id_, None)
            self._closed.pop(id_, None)
        self._end_scan(renewed, known)
        return known

    def _read(self, renewed: Renewed, ids: Sequence[str], boundary: int) -> Drafts:
        """Return the leaves of these ids, sorted by the ids that stand in them.

        These tell nothing of the id of a game that is not public.
        """
        found = Drafts([], [])
        for first in range(0, len(ids), PAGE):
            renewed()
            part = self._heads.read(ids[first : first + PAGE], boundary, self._closed)
            found.drafts.extend(part.drafts)
            found.diverged.extend(part.diverged)
        found.drafts.sort(key=lambda draft: draft.leaves[0][0].id if draft.leaves else "")
        return found

    def _due(self, boundary: int) -> list[str]:
        """Return the games that are not public and whose leaf is due, the first one first."""
        command = ("ZRANGEBYSCORE", DUE, "-inf", boundary, "LIMIT", 0, AT_ONCE)
        (found,) = checked(self._commands.ask(command))
        return [id_.decode() for id_ in found]

    # Streams of which the feeds do not tell

    def _scan_on(self, renewed: Renewed, server: Server) -> None:
        """Read the ids of more streams, as many as the next checkpoint may have."""
        if self._scan is None:
            return
        asked, scan = self._scan
        if asked != server:  # another one has its keys in another order
            scan = StreamScan(self._store.redis)
            self._scan = server, scan
        while not scan.is_over and len(self._moved) < AT_ONCE:
            renewed()
            self._moved.update(dict.fromkeys(scan.page()))

    def _end_scan(self, renewed: Renewed, known: SignedTree) -> None:
        """Note that all streams were read, if so."""
        if self._scan is not None and self._scan[1].is_over and not self._moved:
            self._publisher.confirm()
            self._marker.note(renewed(), known.mark, known.size, scanned=True)
            self._scan = None


def _statements(known: SignedTree, since: int | None, now: int) -> list[Statement]:
    """Return what the log has to say of itself at ``now``.

    ``since`` is the time of the oldest entry of a feed that was not processed before. Nothing that
    is older is lacking; whether this checkpoint has all that is newer is not known here.
    """
    said = [] if known.size else [Statement(BEGUN, from_ms(now))]
    if since is not None and since < now - BEHIND_MS:
        until = max(now, 1000 * known.at)  # the time that the checkpoint will have, or later
        said.append(Statement(BEHIND, from_ms(since - MARGIN_MS), from_ms(until)))
    return said


def _private(first: int, drafts: Iterable[Draft]) -> dict[int, PrivateLeaf]:
    """Return the games of the leaves with pseudonyms; the first leaf has the index ``first``."""
    found = {}
    for draft in drafts:
        for index, (_leaf, seq) in enumerate(draft.leaves, first):
            if draft.counted:
                found[index] = PrivateLeaf(draft.id, seq)
        first += len(draft.leaves)
    return found


def _last_of(first: int, drafts: Iterable[Draft], ids: Collection[str]) -> list[int]:
    """Return the index of the last leaf of each of these ids, of leaves as in ``_private``."""
    found = []
    for draft in drafts:
        first += len(draft.leaves)
        if draft.id in ids:
            found.append(first - 1)
    return found
