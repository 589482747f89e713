"""Runs the independent service in a thread, each with a new game."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import ClassVar

from lonja_client import Client

from tests.standard.nim import Nim


@contextmanager
def serving() -> Iterator[str]:
    """Serve a new game of nim; yield the address."""

    class Fresh(Nim):
        events: ClassVar = [*Nim.events]
        news = threading.Condition()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def somebody(url: str, key: str) -> Iterator[list[int]]:
    """Play a seat with the Python client until the game is over; yield the amounts taken."""
    took: list[int] = []

    def play() -> None:
        with Client(url, key) as client:
            for turn in client.table("nim").turns():
                move = turn.moves[-1]
                turn.play(move)
                took.append(move["amount"])

    player = threading.Thread(target=play, daemon=True)
    player.start()
    yield took
    player.join(30)
    assert not player.is_alive()
