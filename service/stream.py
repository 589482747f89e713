"""Live events for many clients from one reader in each process (server-sent events).

The reader follows the shards' tails and only wakes streams up; each stream then takes what it has
not sent yet. A room remembers the newest events of its game, encoded once for each kind of
viewer. Nothing here but threads, locks and events: it runs under gevent and under plain threads.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from threading import Event as Signal
from threading import Lock, Thread

import orjson
import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.events import Event, copy_for
from service.ids import is_tournament
from service.ledger import feeds
from service.ledger.ledger import Ledger
from service.metrics import STREAMS
from service.problems import Problem
from service.tournaments.director import Director

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 12.0
_BLOCK_MS = 1_000
_PAUSE_SECONDS = 1.0
_REMEMBERED = 200
"""How many of its newest events a room keeps."""
_PAGE = 500
_RETRY = b"retry: 2000\n\n"
_KEEP_ALIVE = b": keep-alive\n\n"

Chained = tuple[Event, bytes]
"""An event and the hash before it."""


class Hub:
    """The streams of one process."""

    def __init__(
        self,
        redis: Redis,
        ledger: Ledger,
        director: Director,
        *,
        limit: int,
        heartbeat: float = HEARTBEAT_SECONDS,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.limit = limit
        self.heartbeat = heartbeat
        self.is_stopping = is_stopping
        self._redis = redis
        self._ledger = ledger
        self._director = director
        self._rooms: dict[str, _Room] = {}
        self._count = 0
        self._lock = Lock()
        self._reader: Thread | None = None

    @property
    def count(self) -> int:
        """How many streams are open."""
        return self._count

    def open(self, game_id: str, viewer: int | None, after: int) -> "Stream":
        """Return a stream of a game's events after ``after``; the caller closes it.

        Raises:
            Problem: ``too_many_streams``.

        """
        with self._lock:
            if self._count >= self.limit:
                raise Problem("too_many_streams", limit=self.limit)
            self._count += 1
            STREAMS.inc()
            room = self._rooms.get(game_id)
            if room is None:
                room = self._rooms[game_id] = self._new_room(game_id)
            stream = Stream(self, room, viewer, after)
            room.waiting.add(stream.woken)
            if self._reader is None:
                self._reader = Thread(target=self._read, name="tail-reader", daemon=True)
                self._reader.start()
        return stream

    def _new_room(self, stream_id: str) -> "_Room":
        if is_tournament(stream_id):
            return _TournamentRoom(stream_id, self._director)
        return _GameRoom(stream_id, self._ledger)

    def leave(self, room: "_Room", woken: Signal) -> None:
        """Forget a stream that was closed."""
        with self._lock:
            self._count -= 1
            STREAMS.dec()
            room.waiting.discard(woken)
            if not room.waiting:
                self._rooms.pop(room.game_id, None)

    def _read(self) -> None:
        places: feeds.Places | None = None
        while True:
            with self._lock:
                if not self._rooms:
                    self._reader = None
                    return
            if self.is_stopping():
                self._wake_all()
                time.sleep(_PAUSE_SECONDS)
                continue
            try:
                if places is None:
                    places = feeds.newest(self._redis, feeds.TAIL)
                    self._wake_all()
                for game_id, version in feeds.read(
                    self._redis, feeds.TAIL, places, block_ms=_BLOCK_MS
                ):
                    self._wake(game_id, version)
            except RedisError as error:
                log.warning("tail_unreadable", error=type(error).__name__)
                places = None
                time.sleep(_PAUSE_SECONDS)

    def _wake(self, game_id: str, version: int) -> None:
        with self._lock:
            room = self._rooms.get(game_id)
            if room is not None:
                room.wake(version)

    def _wake_all(self) -> None:
        with self._lock:
            for room in self._rooms.values():
                room.wake(None)


class Stream:
    """One client's stream: iterate over it for the bytes to send."""

    def __init__(self, hub: Hub, room: "_Room", viewer: int | None, after: int) -> None:
        self.woken = Signal()
        self._hub = hub
        self._room = room
        self._viewer = viewer
        self._sent = after
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield _RETRY
        while not self._hub.is_stopping():
            self.woken.clear()
            try:
                frames, version, over = self._room.after(self._viewer, self._sent)
            except RedisError:
                frames, version, over = [], self._sent, False
            if frames:
                yield b"".join(frames)
                self._sent += len(frames)
            if self._sent < version:
                continue
            if over:
                data = orjson.dumps({"version": version})
                yield b"event: end\ndata: " + data + b"\n\n"
                return
            if not self.woken.wait(self._hub.heartbeat):
                yield _KEEP_ALIVE

    def close(self) -> None:
        """Free the place; more than once does no harm."""
        if not self._closed:
            self._closed = True
            self._hub.leave(self._room, self.woken)


