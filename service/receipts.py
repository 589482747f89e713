"""Receipts: the service's signature under the head of a game (docs/format.md, "Receipts")."""

from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from redis import Redis

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.events import Event
from service.ledger.keys import meta_key

KEY_ID_LENGTH = 16


class Headed(Protocol):
    """A stream as of its newest event: a game, or a tournament."""

    id: str
    version: int
    head: bytes
    at: str


class Signer:
    """Signs heads with one Ed25519 key (RFC 8032), made once for an installation."""

    def __init__(self, private_key: Ed25519PrivateKey) -> None:
        self._key = private_key
        self.public_key = private_key.public_key().public_bytes_raw()
        self.key_id = digest(self.public_key).hex()[:KEY_ID_LENGTH]

    @classmethod
    def of(cls, redis: Redis) -> "Signer":
        """Return the installation's signer; the first process to ask makes its key."""
        name = meta_key("signing_key")
        redis.set(name, Ed25519PrivateKey.generate().private_bytes_raw(), nx=True)
        raw = redis.get(name)
        assert isinstance(raw, bytes)  # noqa: S101 - set just above
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    def receipt(self, game_id: str, event: Event, request: bytes | None) -> JsonObject:
        """Return the signed head after ``event``; ``request`` is the digest of what caused it."""
        return self._sign(game_id, event.seq, event.hash, event.at, request)

    def head(self, stream: Headed) -> JsonObject:
        """Return the signed head of a stream: a receipt that answers no request."""
        return self._sign(stream.id, stream.version, stream.head, stream.at, None)

    def _sign(
        self, game_id: str, seq: int, head: bytes, at: str, request: bytes | None
    ) -> JsonObject:
        receipt: JsonObject = {
            "game_id": game_id,
            "seq": seq,
            "hash": head.hex(),
            "at": at,
            "request": None if request is None else request.hex(),
            "key_id": self.key_id,
        }
        return {**receipt, "sig": self._key.sign(_signed(receipt)).hex()}


def is_genuine(receipt: JsonObject, public_key: bytes) -> bool:
    """Whether the holder of ``public_key`` (32 bytes) signed this receipt."""
    unsigned = {name: value for name, value in receipt.items() if name != "sig"}
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(
            bytes.fromhex(receipt["sig"]), _signed(unsigned)
        )
    except (InvalidSignature, KeyError, TypeError, ValueError):
        return False
    return True


def _signed(receipt: JsonObject) -> bytes:
    return encode(["lonja/1", "receipt", receipt])
