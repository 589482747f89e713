"""Updates all derived data that are in other cluster slots than the appended events.

The leading process reads the feeds of all shards from their cursors. It hands the entries to the
consumer page by page, and moves the cursors from time to time. So a page may be processed twice,
but no page is skipped. A feed has a maximum length. If the entry at a cursor has been dropped,
later entries may have been dropped too. In that case, the follower reads the newest events of all
streams of the shard, and calls the consumer's ``missed`` for the streams that have advanced. If a
failover has rewound a feed, the follower reads it again from a minute before its end.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from threading import Event as Signal
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.record.instants import to_ms
from service.following.consumer import Consumer, LostLeadError, StandsStillError, StreamAdvance
from service.following.cursors import FeedCursors
from service.following.lease import Lease
from service.ids import shard_of
from service.ledger import feeds
from service.ledger.feeds import START, TAIL, Entries
from service.ledger.store import Store
from service.ledger.streams import stream_ids
from service.metrics import FOLLOWED, GAPS
from service.redis.keys import shard_key, shard_of_key

log = structlog.get_logger(__name__)

BLOCK_MS = 1_000
"""Maximum wait of one read; shorter than a lease."""
GATHER_SECONDS = 0.02
"""Wait after new entries for more of them: reading all feeds has a high fixed cost."""
NOTE_SECONDS = 1.0
"""Interval of moving the cursors, which is too costly to do after each page.

