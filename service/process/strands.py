"""The processor time of each strand, without the time of others while it waited.

A strand is a thread, or one of the greenlets that take turns in a thread. The kernel's clock counts
only threads, so greenlets are told apart at each switch (``tell_greenlets_apart``).
"""

import time
from typing import TYPE_CHECKING, Any, Protocol

import greenlet

from service.process.polls import Polls

if TYPE_CHECKING:
    from gevent.hub import Hub

now_ns = time.thread_time_ns
"""The processor time of this thread, in ns (CLOCK_THREAD_CPUTIME_ID). Reading it is a system call,
which takes ten times as long as reading ``wall_ns``.
"""

wall_ns = time.perf_counter_ns
"""An upper bound of the processor time that has passed, in ns."""


_A_MOMENT_S = 1e-6
"""The sleep with which a thread lets others run."""

polls: Polls | None = None
"""The polls of this process, if its strands are greenlets."""


class Account(Protocol):
    """A second account for a strand's processor time."""

    used: int


class Strand:
    """One strand's processor time, in ns."""

    __slots__ = ("_mark", "_since", "_spent", "account", "stretch")

    def __init__(self) -> None:
        self._spent = 0
        self._mark: int | None = None
        self._since = now_ns()
        """Since when it runs, by the clock of its thread."""
        self.stretch = wall_ns() if polls is None else polls.last
        """Since when its thread has worked, for whomever, without a look at what has come."""
        self.account: Account | None = None

    def settle(self) -> int:
        """Count the work until now; return the total."""
        now = now_ns()
        self._count(now)
        return self._spent

    def work_for(self, account: Account | None) -> None:
        """Count the work from now on for another account, or for none."""
        self._count(now_ns())
        self.account = account

    def mark(self) -> None:
        """Set the beginning that the next ``begin`` returns: work from here on counts for it."""
        self._mark = self.settle()

    def begin(self) -> int:
        """Return the total at the beginning of a piece of work: now, or the mark if one was set."""
        return self.settle() if self._mark is None else self._mark

    def _count(self, now: int) -> None:
        took = now - self._since
        self._since = now
        self._spent += took
        if self.account is not None:
            self.account.used += took


def current() -> Strand:
    """Return the running strand."""
    running: Any = greenlet.getcurrent()
    try:
        found: Strand = running.strand
    except AttributeError:
        found = running.strand = Strand()
    return found


def take_turns(hub: "Hub") -> None:
    """Make the greenlets of this process its strands, permanently."""
    global polls  # noqa: PLW0603 - a process has one loop
    polls = Polls(hub)
    tell_greenlets_apart(hub)


def see_new_input() -> None:
    """Let all other strands run that can, and those for which input has come."""
    if polls is None:
        time.sleep(_A_MOMENT_S)
    else:
        polls.wait()


def tell_greenlets_apart(hub: greenlet.greenlet | None = None) -> None:
    """Count each greenlet of this thread only while it runs, permanently.

    The time of the ``hub``, which switches between them, counts for the next one: so one reading of
    the clock is enough for a switch.
    """
    ended_at = now_ns()

    def switched(_how: str, between: tuple[Any, Any]) -> None:
        nonlocal ended_at
        before, after = between
        if before is not hub:
            ended_at = now_ns()
            ended: Strand | None = getattr(before, "strand", None)
            if ended is not None:
                ended._count(ended_at)  # noqa: SLF001 - its own module
        if after is not hub:
            begun: Strand | None = getattr(after, "strand", None)
            if begun is not None:
                begun._since = ended_at  # noqa: SLF001
                if polls is not None:
                    begun.stretch = polls.last

    greenlet.settrace(switched)
