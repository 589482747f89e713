"""A gunicorn worker that answers with problem documents where the API is not involved."""

import socket
from collections.abc import Callable
from contextlib import suppress
from ssl import SSLError
from typing import Any

import gevent
from gunicorn import util  # type: ignore[import-untyped]
from gunicorn.http.body import LengthReader  # type: ignore[import-untyped]

from service.api.gunicorn.ending import EndingWorker

KEPT_BYTES = 64 * 1024
"""Bytes of the longest body after which a connection stays open. Its unread rest is discarded."""

BODY_SECONDS = 30.0
"""Seconds within which a body must arrive after the request's head."""

LINGER_SECONDS = 2.0
LINGER_BYTES = 16 * 1024 * 1024
_AT_ONCE = 64 * 1024


class ProblemWorker(EndingWorker):
    """Gunicorn's worker, with problem documents for the requests that it refuses."""

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request; close its connection if a long body may have been left unread.

        Connections of a draining process are closed, too: on an open connection, a proxy might send
        the next request at the moment when the process ends. Before the worker closes a connection,
        it reads what the client still sends.
        """
        reader = req.body.reader
        long = not isinstance(reader, LengthReader) or reader.length > KEPT_BYTES
        if long or self.wsgi.draining:
            req.force_close()
        req.body.has_come = has_come(req)
        if not req.body.has_come:
            req.body.read = in_time(req)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except StopIteration:
            # Gunicorn has answered the request, and wants to close the connection.
            if long or reader.length > 0:
                _linger(sock)
            raise

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a request that cannot be read, or an error outside of the application."""
        if isinstance(exc, SSLError):  # an SSLError means that the client is gone
            super().handle_error(req, client, addr, exc)
            return
        with suppress(OSError):
            util.write_nonblock(client, self.wsgi.refusal(exc))
            _linger(client)


def has_come(req: Any) -> bool:
    """Whether the whole body was read together with the request's head."""
    reader = req.body.reader
    if not isinstance(reader, LengthReader):
        return False
    here, length = req.unreader.buf.getbuffer().nbytes, int(reader.length)
    return bool(here >= length)


def in_time(req: Any) -> Callable[..., bytes]:
    """Return a reader of a request's body. The reader raises TimeoutError if the body is late."""
    read = req.body.read

    def read_in_time(size: int | None = None) -> bytes:
        try:
            with gevent.Timeout(BODY_SECONDS, TimeoutError):
                found: bytes = read(size)
                return found
        except TimeoutError:
            req.force_close()
            raise

    return read_in_time


def _linger(client: Any) -> None:
    """Shut down our side, and let the client read the answer before the connection closes.

    Closing it while bytes are unread would reset the connection, and the answer could be lost.
    """
    left = LINGER_BYTES
    with suppress(OSError), gevent.Timeout(LINGER_SECONDS, TimeoutError):
        client.shutdown(socket.SHUT_WR)
        while left > 0 and (read := client.recv(_AT_ONCE)):
            left -= len(read)
