"""Counts of restarts of the children of ``lonja serve``, kept in the store."""

import socket
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

import orjson
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError

from service.process.launcher import ChildEnd
from service.redis.keys import RESTARTS

_HOST = socket.gethostname()

AGAIN_SECONDS = 1.0
"""Seconds between two attempts to reach an unavailable store."""


class ChildRestarts(NamedTuple):
    """How often a child process ended, and how it ended last.

    ``times`` is the number of all ends, and ``in_a_row`` is the number of ends in a row. ``code``
    is the last exit code; it is negative if a signal ended the child. ``at`` is the time of the
    last end, in ms since 1970, by the clock of ``host``.
    """

    child: str
    times: int
    in_a_row: int
    code: int
    host: str
    at: int

    @property
    def age(self) -> float:
        """Seconds since the child's last end."""
        return max(0.0, time.time() - self.at / 1000)

    def dump(self) -> bytes:
        """Return the stored value."""
        return orjson.dumps(self[1:])


class RestartWriter(threading.Thread):
    """Stores when and how child processes end.

    The writer is a thread of its own, because the store may be unavailable.
    """

    def __init__(self, redis: Redis, children: Iterable[str]) -> None:
        super().__init__(name="restarts", daemon=True)
        self._redis = redis
        self._new = {*children}
        """Children that may have no count yet; it begins at 0, so that its first increase shows."""
        self._ends: SimpleQueue[tuple[ChildEnd, int]] = SimpleQueue()

    def note(self, end: ChildEnd) -> None:
        """Record an end, as soon as the store accepts it."""
        self._ends.put((end, round(1000 * time.time())))

    def run(self) -> None:
        """Store recorded ends one by one, for as long as the process lives."""
        self._insist(self._begin)
        while True:
            self._insist(partial(self._count, *self._ends.get()))

    def _insist(self, do: Callable[[], None]) -> None:
        while True:
            try:
                return do()
            except RedisError:
                time.sleep(AGAIN_SECONDS)

    def _begin(self) -> None:
        for child in self._new:
            self._redis.hsetnx(RESTARTS, child, ChildRestarts(child, 0, 0, 0, _HOST, 0).dump())

    def _count(self, end: ChildEnd, at: int) -> None:
        def count(pipe: Pipeline) -> None:
            before = find(pipe, end.child)
            times = 1 if before is None else before.times + 1
            found = ChildRestarts(end.child, times, end.in_a_row, end.code, _HOST, at)
            pipe.multi()
            pipe.hset(RESTARTS, end.child, found.dump())

        self._redis.transaction(count, RESTARTS)


def find(redis: Redis, child: str) -> ChildRestarts | None:
    """Return the stored restarts of a child."""
    told = redis.hget(RESTARTS, child)
    return None if told is None else ChildRestarts(child, *orjson.loads(told))


def find_all(redis: Redis) -> list[ChildRestarts]:
    """Return the stored restarts, by the children's names."""
    told: Any = redis.hgetall(RESTARTS)
    return [ChildRestarts(name.decode(), *orjson.loads(told[name])) for name in sorted(told)]
