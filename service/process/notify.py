"""Notifications from a process to its supervisor, systemd or the launcher, as in sd_notify(3).

A supervisor gives a process NOTIFY_SOCKET, the address of a datagram socket. The kernel identifies
the sending process.
"""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

READY, WATCHDOG = "READY=1", "WATCHDOG=1"
"""The states of a process: READY, and ALIVE. A process repeats ALIVE as a heartbeat."""

ADDRESS = "NOTIFY_SOCKET"
_ABSTRACT = "@"
"""The character that stands for the first byte, 0, of an abstract address (unix(7))."""

_LONGEST = 4096
_CREDENTIALS = struct.Struct("3i")
"""The struct of a sender's pid, uid and gid."""


class Notification(NamedTuple):
    """A line sent by a process, such as ``READY=1``."""

    pid: int
    line: str


def notify(state: str) -> None:
    """Send a state to the supervisor, if there is one, without waiting; the message may be lost."""
    address = os.environ.get(ADDRESS)
    if not address:
        return
    if address.startswith(_ABSTRACT):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.settimeout(0)
        sender.sendto(state.encode(), address)


class NotifySocket:
    """The socket on which a supervisor receives notifications from processes of its own user."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        # The kernel picks a free abstract address, which leaves nothing on a disk.
        self._socket.bind("")

    @property
    def address(self) -> str:
        """The value of NOTIFY_SOCKET."""
        name: bytes = self._socket.getsockname()
        return _ABSTRACT + name[1:].decode()

    def notices(self) -> Iterator[Notification]:
        """Yield the notifications since the last call."""
        with suppress(BlockingIOError):
            while True:
                told, beside, _flags, _address = self._socket.recvmsg(
                    _LONGEST, socket.CMSG_SPACE(_CREDENTIALS.size)
                )
                pid, uid, _gid = _CREDENTIALS.unpack(beside[0][2])
                if uid == os.getuid():
                    yield from (Notification(pid, line) for line in told.decode().splitlines())

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
