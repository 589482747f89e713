"""Sends responses in few pieces, and closes connections of clients that do not read them.

While a client does not read, a small buffer fills; then the connection is closed. At most one
piece of a stream waits outside of the kernel's buffer. A client that follows a game resumes with
``Last-Event-ID``.
"""

import socket
import struct
from contextlib import suppress
from typing import Any

SEND_BUFFER = 256 * 1024
"""Bytes that the kernel buffers for a client that does not read. Linux doubles the value."""
_AT_ONCE = struct.pack("ii", 1, 0)


class Connection:
    """A connection for one answer.

    If the client does not accept a piece within ``seconds``, ``sendall`` raises TimeoutError. The
    head of the answer is sent together with the first piece, or by ``flush`` if there is no piece.
    To send the head separately would add a tenth to the cost of a small request.
    """

    def __init__(self, sock: Any, seconds: float) -> None:
        self._sock = sock
        self._seconds = seconds
        self._head: bytes | None = None
        """The head of the answer; None before gunicorn has sent it, empty once it is on its way."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, data: bytes) -> None:
        """Send all of ``data``, within the time limit; keep the head for the first piece."""
        if self._head is None:
            self._head = data
            return
        data, self._head = self._head + data, b""
        self._sock.settimeout(self._seconds)
        try:
            self._sock.sendall(data)
        finally:
            self._sock.settimeout(None)

    def flush(self) -> None:
        """Send the head now if it still waits for the first piece."""
        if self._head:
            self.sendall(b"")

    def shutdown(self, how: int) -> None:
        """Send the pending data, then close for writing."""
        self.flush()
        self._sock.shutdown(how)


def keep_little(sock: Any) -> None:
    """Set the size of the kernel's send buffer to ``SEND_BUFFER``."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def cut(sock: Any) -> None:
    """Make the connection close at once; bytes that the client has not read are dropped."""
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
