"""A server on loopback that records requests, and answers as a test specifies."""

import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

import orjson


class Sent(NamedTuple):
    """A request; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


class Receiver(ThreadingHTTPServer):
    """Answers with ``status``, ``headers`` and ``answer``, after a call of ``before``."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        status: int = 204,
        before: Callable[[Sent], None] = lambda _sent: None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = status
        self.headers: dict[str, str] = {}
        self.answer = b""
        self.before = before
        self.sent: list[Sent] = []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?a=b"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that close their connection."""


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = Sent(self.path, headers, body, time.monotonic())
        with self.server.lock:
            self.server.sent.append(sent)
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        try:
            self.server.before(sent)
        finally:
            with self.server.lock:
                self.server.at_once -= 1
        self.send_response(self.server.status)
        for name, value in {
            "Content-Length": f"{len(self.server.answer)}",
            **self.server.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, *_: object) -> None:
        """Log nothing."""
