"""Plain HTTP: each request is tried once. Nothing here logs, and no error contains the key."""

import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import httpcore

from lonja_client.errors import (
    CLOSED,
    CUT,
    NO_ANSWER,
    NO_LISTENER,
    NO_NAME,
    NO_ROUTE,
    NO_TRUST,
    Unreachable,
)
from lonja_client.version import VERSION

CONNECT_SECONDS = 5.0
SILENCE_SECONDS = 20.0
"""A stream that is silent for this time counts as dead; the service sends something every 12
seconds."""
IDLE_SECONDS = 5.0
"""Time for which an idle connection is kept; the service keeps it longer."""
MAX_BYTES = 64 << 20
"""Maximum size of an answer that is read as a whole, and of a message of a stream."""
_AT_ONCE = 64 << 10
"""Number of bytes that are decompressed together."""
_FAILURES = (
    httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError,
    OSError,
)  # fmt: skip


class _ClosedError(httpcore.ConnectError):
    """The client is closed, and opens no more connections."""


_KINDS: Sequence[tuple[type[Exception], str]] = (
    (_ClosedError, CLOSED),
    (ssl.SSLError, NO_TRUST),
    (socket.gaierror, NO_NAME),
    (ConnectionRefusedError, NO_LISTENER),
    (TimeoutError, NO_ANSWER),
    (httpcore.TimeoutException, NO_ANSWER),
    (ConnectionError, CUT),
    (httpcore.ReadError, CUT),
    (httpcore.WriteError, CUT),
    (httpcore.ProtocolError, CUT),
)
"""Types of errors with their reasons; the first type that fits the error, or one of its causes,
counts."""

Query = Mapping[str, object]
"""Parameters of a query by name; parameters that are None are left out."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Request(NamedTuple):
    """A request; its body is JSON."""

    method: str
    path: str
    query: Query = NOTHING
    body: bytes | None = None
    headers: Mapping[str, str] = NOTHING


class Answer(NamedTuple):
    """An answer that was read as a whole; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class StreamedAnswer:
    """An answer whose body is read as it comes."""

    def __init__(self, response: httpcore.Response) -> None:
        self.status = response.status
        self.headers = _headers(response)
        self._response = response
        self._network: _Connection = response.extensions["network_stream"]

    def __iter__(self) -> Iterator[bytes]:
        """Yield the body in pieces, decompressed. Raises Unreachable: the connection broke."""
        if self.headers.get("content-encoding", "").lower() == "gzip":
            return _gunzipped(self._received())
        return self._received()

    def _received(self) -> Iterator[bytes]:
        pieces = self._response.iter_stream()
        while True:
            failure = None
            try:
                piece = next(pieces, None)
            except _FAILURES as error:
                piece, failure = None, _unreachable(error)
            if failure is not None:
                raise failure
            if piece is None:
                return
            yield piece

    def read(self) -> bytes:
        """Return the whole body. Raises Unreachable: the connection broke."""
        return _whole(self)

    def close(self) -> None:
        """Break the connection, even while another thread waits for a piece."""
        self._network.shut()


