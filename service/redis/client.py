"""Clients of Redis, and the check that a server keeps acknowledged data."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from queue import Empty, Full, LifoQueue
from typing import Any, Literal, NamedTuple

from redis import BlockingConnectionPool, DriverInfo, Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
)
from redis.retry import Retry

from service import redis_urls
from service.process import fair_queue
from service.redis.sentinel import Primary, PrimaryConnection, PrimaryTLSConnection
from service.redis.version import OLDEST_SUPPORTED, ServerVersion

COMMAND_TIMEOUT_S = 5.0
MAX_CONNECTIONS = 100
"""Maximum connections of a client; a caller that finds all in use waits for one."""
WRITER_KEY = "lonja:server"  # the key with the newest server version that has held the data
CONFIG_FORBIDDEN = (
    "The server forbids CONFIG GET, so nothing shows when it writes events to disk:"
    " ask whoever runs it for its appendfsync."
)

_WRITES_REFUSED = re.compile(r"\b(OOM|READONLY|MISCONF|NOREPLICAS) ")


class UnsuitableServerError(Exception):
    """A server would lose or refuse events; the message has a sentence for each reason."""


class Memory(NamedTuple):
    """The memory of a server: bytes used, and the limit.

    ``limit`` is the server's maxmemory, or else its machine's memory; 0 if both are unknown.
    """

    used: int
    limit: int


class ServerReport(NamedTuple):
    """The properties of a suitable server; ``warnings`` name checks that were not possible."""

    version: ServerVersion
    memory: Memory
    appendfsync: str | None  # None if the server does not allow reading the setting
    warnings: tuple[str, ...]


class _IdleConnections(LifoQueue[AbstractConnection | None]):
    """The idle connections of a pool; taking and returning one needs no lock.

    The locks of the standard queue cost more than everything else that is done before a command is
    sent.
    """

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._blocked = 0
        """Number of waiting callers; each counts itself before it looks again."""

    def get(self, block: bool = True, timeout: float | None = None) -> AbstractConnection | None:  # noqa: FBT001, FBT002 - as inherited
        """Return the connection that was used last; raises Empty."""
        try:
            found: AbstractConnection | None = self.queue.pop()
        except IndexError:
            with self.mutex:
                self._blocked += 1
            try:
                return super().get(block, timeout)
            finally:
                with self.mutex:
                    self._blocked -= 1
        return found

    def put_nowait(self, item: AbstractConnection | None) -> None:
        """Return a connection to the pool; raises Full."""
        if len(self.queue) >= self.maxsize:
            raise Full
        self.queue.append(item)
        if self._blocked:
            with self.not_empty:
                self.not_empty.notify()


class ConnectionPool(BlockingConnectionPool):
    """The connections of a client.

    A connection is returned after an answer of the server. The request that returns it then pauses
    if other requests should go first (``fair_queue.go_on``). ``lend`` does not check that a
    connection is still open.
    """

    def release(self, connection: Any) -> None:
        """Return a connection after a command."""
        super().release(connection)  # type: ignore[no-untyped-call]  # redis-py has few types
        fair_queue.go_on()

    def lend(self) -> AbstractConnection:
        """Return a connection that may have been closed meanwhile; call ``take_back`` after use.

        Raises:
            redis.exceptions.ConnectionError: no connection becomes free in time.
        """
        self._checkpid()
        make: Callable[[], AbstractConnection] = self.make_connection
        try:
            return self.pool.get(timeout=self.timeout) or make()
        except Empty:
            raise RedisConnectionError("No connection available.") from None

    def take_back(self, connection: AbstractConnection) -> None:
        """Take back a connection from ``lend``."""
        self._checkpid()
        if connection.should_reconnect():
            connection.disconnect()
        self.pool.put_nowait(connection)
        fair_queue.go_on()


def make_client(url: str, timeout: float = COMMAND_TIMEOUT_S) -> Redis:
    """Return a client for commands that answer within ``timeout`` seconds; answers are bytes.

    After a lost connection a command is sent once more, so it may run twice. The scripts that
    append events detect the second run. A command that gets no connection within COMMAND_TIMEOUT_S
    raises redis's ConnectionError. A URL of sentinels leads to the current primary.
    """
    return _client(url, timeout=timeout)


def blocking_client(url: str) -> Redis:
    """Return a client for commands that wait, such as XREAD BLOCK; answers are bytes."""
    return _client(url, timeout=None)


def _client(url: str, timeout: float | None) -> Redis:
    options: dict[str, Any] = {
        "max_connections": MAX_CONNECTIONS,
        "queue_class": _IdleConnections,
        "timeout": COMMAND_TIMEOUT_S,
        "socket_timeout": timeout,
        "socket_connect_timeout": COMMAND_TIMEOUT_S,
        "retry": Retry(NoBackoff(), 1),
        "legacy_responses": False,  # answers have the same shape with both protocols
        "driver_info": _driver_info(),
    }
    sentinels = redis_urls.sentinels(url)
    if sentinels is None:
        return Redis.from_pool(ConnectionPool.from_url(url, **options))
    kind = PrimaryTLSConnection if sentinels.tls else PrimaryConnection
    pool = ConnectionPool(  # type: ignore[no-untyped-call]  # redis-py has few types
        connection_class=kind, primary=_primary(url), **sentinels.server_options, **options
    )
    return Redis.from_pool(pool)


@cache
def _driver_info() -> DriverInfo:
    """Return what connections tell the server of the library; each would read its version anew."""
    return DriverInfo()


@cache
def _primary(url: str) -> Primary:
    """Return the object that finds the primary of these sentinels.

    All clients of the process share this object.
    """
    sentinels = redis_urls.sentinels(url)
    assert sentinels is not None  # noqa: S101 - as the caller found
    return Primary(sentinels)


def refuses_writes(error: ResponseError) -> bool:
    """Whether an error says that the server currently takes no writes.

    Its memory or its disk is full, it is a replica, or it lacks replicas. In a pipeline the error
    text has a prefix.
    """
    known = isinstance(error, OutOfMemoryError | ReadOnlyError)
    return known or _WRITES_REFUSED.search(str(error)) is not None


def is_of_another_type(error: Exception) -> bool:
    """Whether an error says that a command does not fit the type of its key."""
    return isinstance(error, ResponseError) and "WRONGTYPE " in str(error)


def refuse_cluster(client: Redis) -> None:
    """Raise UnsuitableServerError if the server is a cluster node, because scripts fail there."""
    _need_no_cluster(client.info("cluster"))


def _need_no_cluster(info: Mapping[str, Any]) -> None:
    if info["cluster_enabled"]:
        raise UnsuitableServerError(
            f"The server of this URL is a node of a cluster. {redis_urls.NO_CLUSTER}."
        )


def check_server(
    client: Redis, appendfsync: Literal["always", "everysec"] = "always"
) -> ServerReport:
    """Check that the server is fit to hold events, and record its version in the store.

    `appendfsync` is the setting promised to players. Raises UnsuitableServerError if the server is
    too old, is older than a server that wrote the data, is a cluster node, evicts keys, or has a
    weaker setting.
    """
    info = client.info()
    _need_no_cluster(info)
    version = ServerVersion.of_info(info)
    policy = info["maxmemory_policy"]
    actual, warnings = _appendfsync(client)
    writer = _writer(client)
    reasons = []
    if version[1:3] < OLDEST_SUPPORTED:
        reasons.append(f"It is {version}, and Lonja needs 7.0 or newer: upgrade it.")
    if writer and not version.reads_data_of(writer):
        reasons.append(
            f"Its data was held by {writer}, and it is {version}, which may not read all of it:"
            f" run {writer} or newer."
        )
    if policy != "noeviction":
        reasons.append(
            f"Its maxmemory-policy is {policy}, which deletes games when memory runs out:"
            " set it to noeviction."
        )
    if not info["aof_enabled"]:
        reasons.append("It keeps no append-only file, so a crash loses games: set appendonly yes.")
    elif actual == "no" or (actual == "everysec" and appendfsync == "always"):
        reasons.append(
            f"Its appendfsync is {actual}, and LONJA_APPENDFSYNC is {appendfsync}:"
            f" set the server's to {appendfsync}, or accept less with LONJA_APPENDFSYNC=everysec."
        )
    if reasons:
        raise UnsuitableServerError("\n".join(["This Redis cannot hold games.", *reasons]))
    if version != writer:
        client.hset(WRITER_KEY, mapping={"name": version.name, "version": version.number})
    return ServerReport(version, memory_of(info), actual, warnings)


def memory_of(info: Mapping[str, Any]) -> Memory:
    """Return the memory of a server that answers INFO in this way."""
    return Memory(info["used_memory"], info["maxmemory"] or info.get("total_system_memory", 0))


def _appendfsync(client: Redis) -> tuple[str | None, tuple[str, ...]]:
    """Return the server's setting ``appendfsync``, and warnings.

    If the server does not report the setting, it is None, and there is one warning.
    """
    try:
        settings = client.config_get("appendfsync")
    except (NoPermissionError, ResponseError):
        return None, (CONFIG_FORBIDDEN,)
    return _text(settings["appendfsync"]), ()


def _writer(client: Redis) -> ServerVersion | None:
    noted: dict[Any, Any] = client.hgetall(WRITER_KEY)
    return ServerVersion.of(_text(noted[b"name"]), _text(noted[b"version"])) if noted else None


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
