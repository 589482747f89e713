"""Time slices: how long a worker does one thing before it makes room for others."""

import time

from workers.engines import pool

MOST_SECONDS = 5.0
"""Wall time after which a slice ends in any case, because others wait."""


def spent_ns() -> int:
    """Return the processor time of this thread, and of the engines that it asks."""
    return time.thread_time_ns() + pool.spent_ns()


class Slice:
    """A slice of ``seconds`` of processor time, which begins now.

    It is not one of wall time: otherwise a worker that rarely gets a processor would do little in
    each slice but begin it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began, self._spent = time.monotonic(), spent_ns()

    def is_over(self) -> bool:
        """Whether the slice is over."""
        elapsed = time.monotonic() - self._began
        if elapsed < self._seconds:  # it is quicker to know this than what the thread has spent
            return False
        if elapsed >= max(self._seconds, MOST_SECONDS):
            return True
        return spent_ns() - self._spent >= 1e9 * self._seconds
