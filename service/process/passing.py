"""How a process passes its time: at work, waiting for a processor, or asleep.

The kernel counts both: a clock for each process, and in ``schedstat`` of each thread for how many
nanoseconds it could have run and had no processor (Documentation/scheduler/sched-stats.rst).
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from service.process import procfs

UNEXPLAINED_SECONDS = 1.0
"""Whoever looks comes so late by more than his own wait for a processor: all of us stood still."""

_WAITS = "RD"
"""The states of a process that could run, or waits for a disk; also of one that runs."""


class Passed(NamedTuple):
    """Seconds since somebody began to look; those of the processor may be more, on several."""

    processor: float
    waiting: float
    """For a processor, or for the disk."""
    elapsed: float
    """By the wall, without those in which the whole machine stood still."""

    @property
    def asleep(self) -> float:
        """For how long it had a processor to run on, and did not."""
        return max(0.0, self.elapsed - self.processor - self.waiting)


class Passing:
    """What a process, with all that it started, has done since now; of one thread of the caller.

    Raises ProcessLookupError as soon as it is gone.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before = self._now()
        self._at = self._began = time.monotonic()
        self._own = _own_seconds()
        self._waited = self._still = 0.0
        self._seen = self._before

    def look(self, slept: float) -> Passed:
        """Return how the time passed until now; the caller ``slept`` so many seconds of it."""
        seen, at, own = self._now(), time.monotonic(), _own_seconds()
        gone = at - self._at
        late = gone - slept - (own - self._own)
        if late > UNEXPLAINED_SECONDS:
            self._still += late
            gone -= late
        # The kernel counts a wait when it is over: whoever waits now, or for the disk, has waited.
        waited = min(gone, seen.waiting - self._seen.waiting)
        if seen.state in _WAITS:
            waited = max(waited, gone - (seen.processor - self._seen.processor))
        self._waited += max(0.0, waited)
        self._seen, self._at, self._own = seen, at, own
        processor = seen.processor - self._before.processor
        return Passed(processor, self._waited, at - self._began - self._still)

    def _now(self) -> "_Seen":
        processor = waiting = 0.0
        for pid in _family(self._pid):
            try:
                processor += procfs.processor_seconds(pid)
                waiting += procfs.waiting_seconds(pid)
            except OSError:
                if pid == self._pid:
                    raise ProcessLookupError(pid) from None
                # it has just ended, and counts as its parent's
        return _Seen(processor, waiting, procfs.state(self._pid))


class _Seen(NamedTuple):
    processor: float
    waiting: float
    state: str


def _own_seconds() -> float:
    """Return for how long this thread has worked, or could have."""
    return time.thread_time() + procfs.thread_waiting_seconds(Path("/proc/thread-self"))


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in procfs.children(pid):
        yield from _family(child)
