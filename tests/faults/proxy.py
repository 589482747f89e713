"""Proxies between a client and its server that lose data."""

import select
import socket
import threading
from contextlib import suppress
from itertools import chain
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

APPEND = b"EVALSHA"
_PIECE = 1 << 20


class Proxy:
    """Forwards loopback connections to a server; subclasses define ``_serve``."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _address = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """Forward requests and answers until one side closes the connection."""
        raise NotImplementedError


class LosingProxy(Proxy):
    """Loses replies of a Redis whose commands were carried out.

    After ``lose``, it closes connections instead of forwarding replies.
    """

    def __init__(self, redis_url: str) -> None:
        super().__init__()
        self._server = urlsplit(redis_url).path
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.lost = 0
        self._to_lose = 0
        self._asked = APPEND

    def lose(self, replies: int, asked: bytes = APPEND) -> None:
        """Lose the replies to the next requests that contain ``asked``, by default scripts."""
        self._to_lose = replies
        self._asked = asked

    def _serve(self, client: socket.socket) -> None:
        losing = False
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(self._server)
            while True:
                ready, _, _ = select.select([client, server], [], [])
                if client in ready:
                    asked = client.recv(_PIECE)
                    if APPEND in asked and self._asked in asked and self._to_lose:
                        self._to_lose -= 1
                        losing = True
                    server.sendall(asked)
                    if not asked:
                        return
                else:
                    answer = server.recv(_PIECE)
                    if losing or not answer:
                        self.lost += losing
                        return
                    client.sendall(answer)


class Network(Proxy):
    """Forwards to a service on this machine, and fails as networks do."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._server = ("127.0.0.1", port)
        self._asked: dict[tuple[socket.socket, socket.socket], bytes] = {}
        self._unanswered = b""
        self._speaks = threading.Event()
        self._speaks.set()

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        super().__exit__(_type, _error, _trace)
        self.cut()
        self.speak()

    def cut(self, request: bytes = b"") -> int:
        """Close the connections whose last request has this beginning, by default all.

        Return their number.
        """
        pairs = [pair for pair, asked in [*self._asked.items()] if asked.startswith(request)]
        for end in chain(*pairs):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        return len(pairs)

    def hush(self) -> None:
        """Forward no answers until ``speak``; connections stay open, and new ones are accepted."""
        self._speaks.clear()

    def speak(self) -> None:
        """Forward everything again, including the answers that arrived meanwhile."""
        self._speaks.set()

    def lose_answer(self, request: bytes) -> None:
        """Lose the answer to the next request with this beginning, which the service gets."""
        self._unanswered = request

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(self._server) as server:
            self._asked[client, server] = b""
            try:
                self._pass_on(client, server)
            finally:
                del self._asked[client, server]

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        losing = False
        while True:
            ready, _, _ = select.select([client, server], [], [])
            for end in ready:
                piece = end.recv(_PIECE)
                # The body of a request may be a piece of its own.
                if end is client and b" HTTP/1." in piece.partition(b"\r\n")[0]:
                    self._asked[client, server] = piece
                if end is client and self._unanswered and piece.startswith(self._unanswered):
                    self._unanswered, losing = b"", True
                if not piece or (end is server and losing):
                    return
                if end is server:
                    self._speaks.wait()
                (server if end is client else client).sendall(piece)


class CuttingProxy(Proxy):
    """Closes each connection after a number of bytes of the service's answers."""

    def __init__(self, port: int, after: int) -> None:
        super().__init__()
        self._server = ("127.0.0.1", port)
        self._after = after
        self.connections = 0

    def _serve(self, client: socket.socket) -> None:
        self.connections += 1
        left = self._after
        with client, suppress(OSError), socket.create_connection(self._server) as server:
            while left:
                ready, _, _ = select.select([client, server], [], [])
                for end in ready:
                    piece = end.recv(left if end is server else _PIECE)
                    if not piece:
                        return
                    (client if end is server else server).sendall(piece)
                    left -= len(piece) if end is server else 0
