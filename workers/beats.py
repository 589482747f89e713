"""Heartbeats of a worker: each of its loops reports every round."""

import time
from collections.abc import Callable, Iterable

from service.metrics import BEAT
from service.process.notify import READY, WATCHDOG, notify

JOBS, SWEEPER = "jobs", "sweeper"
"""The loops of a worker: the main thread, which runs jobs, and the sweeper's thread."""
SENDER = "sender"
"""The only loop of the sender of webhooks."""

SILENT_SECONDS = 90.0
"""Seconds without a beat after which a loop counts as hanging, if its work may not take longer."""

ALIVE_SECONDS = 1.0
"""Seconds between two heartbeats to the supervisor."""


class Beats:
    """The last beats of the loops of a worker; thread-safe."""

    def __init__(
        self,
        queue: str,
        clock: Callable[[], float] = time.monotonic,
        loops: Iterable[str] = (JOBS, SWEEPER),
        allowed: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Begin to watch the loops.

        ``allowed`` returns for how many extra seconds the loops may be silent at the moment.
        """
        self.queue = queue
        self._clock = clock
        self._last = dict.fromkeys(loops, clock())
        self._told = {loop: BEAT.labels(queue, loop) for loop in self._last}
        self._unheard = set(self._last)
        self._allowed = allowed
        self._told_at = -ALIVE_SECONDS

    def note(self, loop: str) -> None:
        """Report a round of a loop; once all have reported, the supervisor is notified."""
        self._last[loop] = self._clock()
        self._told[loop].set_to_current_time()
        if loop in self._unheard:
            self._unheard.discard(loop)
            if not self._unheard:
                notify(READY)
        if loop != JOBS:
            self._tell_alive(self._last[loop])

    def _tell_alive(self, now: float) -> None:
        """Send the supervisor a heartbeat, at most once a second, but not if a loop hangs."""
        if now >= self._told_at + ALIVE_SECONDS and not self.hanging():
            self._told_at = now
            notify(WATCHDOG)

    def hanging(self) -> list[str]:
        """Return the loops that have been silent for too long."""
        most = SILENT_SECONDS + self._allowed()
        return [loop for loop, seconds in self.silent().items() if seconds > most]

    def silent(self) -> dict[str, float]:
        """Return the seconds of silence of each loop."""
        now = self._clock()
        return {loop: now - last for loop, last in self._last.items()}
