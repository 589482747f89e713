"""Content codings: the choice for a caller (RFC 9110, 12.5.3), and the coded bytes.

Only answers to reads are coded, never the answer to a change: no move is delayed, and no answer
that contains a key is compressed. Measured:

| body              | coder             | size before | size after | time        |
|-------------------|-------------------|-------------|------------|-------------|
| a state of Ragusa | Brotli 3          | 2,676 bytes | 796 bytes  | 23 µs       |
| ``openapi.yaml``  | Brotli 3          | 350 kB      | 40 kB      | 1.3 ms      |
| ``openapi.yaml``  | zlib's default    | 350 kB      | 38 kB      | 4.3 ms      |
| ``openapi.yaml``  | Brotli 9          | 350 kB      | 32 kB      | 20 ms       |
| ``openapi.yaml``  | Brotli 11         | 350 kB      | 29 kB      | 0.3 s       |
| a record          | Brotli 1          | 440 kB      | 116 kB     | 3 µs per kB |
| a record          | Brotli 3          | 440 kB      | 119 kB     | 6 µs per kB |
| a record          | zlib's level 1    | 440 kB      | 145 kB     | 6 µs per kB |

So answers are compressed by Brotli 3, and documents that stay in memory by Brotli 9, also short
ones. Records are compressed by Brotli 1: half of a record is hashes, and generating it takes only
13 µs per kB. Brotli 11 would block the process. Zstandard's results are no smaller, and fewer
browsers read it.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, Protocol

import brotli  # type: ignore[import-untyped]  # has no types
from flask import request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from service.process.fair_queue import paced

LEAST_BYTES = 1_400
"""Minimum size of a body that is coded for one answer: a shorter one fits into about one packet."""


AT_ONCE = 64 * 1024
"""Number of bytes that are coded before other requests get their turn."""


class _Compressor(Protocol):
    """A compressor of a body that comes in pieces."""

    def process(self, data: bytes) -> bytes: ...
    def finish(self) -> bytes: ...


class _Gzip:
    def __init__(self) -> None:
        self._stream = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)

    def process(self, data: bytes) -> bytes:
        return self._stream.compress(data)

    def finish(self) -> bytes:
        return self._stream.flush()


class _Coding(NamedTuple):
    quick: Callable[[bytes], bytes]
    """Compresses a body for a single answer."""
    thorough: Callable[[bytes], bytes]
    """Compresses a body that is kept; its result is equal in all processes."""
    streamed: Callable[[], _Compressor]
    """Returns a fast compressor for a body that is sent while it is generated."""


def _pieces(body: bytes) -> Iterator[bytes]:
    return paced(body[place : place + AT_ONCE] for place in range(0, len(body), AT_ONCE))


def _brotli(body: bytes, quality: int) -> bytes:
    coder = brotli.Compressor(quality=quality, lgblock=16)  # blocks of AT_ONCE bytes
    return b"".join([*map(coder.process, _pieces(body)), coder.finish()])


def _gzip(body: bytes, level: int) -> bytes:
    coder = zlib.compressobj(level, wbits=16 + zlib.MAX_WBITS)
    return b"".join([*map(coder.compress, _pieces(body)), coder.flush()])


_CODINGS = MappingProxyType(
    {
        "br": _Coding(
            lambda body: _brotli(body, 3),
            lambda body: _brotli(body, 9),
            lambda: brotli.Compressor(quality=1),
        ),
        "gzip": _Coding(
            lambda body: _gzip(body, 4),
            lambda body: _gzip(body, 9),
            _Gzip,
        ),
    }
)
"""The codings by their names in HTTP; if a caller likes two equally, the first is used."""


class _Wish(NamedTuple):
    coding: str | None
    """The coding that the caller likes best; None for a plain body."""
    takes_plain: bool


def chosen(size: int) -> str | None:
    """Return the coding for a body of ``size`` bytes; None for a plain body."""
    wish = _wish(request.headers.get("Accept-Encoding", ""))
    return wish.coding if size >= LEAST_BYTES or not wish.takes_plain else None


def wanted() -> str | None:
    """Return the coding that the caller would get for a long body."""
    return _wish(request.headers.get("Accept-Encoding", "")).coding


def takes_gzip() -> bool:
    """Whether the caller prefers gzip to a plain body, or takes either; ignores other codings."""
    found = parse_accept_header(request.headers.get("Accept-Encoding", ""), Accept)
    return found.quality("gzip") > 0 and found.quality("gzip") >= found.quality("identity")


def takes_plain() -> bool:
    """Whether the caller accepts a body without a coding."""
    return _wish(request.headers.get("Accept-Encoding", "")).takes_plain


@lru_cache(maxsize=128)
def _wish(accepted: str) -> _Wish:
    found = parse_accept_header(accepted, Accept)
    best = max(_CODINGS, key=found.quality)
    coded = found.quality(best) > 0 and found.quality(best) >= found.quality("identity")
    named = found.find("identity") >= 0  # without it, a plain body is acceptable
    return _Wish(best if coded else None, not named or found.quality("identity") > 0)


def quick(body: bytes, coding: str | None) -> bytes:
    """Return a body in ``coding``, compressed quickly because it is sent only once."""
    return body if coding is None else _CODINGS[coding].quick(body)


def thorough(body: bytes, coding: str | None) -> bytes:
    """Return a body in ``coding``, as small as possible.

    This is for bodies that are kept: the result is smaller than the result of ``quick``, but takes
    longer to make.
    """
    return body if coding is None else _CODINGS[coding].thorough(body)


def streamed(pieces: Iterable[bytes], coding: str | None) -> Iterator[bytes]:
    """Yield the pieces of a body in ``coding``, as soon as the input allows."""
    if coding is None:
        yield from pieces
        return
    compressor = _CODINGS[coding].streamed()
    for piece in pieces:
        if coded := compressor.process(piece):
            yield coded
    yield compressor.finish()


def etag_in(etag: str, coding: str | None) -> str:
    """Return the ETag of a body that is encoded with ``coding`` (None: not encoded).

    Each coding has an ETag of its own, because strong ETags must differ if the bytes differ.
    """
    return etag if coding is None else f"{etag}-{coding}"
