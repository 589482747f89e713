"""Messages in the form of Standard Webhooks, and their signatures."""

import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from service.ledger.notices import StoredNotice

PING, RESYNC = "ping", "resync"


class Message(NamedTuple):
    """A message: its ``id`` is the same for every attempt."""

    id: str
    type: str
    body: bytes

    def headers(self, now: int, secrets: Iterable[bytes]) -> Mapping[str, str]:
        """Return the message's headers at ``now`` (seconds since 1970), signed with each secret."""
        signed = b"%s.%d." % (self.id.encode(), now) + self.body
        signatures = [
            f"v1,{b64encode(hmac.digest(secret, signed, 'sha256')).decode()}" for secret in secrets
        ]
        return {
            "Content-Type": "application/json",
            "webhook-id": self.id,
            "webhook-timestamp": str(now),
            "webhook-signature": " ".join(signatures),
        }


def told(webhook_id: str, notice: StoredNotice) -> Message:
    """Return the message of a notice."""
    data = orjson.loads(notice.body)
    return _message(f"{webhook_id}_{notice.id}", notice.kind, data.pop("at"), data)


def resync(webhook_id: str, cursor: str, at: str, read: str) -> Message:
    """Return the message about lost messages after ``cursor``."""
    return _message(f"{webhook_id}_{cursor}_{RESYNC}", RESYNC, at, {"read": read})


def ping(webhook_id: str, ping_id: str, at: str) -> Message:
    """Return a test message."""
    return _message(f"{webhook_id}_{ping_id}", PING, at, {"webhook_id": webhook_id})


def _message(id_: str, type_: str, at: str, data: JsonObject) -> Message:
    return Message(id_, type_, orjson.dumps({"type": type_, "timestamp": at, "data": data}))
