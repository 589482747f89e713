"""Acts of admins, and their journal."""

from dataclasses import dataclass

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    GAME,
    TIME,
    AnswerSchema,
    RequestSchema,
    Text,
    described,
    kinds_field,
    names_field,
    text_field,
)

MAX_REASON = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRequest:
    """The values that ``ActRequestSchema`` loads."""

    reason: str


class ActRequestSchema(RequestSchema):
    """The reason of an act."""

    reason = Text(
        MAX_REASON,
        required=True,
        metadata=described(
            "What happened: for the journal and the log, and for no record of a game.",
            example="a bot plays on seat 1",
        ),
    )
    loads = ActRequest
    example = {"reason": "a bot plays on seat 1"}


class AdminSchema(AnswerSchema):
    """An admin's key."""

    id = text_field("The key's id, which opens nothing.", example="a-mfrggzdfmztwq2lk")
    name = text_field("The name of the key's holder, in records and in the journal.", example="ana")
    created_at = text_field("The time when the key was made.", **TIME)
    expires_at = text_field("From when on it opens nothing.", **TIME)
    example = {"id": "a-mfrggzdfmztwq2lk", "name": "ana", "created_at": AT, "expires_at": AT}


class AdminActSchema(AnswerSchema):
    """An act that an admin has requested, as an entry of the journal."""

    id = text_field("The act's id.", example="x-mfrggzdfmztwq2lk")
    at = text_field("The time when the act was asked for.", **TIME)
    by = text_field("The admin's name.", example="ana")
    key = text_field("The id of the key; `host` for who needed none.", example="a-mfrggzdfmztwq2lk")
    act = text_field("The act.", example="suspend_game")
    subject = text_field("The id of what it is about.", example=GAME)
    reason = text_field("The reason.", example="a bot plays on seat 1")
    example = {
        "id": "x-mfrggzdfmztwq2lk",
        "at": AT,
        "by": "ana",
        "key": "a-mfrggzdfmztwq2lk",
        "act": "suspend_game",
        "subject": GAME,
        "reason": "a bot plays on seat 1",
    }


class ActListSchema(AnswerSchema):
    """A page of the journal, oldest first."""

    acts = ma.fields.List(
        ma.fields.Nested(AdminActSchema),
        required=True,
        metadata=described("The acts that were asked for."),
    )
    players = names_field()
    player_kinds = kinds_field()
    next_after = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The `after` of the next page; null at the end.", example=None),
    )
    example = {
        "acts": [AdminActSchema.example],
        "players": {},
        "player_kinds": {},
        "next_after": None,
    }
