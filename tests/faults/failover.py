"""A Redis with a replica behind one address, and a failover that loses unreplicated data."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from redis import Redis

from tests.service.ledger.test_replicas import HOST, server, wait_for


class Address:
    """Forwards connections to a server of this machine, and after a failover to another one."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open: list[socket.socket] = []
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def lead_to(self, port: int) -> None:
        """Close all connections, and forward new ones to another server."""
        self._target = port
        self._hang_up()

    def close(self) -> None:
        self._listener.close()
        self._hang_up()

    def _hang_up(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open = []

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _address = self._listener.accept()
                try:
                    callee = socket.create_connection((HOST, self._target))
                except OSError:
                    caller.close()
                    continue
                for end in (caller, callee):  # no delay between answers
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open += [caller, callee]
                threading.Thread(target=_connect, args=(caller, callee), daemon=True).start()


def _connect(caller: socket.socket, callee: socket.socket) -> None:
    with caller, callee:
        back = threading.Thread(target=_pump, args=(callee, caller), daemon=True)
        back.start()
        _pump(caller, callee)
        back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    for one in (source, sink):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


class Pair:
    """A primary at ``url``, and a replica that follows it until ``cut_off``."""

    def __init__(self, folder: Path, binary: Path | None, stack: ExitStack) -> None:
        self._folder = folder
        self._binary = binary
        self._stack = stack
        self.primary, primary_port = self._start("primary")
        self.replica, self._replica_port = self._follow("replica", primary_port)
        self._address = Address(primary_port)
        stack.callback(self._address.close)
        self.url = f"redis://{HOST}:{self._address.port}"

    def _start(self, name: str, *more: str) -> tuple[Redis, int]:
        durable = ("--appendonly", "yes", "--appendfsync", "always")
        started = server(self._folder / name, self._binary, *durable, *more)
        return self._stack.enter_context(started)

    def _follow(self, name: str, port: int) -> tuple[Redis, int]:
        replica, its_port = self._start(name, "--replicaof", HOST, str(port))
        wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
        return replica, its_port

    def cut_off(self) -> None:
        """Stop replication, once the replica has all data."""
        wait_for(lambda: self.primary.execute_command("WAIT", 1, 100) == 1)
        with socket.socket() as nobody:
            nobody.bind((HOST, 0))
            self.replica.replicaof(HOST, nobody.getsockname()[1])

    def fail_over(self) -> None:
        """End the primary; the replica takes over, and gets a replica of its own."""
        self.replica.replicaof("NO", "ONE")
        self._follow("next", self._replica_port)
        self._address.lead_to(self._replica_port)
        with suppress(OSError, Exception):
            self.primary.shutdown(nosave=True)


@contextmanager
def pair(folder: Path, binary: Path | None) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(folder, binary, stack)
