"""Packs of games that are not for everybody: encrypted, and for the service's eyes alone.

Such a file has a head, and then the bytes of a pack, encrypted by AES-256 in counter mode, so that
ranges of it can be read (docs/format.md, "Private packs"). Its name is the SHA-256 of the file: who
copies or scrubs it needs no key. That nothing was changed is said by this name, and by the hashes
of the events in its records.
"""

import os
from collections.abc import Sequence
from hashlib import sha256
from typing import IO

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from service.archive.pack import PRIVATE_SUFFIX, PackError, Source

_MAGIC = b"lonja-private/1\n"
_KEY_ID_BYTES = 8
_BLOCK_BYTES = 16
HEAD_BYTES = len(_MAGIC) + _KEY_ID_BYTES + _BLOCK_BYTES


class PrivateKeyError(PackError):
    """A private pack cannot be read with the keys of this process; the message says why."""


Keys = Sequence[bytes]
"""The keys of an installation, of 32 bytes each: the first one encrypts, all decrypt."""


def key_of(keys: Keys) -> bytes:
    """Return the key that encrypts. Raises PrivateKeyError if there is none."""
    if not keys:
        raise PrivateKeyError("LONJA_ARCHIVE_KEYS has no key to encrypt it with")
    return keys[0]


class EncryptedFile:
    """Encrypts what is written into a file; ``name`` is that of the file so far."""

    def __init__(self, file: IO[bytes], key: bytes) -> None:
        counter = os.urandom(_BLOCK_BYTES)
        self._file = file
        self._cipher = _cipher(key, counter, 0)
        self._made = sha256()
        self._put(_MAGIC + _id_of(key) + counter)

    @property
    def name(self) -> str:
        """The name of the private pack with these bytes."""
        return f"{self._made.hexdigest()}{PRIVATE_SUFFIX}"

    def write(self, raw: bytes) -> int:
        """Encrypt bytes, and write them. Raises OSError."""
        self._put(self._cipher.update(raw))
        return len(raw)

    def _put(self, raw: bytes) -> None:
        self._file.write(raw)
        self._made.update(raw)


class DecryptedSource:
    """The bytes of the pack that is encrypted in a file, a ``Source``."""

    def __init__(self, source: Source, keys: Keys) -> None:
        self._source = source
        self._keys = keys
        self._head = b""

    def tail(self, length: int) -> tuple[int, bytes]:
        """Return the pack's size, and its last ``length`` bytes. Raises OSError, PackError."""
        size, raw = self._source.tail(length + HEAD_BYTES)
        begin = max(size - len(raw), HEAD_BYTES)
        raw = raw[begin - (size - len(raw)) :][-length:]
        inner = size - HEAD_BYTES
        return inner, self._decrypted(raw, inner - len(raw))

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes of the pack. Raises OSError, PackError."""
        return self._decrypted(self._source.read(offset + HEAD_BYTES, length), offset)

    def _decrypted(self, raw: bytes, offset: int) -> bytes:
        self._head = self._head or self._source.read(0, HEAD_BYTES)
        key, counter = _read_head(self._head, self._keys)
        return _cipher(key, counter, offset).update(raw)


def encrypted(raw: bytes, keys: Keys) -> bytes:
    """Return a private file with this plaintext. Raises PrivateKeyError if there is no key."""
    key, counter = key_of(keys), os.urandom(_BLOCK_BYTES)
    return _MAGIC + _id_of(key) + counter + _cipher(key, counter, 0).update(raw)


def decrypted(raw: bytes, keys: Keys) -> bytes:
    """Return the plaintext of a private file. Raises PackError."""
    key, counter = _read_head(raw[:HEAD_BYTES], keys)
    return _cipher(key, counter, 0).update(raw[HEAD_BYTES:])


def _read_head(head: bytes, keys: Keys) -> tuple[bytes, bytes]:
    """Return the key and the first counter of a file. Raises PackError."""
    if len(head) < HEAD_BYTES or not head.startswith(_MAGIC):
        raise PackError("it does not begin as a private pack does")
    begin = len(_MAGIC) + _KEY_ID_BYTES
    id_ = head[len(_MAGIC) : begin]
    key = next((key for key in keys if _id_of(key) == id_), None)
    if key is None:
        raise PrivateKeyError(
            f"it is encrypted with the key {id_.hex()}, which LONJA_ARCHIVE_KEYS does not have"
        )
    return key, head[begin:]


def _id_of(key: bytes) -> bytes:
    return sha256(key).digest()[:_KEY_ID_BYTES]


def _cipher(key: bytes, counter: bytes, offset: int) -> CipherContext:
    """Return the cipher for the bytes from ``offset`` on; it encrypts and decrypts alike."""
    blocks, within = divmod(offset, _BLOCK_BYTES)
    first = (int.from_bytes(counter) + blocks) % 2 ** (8 * _BLOCK_BYTES)
    found = Cipher(algorithms.AES(key), modes.CTR(first.to_bytes(_BLOCK_BYTES))).encryptor()
    found.update(bytes(within))
    return found
