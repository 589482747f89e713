"""Private packs: encrypted, read by ranges, and named by what is encrypted."""

import os
import random
from hashlib import sha256
from io import BytesIO

import pytest

from service.archive.pack import Pack, PackError, PackWriter, digest_in, is_private
from service.archive.private import (
    HEAD_BYTES,
    DecryptedSource,
    EncryptedFile,
    PrivateKeyError,
    decrypted,
    encrypted,
)
from tests.service.archive.packing import Bytes, kept_games, lines_of

KEY, OTHER = bytes(range(32)), b"\xff" * 32


def made(raw: bytes, key: bytes = KEY) -> tuple[str, bytes]:
    """Return the name and the bytes of a file in which these bytes were encrypted in pieces."""
    file, rng = BytesIO(), random.Random(1)
    out = EncryptedFile(file, key)
    at = 0
    while at < len(raw):
        size = rng.randint(1, 40)
        out.write(raw[at : at + size])
        at += size
    return out.name, file.getvalue()


def test_any_range_is_decrypted_as_it_was_written() -> None:
    raw, rng = os.urandom(1_000), random.Random(2)
    name, file = made(raw)
    assert (digest_in(name), is_private(name)) == (sha256(file).hexdigest(), True)
    assert decrypted(file, (OTHER, KEY)) == raw
    assert file[HEAD_BYTES:] != raw
    source = DecryptedSource(Bytes(file), (KEY,))
    for _ in range(200):
        offset, length = rng.randint(0, 1_010), rng.randint(0, 100)
        assert source.read(offset, length) == raw[offset : offset + length]
        assert source.tail(max(length, 1)) == (1_000, raw[-max(length, 1) :])
    assert source.tail(2_000) == (1_000, raw)


def test_equal_bytes_are_encrypted_differently_each_time() -> None:
    assert made(b"the same")[1][HEAD_BYTES:] != made(b"the same")[1][HEAD_BYTES:]
    assert encrypted(b"the same", (KEY, OTHER)) != encrypted(b"the same", (KEY, OTHER))
    assert decrypted(encrypted(b"the same", (KEY, OTHER)), (KEY,)) == b"the same"


def test_a_pack_in_it_is_read_as_any_pack() -> None:
    file = BytesIO()
    out = EncryptedFile(file, KEY)
    writer = PackWriter(out)
    for record in kept_games():
        writer.add(record.header, record.copies)
    writer.finish()
    bytes_ = Bytes(file.getvalue())
    pack = Pack(DecryptedSource(bytes_, (KEY,)))
    assert [*map(lines_of, map(pack.record, pack.rows))] == [*map(lines_of, kept_games())]
    assert bytes_.reads == 2 + len(pack.rows), "its head is read once"


def test_what_cannot_be_decrypted_is_told() -> None:
    _name, file = made(b"bytes")
    for keys in ((), (OTHER,)):
        with pytest.raises(PrivateKeyError, match="with the key 630dcd2966c43366, which LONJA_"):
            DecryptedSource(Bytes(file), keys).read(0, 5)
    with pytest.raises(PackError, match="does not begin as a private pack"):
        decrypted(b"lonja-private/2\n" + file[16:], (KEY,))
    with pytest.raises(PackError, match="does not begin as a private pack"):
        decrypted(file[:30], (KEY,))
    with pytest.raises(PrivateKeyError, match="LONJA_ARCHIVE_KEYS has no key"):
        encrypted(b"", ())
