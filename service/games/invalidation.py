"""What the processes have to forget at once: keys that were revoked, names that were changed.

Each process remembers players and their keys for a minute. Whatever changes one of them notes its
id here, in the same step. The script that counts a request tells the newest note, so that the next
request to any process finds the change; every process also looks every two seconds, because of its
open streams.
"""

from collections.abc import Callable, Iterable
from typing import Any

from redis import Redis

from service.ledger.once import Command
from service.redis.keys import meta_key

CHANGED = meta_key("changed")
"""A stream of the ids of keys and players, as of the last hour."""
_KEPT_MS = 3_600_000


def note(ids: Iterable[str], now_ms: int) -> list[Command]:
    """Return the commands that have all processes forget what they know by these ids."""
    oldest = str(now_ms - _KEPT_MS)
    noted: list[Command] = [("XADD", CHANGED, "MINID", "~", oldest, "*", "id", id_) for id_ in ids]
    return [*noted, ("PEXPIRE", CHANGED, _KEPT_MS)]


class Invalidations:
    """Tells ``forget`` of the ids whose facts have changed since the last look."""

    def __init__(self, redis: Redis, forget: Callable[[set[str]], None]) -> None:
        self._redis = redis
        self._forget = forget
        self._seen = self.told = self._newest()
        """The newest note that was looked at, and the newest that a request told of."""

    def look_again(self) -> None:
        """Forget what has changed."""
        found: Any = self._redis.xrange(CHANGED, f"({self._seen}" if self._seen else "-", "+")
        if found:
            self._forget({fields[b"id"].decode() for _place, fields in found})
            self._seen = found[-1][0].decode()

    def heard(self, newest: str) -> bool:
        """Look again if the ``newest`` note is one that nobody told of yet; return whether."""
        if newest == self.told:
            return False
        self.look_again()
        if newest and self._seen != newest:  # a failover has lost notes, and new ones came since
            self._seen = ""
            self.look_again()
        self.told = newest
        return True

    def _newest(self) -> str:
        found: Any = self._redis.xrevrange(CHANGED, count=1)
        return found[0][0].decode() if found else ""
