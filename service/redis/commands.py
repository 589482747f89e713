"""Redis commands on hot paths, several in one round trip.

For each command, redis-py checks that the connection is open, and reports to a telemetry that is
not installed. These two steps together cost more than twice as much as the command itself. The
commands here use the same connections, deadlines and single retry, but they skip the two steps. A
closed connection is noticed when it is used.
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
    """Sends commands to a client's server, and returns its answers unchanged."""

    def __init__(self, redis: Redis) -> None:
        """Use the connections of ``redis``, a client from ``make_client``."""
        connections = redis.connection_pool
        assert isinstance(connections, ConnectionPool)  # noqa: S101 - as said
        self._connections = connections

    def ask(self, *commands: Sequence[Word]) -> list[Any]:
        """Return the answers to the commands, in order; an answer may be a ResponseError.

        Raises the same errors as any command of ``redis``. After a lost connection, all commands
        are sent again.
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


def checked(answers: list[Any]) -> list[Any]:
    """Return the answers to commands; raise the first error among them."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


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
