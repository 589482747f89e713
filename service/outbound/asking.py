"""One request to a stranger's server, with limits on time and on the answer's size.

The host name of the URL is looked up once, all its addresses are checked, and the connection goes
to one of them; TLS and ``Host`` use the name. Redirects are not followed, connections not reused,
requests not repeated. The time limit covers look-up, connection and answer.
"""

import socket
import ssl
import time
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, NoReturn

import httpcore
from httpcore import SOCKET_OPTION

from service.addresses import Address
from service.outbound.targets import Policy, Target, refused
from service.version import VERSION

MAX_BYTES = 64 << 10
"""Maximum bytes of an answer that are read, with its headers."""
_ATTEMPTS = 3
"""Maximum number of a name's addresses that are tried."""
_USER_AGENT = f"Lonja/{VERSION}"

REFUSED, UNRESOLVED, UNREACHABLE, TLS, TIMEOUT, MALFORMED = (
    "refused", "unresolved", "unreachable", "tls", "timeout", "malformed",
)  # fmt: skip
FAILURES = (REFUSED, UNRESOLVED, UNREACHABLE, TLS, TIMEOUT, MALFORMED)


class NoAnswerError(Exception):
    """There was no answer; ``why`` is one of FAILURES."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Reply(NamedTuple):
    """An answer: header names in lower case, and the beginning of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Asker:
    """Makes requests within the operator's ``policy``; each ends within ``seconds``."""

    def __init__(self, policy: Policy, seconds: float) -> None:
        self.policy = policy
        self._seconds = seconds
        self._tls = ssl.create_default_context()

    def post(
        self, target: Target, headers: Mapping[str, str], body: bytes, at_most: int = 0
    ) -> Reply:
        """Send a POST and return the answer, with up to ``at_most`` bytes of its body.

        Raises:
            NoAnswerError: there was no answer in time.
        """
        return self._ask("POST", target, headers, body, at_most)

    def get(self, target: Target, at_most: int) -> Reply:
        """Send a GET and return the answer, as ``post`` does. Raises NoAnswerError."""
        return self._ask("GET", target, {}, b"", at_most)

    def _ask(
        self, method: str, target: Target, headers: Mapping[str, str], body: bytes, at_most: int
    ) -> Reply:
        until = time.monotonic() + self._seconds
        named = [("User-Agent", _USER_AGENT), ("Connection", "close"), *headers.items()]
        url = httpcore.URL(
            scheme=target.scheme.encode(),
            host=target.host.encode(),
            port=target.port,
            target=target.path.encode(),
        )
        network = _PolicyBackend(self.policy, until)
        try:
            with (
                httpcore.ConnectionPool(
                    ssl_context=self._tls, max_connections=1, network_backend=network
                ) as pool,
                pool.stream(method, url, headers=named, content=body) as answer,
            ):
                return Reply(
                    answer.status,
                    {n.decode("latin-1").lower(): v.decode("latin-1") for n, v in answer.headers},
                    _beginning(answer, at_most),
                )
        except NoAnswerError:
            raise
        except httpcore.TimeoutException:
            raise NoAnswerError(TIMEOUT) from None
        except (httpcore.NetworkError, OSError) as error:
            raise NoAnswerError(_why(error, until)) from None
        except httpcore.ProtocolError:
            raise NoAnswerError(MALFORMED) from None


def _beginning(answer: httpcore.Response, at_most: int) -> bytes:
    body = b""
    for piece in answer.iter_stream() if at_most else ():
        body += piece
        if len(body) >= at_most:
            break
    return body[:at_most]


def _why(error: Exception, until: float) -> str:
    if isinstance(error.__cause__ or error.__context__, ssl.SSLError) or isinstance(
        error, ssl.SSLError
    ):
        return TLS
    return TIMEOUT if time.monotonic() >= until else UNREACHABLE


class _PolicyBackend(httpcore.NetworkBackend):
    """Connects only to permitted addresses, until a time (monotonic seconds)."""

    def __init__(self, policy: Policy, until: float) -> None:
        self._policy = policy
        self._until = until
        self._connect = httpcore.SyncBackend().connect_tcp

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = resolve(host, port, left(self._until))
        if refused(addresses, self._policy):
            raise NoAnswerError(REFUSED)
        error: Exception = NoAnswerError(UNREACHABLE)
        for address in addresses[:_ATTEMPTS]:
            try:
                stream = self._connect(str(address), port, left(self._until))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
            else:
                return _BoundedStream(stream, self._until)
        raise error

    def connect_unix_socket(self, *_args: Any, **_named: Any) -> NoReturn:
        raise NoAnswerError(REFUSED)


class _BoundedStream(httpcore.NetworkStream):
    """A connection that fails after a time, or after MAX_BYTES were read."""

    def __init__(self, stream: httpcore.NetworkStream, until: float, read: int = 0) -> None:
        self._stream = stream
        self._until = until
        self._read = read

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._read >= MAX_BYTES:
            raise NoAnswerError(MALFORMED)
        found = self._stream.read(min(max_bytes, MAX_BYTES), left(self._until))
        self._read += len(found)
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, left(self._until))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, left(self._until))
        return _BoundedStream(stream, self._until, self._read)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def left(until: float) -> float:
    """Return the remaining seconds. Raises NoAnswerError when the time is over."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise NoAnswerError(TIMEOUT)
    return seconds


def resolve(host: str, port: int, seconds: float) -> list[Address]:
    """Return the addresses of a host, in the order to try them.

    A look-up cannot be cancelled: one that exceeds the limit is abandoned, and ends some seconds
    later.

    Raises:
        NoAnswerError: the name has no address, or the look-up took too long.
    """
    found: SimpleQueue[list[Address]] = SimpleQueue()
    Thread(target=_look_up, args=(host, port, found), name="look-up", daemon=True).start()
    try:
        addresses = found.get(timeout=seconds)
    except Empty:
        raise NoAnswerError(TIMEOUT) from None
    if not addresses:
        raise NoAnswerError(UNRESOLVED)
    return addresses


def _look_up(host: str, port: int, found: "SimpleQueue[list[Address]]") -> None:
    try:
        told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.put(list(dict.fromkeys(ip_address(place[4][0]) for place in told)))
    except (OSError, UnicodeError, ValueError):
        found.put([])
