"""Commands of ours on the paths that every request takes, several in one round trip.

Round each command, redis-py asks whether the connection is still open, and reports what it does to
a telemetry that nobody has installed: that costs more than twice the command. These go over the
same connections, with the same deadlines and the same second try, without that. Whether a
connection was closed meanwhile shows when it is used.
"""

from collections.abc import Sequence
from typing import Any

from hiredis import pack_command
from redis import Redis
from redis.connection import AbstractConnection
from redis.exceptions import ResponseError

from service.redis.client import ConnectionPool

Word = bytes | str | int


class Commands:
    """Sends commands to the server of a client; answers are as the server sends them."""

    def __init__(self, redis: Redis) -> None:
        """``redis`` is of ``make_client``."""
        connections = redis.connection_pool
        assert isinstance(connections, ConnectionPool)  # noqa: S101 - as said
        self._connections = connections

    def ask(self, *commands: Sequence[Word]) -> list[Any]:
        """Return the answer to each command, which may be a ResponseError.

        Raises as every command of ``redis``; all of them are sent again after a lost connection.
        """
        if not commands:
            return []
        sent = b"".join([_packed(command) for command in commands])
        connection = self._connections.lend()
        try:
            return connection.retry.call_with_retry(
                lambda: _answers(connection, sent, len(commands)),
                lambda _error: connection.disconnect(),
            )
        finally:
            self._connections.take_back(connection)


def _packed(command: Any) -> bytes:
    packed: bytes = pack_command(tuple(command))
    return packed


def _answers(connection: AbstractConnection, sent: bytes, count: int) -> list[Any]:
    connection.send_packed_command([sent])
    return [_answer(connection) for _ in range(count)]


def _answer(connection: AbstractConnection) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
