"""What the processes have to forget at once: keys that were revoked, names that were changed.

All of it, if the store was emptied or another took its place, which notes nothing: a store is known
by its secret.

Each process remembers players and their keys for a minute. Whatever changes one of them notes its
id here, in the same step. Whoever counts a request asks for the newest note, so that the next
request to any process finds the change; every process also looks every two seconds, because of its
open streams.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

import structlog
from redis import Redis

from service.ledger.once import Command
from service.redis.keys import meta_key
from service.redis.secret import SECRET, secret_of

log = structlog.get_logger(__name__)

CHANGED = meta_key("changed")
"""A stream of the ids of keys and players, as of the last hour."""
_KEPT_MS = 3_600_000


def note(ids: Iterable[str], now_ms: int) -> list[Command]:
    """Return the commands that have all processes forget what they know by these ids."""
    oldest = str(now_ms - _KEPT_MS)
    noted: list[Command] = [("XADD", CHANGED, "MINID", "~", oldest, "*", "id", id_) for id_ in ids]
    return [*noted, ("PEXPIRE", CHANGED, _KEPT_MS)]


class StoreNote(NamedTuple):
    """What a request is told with its count: the newest note, and the secret of the store."""

    newest: str
    secret: bytes

    @classmethod
    def of(cls, notes: Any, secret: bytes | None) -> Self:
        """Read what the store answers to ``QUESTIONS``."""
        return cls(notes[0][0].decode() if notes else "", secret or b"")


QUESTIONS = (("XREVRANGE", CHANGED, "+", "-", "COUNT", 1), ("GET", SECRET))
"""What the store is asked for a StoreNote."""


class Invalidations:
    """Tells ``forget`` of the ids whose facts have changed since the last look, or None: all."""

    def __init__(self, redis: Redis, forget: Callable[[set[str] | None], None]) -> None:
        self._redis = redis
        self._forget = forget
        self._secret = secret_of(redis)
        self._seen = self._newest()
        self.told = StoreNote(self._seen, self._secret)
        """What a request was told last."""

    def look_again(self) -> None:
        """Forget what has changed."""
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
        """Look again if a request is ``told`` what no other was told yet; return whether."""
        if told == self.told:
            return False
        self._look_again(told.secret)
        if told.newest and self._seen != told.newest:
            self._seen = ""  # a failover has lost notes, and new ones came since
            self._look_again(told.secret)
        self.told = told
        return True

    def _newest(self) -> str:
        found: Any = self._redis.xrevrange(CHANGED, count=1)
        return found[0][0].decode() if found else ""
