"""Reads and writes raw streams, to copy them.

Some data are stored beside a stream. If they cannot be derived from the stream's events, they are
copied with the stream.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from service.ledger.origin import IMPORTED
from service.ledger.terms import BESIDE
from service.redis.keys import game_key
from service.redis.scripts import Script

PAGE = 500
"""Number of entries that are read or written before other requests get a turn."""

_SCRIPT = resources.files("service.ledger").joinpath("refill.lua").read_text()


NOTHING: Mapping[bytes, bytes] = MappingProxyType({})


class StreamEntry(NamedTuple):
    """An entry of a stream, unparsed: ``words`` has each name followed by its value."""

    id: bytes
    words: list[bytes]


class RawStream(NamedTuple):
    """The data of a stream, without its entries.

    ``last`` is the greatest id that was ever in the stream. ``origin`` is the origin of an imported
    game. ``table`` has the terms of a game's table.
    """

    id: str
    last: bytes
    secrets: Mapping[bytes, bytes]
    origin: bytes | None = None
    table: Mapping[bytes, bytes] = NOTHING


class RawStreams:
    """The streams of one store, read and written without interpretation."""

    def __init__(self, redis: Redis) -> None:
        """Use ``redis``, a client from ``make_client``."""
        self._redis = Redis(connection_pool=redis.connection_pool)
        self._redis.set_response_callback("XRANGE", lambda reply, **_options: reply)
        self._redis.set_response_callback("XINFO STREAM", _last_id)
        self._refill = Script(redis, _SCRIPT)

    def find(self, stream_id: str) -> RawStream | None:
        """Return a stream, None if there is none.

        Raises:
            ResponseError: one of its keys has another type.
        """
        pipe = self._redis.pipeline(transaction=False)
        pipe.execute_command("XINFO STREAM", game_key(stream_id, "events"))
        pipe.hgetall(game_key(stream_id, "secrets"))
        pipe.get(game_key(stream_id, IMPORTED))
        pipe.hgetall(game_key(stream_id, BESIDE))
        last, secrets, origin, table = pipe.execute(raise_on_error=False)
        if isinstance(last, ResponseError) and "no such key" in str(last):
            return None
        for reply in (last, secrets, origin, table):
            if isinstance(reply, Exception):
                raise reply
        return RawStream(stream_id, last, secrets, origin, table)

    def pages(self, stream: RawStream) -> Iterator[list[StreamEntry]]:
        """Yield the entries up to ``last``, in lists of up to ``PAGE`` entries.

        Together they are whole batches, even if others append to the stream at the same time.
        """
        key, after = game_key(stream.id, "events"), b"-"
        while True:
            found: Any = self._redis.execute_command(
                "XRANGE", key, after, stream.last, "COUNT", PAGE
            )
            if found:
                yield [StreamEntry(*entry) for entry in found]
            if len(found) < PAGE:
                return
            after = b"(" + found[-1][0]

    def put(self, stream: RawStream) -> None:
        """Write the data that are stored beside a stream, and set the stream's end to ``last``.

        The entries of the stream must already be written.

        Raises:
            ResponseError: the stream has no entries.
        """
        pipe = self._redis.pipeline(transaction=False)
        pipe.execute_command("XSETID", game_key(stream.id, "events"), stream.last)
        secrets: Any = stream.secrets
        if secrets:
            pipe.hset(game_key(stream.id, "secrets"), mapping=secrets)
        table: Any = stream.table
        if table:
            pipe.hset(game_key(stream.id, BESIDE), mapping=table)
        if stream.origin is not None:
            pipe.set(game_key(stream.id, IMPORTED), stream.origin)
        pipe.execute()

    def put_page(self, stream_id: str, page: Sequence[StreamEntry], *, first: bool) -> None:
        """Write a page of entries; the ``first`` page replaces an existing stream."""
        words: list[bytes | str | int] = ["1" if first else ""]
        for entry in page:
            words += [entry.id, len(entry.words), *entry.words]
        self._refill([game_key(stream_id, "events")], words)


def _last_id(reply: Any, **_options: Any) -> bytes:
    told = reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2], strict=True))
    found: bytes = told[b"last-generated-id"]
    return found
