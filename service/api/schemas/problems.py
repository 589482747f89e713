"""Errors."""

import marshmallow as ma

from service.api.schemas.base import AnswerSchema, described, text_field
from service.problems import CODES


class ProblemSchema(AnswerSchema):
    """An error (RFC 9457). Its further members depend on `code`."""

    type = text_field("A URI for the kind of problem.", example="/docs/problems/illegal_move")
    title = text_field(
        "The kind of problem, in general, in the caller's language.",
        example="The rules refuse this move",
    )
    status = ma.fields.Integer(required=True, metadata=described("The HTTP status.", example=422))
    code = text_field(
        "A stable code; programs decide by it. `/docs/problems/{code}` explains it.",
        enum=sorted(CODES),
        example="illegal_move",
    )
    detail = text_field(
        "The problem with this request, for people.", example="the warehouse has no rum"
    )
    request_id = ma.fields.String(
        metadata=described(
            "The id of this request in the service's logs.", example="3f1c9a52d0b84e6f"
        )
    )
    errors = ma.fields.List(
        ma.fields.Raw(
            metadata=described(
                "A field's dotted path, what is wrong with it, and its value.",
                type="object",
                properties={
                    "field": {"type": "string"},
                    "message": {"type": "string"},
                    "value": {},
                },
                required=["field", "message", "value"],
            )
        ),
        metadata=described("Each field that is wrong (`invalid_body`, `invalid_query`, …)."),
    )
    reason = ma.fields.String(
        metadata=described("The rules' own code (`illegal_move`).", example="not_enough_goods")
    )
    label = ma.fields.String(
        metadata=described("The reason in the caller's language (`illegal_move`).")
    )
    details = ma.fields.Raw(
        metadata=described("The offending values (`illegal_move`).", type="object")
    )
    version = ma.fields.Integer(
        metadata=described("The game's version now (`stale_version`).", example=42)
    )
    events = ma.fields.List(
        ma.fields.Raw(metadata=described("An event.", type="object")),
        metadata=described("The events since `expected_version` (`stale_version`)."),
    )
    retry_after = ma.fields.Integer(
        metadata=described("Seconds to wait (`rate_limited`).", example=7)
    )
    scope = ma.fields.String(
        metadata=described(
            "What was counted: `key`, `address`, `sign_up` or `creation` (`rate_limited`);"
            " `key`, `player` or `address` (other limits).",
            example="address",
        )
    )
    since = ma.fields.String(
        metadata=described(
            "Since when (`banned`, `game_suspended`, `key_expired`).", format="date-time"
        )
    )
    needed_scope = ma.fields.String(
        metadata=described("The scope that a key must have (`insufficient_scope`).", example="host")
    )
    key_scope = ma.fields.String(
        metadata=described(
            "The scope of the key of this request (`insufficient_scope`).", example="play"
        )
    )
    limit = ma.fields.Integer(metadata=described("The bound that was passed.", example=65536))
    id = ma.fields.String(
        metadata=described(
            "The id of what the earlier request made (`already_answered`).",
            example="p-mfrggzdfmztwq2lk",
        )
    )

    example = {
        "type": "/docs/problems/illegal_move",
        "title": "The rules refuse this move",
        "status": 422,
        "code": "illegal_move",
        "detail": "the warehouse has no rum",
        "request_id": "3f1c9a52d0b84e6f",
        "reason": "not_enough_goods",
        "label": "You do not have that good.",
        "details": {"good": "rum"},
    }
