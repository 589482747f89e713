"""What time it is: here, and at the store, which decides about everything that is recorded."""

import time
from collections.abc import Callable

from rules.kernel.record import instants


def now() -> str:
    """Return the present by this machine's clock, like ``2026-11-20T21:29:00.123Z``."""
    return instants.from_ms(time.time_ns() // 1_000_000)


def steady_ms() -> int:
    """Return milliseconds since some moment; nobody sets this clock."""
    return time.monotonic_ns() // 1_000_000


TOLERANCE_MS = 2_000
"""How far the time of an event may be from the store's when it is appended."""


class StoreClock:
    """The clock of the Redis that holds the events, as far as its answers tell.

    So all processes agree on the time, whatever the clocks of their machines show. ``ask`` returns
    the store's time in milliseconds since 1970; without being told to, it is called once, before
    the first use.
    """

    def __init__(self, ask: Callable[[], int]) -> None:
        self._ask = ask
        self._ahead: int | None = None
        """How far the store's clock is ahead of ``steady_ms``."""

    def heard(self, sent: int, told: int) -> None:
        """Learn that the store's clock showed ``told`` after ``sent`` (``steady_ms``).

        It was also before this moment. What is known stays if it fits between the two: a slow
        answer makes a good value no worse.
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
        """Return the store's time in milliseconds since 1970."""
        return self.ask() if self._ahead is None else steady_ms() + self._ahead

    def now(self) -> str:
        """Return the store's time as events write it."""
        return instants.from_ms(self.now_ms())

    def was(self, at: str) -> bool:
        """Whether ``at`` can be the present; if not, the store has said otherwise since."""
        return abs(self.now_ms() - instants.to_ms(at)) <= TOLERANCE_MS
