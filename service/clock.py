"""Time by this machine's clock and by the store's clock; records have the store's time."""

import time
from collections.abc import Callable

from rules.kernel.record import instants


def now() -> str:
    """Return the time by this machine's clock, like ``2026-11-20T21:29:00.123Z``."""
    return instants.from_ms(time.time_ns() // 1_000_000)


def steady_ms() -> int:
    """Return milliseconds on a monotonic clock."""
    return time.monotonic_ns() // 1_000_000


TOLERANCE_MS = 2_000
"""Maximum difference between an event's time and the store's at its append."""


class StoreClock:
    """The clock of the Redis that holds the events, estimated from its answers.

    With it all processes agree on the time, whatever their machines' clocks show. ``ask`` returns
    the store's time in milliseconds since 1970; the clock calls it once before its first use.
    """

    def __init__(self, ask: Callable[[], int]) -> None:
        self._ask = ask
        self._ahead: int | None = None
        """How far the store's clock is ahead of ``steady_ms``."""

    def heard(self, sent: int, told: int) -> None:
        """Update the estimate after an answer of the store.

        ``sent`` is the time when the store was asked, as ``steady_ms`` gives it. ``told`` is the
        time that the store answered. The store's clock showed ``told`` at some time between
        ``sent`` and now. This gives a lower and an upper bound for the estimate. The estimate
        changes only if it is outside these bounds, so a slow answer does not worsen a good
        estimate.
        """
        least, most = told - steady_ms(), told - sent
        self._ahead = least if self._ahead is None else min(max(self._ahead, least), most)

    def ask(self) -> int:
        """Ask the store for its time, and return it in milliseconds since 1970."""
        sent = steady_ms()
        told = self._ask()
        self.heard(sent, told)
        return told

    def now_ms(self) -> int:
        """Return the estimate of the store's time, in milliseconds since 1970."""
        return self.ask() if self._ahead is None else steady_ms() + self._ahead

    def now(self) -> str:
        """Return the estimate of the store's time, as the text that events carry."""
        return instants.from_ms(self.now_ms())

    def was(self, at: str) -> bool:
        """Whether ``at`` may be the present time.

        It may be if it differs from the estimate by at most ``TOLERANCE_MS``.
        """
        return abs(self.now_ms() - instants.to_ms(at)) <= TOLERANCE_MS
