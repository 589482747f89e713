"""Clients of Redis, and the check that a server keeps what it acknowledges."""

from typing import Any, Literal, NamedTuple

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import NoPermissionError, ResponseError
from redis.retry import Retry

from service.redis_version import OLDEST_SUPPORTED, ServerVersion

COMMAND_TIMEOUT_S = 5.0
WRITER_KEY = "lonja:server"  # the newest server that has held the data
CONFIG_FORBIDDEN = (
    "The server forbids CONFIG GET, so nothing shows when it writes events to disk:"
    " ask whoever runs it for its appendfsync."
)


class UnsuitableServerError(Exception):
    """A server would lose or refuse events; the message has a sentence for each reason."""


class ServerReport(NamedTuple):
    """What a suitable server is, and what could not be checked."""

    version: ServerVersion
    appendfsync: str | None  # None if the server does not tell
    warnings: tuple[str, ...]


def make_client(url: str) -> Redis:
    """A client for commands that answer at once; answers are bytes.

    A lost connection is tried once more, so a command may run twice: appends recognise that.
    """
    return _client(url, timeout=COMMAND_TIMEOUT_S)


def blocking_client(url: str) -> Redis:
    """A client for commands that wait for events, such as XREAD BLOCK; answers are bytes."""
    return _client(url, timeout=None)


def _client(url: str, timeout: float | None) -> Redis:
    return Redis.from_url(
        url,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 1),
        legacy_responses=False,  # one shape of answers, whatever the protocol
    )


def check_server(
    client: Redis, appendfsync: Literal["always", "everysec"] = "always"
) -> ServerReport:
    """Check that the server is fit to hold events, and note that its version now has.

    `appendfsync` is the promise made to players. Raises UnsuitableServerError if the server is
    too old, older than one that held the data, evicts keys, or keeps a weaker promise.
    """
    info = client.info()
    version = ServerVersion.of_info(info)
    policy = info["maxmemory_policy"]
    actual, warnings = _appendfsync(client)
    writer = _writer(client)
    reasons = []
    if version[1:3] < OLDEST_SUPPORTED:
        reasons.append(f"It is {version}, and Lonja needs 6.2 or newer: upgrade it.")
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
    return ServerReport(version, actual, warnings)


def _appendfsync(client: Redis) -> tuple[str | None, tuple[str, ...]]:
    """When the server writes to disk, or a warning that it keeps this to itself."""
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
