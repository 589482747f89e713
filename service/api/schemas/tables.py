"""Terms of tables: visibility, host, invitations, and rematches."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    MAX_SEAT,
    PLAYER,
    TIME,
    AnswerSchema,
    Flag,
    Items,
    RequestSchema,
    Text,
    described,
    text_field,
)
from service.ledger.terms import CHALLENGE_SECONDS, FIXED, PUBLIC, RANDOM, VISIBILITIES

MAX_TITLE = 80
MAX_TAGS = 5
TAG = "[a-z0-9][a-z0-9_-]{0,23}"
IS_TAG = re.compile(rf"{TAG}\Z")
TOKEN = "li_i-mfrggzdfmztwq2lk.c29tZSByYW5kb20gYnl0ZXM"  # noqa: S105 - an example
INVITATION = "i-mfrggzdfmztwq2lk"
DECLINE_REASONS = ("generic", "busy", "ruleset", "seats", "clock", "opponent")
"""The reasons for declining a challenge; the first is the default."""
_DAYS = 365 * 24 * 3600


def tag_field(text: str = "A tag.", **options: Any) -> ma.fields.String:
    """Return a field for a tag."""
    return ma.fields.String(
        validate=ma.validate.Regexp(
            IS_TAG, error="1 to 24 lower-case letters, digits, - and _, the first a letter or digit"
        ),
        metadata=described(text, pattern=f"^{TAG}$", example="casual"),
        **options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """The values that ``TableRequestSchema`` loads."""

    visibility: str = PUBLIC
    title: str | None = None
    tags: Sequence[str] = ()
    lobby_seconds: int | None = None
    seating: str = FIXED
    rated: bool = False
    challenge_seconds: int | None = None


PUBLIC_TABLE = TableRequest()
"""The default terms of a table."""


class TableRequestSchema(RequestSchema):
    """The terms of a table, without those of its game."""

    visibility = ma.fields.String(
        load_default=PUBLIC,
        validate=ma.validate.OneOf(VISIBILITIES),
        metadata=described(
            "In lists; for whoever has the id; or for seats, invited players and the host alone.",
            example="private",
        ),
    )
    title = Text(
        MAX_TITLE,
        allow_none=True,
        metadata=described(
            "The title that others see; left out, or null, there is none.", example="Tea"
        ),
    )
    tags = Items(
        tag_field(),
        validate=ma.validate.Length(max=MAX_TAGS),
        metadata=described("Words by which others can find the table.", example=["casual"]),
    )
    lobby_seconds = ma.fields.Integer(
        strict=True,
        allow_none=True,
        validate=ma.validate.Range(60, _DAYS),
        metadata=described(
            "The seconds after which a table that has not started is cancelled; at most"
            " `LONJA_TABLE_HOURS`, which it is if left out, or null.",
            example=3600,
        ),
    )
    seating = ma.fields.String(
        load_default=FIXED,
        validate=ma.validate.OneOf((FIXED, RANDOM)),
        metadata=described("`random`: who sits where is drawn at the start.", example="fixed"),
    )
    rated = Flag(
        load_default=False,
        metadata=described("Whether it counts for ratings: public, people alone, a seat each."),
    )
    challenge_seconds = ma.fields.Integer(
        strict=True,
        allow_none=True,
        validate=ma.validate.Range(10, 3600),
        metadata=described(
            f"The seconds for which seats are kept for challenged bots; left out, or null,"
            f" {CHALLENGE_SECONDS}.",
            example=60,
        ),
    )
    loads = TableRequest
    example = {"visibility": "private", "title": "Tea", "tags": ["casual"]}


class InvitationSchema(AnswerSchema):
    """An invitation, which opens a table to players."""

    id = text_field("Its id, which opens nothing.", example=INVITATION)
    seat = ma.fields.Integer(
        required=True, allow_none=True, metadata=described("The seat that it is to.", example=None)
    )
    uses = ma.fields.Integer(
        required=True,
        metadata=described("The number of players that the invitation lets in.", example=1),
    )
    used = ma.fields.Integer(
        required=True, metadata=described("The number of players that it has let in.", example=0)
    )
    created_at = text_field("The time when the invitation was made.", **TIME)
    expires_at = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The time when it ends, if it ends before the lobby."),
    )
    token = ma.fields.String(
        metadata=described("Opens the table; told with the answer to `invite` alone.")
    )
    example = {
        "id": INVITATION,
        "seat": None,
        "uses": 1,
        "used": 0,
        "created_at": AT,
        "expires_at": None,
        "token": TOKEN,
    }


class ChallengeSchema(AnswerSchema):
    """A seat that is kept for a bot account until the bot comes, declines, or is too late."""

    seat = ma.fields.Integer(required=True, metadata=described("The seat's number.", example=1))
    player = text_field("The bot account.", example=PLAYER)
    until = text_field("The time until which the seat is kept.", **TIME)
    instead = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The service's bot that then takes the seat; null: anybody may.", example="greedy"
        ),
    )
    declined = ma.fields.String(
        required=True,
        allow_none=True,
        validate=ma.validate.OneOf([*DECLINE_REASONS, None]),
        metadata=described("The reason for which the bot declined; null if it did not."),
    )
    example = {"seat": 1, "player": PLAYER, "until": AT, "instead": "greedy", "declined": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineRequest:
    """The values that ``DeclineRequestSchema`` loads."""

    reason: str


class DeclineRequestSchema(RequestSchema):
    """The reason for declining a challenge."""

    reason = ma.fields.String(
        load_default=DECLINE_REASONS[0],
        validate=ma.validate.OneOf(DECLINE_REASONS),
        metadata=described("Why the bot does not come; everybody at the table sees it."),
    )
    loads = DeclineRequest
    example = {"reason": "busy"}


class TableSchema(AnswerSchema):
    """A table's terms and people, without the data of its game."""

    host = ma.fields.String(
        required=True, allow_none=True, metadata=described("The player who hosts it now.")
    )
    visibility = text_field("Who can see the table.", enum=list(VISIBILITIES), example=PUBLIC)
    title = ma.fields.String(required=True, allow_none=True, metadata=described("Its title."))
    tags = ma.fields.List(
        ma.fields.String(), required=True, metadata=described("Its tags.", example=["casual"])
    )
    seating = text_field("The way in which seats are given.", enum=[FIXED, RANDOM], example=FIXED)
    rated = ma.fields.Boolean(
        required=True,
        metadata=described("Whether it counts for ratings, which is settled when it starts."),
    )
    rating_rule = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described(
            "The rule by which it counts, settled when it starts; 0, for its seats and its host"
            " alone: it was opened as rated and does not count, because two players came from one"
            " address."
        ),
    )
    lobby_until = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The time when the waiting table is cancelled, if it has a term.", **TIME
        ),
    )
    reserved = ma.fields.List(
        ma.fields.String(allow_none=True),
        required=True,
        metadata=described("The players for whom seats are kept; empty if none is kept."),
    )
    challenges = ma.fields.List(
        ma.fields.Nested(ChallengeSchema),
        required=True,
        metadata=described("The challenges with which the table was opened, by seat."),
    )
    invitations = ma.fields.List(
        ma.fields.Nested(InvitationSchema),
        required=True,
        metadata=described("The newest first; none are shown but to the host."),
    )
    rematch_of = ma.fields.String(
        required=True, allow_none=True, metadata=described("The game before, of a rematch.")
    )
    rematch = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of the rematch, once one was asked for."),
    )
    example = {
        "host": PLAYER,
        "visibility": PUBLIC,
        "title": "Tea",
        "tags": ["casual"],
        "seating": FIXED,
        "rated": False,
        "rating_rule": None,
        "lobby_until": None,
        "reserved": [],
        "challenges": [],
        "invitations": [],
        "rematch_of": None,
        "rematch": None,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """The values that ``HostRequestSchema`` loads."""

    seat: int


class HostRequestSchema(RequestSchema):
    """The new host of a table."""

    seat = ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(0, MAX_SEAT),
        metadata=described("The seat of that player.", example=1),
    )
    loads = HostRequest
    example = {"seat": 1}


def token_field(**options: Any) -> ma.fields.String:
    """Return a field for the token of an invitation."""
    return ma.fields.String(
        validate=ma.validate.Length(1, 200),
        metadata=described("The token of an invitation.", maxLength=200, example=TOKEN),
        **options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRequest:
    """The values that ``InvitationRequestSchema`` loads."""

    seat: int | None = None
    uses: int
    expires_in: int | None = None


class InvitationRequestSchema(RequestSchema):
    """The terms of an invitation."""

    seat = ma.fields.Integer(
        strict=True,
        allow_none=True,
        validate=ma.validate.Range(0, MAX_SEAT),
        metadata=described("The one seat that it is to; left out, or null, any.", example=1),
    )
    uses = ma.fields.Integer(
        strict=True,
        load_default=1,
        validate=ma.validate.Range(1, 100),
        metadata=described("The number of players that the invitation lets in.", example=1),
    )
    expires_in = ma.fields.Integer(
        strict=True,
        allow_none=True,
        validate=ma.validate.Range(60, _DAYS),
        metadata=described(
            "The seconds for which the invitation is good; left out, or null, it"
            " is good until the lobby ends, as all are.",
            example=86400,
        ),
    )
    loads = InvitationRequest
    example = {"uses": 1}
