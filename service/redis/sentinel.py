"""Connections to the current primary, as the sentinels name it.

redis-py asks its sentinels when it takes a connection from its pool, believes the first answer, and
retries a command at the old address. Here every new connection asks all sentinels and believes the
one with the newest failover, because a sentinel that was cut off with an old primary is outdated.
From time to time a command checks for a new primary. If there is one, all connections of the
process to the old primary are closed, so that no thread writes to it, or waits for it if it hangs.
"""

import os
import socket
import time
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakSet

import structlog
from hiredis import pack_command
from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError

from service import metrics
from service.redis_urls import Address, Sentinels

log = structlog.get_logger(__name__)

EVERY_S = 0.5
"""Time for which the sentinels' answer is valid."""
SOON_S = 0.1
"""Time for which the sentinels' answer is valid if they knew no primary, or the primary did not
answer.
"""
TIMEOUT_S = 0.5
"""Time limit for one sentinel's answer."""
LATER_S = 5.0
"""Time for which the answer is valid if some sentinels timed out, so that few callers wait."""


class _SentinelAnswer(NamedTuple):
    """The answer of one sentinel.

    Answers compare by epoch first. So the greatest of several answers is the newest, and that one
    is right.
    """

    epoch: int  # the epoch of the failover that made the primary
    up: bool
    primary: Address


def clients(sentinels: Sentinels) -> list[Redis]:
    """Return a client for each of the sentinels, with the limit ``TIMEOUT_S``; answers are text."""
    return [
        Redis(
            host,
            port,
            **sentinels.sentinel_options,
            ssl=sentinels.tls,
            socket_timeout=TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )
        for host, port in sentinels.addresses
    ]


class Primary:
    """The primary's address, for all connections of a process to one set of sentinels."""

    def __init__(self, sentinels: Sentinels) -> None:
        self._service = sentinels.service
        self._asked = clients(sentinels)
        self._connections: WeakSet[PrimaryConnection] = WeakSet()
        self._joining = Lock()
        self._lock = Lock()
        """Lets one thread at a time ask the sentinels; the other threads use its answer."""
        self._ask_again = 0.0
        self._found: Address | None = None
        self._last: _SentinelAnswer | None = None
        self._why = ""

    def find(self) -> Address:
        """Return the primary's address; raises redis-py's MasterNotFoundError."""
        with self._lock:
            self._ask_if_time()
            if self._found is None:
                raise MasterNotFoundError(self._why)
            return self._found

    def look(self) -> None:
        """Close the connections to a server that is no longer the primary, if any."""
        if time.monotonic() >= self._ask_again and self._lock.acquire(blocking=False):
            try:
                self._ask_if_time()
            finally:
                self._lock.release()

    def doubt(self) -> None:
        """Ask the sentinels again soon, because the named primary did not answer."""
        self._ask_again = min(self._ask_again, time.monotonic() + SOON_S)

    def joined(self, connection: "PrimaryConnection") -> None:
        """Register a connection, to be closed as soon as there is another primary."""
        with self._joining:
            self._connections.add(connection)

    def _ask_if_time(self) -> None:
        if time.monotonic() < self._ask_again:
            return
        word, troubles = self._ask()
        pause = EVERY_S
        if word is None:
            why = "; ".join(f"{where}: {error}" for where, error in troubles.items())
            self._found, self._why = None, f"No sentinel knows {self._service!r} ({why})"
        elif not word.up:
            self._found, self._why = None, f"The primary of {self._service!r} is down"
        else:
            self._follow(word)
            if any(isinstance(error, RedisTimeoutError) for error in troubles.values()):
                pause = LATER_S
        self._ask_again = time.monotonic() + (pause if self._found else SOON_S)

    def _follow(self, word: _SentinelAnswer) -> None:
        if self._last is not None and word.primary != self._last.primary:
            host, port = word.primary
            metrics.PRIMARY_CHANGES.inc()
            log.warning("primary_changed", service=self._service, primary=f"{host}:{port}")
            with self._joining:
                connections = list(self._connections)
            for connection in connections:
                connection.hang_up()
        self._found, self._last = word.primary, word

    def _ask(self) -> tuple[_SentinelAnswer | None, dict[str, RedisError]]:
        """Return the newest answer (None if there is none), and the errors of sentinels."""
        words: list[_SentinelAnswer] = []
        troubles: dict[str, RedisError] = {}
        for sentinel in self._asked:
            try:
                words.append(self._word_of(sentinel))
            except RedisError as error:
                where = sentinel.get_connection_kwargs()
                troubles[f"{where['host']}:{where['port']}"] = error
        newest = max(words, default=None)
        few = (
            len(words) <= len(self._asked) / 2
        )  # all answering sentinels may have been cut off with an old primary
        if newest and self._last and few and newest.epoch < self._last.epoch:
            return self._last, troubles
        return newest, troubles

    def _word_of(self, sentinel: Redis) -> _SentinelAnswer:
        pipe = sentinel.pipeline(transaction=False)
        pipe.execute_command("SENTINEL", "MASTER", self._service)
        # GET-MASTER-ADDR-BY-NAME names the new primary at once, MASTER only when all replicas
        # follow it.
        pipe.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._service)
        told, (host, port) = pipe.execute()
        state = told if isinstance(told, dict) else dict(zip(told[::2], told[1::2], strict=True))
        known, primary = (state["ip"], int(state["port"])), (host, int(port))
        down = known == primary and "down" in state["flags"]
        return _SentinelAnswer(int(state["config-epoch"]), not down, primary)


class PrimaryConnection(Connection):
    """A connection that leads to the current primary each time it is opened."""

    def __init__(self, *, primary: Primary, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]  # redis-py has few types
        self._primary = primary
        primary.joined(self)

    def connect_check_health(self, *args: Any, **options: Any) -> None:
        """Open the connection, unless it is open. Raises ConnectionError if there is no primary."""
        if self.is_connected:
            return
        self.host, self.port = self._primary.find()
        try:
            super().connect_check_health(*args, **options)
        except RedisError:
            self._primary.doubt()
            raise
        super().send_packed_command([pack_command(("ROLE",))], check_health=False)  # type: ignore[no-untyped-call]  # redis-py has few types
        if super().read_response()[0] != b"master":
            raise self._demoted()

    def send_packed_command(self, *args: Any, **options: Any) -> None:
        """Send a command to the current primary."""
        self._primary.look()
        super().send_packed_command(*args, **options)  # type: ignore[no-untyped-call]  # redis-py has few types

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read the answer. A primary that became a replica counts as a lost connection."""
        try:
            return super().read_response(*args, **options)
        except ReadOnlyError:
            raise self._demoted() from None

    def hang_up(self) -> None:
        """Shut the connection down, so that its user, perhaps another thread, gets an error."""
        opened: Any = self._sock
        if opened is not None and self.pid == os.getpid():
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)

    def _demoted(self) -> RedisConnectionError:
        self._primary.doubt()
        self.disconnect()  # type: ignore[no-untyped-call]  # redis-py has few types
        return RedisConnectionError(f"{self.host}:{self.port} is not the primary")


class PrimaryTLSConnection(PrimaryConnection, SSLConnection):
    """A connection to the primary over TLS."""
