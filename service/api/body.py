"""Reads request bodies: JSON of bounded depth and length, or a problem that says what is wrong."""

from typing import Any, Never

import orjson
from flask import Request, g, request
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser

from rules.kernel.canonical import JsonObject
from service.problems import Problem, field_error, invalid

MAX_DEPTH = 16
MAX_ITEMS = 1_000
MAX_CHARACTERS = 4_000
_SHOWN = 200
"""How many characters of an offending value are sent back."""


def read_json() -> Any:
    """Return the request's body; nothing at all counts as an empty object.

    Raises:
        Problem: ``unsupported_media_type``, ``too_large``, ``not_json``, ``too_deep``,
            ``too_long``.

    """
    raw = request.get_data(cache=False)
    if not raw:
        return {}
    if not request.is_json:
        raise Problem(
            "unsupported_media_type",
            f"the body is declared as {request.mimetype or 'nothing'}",
            headers={"Accept-Post": "application/json"},
        )
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if "depth limit" in str(error) or "recursion" in str(error):
            raise Problem("too_deep", limit=MAX_DEPTH) from None
        raise Problem("not_json", f"the body is not JSON: {error}") from None
    check_bounds(value)
    return value


def check_bounds(value: Any) -> None:
    """Raise Problem (``too_deep``, ``too_long``) unless ``value`` is of a sensible size."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str:
                if len(item) > MAX_CHARACTERS:
                    raise Problem("too_long", "a string is too long", limit=MAX_CHARACTERS)
            elif kind is list or kind is dict:
                if len(item) > MAX_ITEMS:
                    raise Problem("too_long", f"a {kind.__name__} is too long", limit=MAX_ITEMS)
                below += item if kind is list else item.values()
        if not below:
            return
        level = below
    raise Problem("too_deep", limit=MAX_DEPTH)


class Parser(FlaskParser):
    """Reads arguments by marshmallow schemas; what is wrong becomes a problem."""

    DEFAULT_VALIDATION_STATUS = 422
    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - as inherited
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "json": RAISE,
        "query": RAISE,
    }

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Read the body, and keep it so that errors can name its values."""
        g.body = read_json()
        return g.body

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
            raise invalid("body", list(_flat(found, g.body, ""))) from None
        given = req.args if location == "query" else req.headers
        raise invalid("query" if location == "query" else "header", list(_flat(found, given, "")))


def _flat(messages: Any, value: Any, path: str) -> Any:
    """Yield an error for each message of marshmallow's nested ones, with the value it is about."""
    if not isinstance(messages, dict):
        for message in messages:
            yield field_error(path or "$", message, shown(value))
        return
    for name, inner in messages.items():
        if name == "_schema":
            yield from _flat(inner, value, path)
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
    """Return the bytes by which two requests are told to be the same."""
    return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
