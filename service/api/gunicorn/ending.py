"""Shutdown of a web process: requests that have arrived are answered first."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from gevent.server import StreamServer
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]


class Listener(NamedTuple):
    """The address of a listening socket, which gunicorn asks for when the socket may be closed."""

    address: Any

    def getsockname(self) -> Any:
        """Return the address that the socket listens, or listened, on."""
        return self.address


class Server(StreamServer):
    """Accepts connections; before it closes, it serves those already made.

    The kernel resets waiting connections when the last process that has the socket closes it.
    """

    def close(self) -> None:
        """Accept the waiting connections, as far as there is room, then stop."""
        if not self.closed:
            with suppress(OSError):
                while not self.full() and (found := self.do_read()):
                    self.do_handle(*found)
        super().close()


class EndingWorker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's gevent worker, which finishes open requests even if its master has ended."""

    def server_class(self, listener: Any, *, spawn: Callable[..., Any], **_more: Any) -> Server:
        """Return the class that accepts connections; gunicorn's own resets those that wait."""
        handle = partial(self.handle, Listener(listener.getsockname()))
        server = Server(listener, handle=handle, spawn=spawn)
        if self.cfg.workers > 1:
            server.max_accept = 1  # one connection at a time, so that every process gets some
        return server

    def notify(self) -> None:
        """Tell the master that the process lives. Without a master, end as if told to.

        Gunicorn's own method would end in the middle of answers.
        """
        self.tmp.notify()
        if self.alive and os.getppid() != self.ppid:
            signal.raise_signal(signal.SIGTERM)
