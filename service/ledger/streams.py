"""Enumerates the streams of a store, by scanning all its keys."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from redis import Redis

from service.ledger.terms import BESIDE

_COUNT = 1000
_TABLE = re.compile(rf"lonja:\{{s\d\d\}}:game:(.+):{BESIDE}\Z")
_EVENTS = re.compile(r"lonja:\{s\d\d\}:(?:game|tournament):(.+):events\Z")


def game_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every game that has a stream."""
    return stream_ids(redis, "game")


def tournament_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every tournament."""
    return stream_ids(redis, "tournament")


def ids_with_tables(redis: Redis) -> Iterator[str]:
    """Yield the id of every game that has something of its table in the store."""
    for key in redis.scan_iter(match=f"lonja:{{s*}}:game:*:{BESIDE}", count=_COUNT):
        found = _TABLE.match(key.decode())
        if found:
            yield found.group(1)


class StreamScan:
    """Enumerates the streams of a store page by page; an error loses no place.

    Some ids may come twice. Another server of the same store needs a scan of its own.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._cursor = 0
        self.is_over = False

    def page(self) -> list[str]:
        """Return the next ids, perhaps none."""
        found: Any = self._redis.scan(self._cursor, match=_match("*"), count=_COUNT)
        self._cursor, keys = found
        self.is_over = self._cursor == 0
        return [*_ids(keys)]


def stream_ids(redis: Redis, kind: str = "*") -> Iterator[str]:
    """Yield the id of every stream, or of every game or tournament."""
    yield from _ids(redis.scan_iter(match=_match(kind), count=_COUNT))


def _match(kind: str) -> str:
    return f"lonja:{{s*}}:{kind}:*:events"


def _ids(keys: Iterable[bytes]) -> Iterator[str]:
    for key in keys:
        found = _EVENTS.match(key.decode())
        if found:
            yield found.group(1)
