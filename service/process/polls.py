"""The polls of a web process's event loop, at which it sees new input.

Between two polls all runnable greenlets run, one after another, and a new connection waits for all
of them. A process that runs kernel threads instead of greenlets needs no such polls.
"""

import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from gevent.hub import Hub


class Polls:
    """The polls of an event loop that runs the greenlets of one thread in turns."""

    def __init__(self, hub: "Hub") -> None:
        from gevent.hub import Waiter  # noqa: PLC0415 - where nothing is a greenlet, gevent is not

        self.last = time.perf_counter_ns()
        """The time of the last poll (``task_time.wall_ns``)."""
        self._hub = hub
        self._loop = loop = cast("Any", hub.loop)  # gevent's types lack the priorities of callbacks
        self._waiter = Waiter
        self._waiting: list[Any] = []
        """The greenlets that wait for the next poll."""
        self._found: list[Any] = []
        """The greenlets that waited for the present poll."""
        self._first = loop.check(ref=False, priority=loop.MAXPRI)
        self._first.start(self._note)
        self._last = loop.check(ref=False, priority=loop.MINPRI)
        self._last.start(self._call)
        self._hurry = loop.timer(0, ref=False)

    def _note(self) -> None:
        self.last = time.perf_counter_ns()
        self._found, self._waiting = self._waiting, []

    def _call(self) -> None:
        """Wake the waiting greenlets.

        They run after the greenlets that serve the connections found by the poll.
        """
        for waiter in self._found:
            self._loop.run_callback(waiter.switch, None)
        self._found = []

    def wait(self) -> None:
        """Make the loop poll at once, and return when the poll's greenlets have run.

        These are the greenlets for which the poll has found input.

        A sleep would not do the same. During a short sleep, the process would be idle in epoll for
        up to a millisecond. During a sleep of 0 seconds, gevent runs ready greenlets but does not
        poll.
        """
        waiter: Any = self._waiter(self._hub)
        self._waiting.append(waiter)
        if not self._hurry.active:
            self._hurry.start(_go_on)
        waiter.get()


def _go_on() -> None:
    """Do nothing.

    This is the callback of a timer of 0 seconds. While this timer is set, the event loop polls
    without waiting for input.
    """
