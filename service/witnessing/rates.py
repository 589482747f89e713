"""How often a log may have a new checkpoint co-signed: each costs a write to the disk."""

import time
from collections.abc import Callable
from math import ceil
from typing import NamedTuple


class _Bucket(NamedTuple):
    """What is left at a time (monotonic seconds)."""

    left: float
    at: float


class Rates:
    """Allows each log ``per_minute`` checkpoints, all of them at once if it had a quiet minute."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._now = now
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, origin: str) -> int:
        """Take one checkpoint of a log; return 0, or in how many seconds it may come again."""
        now = self._now()
        left, at = self._buckets.get(origin, _Bucket(self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60)
        if left < 1:
            self._buckets[origin] = _Bucket(left, now)
            return ceil((1 - left) * 60 / self._most)
        self._buckets[origin] = _Bucket(left - 1, now)
        return 0
