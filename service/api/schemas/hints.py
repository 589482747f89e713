"""Hints."""

from dataclasses import dataclass

import marshmallow as ma

from rules.kernel.contract.seats import Seat
from service.api.schemas.analyses import STATES, MeasuredSchema
from service.api.schemas.base import (
    AT,
    GAME,
    HASH,
    AnswerSchema,
    RequestSchema,
    described,
    hash_field,
    raw_object,
    text_field,
    version_field,
)
from service.api.schemas.play import seat_number
from service.api.schemas.receipts import ReceiptSchema
from service.games.analyses import DONE
from service.games.hints import BOT


@dataclass(frozen=True, slots=True, kw_only=True)
class HintRequest:
    """The values that ``HintRequestSchema`` loads."""

    seat: Seat


_ESTIMATE = {"mean": 2200, "error": 400}


class HintRequestSchema(RequestSchema):
    """The seat that asks for a hint."""

    seat = seat_number("A seat that the caller holds.")
    loads = HintRequest
    example = {"seat": 0}


class HintMoveSchema(AnswerSchema):
    """A move, and what it is expected to bring, in thousandths of a point."""

    move = raw_object("The move.")
    label = text_field("The move in the caller's language.", example="Drive 2 stops")
    lead = ma.fields.Nested(
        MeasuredSchema,
        required=True,
        metadata=described("The seat's expected lead over the mean of the others."),
    )
    cost = ma.fields.Nested(
        MeasuredSchema,
        required=True,
        metadata=described(
            "By how much that is less than the lead of the first move; if below zero, more."
        ),
    )
    example = {
        "move": {"type": "drive_car", "steps": 2},
        "label": "Drive 2 stops",
        "lead": _ESTIMATE,
        "cost": {"mean": 0, "error": 0},
    }


class HintResultSchema(AnswerSchema):
    """The bot's move and its alternatives, estimated from what the seat knew when it was asked."""

    hint = ma.fields.Integer(
        required=True,
        metadata=described("Raised when the same position gives other figures.", example=1),
    )
    digest = hash_field("The digest of the code of the bot.", required=True)
    choices = ma.fields.Integer(
        required=True, metadata=described("The number of legal moves.", minimum=1, example=3)
    )
    moves = ma.fields.List(
        ma.fields.Nested(HintMoveSchema),
        required=True,
        metadata=described(
            "The bot's move, then the best of the others, at most three. All were tried in the same"
            " guesses, other ones than those in which the bot chose."
        ),
    )
    example = {"hint": 1, "digest": HASH, "choices": 3, "moves": [HintMoveSchema.example]}


class HintSchema(AnswerSchema):
    """A hint for a decision of a seat."""

    game_id = text_field("The game's id.", example=GAME)
    seat = ma.fields.Integer(required=True, metadata=described("The seat.", example=0))
    decision = version_field("The decision's `id`.")
    bot = text_field("The bot that is asked.", example=BOT)
    version = text_field("The bot's version.", example="1")
    state = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(STATES),
        metadata=described("A `failed` hint may be asked for again.", example=DONE),
    )
    asked_at = text_field("The time when it was asked for.", example=AT, format="date-time")
    current = ma.fields.Boolean(
        required=True,
        metadata=described(
            "Whether the decision is still open, and the bot's move legal.", example=True
        ),
    )
    detail = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The reason why there is no hint; null unless it failed.", example=None),
    )
    result = ma.fields.Nested(HintResultSchema, required=True, allow_none=True)
    example = {
        "game_id": GAME,
        "seat": 0,
        "decision": 6,
        "bot": BOT,
        "version": "1",
        "state": DONE,
        "asked_at": AT,
        "current": True,
        "detail": None,
        "result": HintResultSchema.example,
    }


class AskedHintSchema(HintSchema):
    """A hint, with the receipt of the request for it if that is in the record of the game."""

    receipt = ma.fields.Nested(
        ReceiptSchema,
        required=True,
        allow_none=True,
        metadata=described(
            "For the event `hinted` by which everybody sees that the seat has asked; null where the"
            " request led to no event."
        ),
    )
    example = {**HintSchema.example, "receipt": None}
