"""A live stream as one gzip member (RFC 1952), each piece of which can be read at once.

A piece is a run of deflate blocks (RFC 1951) that ends on a byte boundary. Its blocks refer only to
the piece itself and to the message before it. So two streams that send the same two messages one
after the other send the same bytes for the second message: it is compressed once for all streams. A
stream keeps its last message (at most WINDOW bytes), but no compressor.

The length of a compressed text shows how much of it repeats earlier text. An attacker who sees the
lengths of messages, and can place a text of the attacker's own beside a secret, could guess the
secret piece by piece; the attacks CRIME and BREACH do that. It does not work here. Players choose
no text in a game's messages but their entropy, which is fixed before anything is dealt. Repetitions
between two messages would still show in the lengths, so the pieces for a caller with a key are
padded to multiples of PADDED bytes.
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from struct import pack
from typing import NamedTuple

from service.live.messages import KEEP_ALIVE

WINDOW = 1 << 15
"""Maximum distance, in bytes, that a block may refer back (RFC 1951, 2)."""
PADDED = 128
LEVEL = 4
"""The level of compression. Measured on a board's stream of a game of Macao, 563 kB:

| level | messages referred to | size after | time for a message |
|-------|----------------------|------------|--------------------|
| 1     | 1                    | 165 kB     | 16 µs              |
| 4     | 1                    | 156 kB     | 17 µs              |
| 6     | 1                    | 150 kB     | 19 µs              |
| 4     | 0                    | 241 kB     |                    |
| 4     | 8                    | 147 kB     | 29 µs              |

Two streams can share a piece only if the messages that it refers to are the same in both. For eight
messages, this is rare.
"""
_SHARED, _LARGEST = 128, 1 << 16
"""Maximum number of pieces that are kept for other streams, and the maximum size of each."""
_SILENCES = 4
"""Number of keep-alives in a row after which a piece refers to no earlier message.

Streams of one game get their keep-alives at different times, so they could not share such a piece.
"""
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_END = b"\3\0"
"""An empty block that is marked as the last one."""
_FIVE, _SIX = b"\0\0\0\xff\xff", b"\2\0\0\0\xff\xff"
"""Blocks without content, five and six bytes long."""


class _Coded(NamedTuple):
    """A compressed piece, and the last message of that piece, not compressed.

    The compressor of the next piece may refer back to that message.
    """

    blocks: bytes
    last: bytes


def gzipped(pieces: Iterable[bytes], *, padded: bool) -> Iterator[bytes]:
    """Yield each piece of a stream, compressed, as soon as it comes, and then gzip's trailer.

    A piece is one or more whole messages. If ``padded`` is true, each compressed piece is made
    longer until its length is a multiple of PADDED bytes. An empty piece stays empty.
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
    """Return ``piece``, compressed so that it continues a stream.

    ``before`` are the uncompressed bytes before it in the stream. The result may refer to them.
    """
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=before[-WINDOW:])
    blocks = compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
    last = piece[piece.rfind(b"\n\n", 0, -2) + 2 :] if piece.count(b"\n\n") > 1 else piece
    return _Coded(blocks + _padding(-len(blocks) % PADDED) if padded else blocks, last[-WINDOW:])


_coded = lru_cache(_SHARED)(_compressed)


def _padding(size: int) -> bytes:
    """Return empty blocks with a total size of ``size`` bytes.

    If no blocks have this total size, the total size is ``size`` + PADDED bytes.
    """
    sixes = size % 5
    fives = (size - 6 * sixes) // 5
    return _padding(size + PADDED) if fives < 0 else _FIVE * fives + _SIX * sixes
