"""Receipts: the service's signature under the head of a game (docs/format.md, "Receipts")."""

from collections.abc import Callable, Sequence
from typing import Protocol

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode, encode_known
from rules.kernel.record.events import Event
from rules.kernel.record.requests import request_digest
from service.redis.keys import SIGNING_KEY
from service.tlog.signatures import is_signed

log = structlog.get_logger(__name__)

KEY_ID_LENGTH = 16
RECEIPT = frozenset(("game_id", "seq", "hash", "at", "request", "idempotency_key", "key_id", "sig"))
"""The fields of a receipt."""
PSEUDONYM_KEY = "pseudonym_key"
"""A further field of a receipt, if the game is not public: the key of its pseudonym in the log."""


class SignableStream(Protocol):
    """A game or a tournament, with its newest event."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def head(self) -> bytes: ...

    @property
    def at(self) -> str: ...


class Signer:
    """Signs heads with one Ed25519 key (RFC 8032), made once for an installation.

    The store holds the key; a process caches it, and reads it again from time to time.
    """

    def __init__(self, private_key: Ed25519PrivateKey) -> None:
        self._hold(private_key)

    def _hold(self, private_key: Ed25519PrivateKey) -> None:
        self._key = private_key
        self.public_key = private_key.public_key().public_bytes_raw()
        self.key_id = key_id_of(self.public_key)

    @classmethod
    def of(cls, redis: Redis) -> "Signer":
        """Return the installation's signer. The first process creates its key."""
        return cls(_stored(redis, otherwise=Ed25519PrivateKey.generate))

    def look_again(self, redis: Redis) -> None:
        """Adopt the store's current key.

        If the store was emptied, it gets the key that this signer has in memory, so that receipts
        signed with that key stay valid for this installation. A different key in the store means
        that the store was replaced.
        """
        own = self._key.private_bytes_raw()
        if redis.get(SIGNING_KEY) == own:
            return
        stored = _stored(redis, otherwise=lambda: self._key)
        if stored.private_bytes_raw() == own:
            log.error("signing_key_restored", key_id=self.key_id)
            return
        before = self.key_id
        self._hold(stored)
        log.error("signing_key_changed", key_id=self.key_id, before=before)

    def receipt(
        self,
        game_id: str,
        batch: Sequence[Event],
        idempotency_key: str | None,
        pseudonym_key: bytes | None = None,
    ) -> JsonObject:
        """Return the signed head after ``batch``, as the answer to one request.

        ``idempotency_key`` is the key of that request; None if it had none. ``pseudonym_key`` opens
        the pseudonym of a game that is not public.
        """
        last = batch[-1]
        request = request_digest(batch, idempotency_key, encode_known)
        asked = request, idempotency_key
        return self._sign(game_id, last.seq, last.hash, last.at, *asked, pseudonym_key)

    def head(self, stream: SignableStream, pseudonym_key: bytes | None = None) -> JsonObject:
        """Return the signed head of a stream: a receipt that answers no request."""
        head = stream.id, stream.version, stream.head, stream.at
        return self._sign(*head, pseudonym_key=pseudonym_key)

    def _sign(
        self,
        game_id: str,
        seq: int,
        head: bytes,
        at: str,
        request: bytes | None = None,
        idempotency_key: str | None = None,
        pseudonym_key: bytes | None = None,
    ) -> JsonObject:
        receipt: JsonObject = {
            "game_id": game_id,
            "seq": seq,
            "hash": head.hex(),
            "at": at,
            "request": None if request is None else request.hex(),
            "idempotency_key": idempotency_key,
            "key_id": self.key_id,
        }
        if pseudonym_key is not None:
            receipt[PSEUDONYM_KEY] = pseudonym_key.hex()
        return {**receipt, "sig": self._key.sign(_signed(receipt, encode_known)).hex()}


def _stored(redis: Redis, otherwise: Callable[[], Ed25519PrivateKey]) -> Ed25519PrivateKey:
    """Return the signing key in the store; if there is none, store and return ``otherwise()``."""
    # Checked first, because reads must go on while the store takes no writes.
    if not redis.exists(SIGNING_KEY):
        redis.set(SIGNING_KEY, otherwise().private_bytes_raw(), nx=True)
    raw = redis.get(SIGNING_KEY)
    assert isinstance(raw, bytes)  # noqa: S101 - set just above
    return Ed25519PrivateKey.from_private_bytes(raw)


def key_id_of(public_key: bytes) -> str:
    """Return the short name of a key, as in receipts."""
    return digest(public_key).hex()[:KEY_ID_LENGTH]


def is_genuine(receipt: JsonObject, public_key: bytes) -> bool:
    """Whether the holder of ``public_key`` (32 bytes) signed exactly this receipt.

    A key for which anybody can sign has no holder.
    """
    unsigned = {name: value for name, value in receipt.items() if name != "sig"}
    try:
        signature = bytes.fromhex(receipt["sig"])
        genuine = is_signed(_signed(unsigned), signature, public_key)
    except (KeyError, TypeError, ValueError):
        return False
    return genuine and bool(signature.hex() == receipt["sig"])


def _signed(receipt: JsonObject, write: Callable[[object], bytes] = encode) -> bytes:
    return write([FORMAT, "receipt", receipt])
