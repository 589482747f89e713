"""A browser that has subscribed to notifications, as far as a push service and a page see it."""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_bytes
from typing import Any

import http_ece
import orjson
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.receiver import Sent

Json = dict[str, Any]
_DAY = 24 * 3_600


def raw(text: str) -> bytes:
    """Decode base64url without padding."""
    assert "=" not in text
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


class PushedBrowser:
    """Decrypts what it is sent with the library of the specification's author."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = token_bytes(16)

    def subscription(self, endpoint: str, language: str = "en") -> Json:
        """Return the body with which a page subscribes."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": text(point), "auth": text(self._auth)}
        return {"endpoint": endpoint, "keys": keys, "language": language}

    def read(self, sent: Sent) -> Json:
        """Return the text of a message."""
        assert sent.headers["content-encoding"] == "aes128gcm"
        assert len(sent.body) <= 4096
        told = http_ece.decrypt(
            sent.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        found: Json = orjson.loads(told)
        return found


def identified(sent: Sent, application_server_key: str) -> Json:
    """Check who has sent a message (RFC 8292), as a push service does; return the claims."""
    scheme, _, parameters = sent.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    found = dict(one.strip().split("=", 1) for one in parameters.split(","))
    assert found["k"] == application_server_key
    signed, _, signature = found["t"].rpartition(".")
    header, claims = (orjson.loads(raw(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    r, s = (int.from_bytes(raw(signature)[at : at + 32]) for at in (0, 32))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(found["k"]))
    point.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    assert time.time() < claims["exp"] <= time.time() + _DAY
    return dict(claims)
