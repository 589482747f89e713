"""Cursors of lists: opaque positions that clients carry, refused if altered."""

import base64
import binascii
import hmac
import secrets
from typing import Any

import orjson
from redis import Redis

from rules.kernel.canonical import mac
from service.redis.keys import meta_key

_TAG_BYTES = 16
_MAX_LENGTH = 2_000


class BadCursorError(ValueError):
    """A text is not a cursor that this installation has written for this list."""


class Cursors:
    """Writes and reads cursors, with one key of the installation."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of(cls, redis: Redis) -> "Cursors":
        """Return the installation's cursors. The first process creates their key."""
        name = meta_key("cursor_key")
        # Checked first, because reads must go on while the store takes no writes.
        if not redis.exists(name):
            redis.set(name, secrets.token_bytes(32), nx=True)
        key = redis.get(name)
        assert isinstance(key, bytes)  # noqa: S101 - set just above
        return cls(key)

    def write(self, scope: list[Any], place: str) -> str:
        """Return the cursor for a position in the list that ``scope`` (JSON) identifies."""
        body = orjson.dumps([scope, place])
        tag = mac(self._key, body)[:_TAG_BYTES]
        return _text(tag + body)

    def read(self, scope: list[Any], cursor: str) -> str:
        """Return the position in this list that a cursor stands for.

        Raises:
            BadCursorError: the cursor is invalid, or of another list.
        """
        if len(cursor) > _MAX_LENGTH or not cursor.isascii():
            raise BadCursorError("this is not a cursor")
        try:
            padding = "=" * (-len(cursor) % 4)
            raw = base64.b64decode(cursor + padding, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise BadCursorError("this is not a cursor") from None
        if _text(raw) != cursor:
            raise BadCursorError("this is not a cursor")
        tag, body = raw[:_TAG_BYTES], raw[_TAG_BYTES:]
        if not hmac.compare_digest(tag, mac(self._key, body)[:_TAG_BYTES]):
            raise BadCursorError("the cursor was altered, or is of another installation")
        given_scope, place = orjson.loads(body)
        if given_scope != orjson.loads(orjson.dumps(scope)):
            raise BadCursorError("the cursor is of a list with other filters")
        return str(place)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
