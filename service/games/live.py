"""Live events for many clients from one reader in each process (server-sent events).

The reader follows the shards' tails and only wakes streams up; each stream then takes what it has
not sent yet. A room remembers the newest events of its game, encoded once for each kind of
viewer; of the newest few it remembers the game then too, if somebody asks for it. What players are
told of all their games is in ``inbox``. Nothing here but threads, locks and events: it runs under
gevent and under plain threads.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event as Signal
from threading import Lock, Thread
from typing import NamedTuple, TypeVar, cast

import orjson
import structlog
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import Event, copy_for, genesis
from rules.kernel.record.game import Game, Unsound
from service.games.places import Holder, Places, Shares
from service.games.told import Look, told
from service.ids import is_tournament
from service.ledger import feeds
from service.ledger.ledger import (
    Chained,
    GameNotFoundError,
    Ledger,
    Moment,
    Table,
    moments_after,
)
from service.ledger.repository import ConflictError
from service.metrics import STREAMS, STREAMS_DISPLACED
from service.tournaments.course import LAST
from service.tournaments.director import Director
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 12.0
_BLOCK_MS = 1_000
_PAUSE_SECONDS = 1.0
_GATHER_SECONDS = 0.005
"""After news, more is let come: to read all tails takes a process and the Redis as much as a move
does, however little there is."""
_AT_ONCE = 20
"""How many streams are woken up before others have a turn."""
_REMEMBERED = 200
"""How many of its newest events a room keeps."""
_PAGE = 500
_FULL_PAGE, _LARGE_PAGE = 100, 20
"""How many are told at once that come with more, and with what is large: others wait as long."""
_MOMENTS = 8
"""Of how many of its newest events a room keeps the game then, and what is told with them."""
RETRY = b"retry: 2000\n\n"
KEEP_ALIVE = b": keep-alive\n\n"


class News(NamedTuple):
    """What a room has for a stream, one page at most.

    ``before`` is the hash of the event that the stream sent last, as the log has it (None: the log
    does not reach so far), and ``after`` that of the last frame's event. ``version`` and ``over``
    are the log's.
    """

    frames: list[bytes]
    before: bytes | None
    after: bytes | None
    version: int
    over: bool


Told = tuple[int, bytes]
"""A version, and the first bytes of its event's hash."""


class Seen(NamedTuple):
    """A game as the log had it, when the hub had ``heard`` so much."""

    game: Game
    heard: int


GONE = News([], None, None, 0, over=False)
"""There is no such game or tournament (any more)."""


F = TypeVar("F", bound="Follower")
R = TypeVar("R", bound="Room")


