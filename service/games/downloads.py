"""Limits on concurrent downloads of records by address, over all processes.

Each download has a lease, because the process that sends it may die.
"""

import time
from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple
from uuid import uuid4

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.problems import Problem
from service.redis.client import refuses_writes
from service.redis.scripts import Script

PER_ADDRESS = 2

_LENGTHS_KNOWN = 10_000

_RENEWED_SECONDS = 5.0
"""Age at which a lease is renewed."""

_SCRIPT = """
-- Begin to send a record, or go on with it; answer whether that may be.
-- KEYS  what is being sent to an address    ARGV  which, the most at once, how long (ms)
local time = redis.call("TIME")
local now = 1000 * time[1] + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
local others = redis.call("ZCARD", KEYS[1])
if redis.call("ZSCORE", KEYS[1], ARGV[1]) then others = others - 1 end
if others >= tonumber(ARGV[2]) then return 0 end
redis.call("ZADD", KEYS[1], now + ARGV[3], ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[3])
return 1
"""


class Place(NamedTuple):
    """A download in progress, which counts against the limit of its address."""

    id: str
    address: str
    limit: int

    @property
    def key(self) -> str:
        """The Redis key of the downloads to the address."""
        return f"lonja:{{rate}}:records:{self.address}"


class Downloads:
    """The downloads of records from one store."""

    def __init__(self, redis: Redis, send_seconds: int) -> None:
        """Limit downloads; ``send_seconds`` is the time that a client has to read each piece."""
        self._redis = redis
        self._script = Script(redis, _SCRIPT)
        self._lease_ms = int(1000 * (send_seconds + 2 * _RENEWED_SECONDS))
        self._lengths: OrderedDict[str, int] = OrderedDict()
        """Sizes in bytes of records that do not change any more, by a text that identifies each."""

    def begin(self, address: str, times: int = 1) -> "Download":
        """Begin a download to an address.

        The usual limit of the address is multiplied by ``times``.

        Raises:
            Problem: ``too_many_records``.
        """
        place = Place(uuid4().hex, address, PER_ADDRESS * times)
        if not self._hold(place):
            limit = place.limit
            raise Problem(
                "too_many_records",
                f"{limit} records may be sent to one address at once",
                limit=limit,
            )
        return Download(self, place)

    def length(self, record: str) -> int | None:
        """Return the size of a record in bytes; None if unknown."""
        return self._lengths.get(record)

    def note_length(self, record: str, length: int) -> None:
        """Remember the size of a final record."""
        self._lengths[record] = length
        if len(self._lengths) > _LENGTHS_KNOWN:
            self._lengths.popitem(last=False)

    def _hold(self, place: Place) -> bool:
        """Count a download, or renew its lease; return False if the address has too many.

        If the store takes no writes, the download is not counted.
        """
        try:
            return bool(self._script([place.key], [place.id, place.limit, self._lease_ms]))
        except ResponseError as error:
            if not refuses_writes(error):
                raise
            return True

    def renew(self, place: Place) -> None:
        """Renew a download's lease."""
        self._hold(place)

    def end(self, place: Place) -> None:
        """Stop counting a download; if the store takes no writes, its lease expires instead."""
        with suppress(RedisError):
            self._redis.zrem(place.key, place.id)


class Download:
    """A record that is being sent; call ``close`` at the end."""

    def __init__(self, downloads: Downloads, place: Place) -> None:
        self._downloads = downloads
        self._place = place
        self._held = time.monotonic()
        self._closed = False

    def go_on(self) -> None:
        """Renew the lease if it is old; call this while the download goes on."""
        if time.monotonic() - self._held > _RENEWED_SECONDS:
            self._held = time.monotonic()
            self._downloads.renew(self._place)

    def close(self) -> None:
        """End the download's lease; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._downloads.end(self._place)
