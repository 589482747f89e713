"""When the event loop of a web process looks at what has come to it: its polls.

Between two of them all greenlets that can go on do so, one after another, and a connection that
comes meanwhile waits for all of these. Threads of the kernel need none of this.
"""

import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from gevent.hub import Hub


class Polls:
    """The polls of a loop, in which the greenlets of a thread take turns."""

    def __init__(self, hub: "Hub") -> None:
        self.last = time.perf_counter_ns()
        """When the last one was (``strands.wall_ns``)."""
        self._hub = hub
        self._loop = loop = cast("Any", hub.loop)  # its types know no priorities
        self._noting = loop.check(ref=False, priority=loop.MAXPRI)
        self._noting.start(self._note)
        self._hurry = loop.async_(ref=False)
        self._hurry.start(_go_on)

    def _note(self) -> None:
        self.last = time.perf_counter_ns()

    def wait(self) -> None:
        """Return after the next poll, when all that it finds has gone on; it finds at once.

        To sleep for a moment would take up to a millisecond of epoll's, in which nobody works; for
        none at all, gevent runs what is ready without a poll.
        """
        self._hurry.send()
        self._hub.wait(self._loop.check(priority=self._loop.MINPRI))
        time.sleep(0)  # connections that it found go on first


def _go_on() -> None:
    """Do nothing: the loop need not wait for more."""
