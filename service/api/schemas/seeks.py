"""Seeks: wishes for a table with others, of whom the service matches those that suit."""

from dataclasses import dataclass
from typing import Any, ClassVar

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from service.api.schemas.base import (
    AT,
    GAME,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    Flag,
    RequestSchema,
    described,
    kinds_field,
    names_field,
    raw_object,
    text_field,
)
from service.api.schemas.games import MAX_SEATS, ClockSchema, options_field
from service.games.matching import ANYBODY, OPPONENTS
from service.games.seeks import MATCHED, SEEK_SECONDS, STATUSES
from service.ledger.kinds import PERSON

SEEK = "s-mfrggzdfmztwq2lk"
MAX_RATING = 10_000
MAX_SEEK_SECONDS = 3_600


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekRequest:
    """The values that ``SeekRequestSchema`` loads."""

    ruleset: str
    seats: int
    options: JsonObject
    clock: JsonObject | None = None
    rated: bool
    opponents: str
    min_rating: int | None = None
    max_rating: int | None = None
    seconds: int


def _rating(text: str, **options: Any) -> ma.fields.Integer:
    return ma.fields.Integer(
        strict=True,
        allow_none=True,
        validate=ma.validate.Range(0, MAX_RATING),
        metadata=described(text, example=1400),
        **options,
    )


_LEAST = "The least rating of the others in the ruleset; left out, or null, any."
_MOST = "The greatest rating of the others in the ruleset; left out, or null, any."


def _seats(**options: Any) -> ma.fields.Integer:
    return ma.fields.Integer(
        strict=True,
        required=True,
        metadata=described("The number of seats, each for one player.", example=3),
        **options,
    )


class SeekRequestSchema(RequestSchema):
    """A wish for a table."""

    ruleset = ma.fields.String(
        required=True, metadata=described("A ruleset's id.", example=RULESET)
    )
    seats = _seats(validate=ma.validate.Range(2, MAX_SEATS))
    options = options_field()
    clock = ma.fields.Nested(
        ClockSchema,
        metadata=described(
            "Left out, any: the others', or that of `LONJA_DECISION_SECONDS` if nobody wants one."
        ),
    )
    rated = Flag(
        load_default=False,
        metadata=described("Whether the game counts for ratings; then people alone are matched."),
    )
    opponents = ma.fields.String(
        load_default=ANYBODY,
        validate=ma.validate.OneOf(OPPONENTS),
        metadata=described("Whom the others may be: anybody, people alone, or programs alone."),
    )
    min_rating = _rating(_LEAST)
    max_rating = _rating(_MOST)
    seconds = ma.fields.Integer(
        strict=True,
        load_default=SEEK_SECONDS,
        validate=ma.validate.Range(30, MAX_SEEK_SECONDS),
        metadata=described("The seconds for which the seek waits.", example=SEEK_SECONDS),
    )
    loads = SeekRequest
    example = {"ruleset": RULESET, "seats": 3, "clock": {"decision_seconds": 60}}
    rules: ClassVar = {
        "if": {"properties": {"rated": {"const": True}}, "required": ["rated"]},
        "then": {"properties": {"opponents": {"enum": [ANYBODY, "people"]}}},
    }

    @ma.validates_schema
    def check_others(self, data: dict[str, Any], **_: Any) -> None:
        """Check that there can be somebody whom the seek is matched with."""
        if data["rated"] and data["opponents"] == "bots":
            raise ma.ValidationError("a rated table is for people", "opponents")
        least, most = data.get("min_rating"), data.get("max_rating")
        if least is not None and most is not None and least > most:
            raise ma.ValidationError("at least `min_rating`", "max_rating")
        if data["opponents"] == "bots" and (least is not None or most is not None):
            raise ma.ValidationError("programs have no ratings", "opponents")


class SeekSchema(AnswerSchema):
    """A seek that waits."""

    id = text_field("The seek's id.", example=SEEK)
    player = text_field("The player who seeks.", example=PLAYER)
    ruleset = text_field("The ruleset's id.", example=RULESET)
    seats = _seats()
    options = raw_object("All options of the game.", example={})
    clock = ma.fields.Nested(
        ClockSchema,
        required=True,
        allow_none=True,
        metadata=described("The clock of the game; null: any will do."),
    )
    rated = ma.fields.Boolean(
        required=True, metadata=described("Whether the game counts for ratings.")
    )
    opponents = text_field("Whom the others may be.", enum=list(OPPONENTS), example=ANYBODY)
    min_rating = _rating(_LEAST, required=True)
    max_rating = _rating(_MOST, required=True)
    since = text_field("The time since when the seek waits.", **TIME)
    until = text_field("The time until which it waits.", **TIME)
    example = {
        "id": SEEK, "player": PLAYER, "ruleset": RULESET, "seats": 3, "options": {},
        "clock": {"decision_seconds": 60}, "rated": False, "opponents": ANYBODY,
        "min_rating": None, "max_rating": None, "since": AT, "until": AT,
    }  # fmt: skip


class OwnSeekSchema(SeekSchema):
    """A seek of the caller, and what has become of it."""

    status = text_field(
        "Whether the seek waits, and how it ended: `matched` has a `game`, `refused` a `reason`;"
        " `cancelled` is also what another seek's game has ended.",
        enum=list(STATUSES),
        example=MATCHED,
    )
    game = ma.fields.String(
        required=True, allow_none=True, metadata=described("The game that it has found.")
    )
    reason = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The code of the problem for which it was refused.", example=None),
    )
    example = {**SeekSchema.example, "status": MATCHED, "game": GAME, "reason": None}


class SeekListSchema(AnswerSchema):
    """Seeks that wait, those that have waited longest first."""

    seeks = ma.fields.List(
        ma.fields.Nested(SeekSchema), required=True, metadata=described("The seeks.")
    )
    players = names_field()
    player_kinds = kinds_field()
    example = {
        "seeks": [SeekSchema.example], "players": {PLAYER: "Ana"}, "player_kinds": {PLAYER: PERSON}
    }  # fmt: skip