class Hub:
    """The streams of one process."""

    def __init__(
        self,
        redis: Redis,
        ledger: Ledger,
        director: Director,
        *,
        shares: Shares,
        heartbeat: float = HEARTBEAT_SECONDS,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.shares = shares
        self.heartbeat = heartbeat
        self.is_stopping = is_stopping
        self._redis = redis
        self._ledger = ledger
        self._director = director
        self._rooms: dict[str, Room] = {}
        """By the id of a game, tournament or player."""
        self._places: Places[Follower] = Places()
        self._lock = Lock()
        self._reader: Thread | None = None
        self._heard = 0
        """How often the tails told of anything."""

    @property
    def count(self) -> int:
        """How many streams are open."""
        return len(self._places)

    def table(self, game_id: str) -> tuple[Table, Seen]:
        """Return a game as of its newest event, and what spares a stream of it to look again.

        Raises as ``Ledger.table``.
        """
        heard = self._heard
        table = self._ledger.table(game_id)
        return table, Seen(table.game, heard)

    def open(
        self,
        game_id: str,
        look: Look,
        after: int,
        holder: Holder,
        times: int = 1,
        seen: Seen | None = None,
    ) -> "Stream":
        """Return a stream of a game's events after ``after``; the caller closes it.

        The holder's shares are ``times`` larger than everybody's. Another stream may lose its
        place to this one: it is told, and ends. What the caller has ``seen`` of the game is not
        looked for once more, unless something has happened since.

        Raises:
            Problem: ``stream_share_used``, ``too_many_streams``.

        """
        return self.admit(
            game_id,
            self._new_room,
            lambda room: Stream(self, room, look, after, holder),
            holder,
            times,
            seen,
        )

    def admit(
        self,
        id_: str,
        make_room: Callable[[str], R],
        make: Callable[[R], F],
        holder: Holder,
        times: int,
        seen: Seen | None = None,
    ) -> F:
        """Return a new follower in the room of this id, of which it has a place; as ``open``."""
        with self._lock:
            room = cast("R | None", self._rooms.get(id_)) or make_room(id_)
            follower = make(room)
            displaced = self._places.take(follower, holder, self.shares, times)
            if displaced is not None:
                displaced.end("displaced")
                STREAMS_DISPLACED.inc()
            STREAMS.inc()
            self._rooms[id_] = room
            room.waiting.add(follower.woken)
            if seen is not None and seen.heard == self._heard and self._reader is not None:
                room.told = _told_of(seen.game)
            if self._reader is None:
                self._reader = Thread(target=self._read, name="tail-reader", daemon=True)
                self._reader.start()
        return follower

    def _new_room(self, stream_id: str) -> "_EventRoom":
        if is_tournament(stream_id):
            return _TournamentRoom(stream_id, self._director)
        return _GameRoom(stream_id, self._ledger)

    def cut(self, key_ids: set[str]) -> None:
        """End the streams that were opened with these keys."""
        with self._lock:
            for stream, holder in self._places.items():
                if holder.key in key_ids:
                    stream.end("revoked")

    def now(self) -> str:
        """Return the time of the store."""
        return self._ledger.store.clock.now()

    def leave(self, follower: "Follower", room: "Room") -> None:
        """Forget a stream that was closed."""
        with self._lock:
            self._places.leave(follower)
            STREAMS.dec()
            room.waiting.discard(follower.woken)
            if not room.waiting:
                self._rooms.pop(room.id, None)

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
                news = feeds.read(self._redis, feeds.TAIL, places, block_ms=_BLOCK_MS)
                for each in news:
                    self._wake(each)
                if news:
                    time.sleep(_GATHER_SECONDS)
                if not news and feeds.rewound(self._redis, feeds.TAIL, places):
                    places = None
            except RedisError as error:
                log.warning("tail_unreadable", error=type(error).__name__)
                places = None
                time.sleep(_PAUSE_SECONDS)

    def _wake(self, told: feeds.News) -> None:
        with self._lock:
            self._heard += 1
            found = map(self._rooms.get, (told.game_id, *told.players))
            rooms = [room for room in found if room is not None]
            waiting = [woken for room in rooms for woken in room.wake((told.version, told.head))]
        _let_go_on(waiting)

    def _wake_all(self) -> None:
        with self._lock:
            self._heard += 1
            waiting = [woken for room in self._rooms.values() for woken in room.wake(None)]
        _let_go_on(waiting)


def _let_go_on(waiting: list[Signal]) -> None:
    """Wake up all of them, and let others have a turn in between: moves wait for no crowd."""
    for place, woken in enumerate(waiting, 1):
        woken.set()
        if place % _AT_ONCE == 0:
            time.sleep(0)


class Room:
    """Where all wait who follow one game, tournament or player."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.waiting: set[Signal] = set()
        self.told: Told | None = None
        """What is known of the log without a look at it: nothing newer has been heard of."""

    def wake(self, told: Told | None) -> list[Signal]:
        """Return whom to let look for news; the tail ``told`` of it, if it is known."""
        self.told = told
        return [*self.waiting]


class Follower(ABC):
    """One client's stream: iterate over it for the bytes to send."""

    def __init__(self, hub: Hub, room: Room, holder: Holder) -> None:
        self.woken = Signal()
        self._hub = hub
        self._until = holder.until
        self._in = room
        self._closed = False
        self._last: str | None = None
        """What the last message is to be, if others have ended the stream."""

    @abstractmethod
    def __iter__(self) -> Iterator[bytes]:
        """Yield messages until the stream is over."""

    def close(self) -> None:
        """Free the place; more than once does no harm."""
        if not self._closed:
            self._closed = True
            self._hub.leave(self, self._in)

    def end(self, last: str) -> None:
        """Say why, in a last message of this type, and end."""
        self._last = last
        self.woken.set()

    def _ending(self) -> str | None:
        """Return what the last message is to be, if the stream is over by now."""
        if self._until is not None and self._until <= self._hub.now():
            self._last = "revoked"
        return self._last


class Stream(Follower):
    """The events of a game or tournament."""

    def __init__(
        self, hub: Hub, room: "_EventRoom", look: Look, after: int, holder: Holder
    ) -> None:
        super().__init__(hub, room, holder)
        self._room = room
        self._look = look
        self._sent = after
        self._head: bytes | None = None
        """The hash of the last event that was sent; None if nobody knows what the client saw."""

    def __iter__(self) -> Iterator[bytes]:
        first = RETRY  # in one piece with what is there already
        for message in self._messages():
            if first or message:
                yield first + message
                first = b""

    def _messages(self) -> Iterator[bytes]:
        """Yield what is to be sent, and nothing before a wait."""
        look_again = False
        while not self._hub.is_stopping():
            self.woken.clear()
            if (ending := self._ending()) is not None:
                yield _closing(ending, self._sent)
                return
            try:
                news = self._room.after(self._look, self._sent, look_again=look_again)
            except ConflictError:  # the log is not that of the game which others look at
                look_again = True
                continue
            except RedisError:  # the log cannot be read now
                pass
            else:
                if news.before is None or news.before != (self._head or news.before):
                    yield _closing("rewound", news.version)
                    return
                self._head = news.after
                if news.frames:
                    yield b"".join(news.frames)
                    self._sent += len(news.frames)
                if self._sent < news.version:
                    continue
                if news.over:
                    yield _closing("end", news.version)
                    return
            yield b""
            look_again = not self.woken.wait(self._hub.heartbeat)
            if look_again:
                yield KEEP_ALIVE


class _EventRoom(Room, ABC):
    """The streams of one game or tournament."""

    @abstractmethod
    def after(self, look: Look, sent: int, *, look_again: bool) -> News:
        """Return what comes after the event ``sent``.

        To ``look_again`` is to read the log itself, whatever the tail told of.
        """


class _TournamentRoom(_EventRoom):
    """The streams of one tournament; everything in it is public."""

    def __init__(self, tournament_id: str, director: Director) -> None:
        super().__init__(tournament_id)
        self._director = director

    def after(self, look: Look, sent: int, *, look_again: bool) -> News:
        try:
            return self._news(sent)
        except (TournamentDamagedError, TournamentNotFoundError):
            return GONE

    def _news(self, sent: int) -> News:
        newest = self._director.newest_event(self.id)
        version, over = newest.seq, newest.kind in LAST
        if sent >= version:
            head = newest.hash if sent == version else None
            return News([], head, head, version, over)
        first = max(sent - 1, 0)  # with the event that was sent last, because of its hash
        copies = list(self._director.copies(self.id, first, min(version, sent + _PAGE)))
        hashes = [genesis(self.id), *(bytes.fromhex(copy["hash"]) for copy in copies)]
        frames = [_frame(copy) for copy in copies if copy["seq"] > sent]
        return News(frames, hashes[sent - first], hashes[-1], version, over)


class _GameRoom(_EventRoom):
    """The streams of one game, and its newest events as each kind of viewer sees them."""

    def __init__(self, game_id: str, ledger: Ledger) -> None:
        super().__init__(game_id)
        self._ledger = ledger
        self._newest: list[Chained] = []
        """The game's newest events without a gap; the last one is its head."""
        self._frames: dict[tuple[Look, int], bytes] = {}
        self._moments: list[Moment] = []
        """The newest of them with the game then, if somebody asks for more than events."""
        self._full: dict[tuple[Look, int], bytes] = {}
        """Of these, what was told of more than the events."""
        self._lock = Lock()

    def after(self, look: Look, sent: int, *, look_again: bool) -> News:
        with self._lock:
            try:
                table = self._table(look_again=look_again)
            except GameNotFoundError:
                return GONE
            game = table.game
            if sent >= game.version:
                head = game.head if sent == game.version else None
                return News([], head, head, game.version, game.over)
            self._follow(game, sent)
            if look.include:
                return self._news_with_more(look, table, sent)
            if sent >= self._newest[0][0].seq - 1:
                chained = self._newest[sent - self._newest[-1][0].seq :]
            else:
                chained = self._ledger.history(game, sent, _PAGE)
            frames = [self._frame(look, table, *one) for one in chained]
            return News(frames, chained[0][1], chained[-1][0].hash, game.version, game.over)

    def _news_with_more(self, look: Look, table: Table, sent: int) -> News:
        """Return events with what they are to come with: of the newest it is made once for all."""
        game = table.game
        if sent >= game.version - _MOMENTS:
            moments = self._newest_moments(game)[sent - game.version :]
        else:
            limit = _LARGE_PAGE if look.large else _FULL_PAGE
            moments = self._ledger.moments(game, sent, limit)
        frames = [self._frame_with_more(look, table, moment) for moment in moments]
        return News(frames, moments[0].prev_hash, moments[-1].event.hash, game.version, game.over)

    def _newest_moments(self, game: Game) -> list[Moment]:
        """Return the game's newest moments; what is new is folded on from the last one known."""
        known = self._moments[-1] if self._moments else None
        ahead = game.version if known is None else game.version - known.event.seq
        if ahead:
            self._moments = self._fold_on(game, known, ahead)[-_MOMENTS:]
            oldest = self._moments[0].event.seq
            self._full = {key: frame for key, frame in self._full.items() if key[1] >= oldest}
        return self._moments

    def _fold_on(self, game: Game, known: Moment | None, ahead: int) -> list[Moment]:
        if known is not None and self._newest[-ahead:][0][1] == known.event.hash:
            with suppress(Unsound):  # the ledger tells what is sound
                return [*self._moments, *moments_after(known.game, self._newest[-ahead:])]
        return self._ledger.moments(game, max(0, game.version - _MOMENTS), _MOMENTS)

    def _table(self, *, look_again: bool) -> Table:
        """Return the game as the tail told of it; if that is unknown, as the log has it."""
        told = self.told
        if told is not None and not look_again:
            table = self._ledger.table(self.id, at_least=told[0])
            if _told_of(table.game) == told:
                return table
        return self._ledger.table(self.id)

    def _follow(self, game: Game, sent: int) -> None:
        """Make the newest events end with the game's; forget those of another history.

        They begin after ``sent``, unless so many are not remembered.
        """
        known = self._newest[-1][0] if self._newest else None
        begin = max(sent, game.version - _REMEMBERED, 0)
        if known is not None and self._newest[0][0].seq - 1 <= begin:
            if (known.seq, known.hash) == (game.version, game.head):
                return
            if 0 < game.version - known.seq <= _PAGE:
                more = self._ledger.history(game, known.seq, _PAGE)
                if more[0][1] == known.hash:
                    self._newest += more
                    self._forget_old()
                    return
        self._frames, self._full, self._moments = {}, {}, []
        self._newest = self._ledger.history(game, begin, _REMEMBERED)

    def _forget_old(self) -> None:
        if len(self._newest) > 2 * _REMEMBERED:
            del self._newest[:-_REMEMBERED]
            oldest = self._newest[0][0].seq
            self._frames = {key: frame for key, frame in self._frames.items() if key[1] >= oldest}

    def _frame(self, look: Look, table: Table, event: Event, prev_hash: bytes) -> bytes:
        key, (game, secrets, _damage) = (look, event.seq), table
        frame = self._frames.get(key)
        if frame is None:
            frame = _frame(
                copy_for(look.viewer, event, prev_hash, secrets.salt, game.access, game.version)
            )
            if event.seq >= self._newest[0][0].seq:
                self._frames[key] = frame
        return frame

    def _frame_with_more(self, look: Look, table: Table, moment: Moment) -> bytes:
        key = look, moment.event.seq
        frame = self._full.get(key)
        if frame is None:
            frame = _frame(told(moment, table, look))
            if moment.event.seq > table.game.version - _MOMENTS:
                self._full[key] = frame
        return frame


def _told_of(game: Game) -> Told:
    return game.version, game.head[: feeds.HEAD_BYTES]


def _closing(event: str, version: int) -> bytes:
    """Return the last message of a stream."""
    return b"event: %s\ndata: %s\n\n" % (event.encode(), orjson.dumps({"version": version}))


def _frame(copy: JsonObject) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (copy["seq"], orjson.dumps(copy))
