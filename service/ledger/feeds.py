"""Feeds: capped streams by which shards announce appends and new notices."""

from collections.abc import Mapping
from typing import Any

from redis import Redis

from service.redis.commands import Commands
from service.redis.keys import ALL_SHARDS, meta_key, shard_key

TAIL = "tail"
"""The feed of a shard, with an entry for each batch: the stream ``g`` has reached the version
``v``, ``h`` has the first bytes of the hash of its newest event, ``n`` are notices for players
(JSON), ``c`` is there if the batch closed a table that waits for a beacon.
"""
TAILS = tuple(shard_key(shard, TAIL) for shard in ALL_SHARDS)
TOLD = meta_key("told")
"""The feed of players with new notices.

The field ``p`` of an entry has some of these players, separated by spaces.
"""
START = "0-0"

Places = dict[str, str]
"""A reader's positions, by the key of the feed."""
Entries = list[tuple[str, Mapping[bytes, bytes]]]
"""Entries of a feed: the position and the fields of each."""

HEAD_BYTES = 8


def read(
    redis: Redis, places: Places, *, count: int = 200, block_ms: int | None = None
) -> dict[str, Entries]:
    """Return the entries after ``places``, by feed, oldest first, and advance the places.

    If ``block_ms`` is given, wait up to that many milliseconds for an entry.
    """
    block = () if block_ms is None else ("BLOCK", block_ms)
    command = ("XREAD", "COUNT", count, *block, "STREAMS", *places, *places.values())
    (found,) = Commands(redis).ask(command)
    if isinstance(found, Exception):
        raise found
    news: dict[str, Entries] = {}
    for key, entries in found.items() if isinstance(found, dict) else found or ():
        feed = key.decode()
        news[feed] = [
            (id_.decode(), dict(zip(told[::2], told[1::2], strict=True))) for id_, told in entries
        ]
        places[feed] = news[feed][-1][0]
    return news


def newest(redis: Redis, feeds: tuple[str, ...]) -> Places:
    """Return the positions after all present entries."""
    pipe = redis.pipeline(transaction=False)
    for feed in feeds:
        pipe.xrevrange(feed, count=1)
    ends: Any = pipe.execute()
    return {
        feed: end[0][0].decode() if end else START for feed, end in zip(feeds, ends, strict=True)
    }


def rewound(redis: Redis, places: Places) -> bool:
    """Whether some feed ends before the position that was read."""
    ends = newest(redis, tuple(places))
    return any(order(places[feed]) > order(end) for feed, end in ends.items())


def order(place: str) -> tuple[int, ...]:
    """Return a position in sortable form: the time of its entry (ms since 1970), and a number."""
    return tuple(map(int, place.split("-")))
