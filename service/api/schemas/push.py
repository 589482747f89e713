"""Push subscriptions: browsers that show notifications."""

import re
from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from rules.kernel.contract.labels import LANGUAGES
from service.api.schemas.base import (
    AT,
    TIME,
    AnswerSchema,
    RequestSchema,
    described,
    text_field,
)
from service.outbound.targets import MAX_URL
from service.webhooks.push import AUTH_BYTES, PUBLIC_BYTES, public_key, raw_bytes
from service.webhooks.subscriptions import MAX_SUBSCRIPTIONS

SUBSCRIPTION = "d-mfrggzdfmztwq2lk"
PUBLIC_KEY = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
"""The browser's public key in RFC 8291, appendix A."""
_AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
_ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"


class _Bytes(ma.fields.Field[str]):
    """Bytes of a fixed number in base64url without padding, as browsers write them."""

    def __init__(self, length: int, text: str, example: str) -> None:
        characters = -(-length * 8 // 6)
        self._length = length
        self._pattern = f"[A-Za-z0-9_-]{{{characters}}}"
        super().__init__(
            required=True,
            metadata=described(
                text,
                type="string",
                example=example,
                pattern=f"^{self._pattern}$",
                minLength=characters,
                maxLength=characters,
            ),
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_options: Any) -> str:
        try:
            if not re.fullmatch(self._pattern, value):
                raise ValueError  # noqa: TRY301 - one refusal for all
            if self._length == PUBLIC_BYTES:
                public_key(raw_bytes(value))
        except (TypeError, ValueError):
            what = "a point of P-256" if self._length == PUBLIC_BYTES else "bytes"
            raise ma.ValidationError(f"must be {what}: {self._length} bytes in base64url") from None
        return str(value)


def _language(**options: Any) -> ma.fields.String:
    return ma.fields.String(
        validate=ma.validate.OneOf(LANGUAGES),
        metadata=described("The language of the notifications.", example="en"),
        **options,
    )


def _endpoint() -> ma.fields.String:
    return ma.fields.String(
        required=True,
        metadata=described(
            "The browser's address at its push service.", example=_ENDPOINT, maxLength=MAX_URL
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PushKeys:
    """The values that ``PushKeysSchema`` loads."""

    p256dh: str
    auth: str


class PushKeysSchema(RequestSchema):
    """A browser's keys, with which messages to it are encrypted (RFC 8291)."""

    p256dh = _Bytes(PUBLIC_BYTES, "The browser's public key.", PUBLIC_KEY)
    auth = _Bytes(AUTH_BYTES, "A secret of the browser.", _AUTH)
    loads = PushKeys
    example = {"p256dh": PUBLIC_KEY, "auth": _AUTH}


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSubscriptionRequest:
    """The values that ``PushSubscriptionRequestSchema`` loads."""

    endpoint: str
    keys: PushKeys
    language: str


class PushSubscriptionRequestSchema(RequestSchema):
    """A browser that is to show notifications: what its `PushManager` says."""

    endpoint = _endpoint()
    keys = ma.fields.Nested(
        PushKeysSchema, required=True, metadata=described("Its keys for messages.")
    )
    language = _language(load_default=LANGUAGES[0])
    loads = PushSubscriptionRequest
    example = {"endpoint": _ENDPOINT, "keys": PushKeysSchema.example, "language": "es"}


class PushSubscriptionSchema(AnswerSchema):
    """A browser that shows notifications; its keys are not shown."""

    id = text_field("Its id.", example=SUBSCRIPTION)
    endpoint = _endpoint()
    language = _language(required=True)
    created_at = text_field("Since when.", **TIME)
    example = {"id": SUBSCRIPTION, "endpoint": _ENDPOINT, "language": "es", "created_at": AT}


class PushSubscriptionListSchema(AnswerSchema):
    """The browsers of a player that show notifications."""

    application_server_key = text_field(
        "The service's public key, with which a browser subscribes (RFC 8292).",
        example=PUBLIC_KEY,
    )
    subscriptions = ma.fields.List(
        ma.fields.Nested(PushSubscriptionSchema),
        required=True,
        metadata=described(f"The oldest first; {MAX_SUBSCRIPTIONS} at most."),
    )
    example = {
        "application_server_key": PUBLIC_KEY,
        "subscriptions": [PushSubscriptionSchema.example],
    }
