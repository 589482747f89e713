"""A live stream as one gzip member (RFC 1952), each piece of which can be read at once.

A piece is a run of deflate blocks (RFC 1951) that ends on a byte. It refers to itself and to the
message before it, and to nothing earlier, so streams that send the same message after the same one
send the same bytes: these are made once, for however many. A stream holds its last message, at most
WINDOW bytes, and no compressor.

The length of what is compressed tells how much of it repeats. So whoever can look at lengths, and
have text of his own sent beside a secret, could guess it piece by piece (CRIME, BREACH). Nobody can
do that here: players choose no text that a message of a game has, beside its opening and their
entropy, which come before anything is dealt; and what is more than one message ago is out of
reach. What repeats by itself would still show, so the pieces of a caller with a key are padded to
multiples of PADDED bytes.
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from struct import pack
from typing import NamedTuple

from service.live.hub import KEEP_ALIVE

WINDOW = 1 << 15
"""The most bytes that a block may refer back (RFC 1951, 2)."""
PADDED = 128
LEVEL = 4
"""A board's way of Macao, 563 kB: level 1 makes 165 kB of it at 16 µs a message, 4 156 at 17 and 6
150 at 19. With no message before 241; with eight, which streams share less often, 147 at 29.
"""
_SHARED, _LARGEST = 128, 1 << 16
"""So many pieces are kept for other streams, and none that is longer."""
_SILENCES = 4
"""After so many signs of life in a row, the message before them is referred to no more: streams of
a crowd do not get them at the same time.
"""
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_END = b"\3\0"
"""An empty last block."""
_FIVE, _SIX = b"\0\0\0\xff\xff", b"\2\0\0\0\xff\xff"
"""Blocks without content, five and six bytes long."""


class _Coded(NamedTuple):
    """A piece in deflate, and what the next one may refer to of it."""

    blocks: bytes
    last: bytes


def gzipped(pieces: Iterable[bytes], *, padded: bool) -> Iterator[bytes]:
    """Yield each piece of a stream as soon as it comes, and at the end what gzip ends with.

    Pieces are whole messages; ``padded`` ones are a multiple of PADDED bytes long. An empty piece
    stays empty.
    """
    crc = size = silences = 0
    before, header = b"", _HEADER
    for piece in pieces:
        if not piece:
            yield piece
            continue
        coded = (_coded if len(piece) <= _LARGEST else _compressed)(before, piece, padded=padded)
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        silences = silences + 1 if piece == KEEP_ALIVE else 0
        if not silences:
            before = coded.last
        else:
            before = before + piece if silences <= _SILENCES and before else b""
        yield header + coded.blocks
        header = b""
    yield header + _END + pack("<II", crc, size & 0xFFFFFFFF)


def _compressed(before: bytes, piece: bytes, *, padded: bool) -> _Coded:
    """Return a piece that follows the bytes ``before``."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=before[-WINDOW:])
    blocks = compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
    last = piece[piece.rfind(b"\n\n", 0, -2) + 2 :] if piece.count(b"\n\n") > 1 else piece
    return _Coded(blocks + _padding(-len(blocks) % PADDED) if padded else blocks, last[-WINDOW:])


_coded = lru_cache(_SHARED)(_compressed)


def _padding(size: int) -> bytes:
    """Return blocks without content of this size, or of PADDED more if there are none of it."""
    sixes = size % 5
    fives = (size - 6 * sixes) // 5
    return _padding(size + PADDED) if fives < 0 else _FIVE * fives + _SIX * sixes
