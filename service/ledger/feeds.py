"""What the shards tell of their games.

``feed`` tells of every change that lists show, for ever; ``tail`` of every batch, for a while.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from redis import Redis

from service.ledger.keys import ALL_SHARDS, shard_key

FEED = "feed"
TAIL = "tail"
START = "0-0"

Places = dict[int, str]
"""How far somebody has read, by shard."""


class News(NamedTuple):
    """A game has reached a version."""

    game_id: str
    version: int


def read(
    redis: Redis, name: str, places: Places, *, count: int = 200, block_ms: int | None = None
) -> list[News]:
    """Return what came after ``places``, oldest first in each shard, and move them on.

    With ``block_ms``, wait so long for something to come.
    """
    streams: dict[Any, Any] = {
        shard_key(shard, name): places.get(shard, START) for shard in ALL_SHARDS
    }
    found: Any = redis.xread(streams, count=count, block=block_ms)
    news = []
    for key, entries in found.items():
        shard = _shard_of_key(key)
        news += [News(f[b"g"].decode(), int(f[b"v"])) for _id, f in entries]
        places[shard] = entries[-1][0].decode()
    return news


def newest(redis: Redis, name: str) -> Places:
    """Return the places after all that there is now."""
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        pipe.xrevrange(shard_key(shard, name), count=1)
    ends: Any = pipe.execute()
    return {
        shard: end[0][0].decode() if end else START
        for shard, end in zip(ALL_SHARDS, ends, strict=True)
    }


def stored(places: Mapping[Any, Any]) -> Places:
    """Read places back from a hash in Redis."""
    return {int(shard): place.decode() for shard, place in places.items()}


def _shard_of_key(key: bytes) -> int:
    return int(key[len("lonja:{s") :][:2])
