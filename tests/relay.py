"""A relay of a beacon on loopback, which serves an own chain as a test tells it to."""

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Self

from service.beacons.sources import OfferedChain
from service.outbound.targets import ANYWHERE, target_of
from tests.beacons import CHAIN, OwnChain

RIGHT, EARLY, LYING, WRONG_ROUND, SLOW, CUT, NONSENSE = (
    "right", "early", "lying", "wrong round", "slow", "cut", "nonsense",
)  # fmt: skip


class Relay:
    """Serves the rounds of ``own`` at ``url``; ``mood`` says how, and may change at any time."""

    def __init__(self, mood: str = RIGHT, own: OwnChain = CHAIN) -> None:
        self.mood, self.own = mood, own
        self.asked: list[str] = []
        self.goes_on = Event()
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                relay.asked.append(self.path)
                relay.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        number = int(to.path.rpartition("/")[2])
        if self.mood == SLOW:
            self.goes_on.wait(30)
        if self.mood == CUT:
            to.connection.shutdown(socket.SHUT_RDWR)
            return
        signed = number + 1 if self.mood == LYING else number
        told = {"round": number + (self.mood == WRONG_ROUND), "signature": self.own.sign(signed)}
        body = b"<html>" if self.mood == NONSENSE else json.dumps(told).encode()
        to.send_response(425 if self.mood == EARLY else 200)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.goes_on.set()
        self._server.shutdown()
        self._server.server_close()


def offered(folder: Path, *urls: str, own: OwnChain = CHAIN) -> Path:
    """Return a file for LONJA_BEACONS, which names one chain with these relays."""
    file = folder / "beacons.json"
    file.write_text(json.dumps([{"info": own.info(), "relays": urls}]))
    return file


def source(*urls: str, own: OwnChain = CHAIN) -> dict[str, OfferedChain]:
    """Return the sources of a service that offers one chain, with these relays."""
    targets = tuple(target_of(url, ANYWHERE) for url in urls)
    return {own.chain.hash: OfferedChain(own.chain, targets)}
