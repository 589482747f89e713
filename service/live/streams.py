"""The events of a game or tournament as they happen, for many clients (server-sent events).

A room caches the newest events of its game, encoded once for each kind of viewer. If clients
request additions, it also caches the game after each of the newest few events.
"""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from redis.exceptions import RedisError

from rules.kernel.record.events import Event, copy_for, genesis
from rules.kernel.record.game import Game, UnsoundEventError
from service.ids import is_tournament
from service.ledger import feeds
from service.ledger.ledger import (
    ChainedEvent,
    FoldedGame,
    GameNotFoundError,
    Ledger,
    Moment,
    moments_after,
)
from service.ledger.repository import ConflictError
from service.live import messages
from service.live.frames import StreamView, told
from service.live.hub import Hub, LiveStream, ReadGame, Room, StreamPosition, told_of
from service.live.messages import END, KEEP_ALIVE, NOTHING, RETRY, REWOUND, Written, closing
from service.live.places import Holder
from service.process.fair_queue import paced
from service.tournaments.course import LAST
from service.tournaments.director import Director
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError

_REMEMBERED = 200
"""Number of newest events that a room keeps."""
_PAGE = 500
_EARLIEST = 0.75
"""Minimum part of a heartbeat that a stream waits; the rest is random, to spread reads."""
_PATIENCE_SECONDS = 0.05
"""Time that a stream waits for a page that another stream is making."""
_FULL_PAGE, _LARGE_PAGE = 100, 20
"""Maximum number of events sent at once: with small additions, and with large ones.

Other streams wait meanwhile.
"""
_MOMENTS = 8
"""Number of newest events for which a room also keeps the game after them, and the frames."""


class RoomPage(NamedTuple):
    """Up to one page of messages from a room to a stream.

    ``before`` is the hash that the store has for the event that the stream sent last, or None if
    the store does not have this event. ``after`` is the hash of the event in the last frame.
    ``version`` is the stored version of the game or tournament, and ``over`` says whether it is
    over.
    """

    frames: list[Written]
    before: bytes | None
    after: bytes | None
    version: int
    over: bool


GONE = RoomPage([], None, None, 0, over=False)
"""The page of a game or tournament that does not exist."""


class Streams:
    """Opens the streams of games and tournaments."""

    def __init__(self, hub: Hub, ledger: Ledger, director: Director) -> None:
        self._hub = hub
        self._ledger = ledger
        self._director = director

    def open(
        self,
        id_: str,
        look: StreamView,
        after: int,
        holder: Holder,
        times: int = 1,
        seen: ReadGame | None = None,
    ) -> "Stream":
        """Return a stream of the events after ``after``.

        ``Hub.admit`` explains the other arguments.
        """
        return self._hub.admit(
            id_,
            self._new_room,
            lambda room: Stream(self._hub, room, look, after, holder),
            holder,
            times,
            seen,
        )

    def _new_room(self, id_: str) -> "_EventRoom":
        if is_tournament(id_):
            return _TournamentRoom(id_, self._director)
        return _GameRoom(id_, self._ledger)


class Stream(LiveStream):
    """The events of a game or tournament."""

    def __init__(
        self, hub: Hub, room: "_EventRoom", look: StreamView, after: int, holder: Holder
    ) -> None:
        super().__init__(hub, room, holder)
        self._room = room
        self._look = look
        self.sent = after
        """The seq of the last event that was sent."""
        self._head: bytes | None = None
        """The hash of the last event that was sent; None if nobody knows what the client saw."""

    def __iter__(self) -> Iterator[Written]:
        first = RETRY  # sent in one piece with the cached messages
        for message in self._messages():
            if first or message:
                yield messages.joined(first, message)
                first = NOTHING

    def _messages(self) -> Iterator[Written]:
        """Yield the messages to send, and ``NOTHING`` before each wait."""
        look_again = False
        while not self._hub.is_stopping():
            self.woken.clear()
            if (ending := self._ending()) is not None:
                yield closing(ending, self.sent)
                return
            try:
                news = self._news(look_again=look_again)
            except ConflictError:
                # The stream has sent events of another history than the cached one.
                look_again = True
                continue
            except RedisError:  # the store cannot be read at the moment
                pass
            else:
                if news.before is None or news.before != (self._head or news.before):
                    yield closing(REWOUND, news.version)
                    return
                self._head = news.after
                if news.frames:
                    self.sent += len(news.frames)
                    yield messages.joined(*news.frames)
                if self.sent < news.version:
                    continue
                if news.over:
                    yield closing(END, news.version)
                    return
            yield NOTHING
            heartbeat = self._hub.heartbeat * random.uniform(_EARLIEST, 1.0)  # noqa: S311 - apart
            look_again = not self.woken.wait(heartbeat)
            if look_again:
                yield KEEP_ALIVE
                look_again = self._room.is_unread(self._hub.heartbeat * _EARLIEST)

    def _news(self, *, look_again: bool) -> RoomPage:
        """Return the next page, if possible one that another stream has made.

        A page that another stream has made does not use up a turn of this stream's address in the
        queue of requests. All streams of a room are woken together. One of them makes the page, and
        the others wait for it, so that they do not fill the queue. They wait only for a moment,
        because the maker's address may be busy.
        """
        room = self._room
        if look_again:
            with self._at_work():
                return room.after(self._look, self.sent, look_again=True)
        page = room.made(self._look, self.sent)
        if page is not None:
            return page
        is_maker = room.making.acquire(timeout=_PATIENCE_SECONDS)
        try:
            page = room.made(self._look, self.sent)
            if page is not None:
                return page
            with self._at_work():
                return room.after(self._look, self.sent, look_again=False)
        finally:
            if is_maker:
                room.making.release()


