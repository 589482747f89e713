"""Signatures of drand's chains: BLS on the curve BLS12-381 (draft-irtf-cfrg-bls-signature).

The message of round ``n`` is SHA-256 of ``n`` in 8 bytes, big-endian, so each round stands for
itself. Schemes whose message has the signature before are not checked, as a record does not have
it.
"""

from hashlib import sha256

from py_arkworks_bls12381 import GT, G1Point, G2Point

LONG, SHORT = "pedersen-bls-unchained", "bls-unchained-g1-rfc9380"
SCHEMES = (LONG, SHORT)
"""The schemes that are checked here: with signatures of 96 bytes (on G2), and of 48 bytes (on G1).
"""

_DOMAIN = "BLS_SIG_BLS12381{}_XMD:SHA-256_SSWU_RO_NUL_"
_ON_G1, _ON_G2 = _DOMAIN.format("G1").encode(), _DOMAIN.format("G2").encode()


def verifies(scheme: str, key: bytes, number: int, signature: bytes) -> bool | None:
    """Whether a public key has signed a round; None if the scheme is not among ``SCHEMES``."""
    if scheme not in SCHEMES:
        return None
    message = sha256(number.to_bytes(8)).digest()
    try:
        if scheme == LONG:
            return _is_long(_on_g1(key), message, _on_g2(signature))
        return _is_short(_on_g2(key), message, _on_g1(signature))
    except ValueError:
        return False


def is_key(scheme: str, key: bytes) -> bool:
    """Whether bytes are a public key of a scheme among ``SCHEMES``."""
    try:
        (_on_g1 if scheme == LONG else _on_g2)(key)
    except ValueError:
        return False
    return True


def _is_long(key: G1Point, message: bytes, signature: G2Point) -> bool:
    return GT.pairing_check([key, -G1Point()], [G2Point.hash_to_curve(message, _ON_G2), signature])


def _is_short(key: G2Point, message: bytes, signature: G1Point) -> bool:
    return GT.pairing_check([G1Point.hash_to_curve(message, _ON_G1), -signature], [key, G2Point()])


def _on_g1(octets: bytes) -> G1Point:
    """Return a point in its only compressed form, and not the zero. Raises ValueError."""
    point = G1Point.from_compressed_bytes(octets)
    if point == G1Point.identity() or bytes(point.to_compressed_bytes()) != octets:
        raise ValueError("not a point in its compressed form")
    return point


def _on_g2(octets: bytes) -> G2Point:
    """Return a point in its only compressed form, and not the zero. Raises ValueError."""
    point = G2Point.from_compressed_bytes(octets)
    if point == G2Point.identity() or bytes(point.to_compressed_bytes()) != octets:
        raise ValueError("not a point in its compressed form")
    return point
