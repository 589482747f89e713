"""Players, their keys and tickets."""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    GAME,
    PLAYER,
    TIME,
    AnswerSchema,
    Flag,
    RequestSchema,
    Text,
    described,
    kind_field,
    text_field,
)
from service.api.schemas.ratings import PlayerRatingSchema
from service.ledger.kinds import PERSON
from service.players.keys import BOT_KEY, MAX_KEYS, MAX_SEAT_KEYS, SCOPES, SEAT
from service.players.refusals import KEPT, SHOWN

MAX_NAME = 60
MAX_DAYS = 3_660
_KEY = "lk_Zm9yIGRvY3VtZW50YXRpb24gb25seSwgbm8ga2V5"


def name_field(**options: Any) -> Text:
    """Return a field for a player's name."""
    return Text(
        MAX_NAME,
        metadata=described(
            "The name that others see. It is kept in the form NFC, with single"
            " spaces; nothing invisible is"
            " allowed in it (/docs/api).",
            example="Ana",
        ),
        **options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRequest:
    """The values that ``PlayerRequestSchema`` loads."""

    name: str
    kind: str = PERSON


class PlayerRequestSchema(RequestSchema):
    """A new player."""

    name = name_field(required=True)
    kind = kind_field(
        "The kind of player: a `person`, which it is if left out, or a program:"
        " `bot`. All see which."
    )
    loads = PlayerRequest
    example = {"name": "Ana"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRequest:
    """The values that ``ProfileRequestSchema`` loads."""

    name: str | None = None
    kind: str | None = None


class ProfileRequestSchema(RequestSchema):
    """The changes to the caller's profile."""

    name = name_field()
    kind = kind_field("`bot`: that you are a program, for good. `person` is refused of a program.")
    loads = ProfileRequest
    example = {"name": "Ana"}


class PlayerSchema(AnswerSchema):
    """An identity of a person or of a program."""

    id = text_field("The player's id.", example=PLAYER)
    name = text_field("The name that others see.", example="Ana")
    created_at = text_field("The time when the player was made.", **TIME)
    kind = kind_field("A person, or a program: `bot`.", required=True)
    example = {"id": PLAYER, "name": "Ana", "created_at": AT, "kind": PERSON}


class KnownPlayerSchema(PlayerSchema):
    """A player, with ratings."""

    ratings = ma.fields.List(
        ma.fields.Nested(PlayerRatingSchema),
        required=True,
        metadata=described("In each ruleset that was played rated."),
    )
    example = {**PlayerSchema.example, "ratings": []}


class NewPlayerSchema(PlayerSchema):
    """A new player, with the key, which is shown only once."""

    key = text_field(
        "Send it as `Authorization: Bearer <key>`. Only its hash is stored: keep it safe.",
        example=_KEY,
    )
    example = {**PlayerSchema.example, "key": _KEY}


def _scope(*more: str, told: str = "") -> ma.fields.Field[Any]:
    return ma.fields.String(
        required=True,
        validate=ma.validate.OneOf([*SCOPES, *more]),
        metadata=described(
            "The use of the key: to `read` what the player may see; also to `play`; also to"
            f" `host` games and tournaments; `full`: also keys, the name, and leaving.{told}",
            example="play",
        ),
    )


def _days(without: str) -> ma.fields.Field[Any]:
    return ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MAX_DAYS),
        metadata=described(f"The days for which the key is good; {without}", example=90),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRequest:
    """The values that ``KeyRequestSchema`` loads."""

    name: str
    scope: str
    days: int | None = None


class KeyRequestSchema(RequestSchema):
    """A new key."""

    name = Text(
        MAX_NAME, required=True, metadata=described("The purpose of the key.", example="my bot")
    )
    scope = _scope()
    days = _days("left out, it is good until it is revoked.")
    loads = KeyRequest
    example = {"name": "my bot", "scope": "play", "days": 90}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatKeyRequest:
    """The values that ``SeatKeyRequestSchema`` loads."""

    name: str
    days: int | None = None


class SeatKeyRequestSchema(RequestSchema):
    """A new seat key."""

    name = Text(
        MAX_NAME, required=True, metadata=described("The purpose of the key.", example="my page")
    )
    days = _days("left out, it is good until the game is over or it is revoked.")
    loads = SeatKeyRequest
    example = {"name": "my page"}


class KeySchema(AnswerSchema):
    """A key, without its text."""

    id = text_field("The key's id, which opens nothing.", example="y-mfrggzdfmztwq2lk")
    name = text_field("The purpose of the key.", example="my bot")
    scope = _scope(
        SEAT,
        BOT_KEY,
        told=" `seat`: to look and move as one seat of one game. `bot`: only to play, as a bot.",
    )
    created_at = text_field("The time when the key was made, or rotated.", **TIME)
    expires_at = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("From when on it opens nothing.", **TIME),
    )
    last_used_on = ma.fields.String(
        allow_none=True,
        metadata=described("In lists: the day; null before the first use.", example="2026-11-20"),
    )
    last_refused_at = ma.fields.String(
        allow_none=True,
        metadata=described(
            "In lists: when a request with it was last refused; null if not within the last day.",
            **TIME,
        ),
    )
    game_id = ma.fields.String(
        metadata=described("With the scope `seat`: the game's id.", example=GAME)
    )
    seat = ma.fields.Integer(
        metadata=described("With the scope `seat`: the seat's number.", example=0)
    )
    example = {
        "id": "y-mfrggzdfmztwq2lk",
        "name": "my bot",
        "scope": "play",
        "created_at": AT,
        "expires_at": None,
    }


