"""The live stream of a player's notices (server-sent events).

Notices are derived from events (``service.ledger.notices``); this module sends each of them once,
from the client's last position on. If that position is missing or no longer kept, ``resync`` comes
first: the client then reads its games.
"""

import time
from collections.abc import Callable, Iterator

import orjson
from redis import Redis
from redis.exceptions import RedisError

from service.ledger import notices
from service.ledger.notices import StoredNotice
from service.live.hub import KEEP_ALIVE, RETRY, Hub, LiveStream, Room
from service.live.places import Holder

RESYNC, REVOKED = "resync", "revoked"
READ = "/v1/games?player=me&asked=true"
"""The endpoint at which a client lists the games that wait for the player."""
_PAGE = 200
_KEEP_SECONDS = 3_600
"""Interval at which an open stream extends the time for which notices are kept."""


class Inbox(LiveStream):
    """The stream of a player's notices after ``place`` (an id; None: from now on).

    It ends within the hub's ``heartbeat`` after ``may_listen`` returns False.
    """

    def __init__(
        self,
        hub: Hub,
        room: Room,
        redis: Redis,
        place: str | None,
        may_listen: Callable[[], bool],
        holder: Holder,
    ) -> None:
        super().__init__(hub, room, holder)
        self._redis = redis
        self._player = room.id
        self._place = place
        self._may_listen = may_listen
        self._keep_at = 0.0

    def __iter__(self) -> Iterator[bytes]:
        yield RETRY
        while not self._hub.is_stopping():
            self.woken.clear()
            if not self._may_listen():
                self.end(REVOKED)
            if (ending := self._ending()) is not None:
                yield _message(ending)
                return
            try:
                with self._at_work():
                    news = self._news()
            except RedisError:  # the notices cannot be read at the moment
                news = []
            if news:
                yield b"".join(news)
            elif not self.woken.wait(self._hub.heartbeat):
                yield KEEP_ALIVE

    def _news(self) -> list[bytes]:
        """Return the next messages, and move the position behind them."""
        if (now := time.monotonic()) >= self._keep_at:
            notices.keep(self._redis, self._player)
            self._keep_at = now + _KEEP_SECONDS
        found = None
        if self._place is not None:
            found = notices.after(self._redis, self._player, self._place, _PAGE)
        if found is None:
            self._place = notices.listen(self._redis, self._player)
            return [_message(RESYNC, self._place, orjson.dumps({"read": READ}))]
        if found:
            self._place = found[-1].id
        return [_notice(told) for told in found]


def open_inbox(
    hub: Hub,
    redis: Redis,
    place: str | None,
    may_listen: Callable[[], bool],
    holder: Holder,
    times: int,
) -> Inbox:
    """Return the stream of the holder's notices; the caller closes it.

    Raises as ``Hub.admit``.
    """
    assert holder.player is not None  # noqa: S101 - nobody else has notices
    return hub.admit(
        holder.player,
        Room,
        lambda room: Inbox(hub, room, redis, place, may_listen, holder),
        holder,
        times,
    )


def _notice(told: StoredNotice) -> bytes:
    return _message(told.kind, told.id, told.body)


def _message(kind: str, id_: str = "", data: bytes = b"{}") -> bytes:
    place = f"id: {id_}\n" if id_ else ""
    return f"{place}event: {kind}\n".encode() + b"data: " + data + b"\n\n"
