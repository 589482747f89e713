"""What the shards tell of their games: ``tail``, of every batch, for a while."""

from typing import Any, NamedTuple

from redis import Redis

from service.redis.commands import Commands
from service.redis.keys import ALL_SHARDS, shard_key

TAIL = "tail"
START = "0-0"

Places = dict[int, str]
"""How far somebody has read, by shard."""


HEAD_BYTES = 8


class FeedEntry(NamedTuple):
    """A game has reached a version; ``head`` begins the hash of its newest event.

    There are new notices for ``players``.
    """

    game_id: str
    version: int
    head: bytes
    players: tuple[str, ...] = ()


def read(
    redis: Redis, name: str, places: Places, *, count: int = 200, block_ms: int | None = None
) -> list[FeedEntry]:
    """Return what came after ``places``, oldest first in each shard, and move them on.

    With ``block_ms``, wait so long for something to come.
    """
    keys = [shard_key(shard, name) for shard in ALL_SHARDS]
    ids = [places.get(shard, START) for shard in ALL_SHARDS]
    block = () if block_ms is None else ("BLOCK", block_ms)
    (found,) = Commands(redis).ask(("XREAD", "COUNT", count, *block, "STREAMS", *keys, *ids))
    if isinstance(found, Exception):
        raise found
    news = []
    for key, entries in found.items() if isinstance(found, dict) else found or ():
        news += [_news(dict(zip(told[::2], told[1::2], strict=True))) for _id, told in entries]
        places[_shard_of_key(key)] = entries[-1][0].decode()
    return news


def _news(told: dict[bytes, bytes]) -> FeedEntry:
    players = tuple(told.get(b"p", b"").decode().split())
    return FeedEntry(told[b"g"].decode(), int(told[b"v"]), told.get(b"h", b""), players)


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


def rewound(redis: Redis, name: str, places: Places) -> bool:
    """Whether some shard does not reach as far any more as was read."""
    return any(_order(places[shard]) > _order(end) for shard, end in newest(redis, name).items())


def _order(place: str) -> tuple[int, ...]:
    return tuple(map(int, place.split("-")))


def _shard_of_key(key: bytes) -> int:
    return int(key[len("lonja:{s") :][:2])
