"""Stands between a client and its Redis, and loses replies: what was asked for has happened."""

import select
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

APPEND = b"EVALSHA"
_PIECE = 1 << 20


class LosingProxy:
    """Listens on the loopback alone; ``lose`` has it cut connections instead of answering."""

    def __init__(self, redis_url: str) -> None:
        self._server = urlsplit(redis_url).path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        self.lost = 0
        self._to_lose = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def lose(self, replies: int) -> None:
        """Lose the replies to the next so many appends."""
        self._to_lose = replies

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _address = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                threading.Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what the client asks and what the server answers, until one of them has gone."""
        losing = False
        with client, server, suppress(OSError):
            while True:
                ready, _, _ = select.select([client, server], [], [])
                if client in ready:
                    asked = client.recv(_PIECE)
                    if APPEND in asked and self._to_lose:
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
