"""Decodes server-sent events from the bytes of a stream (WHATWG HTML, "Server-sent events")."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from lonja_client.errors import CUT, Unreachable
from lonja_client.transport import MAX_BYTES


class Message(NamedTuple):
    """A message: its type ("message" by default), the ``id`` from which to continue, its data."""

    event: str
    id: str
    data: Any


def messages(pieces: Iterable[bytes]) -> Iterator[Message]:
    """Yield the messages of a stream. Raises Unreachable: the stream was cut within a message."""
    event, id_, data = "message", "", []
    for line in _lines(pieces):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line:
            if field == "event":
                event = value
            elif field == "id":
                id_ = value
            elif field == "data":
                data.append(value)
            continue
        if data:
            yield Message(event, id_, _parsed("\n".join(data)))
        event, data = "message", []


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Unreachable(CUT, "a message is no JSON") from None


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode(errors="replace")
        if len(rest) > MAX_BYTES:
            raise Unreachable(CUT, f"a message is longer than {MAX_BYTES} bytes")
