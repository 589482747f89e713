"""Enumerates the streams of a store, by scanning all its keys."""

import re
from collections.abc import Iterator

from redis import Redis

_EVENTS = re.compile(r"lonja:\{s\d\d\}:(?:game|tournament):(.+):events\Z")


def game_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every game that has a stream."""
    return stream_ids(redis, "game")


def tournament_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every tournament."""
    return stream_ids(redis, "tournament")


def stream_ids(redis: Redis, kind: str = "*") -> Iterator[str]:
    """Yield the id of every stream, or of every game or tournament."""
    for key in redis.scan_iter(match=f"lonja:{{s*}}:{kind}:*:events", count=1000):
        found = _EVENTS.match(key.decode())
        if found:
            yield found.group(1)
