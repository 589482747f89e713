"""A line between a browser and a service, in a process of its own, which can be cut.

As a program: ``python -m tests.client.wire PORT`` carries to the service on that port. It prints
its own port; then it reads commands, ``cut`` and ``mend``, and prints each when it is done.
"""

import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Self


class Wire:
    """A line to a service, which carries bytes both ways until it is ``cut``.

    Within the process of the test it would wait for what else that process does, and the page
    behind it would be late for no fault of its own.
    """

    def __init__(self, service_port: int) -> None:
        self._command = [sys.executable, "-m", "tests.client.wire", str(service_port)]

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, text=True)
        self.port = int(self._answer())
        return self

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            process.kill()

    def cut(self) -> None:
        """End all connections, and every later one at once."""
        self._do("cut")

    def mend(self) -> None:
        self._do("mend")

    def _do(self, command: str) -> None:
        assert self._process.stdin
        print(command, file=self._process.stdin, flush=True)
        assert self._answer() == command

    def _answer(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


class Line:
    """The line itself."""

    def __init__(self, service_port: int) -> None:
        self._service_port = service_port
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listening.getsockname()[1])
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def accept(self) -> None:
        while True:
            near, _ = self._listening.accept()
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        address = ("127.0.0.1", self._service_port)
        with near, suppress(OSError), socket.create_connection(address) as far:
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                if self._is_cut:
                    return
                self._open |= {near, far}
            back = threading.Thread(target=_carry, args=(far, near), daemon=True)
            back.start()
            _carry(near, far)
            back.join()
            with self._lock:
                self._open -= {near, far}


def _carry(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes in one direction to their end."""
    with suppress(OSError):
        while piece := one.recv(1 << 16):
            other.sendall(piece)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def main() -> None:
    line = Line(int(sys.argv[1]))
    threading.Thread(target=line.accept, daemon=True).start()
    _say(line.port)
    does = {"cut": line.cut, "mend": line.mend}
    for command in map(str.strip, sys.stdin):
        does[command]()
        _say(command)


def _say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