class Transport:
    """The connections to one service, with or without a key; threads may share them."""

    def __init__(self, url: str, key: str | None, language: str, seconds: float) -> None:
        """Prepare connections; an answer may take ``seconds``.

        Raises ValueError: ``url`` is not an HTTP address, or the key cannot be sent.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a service's address begins with http:// or https://, not {url!r}")
        if key and not (key.isascii() and key.isprintable()):
            raise ValueError("the key has signs in it that no key has")
        if parts.username or parts.password:
            raise ValueError("a service's address holds no password: the key is sent in a header")
        host = parts.hostname.encode("idna").decode()
        self._scheme, self._host, self._port = parts.scheme, host, parts.port
        self._base = parts.path.rstrip("/")
        self._seconds = seconds
        self._network = _Network()
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context() if parts.scheme == "https" else None,
            proxy=_proxy(parts.scheme, host),
            max_connections=None,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=self._network,
        )
        self._common = {
            "Host": parts.netloc if parts.netloc.isascii() else _netloc(host, parts.port),
            "Accept-Language": language,
            "User-Agent": f"lonja-client/{VERSION}",
        }
        if key:
            self._common["Authorization"] = f"Bearer {key}"
        self.ahead = 0.0
        """How many seconds the service's clock is ahead of this computer's."""

    def ask(self, request: Request) -> Answer:
        """Send a request; return its answer, read as a whole. Raises Unreachable."""
        with self.open(request, self._seconds) as found:
            self._compare_clocks(found.headers)
            return Answer(found.status, found.headers, found.read())

    @contextmanager
    def open(self, request: Request, silence: float) -> Iterator[StreamedAnswer]:
        """Open an answer that is read in pieces.

        Raises Unreachable: there is no connection, or the next piece does not come within
        ``silence`` seconds.
        """
        told = self._begin(request, silence)
        if isinstance(told, Unreachable):
            raise told
        try:
            yield StreamedAnswer(told)
        finally:
            with suppress(*_FAILURES):
                told.close()

    def close(self) -> None:
        """Break every connection, even while other threads wait; open no new one."""
        self._network.close()
        self._pool.close()

    def _begin(self, request: Request, silence: float) -> httpcore.Response | Unreachable:
        """Send a request; if it fails, return the error, which the caller raises.

        If this method raised it, the traceback would have a frame with the key.

        Raises ValueError: a path or a header contains characters that cannot be sent.
        """
        query = urlencode(
            {name: value for name, value in request.query.items() if value is not None}
        )
        target = f"{self._base}{request.path}" + (f"?{query}" if query else "")
        for text in (target, *request.headers.values()):
            if not text.isascii() or not text.isprintable() or " " in target:
                raise ValueError(f"{text!r} cannot be sent: quote what it is made of")
        timeout = {"connect": CONNECT_SECONDS, "write": self._seconds, "read": silence}
        try:
            return self._pool.handle_request(
                httpcore.Request(
                    request.method,
                    httpcore.URL(
                        scheme=self._scheme.encode(),
                        host=self._host.encode(),
                        port=self._port,
                        target=target.encode(),
                    ),
                    headers=[
                        *{**self._common, **_kind(request), **request.headers}.items(),
                        *_length(request),
                    ],
                    content=request.body,
                    extensions={"timeout": timeout},
                )
            )
        except _FAILURES as error:
            return _unreachable(error)

    def _compare_clocks(self, headers: Mapping[str, str]) -> None:
        with suppress(ValueError):
            there = parsedate_to_datetime(headers.get("date", "")).timestamp()
            self.ahead = there + 0.5 - time.time()  # The date of an answer has whole seconds.


def _netloc(host: str, port: int | None) -> str:
    return host if port is None else f"{host}:{port}"


def _kind(request: Request) -> Mapping[str, str]:
    return NOTHING if request.body is None else {"Content-Type": "application/json"}


def _length(request: Request) -> list[tuple[str, str]]:
    if request.body is None and request.method == "GET":
        return []
    return [("Content-Length", str(len(request.body or b"")))]


def _headers(response: httpcore.Response) -> Mapping[str, str]:
    return {n.decode("latin-1").lower(): v.decode("latin-1") for n, v in response.headers}


def _gunzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Decompress the pieces of a gzip stream as they come; what is yielded is limited in size."""
    decoder = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    for piece in pieces:
        rest = piece
        while rest:
            try:
                found = decoder.decompress(rest, _AT_ONCE)
            except zlib.error as error:
                raise Unreachable(CUT, f"the answer is no gzip: {error}") from None
            rest = decoder.unconsumed_tail
            if found:
                yield found


def _whole(pieces: Iterable[bytes]) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > MAX_BYTES:
            raise Unreachable(CUT, f"the answer is longer than {MAX_BYTES} bytes")
    return bytes(body)


def _proxy(scheme: str, host: str) -> httpcore.Proxy | None:
    """Return the proxy for a host, from the environment (``urllib``).

    Return None if the host is this machine, or if it needs no proxy.
    """
    named = urllib.request.getproxies().get(scheme)
    if named is None or host in ("localhost", "127.0.0.1", "::1"):
        return None
    return None if urllib.request.proxy_bypass(host) else httpcore.Proxy(named)


def _unreachable(error: BaseException) -> Unreachable:
    """Return the error for a missing answer; ``error`` or one of its causes gives the reason."""
    causes = [error]
    while (before := causes[-1].__cause__ or causes[-1].__context__) is not None:
        causes.append(before)
    why = next((why for kind, why in _KINDS if any(isinstance(c, kind) for c in causes)), NO_ROUTE)
    said = next((c for c in causes if isinstance(c, ssl.SSLError)), None)
    return Unreachable(why, "" if said is None else said.reason or str(said))


class _Network(httpcore.NetworkBackend):
    """Opens connections, and can break all of them."""

    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()
        self._closing = threading.Lock()
        self._closed = False
        self._open: set[_Connection] = set()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        if self._closed:
            raise _ClosedError
        made = self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        return self.hold(made)

    def hold(self, stream: httpcore.NetworkStream) -> "_Connection":
        """Wrap a stream in a connection that breaks when this network is closed."""
        held = _Connection(self, stream)
        with self._closing:
            self._open.add(held)
            closed = self._closed
        if closed:
            held.close()
            raise _ClosedError
        return held

    def drop(self, held: "_Connection") -> None:
        """Forget a connection that is closed."""
        with self._closing:
            self._open.discard(held)

    def close(self) -> None:
        """Break all connections, and open no more."""
        with self._closing:
            self._closed = True
            held = [*self._open]
        for one in held:
            one.shut()


class _Connection(httpcore.NetworkStream):
    """A connection that another thread can break."""

    def __init__(self, network: _Network, stream: httpcore.NetworkStream) -> None:
        self._network = network
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._network.drop(self)
        self._stream.close()

    def shut(self) -> None:
        """Break the connection, even while another thread reads."""
        with suppress(OSError):  # the connection is broken already
            self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        self._network.drop(self)  # the TLS connection takes over its socket
        return self._network.hold(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
