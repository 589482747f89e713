"""Webhooks, and their deliveries."""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    TIME,
    AnswerSchema,
    Items,
    RequestSchema,
    described,
    text_field,
)
from service.outbound.asking import FAILURES
from service.outbound.targets import MAX_URL
from service.webhooks.records import (
    ATTEMPTS_KEPT,
    EVENTS,
    MAX_REDELIVERIES,
    MAX_WEBHOOKS,
    REASONS,
    SHOWN_BYTES,
)

_URL = "https://example.org/lonja"
WEBHOOK = "w-mfrggzdfmztwq2lk"
_MESSAGE = f"{WEBHOOK}_1764000000000-0"


def _url(**options: Any) -> ma.fields.String:
    return ma.fields.String(
        metadata=described("The URL that messages are sent to.", example=_URL, maxLength=MAX_URL),
        **options,
    )


def _events(**options: Any) -> ma.fields.Field[Any]:
    return Items(
        ma.fields.String(validate=ma.validate.OneOf(EVENTS)),
        validate=ma.validate.Length(min=1, max=len(EVENTS)),
        metadata=described("Of what it is told; `resync` comes to all.", example=["asked"]),
        **options,
    )


def _time(text: str) -> ma.fields.String:
    return ma.fields.String(required=True, allow_none=True, metadata=described(text, **TIME))


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookRequest:
    """The values that ``WebhookRequestSchema`` loads."""

    url: str
    events: list[str]


class WebhookRequestSchema(RequestSchema):
    """A new webhook."""

    url = _url(required=True)
    events = _events(load_default=list(EVENTS))
    loads = WebhookRequest
    example = {"url": _URL, "events": ["asked"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookChange:
    """The values that ``WebhookChangeSchema`` loads."""

    url: str | None = None
    events: list[str] | None = None
    enabled: bool | None = None


class WebhookChangeSchema(RequestSchema):
    """Changes to a webhook."""

    url = _url()
    events = _events()
    enabled = ma.fields.Boolean(
        truthy={True},
        falsy={False},
        metadata=described("Whether messages are sent; they go on where they were."),
    )
    loads = WebhookChange
    example = {"enabled": True}


class DisabledSchema(AnswerSchema):
    """The time since when a webhook sends no messages, and the reason."""

    at = text_field("Since when.", **TIME)
    reason = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(REASONS),
        metadata=described("The player asked; it failed for days; or it answered 410."),
    )
    example = {"at": AT, "reason": "failing"}


class WebhookSchema(AnswerSchema):
    """A URL that receives the notices of a player's games."""

    id = text_field("Its id.", example=WEBHOOK)
    url = _url(required=True)
    events = _events(required=True)
    created_at = text_field("The time when the webhook was made.", **TIME)
    disabled = ma.fields.Nested(
        DisabledSchema,
        required=True,
        allow_none=True,
        metadata=described("Null as long as it is not."),
    )
    failing_since = _time("Since when no attempt succeeded.")
    next_attempt_at = _time("The time of the next attempt, if the last one failed.")
    example = {
        "id": WEBHOOK, "url": _URL, "events": ["asked"], "created_at": AT, "disabled": None,
        "failing_since": None, "next_attempt_at": None,
    }  # fmt: skip


class NewWebhookSchema(WebhookSchema):
    """A new webhook, with its secret, which is shown only once."""

    secret = text_field(
        "Signs what is sent (Standard Webhooks).", example="whsec_c29tZSByYW5kb20gYnl0ZXM="
    )
    example = {**WebhookSchema.example, "secret": "whsec_c29tZSByYW5kb20gYnl0ZXM="}


class WebhookListSchema(AnswerSchema):
    """All webhooks of a player."""

    webhooks = ma.fields.List(
        ma.fields.Nested(WebhookSchema),
        required=True,
        metadata=described(f"The oldest first; {MAX_WEBHOOKS} at most."),
    )
    example = {"webhooks": [WebhookSchema.example]}


class PingSchema(AnswerSchema):
    """A test message that was sent."""

    id = text_field("Its `webhook-id`.", example=f"{WEBHOOK}_n-mfrggzdfmztwq2lk")
    example = {"id": f"{WEBHOOK}_n-mfrggzdfmztwq2lk"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeliveryRequest:
    """The values that ``RedeliveryRequestSchema`` loads."""

    first: str
    last: str | None = None


def _message_id(text: str, **options: Any) -> ma.fields.String:
    return ma.fields.String(
        validate=ma.validate.Length(1, 60),
        metadata=described(text, maxLength=60, example=_MESSAGE),
        **options,
    )


class RedeliveryRequestSchema(RequestSchema):
    """The messages to send once more."""

    first = _message_id("The `webhook-id` of the first.", required=True)
    last = _message_id("The `webhook-id` of the last; left out, the first is the only one.")
    loads = RedeliveryRequest
    example = {"first": _MESSAGE}


class RedeliverySchema(AnswerSchema):
    """The messages that are about to be sent once more."""

    ids = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described(
            f"Their `webhook-id`, which they keep; the oldest first, {MAX_REDELIVERIES} at most."
        ),
    )
    example = {"ids": [_MESSAGE]}


class DeliverySchema(AnswerSchema):
    """An attempt to send a message."""

    id = text_field("The message's `webhook-id`.", example=f"{WEBHOOK}_1764000000000-0")
    type = text_field("The message's type.", example="asked")
    at = text_field("The time of the attempt.", **TIME)
    attempt = ma.fields.Integer(
        required=True,
        metadata=described("The number of the attempt for this message, from 1.", example=1),
    )
    delivered = ma.fields.Boolean(required=True, metadata=described("Whether it was answered 2xx."))
    status = ma.fields.Integer(
        required=True, allow_none=True, metadata=described("The answer's status.", example=204)
    )
    error = ma.fields.String(
        required=True,
        allow_none=True,
        validate=ma.validate.OneOf([*FAILURES, None]),
        metadata=described(
            "The reason why there was no answer; `refused`: the address is not public."
        ),
    )
    answer = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            f"The answer's first {SHOWN_BYTES} bytes as text, without control characters; null if"
            " there was no answer. A stranger wrote it."
        ),
    )
    milliseconds = ma.fields.Integer(
        required=True, metadata=described("The milliseconds that the attempt took.", example=31)
    )
    next_attempt_at = _time("The time when this message is sent again, if it is.")
    example = {
        "id": f"{WEBHOOK}_1764000000000-0", "type": "asked", "at": AT, "attempt": 1,
        "delivered": True, "status": 204, "error": None, "answer": "", "milliseconds": 31,
        "next_attempt_at": None,
    }  # fmt: skip


class DeliveryListSchema(AnswerSchema):
    """The delivery attempts of a webhook."""

    deliveries = ma.fields.List(
        ma.fields.Nested(DeliverySchema),
        required=True,
        metadata=described(f"The newest first; {ATTEMPTS_KEPT} at most."),
    )
    example = {"deliveries": [DeliverySchema.example]}
