"""The live streams of one process, and how they are woken.

Two threads read the feeds of the shards and of notices. They only wake streams; each stream then
reads the events that it has not sent yet. Streams are in ``streams`` (events of a game or
tournament) and in ``inbox`` (a player's notices). The module uses only threads, locks and events,
so it runs under gevent and under plain threads.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import chain
from threading import Event as Signal
from threading import Lock, Thread
from typing import NamedTuple, TypeVar, cast

import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.record.game import Game
from service.ledger import feeds
from service.ledger.ledger import FoldedGame, Ledger
from service.live.messages import Written
from service.live.places import Holder, Places, Shares
from service.metrics import STREAMS, STREAMS_DISPLACED
from service.process import task_time
from service.process.fair_queue import FairQueue

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 12.0
_FEEDS = (feeds.TAILS, (feeds.TOLD,))
"""The groups of feeds, each with a reader: those of the shards, and that of notices."""
_BLOCK_MS = 1_000
_PAUSE_SECONDS = 1.0
_GATHER_SECONDS = 0.005
"""Pause after new entries, to gather more of them.

Reading all feeds costs a process and the Redis as much as a move, even for a single entry.
"""
_AT_ONCE = 20
"""Number of streams that are woken before other requests get a turn."""

StreamPosition = tuple[int, bytes]
"""A version of a game or tournament, and the first bytes of that event's hash."""


class ReadGame(NamedTuple):
    """A game read from the store.

    ``heard`` is the number of feed entries that had arrived before the read.
    """

    game: Game
    heard: int


F = TypeVar("F", bound="LiveStream")
R = TypeVar("R", bound="Room")


