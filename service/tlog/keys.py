"""Keys that verify notes (c2sp.org/signed-note), with Ed25519 (RFC 8032).

Logs sign the text of a note. Witnesses sign it together with the time (c2sp.org/tlog-cosignature,
version 1), so that a co-signature says when they saw it.
"""

import base64
import binascii
from enum import IntEnum
from hashlib import sha256
from typing import NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.errors import TlogError
from service.tlog.signatures import is_signed, is_weak

KEY_ID_BYTES = 4
_PUBLIC_KEY_BYTES = 32
TIME_BYTES = 8
_LATEST = (1 << 63) - 1


class Algorithm(IntEnum):
    """The types of signatures that are understood here; the value is the type's byte."""

    ED25519 = 0x01
    COSIGNATURE_V1 = 0x04


class Signature(NamedTuple):
    """A signature of a note: the key's name and id, and the bytes that its algorithm defines."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The line of the signature in a note, with its line feed."""
        return f"— {self.name} {to_base64(self.key_id + self.value)}\n"


class VerifierKey(NamedTuple):
    """A key that verifies signatures made under ``name``; ``public_key`` has 32 bytes."""

    name: str
    algorithm: Algorithm
    public_key: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the form ``NAME+ID+KEY`` ("Verifier keys").

        Raises:
            TlogError: it is no such key, a weak one, or one of another algorithm.
        """
        name, key_id, encoded = [*text.split("+", 2), "", ""][:3]
        material = from_base64(encoded)
        if not is_name(name) or len(material) != 1 + _PUBLIC_KEY_BYTES:
            raise TlogError(f"{text!r:.200} is no verifier key NAME+ID+KEY")
        if material[0] not in [*Algorithm]:
            raise TlogError(f"{text!r:.200} is a key for signatures of the type {material[0]:#04x}")
        if is_weak(material[1:]):
            raise TlogError(f"{text!r:.200} is a weak key: anybody can sign for it")
        key = cls(name, Algorithm(material[0]), material[1:])
        if key.id.hex() != key_id:
            raise TlogError(f"{text!r:.200} has the id {key_id!r:.20}, and {key.id.hex()} is right")
        return key

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(self._material)}"

    @property
    def id(self) -> bytes:
        """The first four bytes of a hash over name and key; not enough to trust a key by."""
        return sha256(self.name.encode() + b"\n" + self._material).digest()[:KEY_ID_BYTES]

    @property
    def _material(self) -> bytes:
        return bytes([self.algorithm]) + self.public_key

    def verify(self, text: str, signature: Signature) -> int | None:
        """Check a signature by this key under the text of a note.

        Return the time of a co-signature (seconds since 1970); None for other signatures.

        Raises:
            TlogError: the key did not sign this.
        """
        at, value, message = None, signature.value, text.encode()
        if self.algorithm is Algorithm.COSIGNATURE_V1:
            at = int.from_bytes(value[:TIME_BYTES], "big")
            value, message = value[TIME_BYTES:], _cosigned(text, at)
        if not is_signed(message, value, self.public_key):
            raise TlogError(f"the signature of {self} is wrong")
        if at is not None and at > _LATEST:
            raise TlogError(f"{self} has signed at {at}, later than any time")
        return at


def sign(text: str, name: str, private_key: Ed25519PrivateKey) -> Signature:
    """Sign the text of a note under ``name`` ("Ed25519 signatures")."""
    key = _verifier(name, Algorithm.ED25519, private_key)
    return Signature(name, key.id, private_key.sign(text.encode()))


def cosign(text: str, name: str, private_key: Ed25519PrivateKey, at: int) -> Signature:
    """Sign the text of a checkpoint as a witness that has seen it at ``at`` (seconds since 1970).

    This states that no larger tree of this log was seen by then, and that it contains all that the
    witness has signed before. The name is not signed: one key must not have two names.
    """
    key = _verifier(name, Algorithm.COSIGNATURE_V1, private_key)
    value = at.to_bytes(TIME_BYTES, "big") + private_key.sign(_cosigned(text, at))
    return Signature(name, key.id, value)


def is_name(name: str) -> bool:
    """Whether a key may have this name: not empty, and without spaces, controls and pluses."""
    return bool(name) and not any(char <= " " or char == "+" or char.isspace() for char in name)


def to_base64(data: bytes) -> str:
    """Return the standard form with padding (RFC 4648, section 4)."""
    return base64.b64encode(data).decode()


def from_base64(text: str) -> bytes:
    """Read what ``to_base64`` writes, and nothing else.

    Raises:
        TlogError: it is something else.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise TlogError(f"{text!r:.200} is not base64") from None
    if to_base64(data) != text:
        raise TlogError(f"{text!r:.200} is not base64 as it is written for {data.hex():.200}")
    return data


def _verifier(name: str, algorithm: Algorithm, private_key: Ed25519PrivateKey) -> VerifierKey:
    if not is_name(name):
        raise TlogError(f"{name!r:.200} is no name of a key: it has a space or a plus, or nothing")
    return VerifierKey(name, algorithm, private_key.public_key().public_bytes_raw())


def _cosigned(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()
