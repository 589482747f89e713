"""Tells all processes which cached players and keys have changed.

Each process caches players and keys for a minute. A change of a player or key also adds the id of
this player or key to a stream of notes in the store, in the same step. Each request reads the
newest note in the round trip that counts the request for its rate limit, so the next request to any
process sees the change. Every process also reads the newest note every two seconds, for its open
streams.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

import structlog
from redis import Redis

from service.ledger.idempotency import Command
from service.redis.keys import meta_key
from service.redis.secret import SECRET, secret_of

log = structlog.get_logger(__name__)

CHANGED = meta_key("changed")
"""A stream of notes: the ids of keys and players that were changed in the last hour."""
_KEPT_MS = 3_600_000


def note(ids: Iterable[str], now_ms: int) -> list[Command]:
    """Return the commands that invalidate these ids in all processes."""
    oldest = str(now_ms - _KEPT_MS)
    noted: list[Command] = [("XADD", CHANGED, "MINID", "~", oldest, "*", "id", id_) for id_ in ids]
    return [*noted, ("PEXPIRE", CHANGED, _KEPT_MS)]


class StoreNote(NamedTuple):
    """The newest note, and the store's secret.

    Each request reads both in the round trip that counts the request for its rate limit.
    """

    newest: str
    secret: bytes

    @classmethod
    def of(cls, notes: Any, secret: bytes | None) -> Self:
        """Parse the store's answers to ``QUESTIONS``."""
        return cls(notes[0][0].decode() if notes else "", secret or b"")


QUESTIONS = (("XREVRANGE", CHANGED, "+", "-", "COUNT", 1), ("GET", SECRET))
"""The commands that read a StoreNote."""


class Invalidations:
    """Calls ``forget`` with the ids changed since the last check, or with None for all ids."""

    def __init__(self, redis: Redis, forget: Callable[[set[str] | None], None]) -> None:
        self._redis = redis
        self._forget = forget
        self._secret = secret_of(redis)
        self._seen = self._newest()
        self.told = StoreNote(self._seen, self._secret)
        """The StoreNote that the last request got."""

    def look_again(self) -> None:
        """Forget changed ids."""
        self._look_again(self._redis.get(SECRET))

    def _look_again(self, secret: Any) -> None:
        if secret != self._secret:
            log.error("store_replaced")
            self._secret, self._seen = secret_of(self._redis), self._newest()
            self._forget(None)
            return
        found: Any = self._redis.xrange(CHANGED, f"({self._seen}" if self._seen else "-", "+")
        if found:
            self._forget({fields[b"id"].decode() for _place, fields in found})
            self._seen = found[-1][0].decode()

    def heard(self, told: StoreNote) -> bool:
        """Return whether the store has new notes, and read them if it has.

        ``told`` is the store's answer, which shows whether there are new notes.
        """
        if told == self.told:
            return False
        self._look_again(told.secret)
        if told.newest and self._seen != told.newest:
            self._seen = ""  # a failover has lost notes, and new ones have come since
            self._look_again(told.secret)
        self.told = told
        return True

    def _newest(self) -> str:
        found: Any = self._redis.xrevrange(CHANGED, count=1)
        return found[0][0].decode() if found else ""
