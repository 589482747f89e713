"""A server on loopback that records requests, and answers as a test specifies."""

import datetime as dt
import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple, Self

import orjson
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


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


def certificate(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """Return a certificate file to trust, and the TLS context of a server with this name."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    is_address = name.replace(".", "").isdigit()
    named = x509.IPAddress(ip_address(name)) if is_address else x509.DNSName(name)
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([named]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    keys = folder / f"{name}.key"
    keys.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file, keys)
    return file, serving


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