class Hub:
    """The streams of one process."""

    def __init__(
        self,
        redis: Redis,
        ledger: Ledger,
        *,
        queue: FairQueue,
        shares: Shares,
        heartbeat: float = HEARTBEAT_SECONDS,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.queue = queue
        self.shares = shares
        self.heartbeat = heartbeat
        self.is_stopping = is_stopping
        self._redis = redis
        self._ledger = ledger
        self._rooms: dict[str, Room] = {}
        """The rooms by the id of their game, tournament or player."""
        self._places: Places[LiveStream] = Places()
        self._lock = Lock()
        self._readers: dict[tuple[str, ...], Thread] = {}
        self._heard = 0
        """Number of times that the tails had new entries."""

    @property
    def count(self) -> int:
        """The number of open streams."""
        return len(self._places)

    def table(self, game_id: str) -> tuple[FoldedGame, ReadGame]:
        """Return a game as of its newest event, and the argument ``seen`` for ``admit``.

        Raises the errors of ``Ledger.table``.
        """
        heard = self._heard
        table = self._ledger.table(game_id)
        return table, ReadGame(table.game, heard)

    def admit(
        self,
        id_: str,
        make_room: Callable[[str], R],
        make: Callable[[R], F],
        holder: Holder,
        times: int,
        seen: ReadGame | None = None,
    ) -> F:
        """Return a new stream in the room ``id_``; the caller closes it.

        The usual limits of the holder's key and address are multiplied by ``times``. Another stream
        may lose its slot to the new one. Then the other stream gets a last message, and ends.
        ``seen`` is the game as the caller has read it. It is used again unless the game has changed
        since.

        Raises:
            Problem: ``stream_share_used``, ``too_many_streams``.
        """
        with self._lock:
            room = cast("R | None", self._rooms.get(id_)) or make_room(id_)
            stream = make(room)
            displaced = self._places.take(stream, holder, self.shares, times)
            if displaced is not None:
                displaced.end("displaced")
                STREAMS_DISPLACED.inc()
            STREAMS.inc()
            self._rooms[id_] = room
            room.waiting.add(stream.woken)
            if seen is not None and seen.heard == self._heard and self._readers:
                room.told = told_of(seen.game)
            for feeds_ in _FEEDS:
                if feeds_ not in self._readers:
                    reader = Thread(
                        target=self._read, args=(feeds_,), name="feeds-reader", daemon=True
                    )
                    self._readers[feeds_] = reader
                    reader.start()
        return stream

    def cut(self, key_ids: set[str] | None) -> None:
        """End the streams that were opened with these keys.

        If ``key_ids`` is None, end all streams that were opened with a key.
        """
        with self._lock:
            for stream, holder in self._places.items():
                if holder.key is not None and (key_ids is None or holder.key in key_ids):
                    stream.end("revoked")

    def now(self) -> str:
        """Return the store's time."""
        return self._ledger.store.clock.now()

    def leave(self, stream: "LiveStream", room: "Room") -> None:
        """Remove a stream that was closed."""
        with self._lock:
            self._places.leave(stream)
            STREAMS.dec()
            room.waiting.discard(stream.woken)
            if not room.waiting:
                self._rooms.pop(room.id, None)

    def _read(self, feeds_: tuple[str, ...]) -> None:
        places: feeds.Places | None = None
        while True:
            with self._lock:
                if not self._rooms:
                    del self._readers[feeds_]
                    return
            if self.is_stopping():
                self._wake_all()
                time.sleep(_PAUSE_SECONDS)
                continue
            try:
                if places is None:
                    places = feeds.newest(self._redis, feeds_)
                    self._wake_all()
                news = feeds.read(self._redis, places, block_ms=_BLOCK_MS)
                for _place, fields in chain.from_iterable(news.values()):
                    self._wake(fields)
                if news and feeds_ is feeds.TAILS:
                    time.sleep(_GATHER_SECONDS)
                if not news and feeds.rewound(self._redis, places):
                    places = None
            except RedisError as error:
                log.warning("tail_unreadable", error=type(error).__name__)
                places = None
                time.sleep(_PAUSE_SECONDS)

    def _wake(self, fields: Mapping[bytes, bytes]) -> None:
        """Wake the streams of the game, tournament or players that a feed's entry names."""
        told = (int(fields[b"v"]), fields.get(b"h", b"")) if b"g" in fields else None
        with self._lock:
            self._heard += 1
            names = fields.get(b"g", fields.get(b"p", b"")).decode().split()
            rooms = [room for name in names if (room := self._rooms.get(name)) is not None]
            waiting = [woken for room in rooms for woken in room.wake(told)]
        _let_go_on(waiting)

    def _wake_all(self) -> None:
        with self._lock:
            self._heard += 1
            waiting = [woken for room in self._rooms.values() for woken in room.wake(None)]
        _let_go_on(waiting)


def _let_go_on(waiting: list[Signal]) -> None:
    """Wake the ``waiting`` streams, one group after another.

    Between two groups, other requests run. So a move need not wait until all streams have run.
    """
    for place, woken in enumerate(waiting, 1):
        woken.set()
        if place % _AT_ONCE == 0:
            task_time.see_new_input()


class Room:
    """The streams that follow one game, tournament or player."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.waiting: set[Signal] = set()
        self.told: StreamPosition | None = None
        """The newest known position in the store; None if it is unknown."""

    def wake(self, told: StreamPosition | None) -> list[Signal]:
        """Remember the newest position, and return the streams to wake.

        The position is None if it is unknown.
        """
        self.told = told
        return [*self.waiting]


class LiveStream(ABC):
    """One client's stream; its iterator yields what to send."""

    def __init__(self, hub: Hub, room: Room, holder: Holder) -> None:
        self.woken = Signal()
        self._hub = hub
        self._address = holder.address
        self._until = holder.until
        self._in = room
        self._closed = False
        self._last: str | None = None
        """The last message to send, if another part of the service has ended the stream."""

    @abstractmethod
    def __iter__(self) -> Iterator[Written]:
        """Yield messages until the stream is over."""

    def close(self) -> None:
        """Free the stream's slot; repeated calls do no harm."""
        if not self._closed:
            self._closed = True
            self._hub.leave(self, self._in)

    def end(self, last: str) -> None:
        """End the stream with a final message.

        ``last`` is the type of this message, and so tells the reason.
        """
        self._last = last
        self.woken.set()

    def _at_work(self) -> AbstractContextManager[None]:
        """Return a context manager for making the next piece of the stream.

        In this way, streams take turns with other requests.
        """
        return self._hub.queue.at_work(self._address)

    def _ending(self) -> str | None:
        """Return the type of the last message; None if the stream goes on."""
        if self._until is not None and self._until <= self._hub.now():
            self._last = "revoked"
        return self._last


def told_of(game: Game) -> StreamPosition:
    """Return a game's newest position, in the form in which a feed reports it."""
    return game.version, game.head[: feeds.HEAD_BYTES]
