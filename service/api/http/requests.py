"""Reads request bodies: JSON of bounded depth and length; errors become problems."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from itertools import islice
from typing import Any, Never

import orjson
from flask import Request, g
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser

from rules.kernel.canonical import JsonObject
from service.api.http.at_work import others_first
from service.api.http.responses import JSON
from service.api.http.wire import problem_of
from service.api.schemas.base import MAX_FAULTS
from service.problems import Problem, field_error, invalid
from service.process.fair_queue import give_way

_PARAMETER = re.compile(r"""[ \t]*;[ \t]*(?:([\w.+-]+)=("[^"\\]*"|[\w.+-]+))?""", re.ASCII)
_UTF_8 = frozenset(("utf-8", "utf8"))
MAX_DEPTH = 16
MAX_ITEMS = 1_000
MAX_CHARACTERS = 4_000
MAX_VALUES = 10_000
"""The maximum number of values in a body, over all its lists and objects."""
EXACT = 2**53
"""Up to this number a float represents every integer exactly."""
_MANY = 100
"""Minimum length of a list before whose check other requests get a turn."""
_FRACTION = re.compile(rb"[0-9][.eE]")
_SHOWN = 200
"""Maximum characters of an offending value that the answer quotes."""


def read_body(request: Request) -> bytes:
    """Return the request's body as sent, complete and within the size limit.

    Raises:
        Problem: ``unsupported_encoding``, ``too_large``, ``bad_request``.
    """
    _refuse_encodings(request)
    length, limit = request.content_length, request.max_content_length or 0
    if length is not None and length > limit:
        raise _too_large(limit)
    if length is None and "wsgi.input_terminated" not in request.environ:
        return b""
    source = request.environ["wsgi.input"]
    # Whether the server has read the whole body already.
    has_come = getattr(source, "has_come", False)
    try:
        with nullcontext() if has_come else others_first():
            raw: bytes = source.read(limit + 1 if length is None else length)
    except ParseException as error:  # a chunked body is malformed
        raise problem_of(error) from None
    except TimeoutError:
        raise Problem("bad_request", "the body did not come in time") from None
    except OSError:
        raise Problem("bad_request", "the connection ended before the body did") from None
    if len(raw) > limit:
        raise _too_large(limit)
    if length is not None and len(raw) < length:
        raise Problem("bad_request", f"the body ended after {len(raw)} of {length} bytes")
    return raw


def _too_large(limit: int) -> Problem:
    return Problem("too_large", f"the body has more than {limit} bytes", limit=limit)


def _refuse_encodings(request: Request) -> None:
    for name, plain in (("Content-Encoding", "identity"), ("Transfer-Encoding", "chunked")):
        given = request.headers.get(name, "").strip()
        if given and given.lower() != plain:
            raise Problem(
                "unsupported_encoding",
                f"{name} is {shown(given)!r}",
                headers={"Accept-Encoding": "identity"},
            )


def refuse_body(request: Request) -> None:
    """Refuse a body for an operation that takes none; an empty object is accepted.

    Raises:
        Problem: as ``read_body``, and ``invalid_body``.
    """
    raw = read_body(request)
    if raw.strip() not in {b"", b"{}"}:
        told = raw[:_SHOWN].decode(errors="replace")
        raise invalid("body", [field_error("$", "none is taken here", told)])


def read_json(request: Request) -> Any:
    """Return the request's body; no body counts as an empty object.

    Raises:
        Problem: as ``read_body``, and ``unsupported_media_type``, ``not_json``, ``too_deep``,
            ``too_long``, ``invalid_body`` if a key comes twice in an object.
    """
    raw = read_body(request)
    if not raw:
        return {}
    declared = request.headers.get("Content-Type", "")
    if not _is_json(declared):
        raise Problem(
            "unsupported_media_type",
            f"the body is declared as {shown(declared) or 'nothing'}",
            headers={"Accept-Post": JSON},
        )
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if "depth limit" in str(error) or "recursion" in str(error):
            raise Problem("too_deep", limit=MAX_DEPTH) from None
        raise Problem("not_json", f"the body is not JSON: {error}") from None
    give_way()
    members = check_bounds(value)
    # If there are more colons than members, one is in a text, or a key came twice.
    if raw.count(b":") > members:
        give_way()
        _refuse_duplicates(raw)
    if _FRACTION.search(raw):
        give_way()
        value = _whole(value)
    give_way()
    return value


def _is_json(declared: str) -> bool:
    """Whether a ``Content-Type`` stands for JSON in UTF-8.

    JSON has no other encoding between systems, and defines no ``charset`` (RFC 8259, 8.1 and 11):
    the value UTF-8 is harmless, any other contradicts the RFC.
    """
    media_type, _, rest = declared.partition(";")
    parameters = f";{rest}".rstrip()
    named = _PARAMETER.findall(parameters)
    charsets = {value.strip('"').lower() for name, value in named if name.lower() == "charset"}
    is_read = not _PARAMETER.sub("", parameters)
    return media_type.strip().lower() == JSON and is_read and charsets <= _UTF_8


