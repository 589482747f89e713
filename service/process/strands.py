"""The processor time of each strand, without what others did while it waited.

A strand is a thread, or one of the greenlets that take turns in a thread. The kernel's clock knows
threads alone, so greenlets are told apart at each switch (``tell_greenlets_apart``).
"""

import time
from typing import Any, Protocol

import greenlet

now_ns = time.thread_time_ns
"""The processor time of this thread, in ns (CLOCK_THREAD_CPUTIME_ID)."""


class Account(Protocol):
    """What processor time counts for besides its strand."""

    used: int


class Strand:
    """One strand's processor time, in ns."""

    __slots__ = ("_mark", "_since", "_spent", "account", "stretch")

    def __init__(self) -> None:
        self._spent = 0
        self._mark: int | None = None
        self._since = self.stretch = now_ns()
        """Since when it runs, and since when without a pause, by the clock of its thread."""
        self.account: Account | None = None

    def settle(self) -> int:
        """Count what it has worked until now; return how much it is in all."""
        now = now_ns()
        self._count(now)
        return self._spent

    def mark(self) -> None:
        """Let the next ``begin`` be now: what follows is work for it already."""
        self._mark = self.settle()

    def begin(self) -> int:
        """Return what it had worked when a piece of work began: now, unless that was marked."""
        return self.settle() if self._mark is None else self._mark

    def _count(self, now: int) -> None:
        took = now - self._since
        self._since = now
        self._spent += took
        if self.account is not None:
            self.account.used += took

    def _go_on(self, now: int) -> None:
        self._since = self.stretch = now


def current() -> Strand:
    """Return the strand that runs."""
    running: Any = greenlet.getcurrent()
    try:
        found: Strand = running.strand
    except AttributeError:
        found = running.strand = Strand()
    return found


def tell_greenlets_apart() -> None:
    """Have the greenlets of this thread, for good, count only while each of them runs."""
    greenlet.settrace(_switched)


def _switched(_how: str, between: tuple[Any, Any]) -> None:
    before, after = between
    now = now_ns()
    strand: Strand | None = getattr(before, "strand", None)
    if strand is not None:
        strand._count(now)  # noqa: SLF001 - its own module
    strand = getattr(after, "strand", None)
    if strand is not None:
        strand._go_on(now)  # noqa: SLF001 - its own module
