"""The port on which a worker answers ``/healthz`` and ``/metrics``."""

import hmac
import socket
import threading
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer

import orjson
from prometheus_client import CONTENT_TYPE_LATEST

from rules.kernel.canonical import JsonObject
from service.metrics import exposition
from service.settings import Settings
from service.version import VERSION
from workers.beats import Beats


class PortTakenError(Exception):
    """The port cannot be opened; the message says what to do."""


class Port(ThreadingTCPServer):
    """Listens, in its own threads, from its creation until ``close``."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, bind: str, port: int, token: str | None, beats: Beats) -> None:
        self.token = token
        self.beats = beats
        self.address_family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        try:
            super().__init__((bind, port), _Handler)
        except OSError as error:
            raise PortTakenError(
                f"The worker cannot listen on {bind}:{port} ({error.strerror}): give each worker"
                " of a machine a LONJA_METRICS_PORT of its own."
            ) from None
        threading.Thread(target=self.serve_forever, name="metrics-port", daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the errors of clients that close their connection."""


def open_port(settings: Settings, beats: Beats) -> Port | None:
    """Open the port that the settings name, if they name one.

    Raises:
        PortTakenError: the port is not free, or the address is not one of this machine.
    """
    if settings.metrics_port is None:
        return None
    return Port(settings.metrics_bind, settings.metrics_port, settings.metrics_token, beats)


class _Handler(BaseHTTPRequestHandler):
    server: Port
    timeout = 10.0  # seconds after which a client that sends nothing is dropped
    server_version, sys_version = "lonja", ""

    def do_GET(self) -> None:
        if self.path == "/healthz":
            self._tell_health()
        elif self.path == "/metrics" and self.server.token is not None:
            self._tell_metrics(self.server.token)
        else:
            self._answer(404, b"")

    def _tell_health(self) -> None:
        silent, hangs = self.server.beats.silent(), self.server.beats.hanging()
        told: JsonObject = {
            "status": "silent" if hangs else "ok",
            "version": VERSION,
            "queue": self.server.beats.queue,
            "silent_ms": {loop: round(1000 * seconds) for loop, seconds in silent.items()},
        }
        self._answer(503 if hangs else 200, orjson.dumps(told), "application/json")

    def _tell_metrics(self, token: str) -> None:
        given = self.headers.get("Authorization", "").encode("latin-1", "replace")
        if hmac.compare_digest(given, f"Bearer {token}".encode()):
            self._answer(200, exposition(), CONTENT_TYPE_LATEST)
        else:
            self._answer(401, b"", challenge="Bearer")

    def _answer(
        self, status: int, body: bytes, kind: str = "text/plain", challenge: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Log nothing, because there are requests all the time."""