def _whole(value: Any) -> Any:
    """Replace each float that has no fraction by an integer, and return the new value.

    So 5.0 becomes 5, because JSON Schema does not distinguish them.
    """
    kind = type(value)
    if kind is float and value.is_integer() and abs(value) <= EXACT:
        return int(value)
    if kind is list:
        if len(value) >= _MANY:
            give_way()
        return [_whole(item) for item in value]
    if kind is dict:
        return {name: _whole(item) for name, item in value.items()}
    return value


def _refuse_duplicates(raw: bytes) -> None:
    """Raise Problem (``invalid_body``) if a key comes twice in an object."""
    try:
        json.loads(raw, object_pairs_hook=_members, parse_int=orjson.loads)
    except RecursionError:
        # A repeated key has a value that is too deep. ``check_bounds`` saw only its last value.
        raise Problem("too_deep", limit=MAX_DEPTH) from None


def _members(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) >= _MANY:
        give_way()
    if len(dict(pairs)) < len(pairs):
        ((name, _times),) = Counter(name for name, _value in pairs).most_common(1)
        values = [value for key, value in pairs if key == name]
        raise invalid("body", [field_error(name, "given more than once", shown(values))])


def check_bounds(value: Any) -> int:
    """Check the depth and lengths of ``value``; return how many members all its objects have.

    Raises:
        Problem: ``too_deep``, ``too_long``.
    """
    level, values, members = [value], 1, 0
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for place, item in enumerate(level):
            if place % MAX_ITEMS == 0:
                give_way()
            kind = type(item)
            if kind is str:
                if len(item) > MAX_CHARACTERS:
                    raise Problem("too_long", "a string is too long", limit=MAX_CHARACTERS)
            elif kind is list or kind is dict:
                if len(item) > MAX_ITEMS:
                    raise Problem("too_long", f"a {kind.__name__} is too long", limit=MAX_ITEMS)
                if kind is dict:
                    members += len(item)
                    below += item.values()
                else:
                    below += item
        if not below:
            return members
        values += len(below)
        if values > MAX_VALUES:
            raise Problem("too_long", "the body has too many values", limit=MAX_VALUES)
        level = below
    raise Problem("too_deep", limit=MAX_DEPTH)


class Parser(FlaskParser):
    """Reads arguments by marshmallow schemas; errors become problems."""

    DEFAULT_VALIDATION_STATUS = 422
    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - as inherited
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "json": RAISE,
        "query": RAISE,
    }

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Read the body, and keep it so that errors can quote its values."""
        g.caller.sent = read_json(req)
        return g.caller.sent

    def handle_error(
        self,
        error: ValidationError,
        req: Request,
        schema: Schema,
        *,
        error_status_code: int | None,
        error_headers: Any,
    ) -> Never:
        messages: Any = error.messages
        location, found = next(iter(messages.items()))
        if location == "json":
            raise invalid(
                "body", list(islice(_flat(found, g.caller.sent, ""), MAX_FAULTS))
            ) from None
        sent = {name: ",".join(values) for name, values in req.args.lists()}
        raise invalid("query", list(islice(_flat(found, sent, ""), MAX_FAULTS)))


PARSER = Parser()


def check_query(request: Request, known: Mapping[str, bool]) -> None:
    """Raise Problem (``invalid_query``) if a parameter is repeated, or too many are unknown.

    ``known`` has the names of the operation's parameters. The value is True if the parameter is a
    list, which may be repeated, and False for any other parameter. If the operation has no
    parameters, one unknown parameter is refused. Otherwise unknown parameters are refused here if
    there are at least MAX_FAULTS of them. Fewer unknown parameters pass, and the schema reports
    them together with its other errors.
    """
    errors: list[JsonObject] = []
    unknown: list[JsonObject] = []
    for name, values in request.args.lists():
        if name not in known:
            unknown.append(field_error(name, "Unknown field.", shown(values[0])))
        elif len(values) > 1 and not known[name]:
            few = values[:MAX_FAULTS]
            errors.append(field_error(name, "given more than once", shown(few)))
        if len(errors) + len(unknown) == MAX_FAULTS:
            break
    if errors or (unknown and not known) or len(unknown) == MAX_FAULTS:
        raise invalid("query", [*errors, *unknown])


def _flat(messages: Any, value: Any, path: str) -> Any:
    """Yield an error for each of marshmallow's nested messages, with the offending value."""
    if not isinstance(messages, dict):
        for message in messages:
            yield field_error(path or "$", message, shown(value))
        return
    for name, inner in messages.items():
        if name == "_schema":
            yield from _flat(inner, value, path)
        elif isinstance(value, str):  # a comma-separated list
            yield from _flat(inner, value.split(",")[name], path)
        else:
            below = f"{path}.{name}" if path else str(name)
            yield from _flat(inner, _item(value, name), below)


def _item(value: Any, name: Any) -> Any:
    try:
        return value[name]
    except (KeyError, IndexError, TypeError):
        return None


def shown(value: Any) -> Any:
    """Return an offending value, or as much of its JSON as fits in an answer."""
    text = orjson.dumps(value, default=str).decode()
    return value if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def fingerprint_bytes(*parts: JsonObject | str | int) -> bytes:
    """Return the bytes by whose hash a repeated request is recognised."""
    return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
