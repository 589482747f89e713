"""Analyses of finished games."""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

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
from service.games.analyses import DEFAULT_BOT, DONE, FAILED, QUEUED, RUNNING

STATES = (QUEUED, RUNNING, DONE, FAILED)
_BOT = "The bot that judges, with a budget of `nodes`."


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisQuery:
    """The values that ``AnalysisQuerySchema`` loads."""

    bot: str


class AnalysisQuerySchema(RequestSchema):
    """The bot and settings of an analysis."""

    bot = ma.fields.String(
        load_default=DEFAULT_BOT,
        validate=ma.validate.Length(1, 40),
        metadata=described(_BOT, example=DEFAULT_BOT),
    )
    loads = AnalysisQuery
    example = {"bot": DEFAULT_BOT}


class AnalysisRequestSchema(AnalysisQuerySchema):
    """The request for an analysis: the bot, and its settings."""


def _number(text: str, example: int) -> ma.fields.Field[Any]:
    return ma.fields.Integer(required=True, metadata=described(text, minimum=0, example=example))


def _list_of(what: type[AnswerSchema], text: str) -> ma.fields.Field[Any]:
    return ma.fields.List(ma.fields.Nested(what), required=True, metadata=described(text))


def _points(text: str) -> ma.fields.Field[Any]:
    return ma.fields.Integer(required=True, metadata=described(text, example=3400))


_MEASURED = {"mean": 3400, "error": 800}


class MeasuredSchema(AnswerSchema):
    """A mean and its standard error, in thousandths of a point."""

    mean = _points("The mean.")
    error = _points("Its standard error.")
    example = _MEASURED


class ExpectedAfterSchema(AnswerSchema):
    """The expected leads after an event."""

    seq = version_field("The event.")
    leads = _list_of(
        MeasuredSchema, "For each seat, its expected lead over the mean of the others."
    )
    example = {"seq": 6, "leads": [_MEASURED]}


class JudgedMoveSchema(AnswerSchema):
    """A move of a seat, judged from what the seat knew. Leads are in thousandths of a point."""

    seq = version_field("The event.")
    seat = seat_number("The seat that moved.")
    choices = _number("The number of legal moves.", 3)
    played = raw_object("The move.")
    best = raw_object("The move that the bot would have played.")
    lead = _points("The lead that the played move leads to.")
    best_lead = _points("The lead that the bot's move leads to, in the same worlds.")
    cost = _points("The difference between both leads.")
    error = _points("The standard error of that.")
    costly = ma.fields.Boolean(
        required=True, metadata=described("Whether it cost two errors or more.", example=True)
    )
    words = raw_object("By language, `played` and `best` in words.")
    example = {
        "seq": 7,
        "seat": 0,
        "choices": 3,
        "played": {"type": "drive_car", "steps": 3},
        "best": {"type": "drive_car", "steps": 2},
        "lead": -1200,
        "best_lead": 2200,
        "cost": 3400,
        "error": 800,
        "costly": True,
        "words": {"en": {"played": "Drive 3 stops", "best": "Drive 2 stops"}},
    }


class JudgedDrawSchema(AnswerSchema):
    """The effect of a draw on each seat."""

    seq = version_field("The event.")
    luck = _list_of(MeasuredSchema, "For each seat, how far the draw moved its lead.")
    example = {"seq": 8, "luck": [_MEASURED]}


class JudgedSeatSchema(AnswerSchema):
    """A seat's total cost over all its moves, and its total luck over all draws."""

    seat = seat_number("The seat.")
    luck = ma.fields.Nested(MeasuredSchema, required=True)
    cost = ma.fields.Nested(MeasuredSchema, required=True)
    costly = ma.fields.List(
        ma.fields.Integer(),
        required=True,
        metadata=described("The events whose moves cost it most, the costliest first."),
    )
    example = {"seat": 0, "luck": _MEASURED, "cost": _MEASURED, "costly": [7]}


class AnalysisResultSchema(AnswerSchema):
    """A bot's analysis of a game (/docs/bots)."""

    analysis = _number(
        "Raised when the same game gives other figures. 1 told leads as the bots' heuristic has"
        " them, which are no points.",
        2,
    )
    digest = hash_field("The digest of the code that judged.", required=True)
    lead_scale = ma.fields.List(
        ma.fields.Integer(),
        metadata=described(
            "The share of a lead that comes true (thousandths), for each third"
            " of the game; since 2."
        ),
    )
    expected = _list_of(ExpectedAfterSchema, "Each event that changed the game.")
    decisions = _list_of(JudgedMoveSchema, "Each move that left a choice.")
    draws = _list_of(JudgedDrawSchema, "Each draw.")
    seats = _list_of(JudgedSeatSchema, "Each seat.")
    example = {
        "analysis": 2,
        "digest": HASH,
        "lead_scale": [800, 760, 600],
        "expected": [],
        "decisions": [],
        "draws": [],
        "seats": [],
    }


class AnalysisSchema(AnswerSchema):
    """The progress of an analysis, and its result."""

    game_id = text_field("The game's id.", example=GAME)
    bot = text_field("The bot that judged.", example=DEFAULT_BOT)
    version = text_field("The bot's version.", example="1")
    state = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(STATES),
        metadata=described(
            "The state of the analysis; a `failed` one may be asked for again.", example=DONE
        ),
    )
    asked_at = text_field(
        "The time when the analysis was asked for.", example=AT, format="date-time"
    )
    rows = _number("The number of `steps` that are done.", 141)
    steps = _number("The number of events that change the game.", 141)
    detail = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The reason why the analysis failed; null if it did not.", example=None),
    )
    result = ma.fields.Nested(AnalysisResultSchema, required=True, allow_none=True)
    example = {
        "game_id": GAME,
        "bot": DEFAULT_BOT,
        "version": "1",
        "state": RUNNING,
        "asked_at": AT,
        "rows": 40,
        "steps": 141,
        "detail": None,
        "result": None,
    }