class _Room(ABC):
    """The streams of one game or tournament."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.waiting: set[Signal] = set()
        self._version: int | None = None

    def wake(self, version: int | None) -> None:
        """Have all streams look for news; ``version`` is what the tail told of, if known."""
        self._version = version
        for woken in self.waiting:
            woken.set()

    @abstractmethod
    def after(self, viewer: int | None, sent: int) -> tuple[list[bytes], int, bool]:
        """Return frames after ``sent`` (one page), the stream's version, and whether it is over."""


class _TournamentRoom(_Room):
    """The streams of one tournament, all of which is public."""

    def __init__(self, tournament_id: str, director: Director) -> None:
        super().__init__(tournament_id)
        self._director = director

    def after(self, viewer: int | None, sent: int) -> tuple[list[bytes], int, bool]:
        tournament = self._director.find(self.game_id)
        version = tournament.version
        copies = self._director.copies(self.game_id, sent, min(version, sent + _PAGE))
        return [_frame(copy) for copy in copies], version, tournament.over


class _GameRoom(_Room):
    """The streams of one game, and its newest events as each kind of viewer sees them."""

    def __init__(self, game_id: str, ledger: Ledger) -> None:
        super().__init__(game_id)
        self._ledger = ledger
        self._events: list[Chained] = []
        self._frames: dict[tuple[int | None, int], bytes] = {}
        self._lock = Lock()

    def after(self, viewer: int | None, sent: int) -> tuple[list[bytes], int, bool]:
        table = self._ledger.table(self.game_id, self._version)
        game = table.game
        version, over, access = game.version, game.over, game.access
        if sent >= version:
            return [], version, over
        with self._lock:
            events = self._take(sent, min(version, sent + _PAGE))
            frames = []
            for event, prev_hash in events:
                frame = self._frames.get((viewer, event.seq))
                if frame is None:
                    copy = copy_for(viewer, event, prev_hash, table.secrets.salt, access, version)
                    frame = _frame(copy)
                    if event.seq > version - _REMEMBERED:
                        self._frames[viewer, event.seq] = frame
                frames.append(frame)
        return frames, version, over

    def _take(self, sent: int, until: int) -> list[Chained]:
        """Return the events after ``sent``, from memory if it reaches back so far."""
        kept = self._events
        if not kept or kept[0][0].seq > sent + 1:
            events = self._ledger.events(self.game_id, sent, until - sent)
            if not kept:
                self._events = events
        else:
            newest = kept[-1][0].seq
            if newest < until:
                kept += self._ledger.events(self.game_id, newest, until - newest)
            events = [chained for chained in kept if sent < chained[0].seq <= until]
        self._forget()
        return events

    def _forget(self) -> None:
        if len(self._events) > 2 * _REMEMBERED:
            del self._events[:-_REMEMBERED]
            oldest = self._events[0][0].seq
            self._frames = {key: frame for key, frame in self._frames.items() if key[1] >= oldest}


def _frame(copy: JsonObject) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (copy["seq"], orjson.dumps(copy))
