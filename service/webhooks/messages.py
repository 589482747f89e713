"""Messages in the form of Standard Webhooks, and their signatures.

All messages are made here, and they are checked in the same way as the messages of streams.
"""

import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypedDict

import orjson

from service.ledger import notices
from service.ledger.notices import StoredNotice
from service.live.messages import READ, RESYNC, Form, Resync, UnfitMessageError, read

PING = "ping"


class PingData(TypedDict):
    """The ``data`` of a test message: the webhook that it tests."""

    webhook_id: str


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        **{kind: Form(body, without=("at",)) for kind, body in notices.BODIES.items()},
        RESYNC: Form(Resync),
        PING: Form(PingData),
    }
)
"""The ``data`` of each message, by its ``type``; the time of a notice is the ``timestamp``."""


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
    """Return the message of a notice.

    Raises UnfitMessageError if the notice's data do not have the form that its kind requires.
    """
    data = read(notice)
    return _message(f"{webhook_id}_{notice.id}", notice.kind, data.pop("at"), data)


def resync(webhook_id: str, cursor: str, at: str) -> Message:
    """Return the message about lost messages after ``cursor``."""
    return _message(f"{webhook_id}_{cursor}_{RESYNC}", RESYNC, at, Resync(read=READ))


def ping(webhook_id: str, ping_id: str, at: str) -> Message:
    """Return a test message."""
    return _message(f"{webhook_id}_{ping_id}", PING, at, PingData(webhook_id=webhook_id))


def _message(id_: str, type_: str, at: str, data: Mapping[str, object]) -> Message:
    if type_ not in FORMS:
        raise UnfitMessageError(f"no message is a {type_!r}")
    FORMS[type_].need(data)
    return Message(id_, type_, orjson.dumps({"type": type_, "timestamp": at, "data": data}))