A new leader repeats the work that was done since the cursors were last moved.
"""
STANDBY_SECONDS = 1.0
STILL_SECONDS = 5.0
"""Pause after a consumer stands still."""
CLAIM_SECONDS = 30.0
"""Interval at which the leader checks for rewound feeds."""
PAGE = 200
AT_ONCE = 500
"""Maximum entries that are processed between two moves of the cursors."""
BACK_MS = 60_000
"""A rewound feed is read again from this time before its end."""
MARGIN_MS = 10_000
"""Maximum time by which an event may be older than its entry in the feed."""


class Follower:
    """Runs ``consumer`` on ``store``'s feeds while no other process leads."""

    def __init__(
        self,
        redis: Redis,
        store: Store,
        consumer: Consumer,
        *,
        block_ms: int = BLOCK_MS,
        standby_seconds: float = STANDBY_SECONDS,
        gather_seconds: float = GATHER_SECONDS,
        lease_ms: int | None = None,
    ) -> None:
        self._redis = redis
        self._store = store
        self._consumer = consumer
        self._block_ms = block_ms
        self._standby_seconds = standby_seconds
        self._gather_seconds = gather_seconds
        self._lease = Lease(redis, consumer.name, lease_ms)
        self._cursors = FeedCursors(redis, consumer.name)
        self._stopping = Signal()
        self._followed: dict[int, str] = {}
        """How far the feed of each shard was followed since the cursors were moved."""
        self._places: feeds.Places = {}
        """How far each feed was read under the lead ``_token``; empty after an error."""
        self._token = 0
        self._note_at = 0.0

    def stop(self) -> None:
        """Make ``run`` return soon."""
        self._stopping.set()

    def run(self) -> None:
        """Follow the feeds while no other process leads, until stopped. Retry after any error."""
        while not self._stopping.is_set():
            try:
                if self._lease.take() is not None:
                    self._follow()
                    continue
            except StandsStillError:  # the consumer has said so
                self._places = {}
                self._give_back()
                self._stopping.wait(STILL_SECONDS)
                continue
            except LostLeadError as lost:
                self._places = {}
                log.info("lead_lost", consumer=self._consumer.name, reason=str(lost))
            except RedisError as error:
                self._places = {}
                log.warning("feeds_unreadable", error=type(error).__name__)
            except Exception:
                self._places = {}
                log.exception("following_failed", consumer=self._consumer.name)
            self._stopping.wait(self._standby_seconds)
        self._give_back()

    def _give_back(self) -> None:
        try:
            self._lease.give_back()
        except RedisError:  # the lease expires soon
            return

    def _follow(self) -> None:
        """Follow the feeds while this process leads.

        Return when it is time to check all cursors again.
        """
        places = self._begin()
        again_at = time.monotonic() + CLAIM_SECONDS
        while not self._stopping.is_set() and time.monotonic() < again_at:
            if self._step(places, self._block_ms):
                self._stopping.wait(self._gather_seconds)
        self._note()

    def catch_up(self) -> None:
        """Process everything that the feeds hold now.

        Raises:
            LostLeadError: another process leads.
        """
        if self._lease.take() is None:
            raise LostLeadError("another process leads")
        places = self._begin()
        while self._step(places, None):
            continue

    def _begin(self) -> feeds.Places:
        """Claim the cursors, so that no other process can move them; return where to read on.

        A process that has led without a break reads on from where it is, because the cursors may be
        behind.
        """
        lead = self._lease.renewed()
        cursors = self._cursors.claim(lead)
        if lead.token != self._token or not self._places:
            self._token, self._followed = lead.token, {}
            self._places = {
                shard_key(shard, TAIL): cursor.place for shard, cursor in enumerate(cursors)
            }
        for shard, cursor in enumerate(cursors):
            if cursor.place == START:  # it was lost, or there never was one
                place = self._places[shard_key(shard, TAIL)]
                self._followed.update({} if place == START else {shard: place})
        rewound = {
            # Not after the stored position: what follows that one may not have been processed.
            shard: min(_before(cursor.newest), cursor.place, key=feeds.order)
            for shard, cursor in enumerate(cursors)
            if cursor.newest != START
            and feeds.order(self._places[shard_key(shard, TAIL)]) > feeds.order(cursor.newest)
        }
        if rewound:
            log.warning("feeds_rewound", consumer=self._consumer.name, shards=len(rewound))
            self._cursors.move(lead, rewound)
            for shard, place in rewound.items():
                self._places[shard_key(shard, TAIL)] = place
                self._followed.pop(shard, None)
        return self._places

    def _step(self, places: feeds.Places, block_ms: int | None) -> int:
        """Read new entries, let the consumer process them, and return their number."""
        before = dict(places)
        found = feeds.read(self._redis, places, count=PAGE, block_ms=block_ms)
        if full := {key: before[key] for key, entries in found.items() if len(entries) == PAGE}:
            self._make_up(self._dropped(full))
        for pages in _portions(found.items()):
            lead = self._lease.renewed()
            news = [_moved(*entry) for _key, page in pages for entry in page]
            news.sort(key=lambda moved: moved.at)
            self._consumer.take(news, lead)
            self._followed |= {shard_of_key(key): page[-1][0] for key, page in pages}
        if not found or time.monotonic() >= self._note_at:
            self._note()
        total = sum(map(len, found.values()))
        FOLLOWED.labels(self._consumer.name).inc(total)
        return total

    def _note(self) -> None:
        """Move the cursors to the last processed entries, if the consumer can lose none of them."""
        if self._consumer.is_durable(self._lease.renewed):
            self._cursors.move(self._lease.renewed(), self._followed)
            self._followed = {}
        self._note_at = time.monotonic() + NOTE_SECONDS

    # Entries that a feed has dropped

    def _dropped(self, places: Mapping[str, str]) -> dict[int, int]:
        """Return the shards whose feeds may have dropped entries before they were read.

        ``places`` has, for each feed, the position of the last entry that was read. If the feed no
        longer has this entry, it may also have dropped newer entries. Then the result has the
        number of the shard, with a time (ms since 1970) that is shortly before the time of the last
        entry that was read. A feed drops entries only while it holds more than a page of newer
        entries. So only feeds that have just given a full page need this check.
        """
        followed = {key: place for key, place in places.items() if place != START}
        pipe = self._redis.pipeline(transaction=False)
        for key, place in followed.items():
            pipe.xrange(key, place, place)
        return {
            shard_of_key(key): feeds.order(place)[0] - MARGIN_MS
            for (key, place), entry in zip(followed.items(), pipe.execute(), strict=True)
            if not entry
        }

    def _make_up(self, dropped: Mapping[int, int]) -> None:
        """Call ``missed`` for the streams of shards whose feeds have dropped entries."""
        if not dropped:
            return
        log.warning("feeds_dropped", consumer=self._consumer.name, shards=len(dropped))
        GAPS.labels(self._consumer.name).inc(len(dropped))
        for stream_id in self._moved_since(dropped):
            since = dropped[shard_of(stream_id)]
            self._consumer.missed(stream_id, since, self._lease.renewed())

    def _moved_since(self, dropped: Mapping[int, int]) -> Iterator[str]:
        """Yield the streams of these shards that may have events which the feed has dropped.

        They are the streams that have a deadline, and the streams whose newest event is not older
        than the time of their shard in ``dropped``.
        """
        timed: set[str] = set()
        for shard in dropped:
            found: Any = self._redis.zrange(shard_key(shard, "deadlines"), 0, -1)
            timed.update(member.decode() for member in found)
        yield from timed
        ids = (
            id_ for id_ in stream_ids(self._redis) if shard_of(id_) in dropped and id_ not in timed
        )
        while page := list(islice(ids, AT_ONCE)):
            for stream_id, event in zip(page, self._store.newest_events(page), strict=True):
                if event is not None and to_ms(event.at) >= dropped[shard_of(stream_id)]:
                    yield stream_id


def _portions(
    pages: Iterable[tuple[str, Entries]],
) -> Iterator[list[tuple[str, Entries]]]:
    """Yield the pages in groups of about AT_ONCE entries."""
    portion: list[tuple[str, Entries]] = []
    size = 0
    for page in pages:
        portion.append(page)
        size += len(page[1])
        if size >= AT_ONCE:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _moved(place: str, told: Mapping[bytes, bytes]) -> StreamAdvance:
    return StreamAdvance(
        feeds.order(place)[0],
        told[b"g"].decode(),
        int(told[b"v"]),
        told.get(b"h", b""),
        told.get(b"n", b""),
        b"c" in told,
    )


def _before(place: str) -> str:
    return f"{max(0, feeds.order(place)[0] - BACK_MS)}-0"
