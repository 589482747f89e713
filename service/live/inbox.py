"""The live stream of a player's notices (server-sent events).

Notices are derived from events (``service.ledger.notices``); this module sends each of them once,
from the client's last position on. If that position is missing or no longer kept, ``resync`` comes
first: the client then reads its games. ``resync`` also replaces a notice whose body does not have
the form of the notice's kind.

If the client wants questions, each decision comes with its question (``service.live.questions``).
Each connection then begins with all decisions that are still open. A stream reports every few
seconds that its player is present: a bot account that listens for questions, or who seeks others.
"""

import time
from collections.abc import Callable, Iterator

import structlog
from redis import Redis
from redis.exceptions import RedisError

from service.ledger import notices
from service.ledger.notices import ASKED, StoredNotice
from service.ledger.repository import ConflictError
from service.live import messages
from service.live.hub import Hub, LiveStream, Room
from service.live.messages import KEEP_ALIVE, NOTHING, RETRY, REVOKED, UnfitMessageError, Written
from service.live.places import Holder
from service.live.questions import AT_ONCE, Questions
from service.players.bot_accounts import REPORT_SECONDS
from service.process.fair_queue import paced

log = structlog.get_logger(__name__)

_PAGE = 200
_KEEP_SECONDS = 3_600
"""Interval at which an open stream extends the time for which notices are kept."""


class Inbox(LiveStream):
    """The stream of a player's notices after ``place``.

    ``place`` is the id of a notice; if it is None, the stream begins now. The stream ends within
    the hub's ``heartbeat`` after ``may_listen`` returns False.
    """

    def __init__(
        self,
        hub: Hub,
        room: Room,
        redis: Redis,
        place: str | None,
        may_listen: Callable[[], bool],
        holder: Holder,
        questions: Questions | None = None,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(hub, room, holder)
        self._redis = redis
        self._player = room.id
        self._place = place
        self._may_listen = may_listen
        self._keep_at = 0.0
        self._questions = questions
        self._report = report
        self._report_at = 0.0

    def __iter__(self) -> Iterator[Written]:
        yield RETRY
        while not self._hub.is_stopping():
            self.woken.clear()
            if not self._may_listen():
                self.end(REVOKED)
            if (ending := self._ending()) is not None:
                yield messages.last_notice(ending)
                return
            try:
                with self._at_work():
                    news = self._news()
            except (RedisError, ConflictError):  # the store cannot be read at the moment
                news = []
            if news:
                yield messages.joined(*news)
            elif not self.woken.wait(self._hub.heartbeat):
                yield KEEP_ALIVE

    def _news(self) -> list[Written]:
        """Return the next messages, and advance the stream's position past them."""
        if (now := time.monotonic()) >= self._keep_at:
            notices.keep(self._redis, self._player)
            self._keep_at = now + _KEEP_SECONDS
        if now >= self._report_at:
            self._report()
            self._report_at = now + REPORT_SECONDS
        questions, found = self._questions, None
        place = self._place
        if place is not None:
            limit = _PAGE if questions is None else AT_ONCE
            found = notices.after(self._redis, self._player, place, limit)
        if place is None or found is None:
            self._place = notices.listen(self._redis, self._player)
            if questions is not None:
                questions.list_anew()
            return [messages.resync(self._place)]
        if questions is not None and (still_open := questions.still_open()):
            return [messages.asked(told, place) for told in still_open]
        news = [self._notice(told) for told in paced(found)]
        if found:
            self._place = found[-1].id
        return news

    def _notice(self, told: StoredNotice) -> Written:
        """Return the message of a notice; nothing if it was sent before."""
        try:
            if self._questions is None or told.kind != ASKED:
                return messages.notice(told)
            body = self._questions.answer_to(messages.read(told))
            return NOTHING if body is None else messages.asked(body, told.id)
        except UnfitMessageError as error:
            log.error("notice_unfit", notice=told.id, kind=told.kind, why=str(error))  # noqa: TRY400
            return messages.resync(told.id)


def open_inbox(
    hub: Hub,
    redis: Redis,
    place: str | None,
    may_listen: Callable[[], bool],
    holder: Holder,
    times: int,
    questions: Questions | None = None,
    report: Callable[[], None] = lambda: None,
) -> Inbox:
    """Return the stream of the holder's notices, perhaps with ``questions``; the caller closes it.

    ``report`` is called every ``REPORT_SECONDS`` while the stream is open, at the latest at the
    next heartbeat. Raises the errors of ``Hub.admit``.
    """
    assert holder.player is not None  # noqa: S101 - nobody else has notices
    return hub.admit(
        holder.player,
        Room,
        lambda room: Inbox(hub, room, redis, place, may_listen, holder, questions, report),
        holder,
        times,
    )
