"""Shutdown of a web process. The process first answers the requests that have arrived."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from gevent.server import StreamServer
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]


class Listener(NamedTuple):
    """The address of a listening socket. Gunicorn asks for it even after the socket is closed."""

    address: Any

    def getsockname(self) -> Any:
        """Return the address of the socket."""
        return self.address


class Server(StreamServer):
    """Accepts connections; before it closes, it serves those that wait to be accepted.

    The kernel resets waiting connections when the last process that has the socket closes it.
    """

    def close(self) -> None:
        """Accept the waiting connections, up to the process's limit, then stop."""
        if not self.closed:
            with suppress(OSError):
                while not self.full() and (found := self.do_read()):
                    self.do_handle(*found)
        super().close()


class EndingWorker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's gevent worker, which finishes open requests even if its master has ended."""

    def server_class(self, listener: Any, *, spawn: Callable[..., Any], **_more: Any) -> Server:
        """Return a server that accepts the waiting connections.

        Gunicorn's own server would reset them.
        """
        handle = partial(self.handle, Listener(listener.getsockname()))
        server = Server(listener, handle=handle, spawn=spawn)
        if self.cfg.workers > 1:
            server.max_accept = 1  # one connection at a time, so that every process gets some
        return server

    def notify(self) -> None:
        """Tell the master that the process lives. Without a master, end as on SIGTERM.

        Gunicorn's own method would end in the middle of answers.
        """
        self.tmp.notify()
        if self.alive and os.getppid() != self.ppid:
            signal.raise_signal(signal.SIGTERM)
