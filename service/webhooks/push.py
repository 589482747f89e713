"""Messages to browsers: their encryption (RFC 8291) and the service's identification (RFC 8292).

The push service of a browser's vendor sees neither the text of a message nor its length.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

import py_vapid.jwt
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from redis import Redis

from service.outbound.targets import Target
from service.redis.keys import meta_key

PUSH_KEY = meta_key("push_key")
PUBLIC_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
_PRIVATE_BYTES = 32
_CURVE = SECP256R1()
_DEFAULT_PORTS = {"https": 443, "http": 80}
RECORD_BYTES = 4_096
"""The record size in a message's header; a message is one record, which is smaller (RFC 8291)."""
PADDED_BYTES = 640
"""Length of a text with its padding, so that its length says nothing; a longer one has none."""
TOKEN_SECONDS = 12 * 3_600
"""Time for which a message's token is valid; RFC 8292 allows a day."""


class PushKey:
    """The key by which push services know the installation, made once for its store (RFC 8292)."""

    def __init__(self, private_key: EllipticCurvePrivateKey) -> None:
        self._key = private_key
        self.text = _text(_point(private_key.public_key()))
        """The public key as browsers are given it: ``applicationServerKey``."""

    @classmethod
    def of(cls, redis: Redis) -> "PushKey":
        """Return the key of a store. The first process creates it."""
        # Checked first, because reads must go on while the store takes no writes.
        if not redis.exists(PUSH_KEY):
            number = generate_private_key(_CURVE).private_numbers().private_value
            redis.set(PUSH_KEY, number.to_bytes(_PRIVATE_BYTES), nx=True)
        raw = redis.get(PUSH_KEY)
        assert isinstance(raw, bytes)  # noqa: S101 - set just above
        return cls(derive_private_key(int.from_bytes(raw), _CURVE))

    def headers(self, target: Target, now: int, contact: str | None) -> Mapping[str, str]:
        """Return the header that identifies the service to a push service.

        ``now`` is in seconds since 1970; ``contact`` is a URL at which the operator is reached.
        """
        port = "" if _DEFAULT_PORTS[target.scheme] == target.port else f":{target.port}"
        host = f"[{target.host}]" if ":" in target.host else target.host
        claims = {"aud": f"{target.scheme}://{host}{port}", "exp": now + TOKEN_SECONDS}
        if contact is not None:
            claims["sub"] = contact
        return {"Authorization": f"vapid t={py_vapid.jwt.sign(claims, self._key)}, k={self.text}"}


def public_key(raw: bytes) -> EllipticCurvePublicKey:
    """Return the public key of a browser. Raises ValueError if it is no point of P-256."""
    if len(raw) != PUBLIC_BYTES:
        raise ValueError(f"{len(raw)} bytes")
    return EllipticCurvePublicKey.from_encoded_point(_CURVE, raw)


def encrypted(
    text: bytes,
    browser: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    private_key: EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return the body of a message to a browser, of one record (``aes128gcm``, RFC 8188).

    ``browser`` is the browser's public key and ``auth`` its secret. ``salt`` and ``private_key``
    are new for each message; only a test of the RFC's example gives them.

    Raises:
        ValueError: ``browser`` is no point of P-256.
    """
    key = private_key or generate_private_key(_CURVE)
    salt = salt or os.urandom(SALT_BYTES)
    own = _point(key.public_key())
    shared = key.exchange(ECDH(), public_key(browser))
    secret = _derived(shared, auth, b"WebPush: info\0" + browser + own, 32)
    content_key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    record = AESGCM(content_key).encrypt(nonce, text + b"\x02", None)
    return salt + RECORD_BYTES.to_bytes(4) + bytes([len(own)]) + own + record


def padded(text: bytes) -> bytes:
    """Return a JSON text with spaces behind it, up to PADDED_BYTES."""
    return text.ljust(PADDED_BYTES)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _point(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def raw_bytes(text: str) -> bytes:
    """Decode base64url without padding. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
