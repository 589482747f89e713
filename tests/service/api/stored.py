"""Reads a whole store, to search for data that must not be in it."""

from typing import Any

from redis import Redis


def stored(redis: Redis) -> list[tuple[str, str]]:
    """Return every key of the store with its contents, as text."""
    read: Any = {
        b"string": redis.get, b"hash": redis.hgetall, b"stream": redis.xrange,
        b"set": redis.smembers, b"list": lambda key: redis.lrange(key, 0, -1),
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
    }  # fmt: skip
    keys: Any = redis.keys("*")
    return [(key.decode(), f"{key!r} {read[redis.type(key)](key)!r}") for key in keys]
