"""Canonical JSON and the hashes over it: RFC 8785 for a subset of its values (docs/format.md)."""

import re
from functools import lru_cache
from hashlib import sha256
from typing import Any, NewType

import orjson

JsonObject = dict[str, Any]

Canonical = NewType("Canonical", JsonObject)
"""A JSON object that was checked to be canonical, so that nobody has to check it again.

Only ``checked`` and ``decoded`` make such objects.
"""

FORMAT = "lonja/2"
"""The name of the event format; everything that is hashed, derived or signed contains it."""

_KEY = re.compile(r"[a-z0-9_]+\Z")
_LIMIT = 2**53
_PLAIN = frozenset((bool, type(None)))
_OPTIONS = orjson.OPT_SORT_KEYS


class NotCanonicalError(ValueError):
    """A value that canonical JSON does not allow; the message names the value and its path."""


def encode(value: object) -> bytes:
    """Return the canonical bytes of ``value``.

    Allowed are objects with keys ``[a-z0-9_]+``, integers whose absolute value is below 2**53,
    strings without lone surrogates, booleans, null and arrays (lists or tuples).

    Raises:
        NotCanonicalError: for anything else, floats included.
    """
    check(value)
    return orjson.dumps(value, option=_OPTIONS)


def check(value: Any, where: str = "$") -> None:
    """Raise NotCanonicalError if ``encode`` does not allow ``value``."""
    kind = type(value)
    if kind is int:
        if not -_LIMIT < value < _LIMIT:
            raise NotCanonicalError(f"{where}: {_named(value)} is not below 2**53 in size")
    elif kind is str:
        if not value.isascii():
            _check_surrogates(value, where)
    elif kind is dict:
        for key, item in value.items():
            if not _is_key(key):
                raise NotCanonicalError(f"{where}: {key!r} is not a key of [a-z0-9_]+")
            of = type(item)  # short items are checked here, to save a call
            if not (item.isascii() if of is str else of is int and -_LIMIT < item < _LIMIT):
                check(item, key)
    elif kind is list or kind is tuple:
        for item in value:
            check(item, where)
    elif kind not in _PLAIN:
        raise NotCanonicalError(f"{where}: {value!r} of type {kind.__name__} has no canonical form")


def checked(value: JsonObject) -> Canonical:
    """Check ``value`` and return it as Canonical; raises NotCanonicalError."""
    check(value)
    return Canonical(value)


def decoded(value: JsonObject) -> Canonical:
    """Return ``value`` as Canonical without a check: its bytes were checked when they were read."""
    return Canonical(value)


def encode_known(value: object) -> bytes:
    """Encode as ``encode`` does, without checking that canonical JSON allows ``value``.

    Use it for values that the kernel makes, and for states, which the laws (``laws/``) check.
    """
    return orjson.dumps(value, option=_OPTIONS)


def in_order(value: Any) -> Any:
    """Return a copy of ``value`` whose objects have their members in the order of canonical JSON.

    ``value`` is not checked; its tuples become lists.
    """
    return orjson.loads(encode_known(value))


@lru_cache(maxsize=4096)
def _is_key(key: object) -> bool:
    return type(key) is str and _KEY.match(key) is not None


def _named(value: int) -> str:
    bits = value.bit_length()
    return (
        str(value) if bits <= 1024 else f"an integer of {bits} bits"
    )  # Python refuses to print an int of more than 4,300 digits


def _check_surrogates(value: str, where: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotCanonicalError(f"{where}: {value!r} holds a lone surrogate") from None


def digest(data: bytes) -> bytes:
    """SHA-256 of ``data``: 32 bytes, ``H`` in docs/format.md."""
    return sha256(data).digest()


_BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256 of ``data`` under ``key``: 32 bytes, ``M`` in docs/format.md.

    Implemented here (RFC 2104), because the standard library takes twice as long.
    """
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + data).digest()).digest()


def _pads(key: bytes) -> tuple[bytes, bytes]:
    key = (key if len(key) <= _BLOCK else digest(key)).ljust(_BLOCK, b"\0")
    return key.translate(_INNER), key.translate(_OUTER)


def derive(secret: bytes, label: str, *context: object) -> bytes:
    """Derive the 32-byte key for ``label`` and ``context``: ``K`` in docs/format.md."""
    inner, outer = _begun(secret)
    inner, outer = inner.copy(), outer.copy()
    inner.update(encode_known([FORMAT, label, *context]))
    outer.update(inner.digest())
    key: bytes = outer.digest()
    return key


@lru_cache(maxsize=64)
def _begun(secret: bytes) -> tuple[Any, Any]:
    """Return the two hash objects of a ``mac``, the inner and the outer one.

    Only the padded secret has been fed to them. The hash objects are cached, because many keys are
    derived from one secret.
    """
    inner, outer = _pads(secret)
    return sha256(inner), sha256(outer)