class _EventRoom(Room, ABC):
    """The streams of one game or tournament, with the pages of its newest events."""

    def __init__(self, id_: str) -> None:
        super().__init__(id_)
        self._read_at = time.monotonic()
        """The time of the last read of the store itself."""
        self.making = Lock()
        """A lock held by the stream that is making a page."""
        self._pages: tuple[StreamPosition | None, dict[tuple[StreamView, int], RoomPage]] = None, {}
        """The position at which the cached pages end, and the pages by their view and ``sent``."""

    def is_unread(self, seconds: float) -> bool:
        """Return whether no stream has read the store for ``seconds``."""
        return time.monotonic() - self._read_at >= seconds

    def made(self, look: StreamView, sent: int) -> RoomPage | None:
        """Return the cached result of ``after``; None if there is none, or if it is outdated."""
        position, pages = self._pages
        return None if position is None or position != self.told else pages.get((look, sent))

    def after(self, look: StreamView, sent: int, *, look_again: bool) -> RoomPage:
        """Return the messages after the event ``sent``.

        If ``look_again`` is true, read the store even if the feed reports no change.
        """
        page = self._make(look, sent, look_again=look_again)
        if look_again:
            self._read_at = time.monotonic()
        if page.after is not None and len(page.frames) == page.version - sent <= _MOMENTS:
            position = page.version, page.after[: feeds.HEAD_BYTES]
            if position != self._pages[0]:
                self._pages = position, {}
            self._pages[1][look, sent] = page
        return page

    @abstractmethod
    def _make(self, look: StreamView, sent: int, *, look_again: bool) -> RoomPage:
        """Make the page that ``after`` returns."""


class _TournamentRoom(_EventRoom):
    """The streams of one tournament. All of its events are public."""

    def __init__(self, tournament_id: str, director: Director) -> None:
        super().__init__(tournament_id)
        self._director = director

    def _make(self, look: StreamView, sent: int, *, look_again: bool) -> RoomPage:
        try:
            return self._news(sent)
        except (TournamentDamagedError, TournamentNotFoundError):
            return GONE

    def _news(self, sent: int) -> RoomPage:
        newest = self._director.newest_event(self.id)
        version, over = newest.seq, newest.kind in LAST
        if sent >= version:
            head = newest.hash if sent == version else None
            return RoomPage([], head, head, version, over)
        first = max(sent - 1, 0)  # includes the event that was sent last, for its hash
        copies = list(self._director.copies(self.id, first, min(version, sent + _PAGE)))
        hashes = [genesis(self.id), *(bytes.fromhex(copy["hash"]) for copy in copies)]
        frames = [messages.event(copy) for copy in copies if copy["seq"] > sent]
        return RoomPage(frames, hashes[sent - first], hashes[-1], version, over)


