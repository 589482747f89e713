"""How a web process ends: what has come to it is answered first."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from gevent.server import StreamServer
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]


class Listener(NamedTuple):
    """The address of a listening socket; gunicorn asks for it when that may be closed."""

    address: Any

    def getsockname(self) -> Any:
        """Return the address that it listens, or listened, on."""
        return self.address


class Server(StreamServer):
    """Accepts connections, and has those served that were made before it closes.

    The kernel resets them when the last process that has the socket closes it.
    """

    def close(self) -> None:
        """Accept what waits, as far as there is room, and then no more."""
        if not self.closed:
            with suppress(OSError):
                while not self.full() and (found := self.do_read()):
                    self.do_handle(*found)
        super().close()


class EndingWorker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's gevent worker; it ends without cutting anybody off, with its master too."""

    def server_class(self, listener: Any, *, spawn: Callable[..., Any], **_more: Any) -> Server:
        """Return the acceptor of connections; gunicorn's own resets those that wait for it."""
        handle = partial(self.handle, Listener(listener.getsockname()))
        server = Server(listener, handle=handle, spawn=spawn)
        if self.cfg.workers > 1:
            server.max_accept = 1  # so that all of them get some
        return server

    def notify(self) -> None:
        """Tell the master that the process lives; without a master it ends, as if told to.

        Gunicorn's would do so in the middle of its answers.
        """
        self.tmp.notify()
        if self.alive and os.getppid() != self.ppid:
            signal.raise_signal(signal.SIGTERM)
