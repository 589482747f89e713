"""The processor time of each task, without that of other tasks in the same thread.

A task is a thread, or one of the greenlets that take turns in a thread. The kernel's clock counts
only threads, so the clock is read at each switch of greenlets (``tell_greenlets_apart``).
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
"""A clock in ns whose differences are upper bounds of the processor time."""


_A_MOMENT_S = 1e-6
"""Seconds for which a thread sleeps to let others run."""

polls: Polls | None = None
"""The polls of this process, if its tasks are greenlets."""


class TimeAccount(Protocol):
    """An account that adds up the processor time of several tasks, in ns."""

    used: int


class TaskTime:
    """One task's processor time, in ns."""

    __slots__ = ("_mark", "_since", "_spent", "account", "stretch")

    def __init__(self) -> None:
        self._spent = 0
        self._mark: int | None = None
        self._since = now_ns()
        """The time at which the task began to run, by the clock of its thread."""
        self.stretch = wall_ns() if polls is None else polls.last
        """The wall time since which its thread has worked, for any task, without a poll."""
        self.account: TimeAccount | None = None

    def settle(self) -> int:
        """Count the work until now; return the total in ns."""
        now = now_ns()
        self._count(now)
        return self._spent

    def work_for(self, account: TimeAccount | None) -> None:
        """Count the work from now on for another account, or for none."""
        self._count(now_ns())
        self.account = account

    def mark(self) -> None:
        """Set the beginning of a piece of work to now; ``begin`` returns it."""
        self._mark = self.settle()

    def begin(self) -> int:
        """Return the total in ns at the last ``mark``; without a mark, the present total."""
        return self.settle() if self._mark is None else self._mark

    def _count(self, now: int) -> None:
        took = now - self._since
        self._since = now
        self._spent += took
        if self.account is not None:
            self.account.used += took


def current() -> TaskTime:
    """Return the running task."""
    running: Any = greenlet.getcurrent()
    try:
        found: TaskTime = running.task_time
    except AttributeError:
        found = running.task_time = TaskTime()
    return found


def take_turns(hub: "Hub") -> None:
    """Make each greenlet of this process a task of its own, from now on.

    The processor time of each greenlet is then counted separately (``tell_greenlets_apart``), and
    ``see_new_input`` waits for a poll of the event loop ``hub``.
    """
    global polls  # noqa: PLW0603 - a process has one loop
    polls = Polls(hub)
    tell_greenlets_apart(hub)


def see_new_input() -> None:
    """Let all other runnable tasks run, and those for which input has arrived."""
    if polls is None:
        time.sleep(_A_MOMENT_S)
    else:
        polls.wait()


def tell_greenlets_apart(hub: greenlet.greenlet | None = None) -> None:
    """From now on, count a greenlet's processor time only while that greenlet runs.

    This holds for the greenlets of the calling thread. The ``hub`` is the greenlet that switches
    between the others. Its time counts for the next greenlet, so that a switch needs only one
    reading of the clock.
    """
    ended_at = now_ns()

    def switched(_how: str, between: tuple[Any, Any]) -> None:
        nonlocal ended_at
        before, after = between
        if before is not hub:
            ended_at = now_ns()
            ended: TaskTime | None = getattr(before, "task_time", None)
            if ended is not None:
                ended._count(ended_at)  # noqa: SLF001 - its own module
        if after is not hub:
            begun: TaskTime | None = getattr(after, "task_time", None)
            if begun is not None:
                begun._since = ended_at  # noqa: SLF001
                if polls is not None:
                    begun.stretch = polls.last

    greenlet.settrace(switched)
