"""Refused requests. For each key, the newest ``KEPT`` are stored for a day.

They tell whoever writes a client which requests failed, and why.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.players.keys import DAY_MS, KeyUse, PlayerKey, record_key, refusals_key
from service.redis.scripts import Script

KEPT = 20
"""Maximum number of refused requests of a key that are stored."""
SHOWN = 200
"""Maximum number of characters of a path, and of a detail."""

_NOTE = """
-- Store a refused request, unless its key has been revoked, and drop old ones.
-- KEYS  the key's record, its refused requests
-- ARGV  the request, how many are kept, until when (ms) all before are dropped, lifetime (ms)
if redis.call("EXISTS", KEYS[1]) == 0 then return end
redis.call("XADD", KEYS[2], "MAXLEN", ARGV[2], "*", "request", ARGV[1])
redis.call("XTRIM", KEYS[2], "MINID", ARGV[3])
redis.call("PEXPIRE", KEYS[2], ARGV[4])
"""


class RefusedRequest(NamedTuple):
    """A request that was answered with the status 4xx and a problem; ``path`` has no query."""

    method: str
    path: str
    status: int
    code: str
    detail: str
    request_id: str


class Refusals:
    """Stores and lists refused requests; ``now_ms`` is the store's clock."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._note = Script(redis, _NOTE)
        self._now_ms = now_ms

    def note(self, key: PlayerKey, request: RefusedRequest) -> None:
        """Store a refused request of a key, in one round trip. Do nothing for a revoked key."""
        keys = [record_key(key.selector), refusals_key(key.id)]
        told = orjson.dumps(request._asdict())
        self._note(keys, [told, KEPT, self._now_ms() - DAY_MS, DAY_MS])

    def listed(self, keys: Sequence[KeyUse]) -> list[JsonObject]:
        """Return keys in the form that the player sees.

        ``last_refused_at`` is the time of the last refused request with the key; None if there was
        none within the last day.
        """
        oldest = self._now_ms() - DAY_MS
        pipe = self._redis.pipeline(transaction=False)
        for used in keys:
            pipe.xrevrange(refusals_key(used.key.id), "+", str(oldest), count=1)
        return [
            {**used.to_json(), "last_refused_at": _time_of(found[0][0]) if found else None}
            for used, found in zip(keys, pipe.execute(), strict=True)
        ]

    def of(self, key_id: str) -> list[JsonObject]:
        """Return the refused requests of a key within the last day, newest first."""
        oldest = self._now_ms() - DAY_MS
        found: Any = self._redis.xrevrange(refusals_key(key_id), "+", str(oldest), count=KEPT)
        return [
            {"at": _time_of(entry), **orjson.loads(fields[b"request"])} for entry, fields in found
        ]


def _time_of(entry: bytes) -> str:
    """Return the time at which an entry of a stream was added."""
    return from_ms(int(entry.partition(b"-")[0]))
