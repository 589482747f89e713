"""The protocol between a service and an engine: one JSON object a line (docs/engines.md)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject, check
from rules.kernel.contract.errors import shown
from service.version import VERSION as RELEASE

VERSION = 1
"""The protocol's version. New fields need no new version, because both sides ignore unknown
ones.
"""

LONGEST_LINE = 4 * 1024 * 1024
"""Maximum bytes of a line; an engine that sends a longer one has failed."""

CRASHED, BAD_ANSWER, ILLEGAL = "crashed", "bad_answer", "illegal"
"""Codes of errors: the bot raised an exception; its answer is invalid; the rules refuse it."""

FLOODED = "flooded"
"""The code of a failure that no engine is told of, because it is killed: too much output."""


class BadAnswerError(ValueError):
    """An engine's message is not a valid answer."""


class EngineAnswer(NamedTuple):
    """An engine's answer."""

    move: JsonObject
    nodes: int
    thoughts: JsonObject


def line(kind: str, body: JsonObject) -> bytes:
    """Return a message as the bytes that are sent."""
    return orjson.dumps({kind: body}) + b"\n"


def hello(**more: object) -> JsonObject:
    """Return a ``hello``: the first message of the service and of an engine.

    It has the protocol's version, and the members in ``more``.
    """
    return {"protocol": VERSION, **more}


def service_hello() -> JsonObject:
    """Return the ``hello`` of the service, with the service's name and release."""
    return hello(service="lonja", version=RELEASE)


def need_version(said: JsonObject) -> None:
    """Raise BadAnswerError unless an engine's hello has this protocol's version."""
    if said.get("protocol") != VERSION:
        raise BadAnswerError(f"it speaks protocol {shown(said.get('protocol'))}, not {VERSION}")


def read(raw: bytes) -> JsonObject:
    """Parse a message. Raises BadAnswerError if it is not a JSON object."""
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadAnswerError(f"it says what is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadAnswerError(f"it says {shown(found)}, which is no object")
    return found


def read_answer(body: Any, legal: Sequence[JsonObject]) -> EngineAnswer:
    """Return an answer: ``move`` is an index into the legal moves, or a move.

    Raises:
        BadAnswerError: the answer is invalid.
    """
    if not isinstance(body, dict) or "move" not in body:
        raise BadAnswerError(f"it answers {shown(body)}, in which is no move")
    move, nodes, thoughts = body["move"], body.get("nodes", 0), body.get("thoughts", {})
    if type(move) is int and 0 <= move < len(legal):
        move = legal[move]
    elif not isinstance(move, dict):
        raise BadAnswerError(f"it answers {shown(move)}, and has {len(legal)} legal moves")
    if type(nodes) is not int or nodes < 0 or not isinstance(thoughts, dict):
        raise BadAnswerError(f"it counts {shown(nodes)} nodes and thinks {shown(thoughts)}")
    try:
        check(move)
        check(thoughts)
    except (TypeError, ValueError) as error:
        raise BadAnswerError(f"it answers what no record can hold: {error}") from None
    return EngineAnswer(move, nodes, thoughts)
