"""Measures how long a process works, waits for a processor, or sleeps.

The kernel counts work and waits. Each process has a clock of its work. Each thread has a file
``schedstat``, with the nanoseconds in which the thread was runnable without a processor
(Documentation/scheduler/sched-stats.rst).
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from service.process import procfs

UNEXPLAINED_SECONDS = 1.0
"""Unexplained delay of the observer, in seconds, above which the whole machine stood still."""

_WAITS = "RD"
"""The process states "runnable or running" and "waiting for a disk"."""


class ElapsedTime(NamedTuple):
    """Seconds since the observation began; ``processor`` adds up the seconds on all cores."""

    processor: float
    waiting: float
    """Seconds of waiting for a processor, or for the disk."""
    elapsed: float
    """Wall time, without periods in which the whole machine stood still."""

    @property
    def asleep(self) -> float:
        """Seconds in which the process had a processor and did not use it."""
        return max(0.0, self.elapsed - self.processor - self.waiting)


class Stopwatch:
    """Measures the time of a process and its descendants from now on; not thread-safe.

    Raises ProcessLookupError once the process is gone.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before = self._now()
        self._at = self._began = time.monotonic()
        self._own = _own_seconds()
        self._waited = self._still = 0.0
        self._seen = self._before

    def look(self, slept: float) -> ElapsedTime:
        """Return the time since the observation began.

        ``slept`` is the number of seconds for which the caller has slept since the last call.
        """
        seen, at, own = self._now(), time.monotonic(), _own_seconds()
        gone = at - self._at
        late = gone - slept - (own - self._own)
        if late > UNEXPLAINED_SECONDS:
            self._still += late
            gone -= late
        # The kernel counts a wait only when it ends, so processes in one of these states count as
        # waiting.
        waited = min(gone, seen.waiting - self._seen.waiting)
        if seen.waits:
            waited = max(waited, gone - (seen.processor - self._seen.processor))
        self._waited += max(0.0, waited)
        self._seen, self._at, self._own = seen, at, own
        processor = seen.processor - self._before.processor
        return ElapsedTime(processor, self._waited, at - self._began - self._still)

    def _now(self) -> "_Reading":
        processor = waiting = 0.0
        states = ""
        for pid in _family(self._pid):
            try:
                processor += procfs.processor_seconds(pid)
                waiting += procfs.waiting_seconds(pid)
                states += procfs.state(pid)
            except OSError:
                if pid == self._pid:
                    raise ProcessLookupError(pid) from None
                # the child has just ended, and its time counts as its parent's
        return _Reading(processor, waiting, any(state in _WAITS for state in states))


def family_seconds(pid: int) -> float:
    """Return the processor seconds of a process and its descendants. Raises OSError: it is gone."""
    seconds = 0.0
    for each in _family(pid):
        try:
            seconds += procfs.processor_seconds(each)
        except OSError:
            if each == pid:
                raise
    return seconds


class _Reading(NamedTuple):
    processor: float
    waiting: float
    waits: bool
    """Whether one of the processes runs or waits now."""


def _own_seconds() -> float:
    """Return the seconds for which this thread has worked or waited for a processor."""
    return time.thread_time() + procfs.thread_waiting_seconds(Path("/proc/thread-self"))


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in procfs.children(pid):
        yield from _family(child)
