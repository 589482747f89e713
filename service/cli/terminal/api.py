"""Requests to a service, and its streams: one try each; who asks decides whether to ask again."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import orjson

from rules.kernel.canonical import JsonObject
from service.cli.terminal import troubles
from service.cli.terminal.tables import Refused

CONNECT_SECONDS = 5
TIMEOUT_SECONDS = 20
SILENCE_SECONDS = 20
"""A stream that is silent for so long is dead: a sign of life comes every 12 seconds."""
_BROKEN = (OSError, http.client.HTTPException)


class UnreachableError(Exception):
    """The service does not answer; the message says why."""


class Refusal(Refused):
    """The service has answered that it does not do what was asked; the message says why.

    ``passing`` says whether the same may be asked again, after ``retry_after`` seconds.
    """

    def __init__(self, told: str, status: int, code: str = "", retry_after: float = 0) -> None:
        super().__init__(told)
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.passing = status == 429 or status > 500


class ApiClient:
    """Requests to one service, with a key or without."""

    def __init__(self, url: str, key: str | None, language: str) -> None:
        """Raises ValueError: the address is none of HTTP, or the key cannot be sent."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a service's address begins with http:// or https://, not {url!r}")
        if key and not (key.isascii() and key.isprintable()):
            raise ValueError("the key has signs in it that no key has")
        self.url = url.rstrip("/")
        self.language = language
        self._host, self._port = parts.hostname, parts.port
        self._base = f"{parts.path.rstrip('/')}/v1"
        self._secure = parts.scheme == "https"
        self._headers = {"Accept-Language": language}
        self._sockets: set[socket.socket] = set()
        self._closing = threading.Lock()
        self._closed = False
        self.has_key = bool(key)
        self.ahead = 0.0
        """By how many seconds the service's clock is ahead of the one here."""
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def get(self, path: str, **query: object) -> Any:
        """Return an answer. Raises Refusal, UnreachableError."""
        return self._ask("GET", path, None, query)

    def post(self, path: str, body: object, **headers: str) -> Any:
        """Return the answer to a form. Raises as ``get``."""
        return self._ask("POST", path, body, {}, headers)

    def put(self, path: str, body: object) -> Any:
        """Return the answer to what was put. Raises as ``get``."""
        return self._ask("PUT", path, body, {})

    def open(self, path: str, query: Mapping[str, object]) -> "EventStream":
        """Open a stream. Raises Refusal, UnreachableError."""
        connection = self._connection()
        plug = None
        try:
            plug = self._connect(connection)
            connection.request("GET", self._path(path, query), headers=self._headers)
            answer = connection.getresponse()
            if answer.status == 200:
                plug.settimeout(SILENCE_SECONDS)
                return EventStream(self, plug, answer)
            told = answer.read()
        except _BROKEN as error:
            self._leave(connection, plug)
            raise UnreachableError(troubles.silence(self.language, error)) from None
        self._leave(connection, plug)
        raise self._refusal(answer, told)

    def close(self) -> None:
        """Break every connection, also under whoever waits for an answer; no new one is made."""
        with self._closing:
            self._closed = True
            plugs = [*self._sockets]
        for plug in plugs:
            _shut(plug)

    def forget(self, plug: socket.socket) -> None:
        """Close a connection that is not needed any more."""
        with self._closing:
            self._sockets.discard(plug)
        _shut(plug)
        plug.close()

    def _ask(
        self,
        method: str,
        path: str,
        body: object,
        query: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        sent = {**self._headers, **(headers or {})}
        payload = None
        if body is not None:
            payload = orjson.dumps(body)
            sent["Content-Type"] = "application/json"
        connection = self._connection()
        plug = None
        try:
            plug = self._connect(connection)
            connection.request(method, self._path(path, query), payload, sent)
            answer = connection.getresponse()
            told = answer.read()
        except _BROKEN as error:
            raise UnreachableError(troubles.silence(self.language, error)) from None
        finally:
            self._leave(connection, plug)
        self._compare_clocks(answer)
        try:
            if answer.status < 400:
                return orjson.loads(told)
        except ValueError:
            pass  # a proxy's page
        raise self._refusal(answer, told)

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=CONNECT_SECONDS,
                context=ssl.create_default_context(),
            )  # fmt: skip
        return http.client.HTTPConnection(self._host, self._port, timeout=CONNECT_SECONDS)

    def _connect(self, connection: http.client.HTTPConnection) -> socket.socket:
        connection.connect()
        plug: socket.socket = connection.sock
        plug.settimeout(TIMEOUT_SECONDS)
        with self._closing:
            if self._closed:
                plug.close()
                raise ConnectionAbortedError
            self._sockets.add(plug)
        return plug

    def _leave(self, connection: http.client.HTTPConnection, plug: socket.socket | None) -> None:
        if plug is not None:
            self.forget(plug)
        connection.close()

    def _path(self, path: str, query: Mapping[str, object]) -> str:
        asked = {key: value for key, value in query.items() if value is not None}
        return f"{self._base}{path}" + (f"?{urlencode(asked)}" if asked else "")

    def _compare_clocks(self, answer: http.client.HTTPResponse) -> None:
        try:
            there = parsedate_to_datetime(answer.headers.get("Date", "")).timestamp()
        except ValueError:
            return
        half = 0.5  # its seconds are whole
        self.ahead = there + half - time.time()

    def _refusal(self, answer: http.client.HTTPResponse, body: bytes) -> Refusal:
        problem: JsonObject | None = None
        try:
            read = orjson.loads(body)
            problem = read if isinstance(read, dict) and "code" in read else None
        except ValueError:
            pass  # a proxy's page
        wait = answer.headers.get("Retry-After", "")
        return Refusal(
            troubles.refusal(self.language, answer.status, problem),
            answer.status,
            "" if problem is None else str(problem["code"]),
            float(wait) if wait.isdecimal() else 0.0,
        )


class EventStream:
    """Server-sent events, as they come."""

    def __init__(
        self, api: ApiClient, plug: socket.socket, answer: http.client.HTTPResponse
    ) -> None:
        self._api = api
        self._plug = plug
        self._answer = answer

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield each message's name and data; it ends with the connection.

        Raises:
            UnreachableError: the connection broke, or was silent for too long.

        """
        name = "message"
        try:
            for raw in self._answer:
                field, _, value = raw.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, orjson.loads(value)
                    name = "message"
        except (*_BROKEN, ValueError) as error:  # cut in the middle of a message, too
            raise UnreachableError(troubles.silence(self._api.language, error)) from None

    def close(self) -> None:
        """Break the connection, also under whoever waits for a message."""
        self._api.forget(self._plug)
        self._answer.close()


def _shut(plug: socket.socket) -> None:
    try:
        plug.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is broken already
