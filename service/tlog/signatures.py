"""Ed25519 signatures (RFC 8032), verified so that all verifiers answer the same.

RFC 8032 leaves open whether a verifier multiplies by the cofactor, and which keys it takes. Then
whoever chooses the key can make signatures on which two verifiers disagree, or that anybody could
have made. docs/format.md, "Receipts", says what is refused here.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_PRIME = (1 << 255) - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset((0, 1, _ORDER_8, _PRIME - _ORDER_8, _PRIME - 1, _PRIME, _PRIME + 1))
"""The y-coordinates of the eight points of small order, in all their encodings (5.1.3)."""


def is_weak(public_key: bytes) -> bool:
    """Whether ``public_key`` (32 bytes) is a point of small order, for which anybody can sign."""
    return int.from_bytes(public_key, "little") % (1 << 255) in _SMALL_ORDER


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether the holder of ``public_key`` made ``signature`` (64 bytes) under ``message``.

    False also if one of them has another length, or cannot be a signature or a key.
    """
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return not is_weak(public_key)
