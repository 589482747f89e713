"""When to ask again, and when to give up."""

import random
import threading
import time

from lonja_client.errors import NO_TRUST, LonjaError, Refused, Unreachable

FIRST_SECONDS, MOST_SECONDS = 0.1, 8.0
"""The pauses grow from the first to the longest, each by chance between a half and a whole."""


class Retries:
    """The tries of one request: pauses between failures, up to a time after the first."""

    def __init__(self, seconds: float, closed: threading.Event) -> None:
        """``closed`` ends every pause."""
        self._seconds = seconds
        self._closed = closed
        self._failures = 0
        self._began = 0.0

    def failed(self, error: LonjaError) -> None:
        """Wait before the next try; raise the error if there is to be none.

        A connection that was lost is tried again at once, and then after growing pauses; never
        before the service says (``Retry-After``).
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
        """Begin anew."""
        self._failures = 0


def _may_pass(error: LonjaError) -> bool:
    if isinstance(error, Unreachable):
        return error.why != NO_TRUST
    return isinstance(error, Refused) and error.passing
