"""Decides when to repeat a request, and when to give up."""

import random
import threading
import time

from lonja_client.errors import NO_TRUST, LonjaError, Refused, Unreachable

FIRST_SECONDS, MOST_SECONDS = 0.1, 8.0
"""The first and the longest pause between tries; each is shortened at random by up to a half."""


class Retries:
    """The tries of one request, with pauses between them, for a limited time."""

    def __init__(self, seconds: float, closed: threading.Event) -> None:
        """Prepare the tries: they end after ``seconds``, and ``closed`` ends every pause."""
        self._seconds = seconds
        self._closed = closed
        self._failures = 0
        self._began = 0.0

    def failed(self, error: LonjaError) -> None:
        """Wait before the next try, or raise ``error`` if no try may follow.

        After a lost connection, the first new try follows at once. Each later try follows after a
        longer pause. No try comes before the time that the service asks for (``Retry-After``).
        """
        now = time.monotonic()
        if not self._failures:
            self._began = now
        grown = min(FIRST_SECONDS * 2.0**self._failures, MOST_SECONDS)
        pause = grown * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come back at once
        if isinstance(error, Refused):
            pause = max(pause, error.retry_after)
        elif not self._failures:
            pause = 0.0
        self._failures += 1
        late = now + pause - self._began >= self._seconds
        if late or not _may_pass(error) or self._closed.wait(pause):
            raise error

    def succeeded(self) -> None:
        """Forget past failures."""
        self._failures = 0


def _may_pass(error: LonjaError) -> bool:
    if isinstance(error, Unreachable):
        return error.why != NO_TRUST
    return isinstance(error, Refused) and error.passing