class _GameRoom(_EventRoom):
    """The streams of one game, and its newest events as each kind of viewer sees them."""

    def __init__(self, game_id: str, ledger: Ledger) -> None:
        super().__init__(game_id)
        self._ledger = ledger
        self._newest: list[ChainedEvent] = []
        """The game's newest events without a gap; the last one is its head."""
        self._frames: dict[tuple[StreamView, int], Written] = {}
        self._moments: list[Moment] = []
        """The newest events with the game after each, if a stream needs more than events."""
        self._full: dict[tuple[StreamView, int], Written] = {}
        """The messages of ``_moments``, for streams that get more than events."""
        self._lock = Lock()

    def _make(self, look: StreamView, sent: int, *, look_again: bool) -> RoomPage:
        with self._lock:
            try:
                table = self._table(look_again=look_again)
            except GameNotFoundError:
                return GONE
            return self._page(look, table, sent)

    def _page(self, look: StreamView, table: FoldedGame, sent: int) -> RoomPage:
        game = table.game
        if sent >= game.version:
            head = game.head if sent == game.version else None
            return RoomPage([], head, head, game.version, game.over)
        self._follow(game, sent)
        if look.include:
            return self._news_with_more(look, table, sent)
        if sent >= self._newest[0][0].seq - 1:
            chained = self._newest[sent - self._newest[-1][0].seq :]
        else:
            chained = self._ledger.history(game, sent, _PAGE)
        frames = [self._frame(look, table, *one) for one in paced(chained)]
        return RoomPage(frames, chained[0][1], chained[-1][0].hash, game.version, game.over)

    def _news_with_more(self, look: StreamView, table: FoldedGame, sent: int) -> RoomPage:
        """Return events with their additions.

        The additions of the newest events are made once, and all streams of the room share them.
        """
        game = table.game
        if sent >= game.version - _MOMENTS:
            moments = self._newest_moments(game)[sent - game.version :]
        else:
            limit = _LARGE_PAGE if look.large else _FULL_PAGE
            moments = self._ledger.moments(game, sent, limit)
        frames = [self._frame_with_more(look, table, moment) for moment in paced(moments)]
        return RoomPage(
            frames, moments[0].prev_hash, moments[-1].event.hash, game.version, game.over
        )

    def _newest_moments(self, game: Game) -> list[Moment]:
        """Return a ``Moment`` for each of the game's newest events.

        A ``Moment`` holds an event, and the game after it. Moments are cached. New events are
        folded onto the game of the last cached moment.
        """
        known = self._moments[-1] if self._moments else None
        ahead = game.version if known is None else game.version - known.event.seq
        if ahead:
            self._moments = self._fold_on(game, known, ahead)[-_MOMENTS:]
            oldest = self._moments[0].event.seq
            self._full = {key: frame for key, frame in self._full.items() if key[1] >= oldest}
        return self._moments

    def _fold_on(self, game: Game, known: Moment | None, ahead: int) -> list[Moment]:
        if known is not None and self._newest[-ahead:][0][1] == known.event.hash:
            with suppress(UnsoundEventError):  # the ledger finds the sound part
                return [*self._moments, *moments_after(known.game, self._newest[-ahead:])]
        return self._ledger.moments(game, max(0, game.version - _MOMENTS), _MOMENTS)

    def _table(self, *, look_again: bool) -> FoldedGame:
        """Return the game at the position that the feed reported.

        If the feed has reported no position, the newest position is read from the store.
        """
        told = self.told
        if told is not None and not look_again:
            table = self._ledger.table(self.id, at_least=told[0])
            if told_of(table.game) == told:
                return table
        return self._ledger.table(self.id)

    def _follow(self, game: Game, sent: int) -> None:
        """Extend the cached events to the newest event of the game.

        If the cached events are of another history, they are replaced. The cache then begins after
        the event ``sent``, or later if it would have more than ``_REMEMBERED`` events.
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

    def _frame(
        self, look: StreamView, table: FoldedGame, event: Event, prev_hash: bytes
    ) -> Written:
        key, (game, secrets, _damage) = (look, event.seq), table
        frame = self._frames.get(key)
        if frame is None:
            frame = messages.event(
                copy_for(look.viewer, event, prev_hash, secrets.salt, game.access, game.version)
            )
            if event.seq >= self._newest[0][0].seq:
                self._frames[key] = frame
        return frame

    def _frame_with_more(self, look: StreamView, table: FoldedGame, moment: Moment) -> Written:
        key = look, moment.event.seq
        frame = self._full.get(key)
        if frame is None:
            frame = messages.event(told(moment, table, look))
            if moment.event.seq > table.game.version - _MOMENTS:
                self._full[key] = frame
        return frame
