"""A gunicorn worker that no single address can fill with connections.

A connection need not carry a request: a client may send its headers byte by byte, or nothing at
all. So connections are counted when they are accepted, before a byte is read.
"""

import socket
from collections import Counter
from contextlib import suppress
from typing import Any

from service.addresses import UNKNOWN, Addresses, within
from service.api.gunicorn.problems import ProblemWorker
from service.api.gunicorn.readers import Connection, cut, keep_little
from service.process import task_time
from service.settings import Settings

PLAIN_PER_ADDRESS = 100
"""Connections that an address may have in a process besides its streams."""


class ConnectionCounts:
    """Counts a process's open connections by address; ``room`` is their maximum number.

    A new connection of an address is refused in two cases: the address already has ``share``
    connections, or ``room`` has no more free places than the address has connections. Because of
    the second case, an address that comes alone gets only half of ``room``.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._taken = 0
        self._of: Counter[str] = Counter()

    def enter(self, address: str, share: int) -> bool:
        """Count a connection. Return whether the address may have it."""
        if self._of[address] >= min(share, self._room - self._taken):
            return False
        self._taken += 1
        self._of[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Note that a connection was closed. ``enter`` must have counted it before."""
        self._taken -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]


class Worker(ProblemWorker):
    """Gunicorn's worker, with problem documents, and with a limit on connections by address.

    Connections of declared proxies are not counted: they carry many clients, whom the proxy has to
    limit.
    """

    settings: Settings
    """The service's settings; ``service.api.gunicorn.config`` sets them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = ConnectionCounts(self.worker_connections)
        self._addresses = Addresses(self.settings.trusted_proxies)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection for as long as it lasts."""
        keep_little(client)
        task_time.current().mark()  # so that the task's time includes the reading of the request
        peer = addr[0] if isinstance(addr, tuple) else ""
        address = self._addresses.of(peer)
        if address == UNKNOWN or self._addresses.is_proxy(peer):
            super().handle(listener, client, addr)
        elif self._connections.enter(address, self._share(address)):
            try:
                super().handle(listener, client, addr)
            finally:
                self._connections.leave(address)
        else:
            _refuse(client)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request; cut off a client that does not read the answer."""
        connection = Connection(sock, self.settings.send_seconds)
        try:
            try:
                super().handle_request(listener_name, req, connection, addr)
            finally:
                connection.flush()
                task_time.current().mark()
        except TimeoutError:
            _note_cut()
            cut(sock)
            raise StopIteration from None

    def _share(self, address: str) -> int:
        found = self.settings
        times = found.host_factor if within(address, found.hosts.networks) else 1
        return found.streams_per_address * times + PLAIN_PER_ADDRESS


# Import these only after gevent has patched the process: the configuration imports this module
# earlier.


def _note_cut() -> None:
    from service.metrics import SLOW_READERS  # noqa: PLC0415

    SLOW_READERS.inc()


def _refuse(client: Any) -> None:
    from service.metrics import CONNECTIONS_REFUSED  # noqa: PLC0415
    from service.problems import Problem  # noqa: PLC0415

    CONNECTIONS_REFUSED.inc()
    with suppress(OSError):
        client.setblocking(0)
        client.send(Problem("too_many_connections").raw())
        client.shutdown(socket.SHUT_WR)
    client.close()
