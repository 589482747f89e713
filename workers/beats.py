"""Whether a worker is alive: its loops say so each time that they come round."""

import time
from collections.abc import Callable, Iterable

from service.metrics import BEAT
from service.process.notify import READY, WATCHDOG, notify

JOBS, SWEEPER = "jobs", "sweeper"
"""The loops: the main thread, which does the queue's jobs, and the thread beside it."""
SENDER = "sender"
"""The one loop of the sender of webhooks."""

SILENT_SECONDS = 90.0
"""After so long without a beat a loop hangs, unless more was allowed for what it does now."""

ALIVE_SECONDS = 1.0
"""How often whoever supervises the process is told that it is alive."""


class Beats:
    """When each loop of a worker of this queue was heard of; for all threads."""

    def __init__(
        self,
        queue: str,
        clock: Callable[[], float] = time.monotonic,
        loops: Iterable[str] = (JOBS, SWEEPER),
        allowed: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """``allowed`` says how many seconds more the loops may be silent now."""
        self.queue = queue
        self._clock = clock
        self._last = dict.fromkeys(loops, clock())
        self._told = {loop: BEAT.labels(queue, loop) for loop in self._last}
        self._unheard = set(self._last)
        self._allowed = allowed
        self._told_at = -ALIVE_SECONDS

    def note(self, loop: str) -> None:
        """Say that a loop came round; once all have, whoever supervises the process is told."""
        self._last[loop] = self._clock()
        self._told[loop].set_to_current_time()
        if loop in self._unheard:
            self._unheard.discard(loop)
            if not self._unheard:
                notify(READY)
        if loop != JOBS:
            self._tell_alive(self._last[loop])

    def _tell_alive(self, now: float) -> None:
        """Tell whoever supervises the process, once a second, unless a loop hangs."""
        if now >= self._told_at + ALIVE_SECONDS and not self.hanging():
            self._told_at = now
            notify(WATCHDOG)

    def hanging(self) -> list[str]:
        """Return the loops that have been silent for too long."""
        most = SILENT_SECONDS + self._allowed()
        return [loop for loop, seconds in self.silent().items() if seconds > most]

    def silent(self) -> dict[str, float]:
        """Return for how many seconds each loop has said nothing."""
        now = self._clock()
        return {loop: now - last for loop, last in self._last.items()}
