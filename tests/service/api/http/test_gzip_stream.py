"""Compressed streams: each piece can be read at once, is compressed once for all, and is padded."""

import gzip
import random
import zlib
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from service.api.http import gzip_stream
from service.api.http.gzip_stream import PADDED, gzipped
from service.live.messages import KEEP_ALIVE, RETRY


def message(seq: int, rng: random.Random) -> bytes:
    told = {"seq": seq, "hash": rng.randbytes(32).hex(), "words": [f"Yellow takes {seq % 7} rum"]}
    return b"id: %d\ndata: %s\n\n" % (seq, orjson.dumps(told))


def history(seed: int, count: int = 60) -> list[bytes]:
    """Return pieces as a stream sends them: pages, messages, keep-alives, and waits."""
    rng = random.Random(seed)
    pieces = [RETRY + b"".join(message(seq, rng) for seq in range(rng.choice((1, 3, 900))))]
    for seq in range(count):
        kind = rng.randrange(8)
        if kind == 0:
            pieces += [KEEP_ALIVE] * rng.randrange(1, 9)
        elif kind == 1:
            pieces.append(b"")
        else:
            pieces.append(b"".join(message(seq + at, rng) for at in range(rng.choice((1, 1, 4)))))
    return pieces


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_each_piece_can_be_read_as_soon_as_it_comes(seed: int, *, padded: bool) -> None:
    pieces = history(seed)
    decoder = zlib.decompressobj(wbits=31)
    coded = [*gzipped(pieces, padded=padded)]
    for plain, sent in zip(pieces, coded, strict=False):
        assert decoder.decompress(sent) == plain
        assert bool(sent) == bool(plain)
    assert gzip.decompress(b"".join(coded)) == b"".join(pieces)
    decoder.decompress(coded[-1])
    assert decoder.eof


def test_a_stream_that_tells_nothing_is_good_too() -> None:
    assert gzip.decompress(b"".join(gzipped([], padded=False))) == b""


def test_what_a_caller_with_a_key_gets_has_round_lengths() -> None:
    first, *others = (sent for sent in [*gzipped(history(1), padded=True)][:-1] if sent)
    assert {len(sent) % PADDED for sent in others} == {0}
    assert len(first) % PADDED == len(gzip_stream._HEADER)
    rng = random.Random(3)
    alike = (RETRY, b'data: {"card": "ace of cups"}\n\n', b'data: {"card": "ace of cups"}\n\n')
    other = (RETRY, b'data: {"card": "ace of cups"}\n\n', message(99_999, rng)[:30] + b"\n\n")
    told = [[len(sent) for sent in gzipped(pieces, padded=True)] for pieces in (alike, other)]
    assert told[0] == told[1], "that the same card came again does not show"


def test_a_message_is_compressed_once_for_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever each stream began, and whatever keep-alives it got."""
    rng, made = random.Random(7), list[int]()
    messages = [message(seq, rng) for seq in range(40)]
    compressobj = zlib.compressobj

    def counted(*about: Any, **more: Any) -> Any:
        made.append(1)
        return compressobj(*about, **more)

    monkeypatch.setattr(zlib, "compressobj", counted)
    gzip_stream._coded.cache_clear()

    def follower(number: int) -> Iterator[bytes]:
        begin = number % 10
        yield RETRY + b"".join(messages[begin:20])
        for at in range(20, 40):
            yield from [KEEP_ALIVE] * (at % 2 and number % 3)
            yield bytes(bytearray(messages[at]))  # an equal but different object

    crowd = [gzipped(follower(number), padded=False) for number in range(1000)]
    taken = [0]
    for number, stream in enumerate(crowd):
        decoder = zlib.decompressobj(wbits=31)
        found = b"".join(map(decoder.decompress, stream))
        taken.append(len(made))
        assert found.endswith(messages[-1])
        assert found.count(b"\ndata: ") == 40 - number % 10
    assert len(made) < 150, "ten beginnings, and three ways to each message"
    assert taken[-1] == taken[100]