class NewKeySchema(KeySchema):
    """A new key, with its text, which is shown only once."""

    key = text_field("Send it as `Authorization: Bearer <key>`.", example=_KEY)
    example = {**KeySchema.example, "key": _KEY}


class KeyListSchema(AnswerSchema):
    """All keys of a player."""

    keys = ma.fields.List(
        ma.fields.Nested(KeySchema),
        required=True,
        metadata=described(f"The oldest first; {MAX_KEYS} at most, and {MAX_SEAT_KEYS} for seats."),
    )
    example = {
        "keys": [{**KeySchema.example, "last_used_on": "2026-11-20", "last_refused_at": None}]
    }


class RefusedRequestSchema(AnswerSchema):
    """A request that was refused."""

    at = text_field("The time when the request was refused.", **TIME)
    method = text_field("The request's method; `other` for an unusual one.", example="POST")
    path = text_field(
        f"The request's path without the query, {SHOWN} characters at most. What looks like a key"
        " in it, or in `detail`, is left out.",
        example=f"/v1/games/{GAME}/moves",
    )
    status = ma.fields.Integer(
        required=True, metadata=described("The answer's status: 4xx.", example=409)
    )
    code = text_field("The problem's code; /docs/problems has them all.", example="not_your_turn")
    detail = text_field(
        f"The problem's sentence, {SHOWN} characters at most.", example="This seat is not asked"
    )
    request_id = text_field("The `X-Request-Id` of the answer.", example="3f1c9a52d0b84e6f")
    example = {
        "at": AT,
        "method": "POST",
        "path": f"/v1/games/{GAME}/moves",
        "status": 409,
        "code": "not_your_turn",
        "detail": "This seat is not asked",
        "request_id": "3f1c9a52d0b84e6f",
    }


class RefusedRequestListSchema(AnswerSchema):
    """The refused requests of a key."""

    refused_requests = ma.fields.List(
        ma.fields.Nested(RefusedRequestSchema),
        required=True,
        metadata=described(f"The newest first; {KEPT} at most."),
    )
    example = {"refused_requests": [RefusedRequestSchema.example]}


class MeSchema(PlayerSchema):
    """The caller, and the key that was sent."""

    key = ma.fields.Nested(KeySchema, required=True)
    example = {**PlayerSchema.example, "key": KeySchema.example}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveRequest:
    """The values that ``LeaveRequestSchema`` loads."""

    id: str
    resign: bool


class LeaveRequestSchema(RequestSchema):
    """A request to delete the caller's account."""

    id = ma.fields.String(
        required=True, metadata=described("Your own id: nothing of this is undone.", example=PLAYER)
    )
    resign = Flag(
        load_default=False,
        metadata=described("Whether to resign what is played and cancel what you hold."),
    )
    loads = LeaveRequest
    example = {"id": PLAYER, "resign": True}


class StreamTicketSchema(AnswerSchema):
    """A ticket that opens one stream, for clients that cannot send headers, such as browsers."""

    id = text_field("The ticket's id, which opens nothing.", example="k-mfrggzdfmztwq2lk")
    ticket = text_field(
        "Send it as `?ticket=`; it works once.", example="lt_c29tZSByYW5kb20gYnl0ZXM"
    )
    expires_in = ma.fields.Integer(
        required=True, metadata=described("The seconds for which the ticket is good.", example=60)
    )
    example = {
        "id": "k-mfrggzdfmztwq2lk", "ticket": "lt_c29tZSByYW5kb20gYnl0ZXM", "expires_in": 60,
    }  # fmt: skip
