"""Scripts of ours on the paths that every request takes.

Round each command, redis-py asks whether the connection is still open, and reports what it does to
a telemetry that nobody has installed: that costs more than twice the command. A script goes over
the same connections, with the same deadlines and the same second try, without that. Whether a
connection was closed meanwhile shows when it is used.
"""

from collections.abc import Sequence
from hashlib import sha1
from typing import Any

from hiredis import pack_command
from redis import Redis
from redis.connection import AbstractConnection
from redis.exceptions import NoScriptError

from service.redis.client import Connections


class Script:
    """A script that the server runs in one step."""

    def __init__(self, redis: Redis, text: str) -> None:
        """``redis`` is of ``make_client``."""
        connections = redis.connection_pool
        assert isinstance(connections, Connections)  # noqa: S101 - as said
        self._connections = connections
        self._redis = redis
        self._text = text
        self._sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[bytes | str | int]) -> Any:
        """Return what the script answers; raises as every command of ``redis``."""
        words: Any = ("EVALSHA", self._sha, len(keys), *keys, *args)
        command = pack_command(words)
        try:
            return self._ask(command)
        except NoScriptError:
            self._redis.script_load(self._text)
            return self._ask(command)

    def _ask(self, command: bytes) -> Any:
        connection = self._connections.lend()
        try:
            return connection.retry.call_with_retry(
                lambda: _answer(connection, command), lambda _error: connection.disconnect()
            )
        finally:
            self._connections.take_back(connection)


def _answer(connection: AbstractConnection, command: bytes) -> Any:
    connection.send_packed_command([command])
    return connection.read_response()
