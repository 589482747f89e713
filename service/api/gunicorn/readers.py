"""How answers are sent: in few pieces, and to those who read them.

For a client that does not read little is kept, and then it is cut. A stream is written as it is
read, so what waits is one piece of it and what the kernel has taken. Who follows a game goes on
where he was, with ``Last-Event-ID``.
"""

import socket
import struct
from contextlib import suppress
from typing import Any

SEND_BUFFER = 256 * 1024
"""How many bytes the kernel takes for a client that does not read; Linux takes twice as many."""
_AT_ONCE = struct.pack("ii", 1, 0)


class Connection:
    """A connection for one answer, each piece of which must be taken within some ``seconds``.

    What is not raises TimeoutError. The head goes out with what follows it, or with ``flush``:
    to send it takes a tenth of a small request, wherever it ends.
    """

    def __init__(self, sock: Any, seconds: float) -> None:
        self._sock = sock
        self._seconds = seconds
        self._head: bytes | None = None
        """None before gunicorn has sent it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, data: bytes) -> None:
        """Send all of it, in time."""
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
        """Send a head that nothing followed."""
        if self._head:
            self.sendall(b"")

    def shutdown(self, how: int) -> None:
        """Send what is to be sent, and no more."""
        self.flush()
        self._sock.shutdown(how)


def keep_little(sock: Any) -> None:
    """Limit what the kernel buffers for a client that does not read to ``SEND_BUFFER``."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def cut(sock: Any) -> None:
    """Make a connection end at once when it is closed: unread bytes are dropped."""
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
