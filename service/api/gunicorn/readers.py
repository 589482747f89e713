"""Clients that do not read what they are sent: little is kept for them, and then they are cut.

A stream is written as it is read, so what waits for a client is one message of it and what the
kernel has taken. Who follows a game goes on where he was, with ``Last-Event-ID``.
"""

import socket
import struct
from contextlib import suppress
from typing import Any

SEND_BUFFER = 256 * 1024
"""How many bytes the kernel takes for a client that does not read; Linux takes twice as many."""
_AT_ONCE = struct.pack("ii", 1, 0)


class Connection:
    """A connection over which each thing that is sent must be taken within some ``seconds``.

    What is not raises TimeoutError.
    """

    def __init__(self, sock: Any, seconds: float) -> None:
        self._sock = sock
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, data: bytes) -> None:
        """Send all of it, in time."""
        self._sock.settimeout(self._seconds)
        try:
            self._sock.sendall(data)
        finally:
            self._sock.settimeout(None)


def keep_little(sock: Any) -> None:
    """Have the kernel take no more than ``SEND_BUFFER`` of what a client has not read."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def cut(sock: Any) -> None:
    """Have a connection end at once when it is closed: what nobody reads is thrown away."""
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
