"""Ratings of people."""

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    GAME,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    described,
    kinds_field,
    names_field,
    next_after_field,
    text_field,
)


class _StrengthSchema(AnswerSchema):
    rating = ma.fields.Float(required=True, metadata=described("1500 at first.", example=1579.1))
    deviation = ma.fields.Float(
        required=True, metadata=described("The rating's standard deviation.")
    )
    provisional = ma.fields.Boolean(required=True, metadata=described("Whether that is large."))


class PlayerRatingSchema(_StrengthSchema):
    """A player's rating in a ruleset (/docs/api/host)."""

    player = text_field("The player's id.", example=PLAYER)
    ruleset = text_field("The ruleset's id.", example=RULESET)
    games = ma.fields.Integer(required=True, metadata=described("That counted.", example=1))
    example = {
        "player": PLAYER, "ruleset": RULESET, "games": 1,
        "rating": 1579.1, "deviation": 242.0, "provisional": True,
    }  # fmt: skip


class PlayerRatingListSchema(AnswerSchema):
    """A page of the ratings of a ruleset's players."""

    ratings = ma.fields.List(
        ma.fields.Nested(PlayerRatingSchema),
        required=True,
        metadata=described("By `rating` - 2 `deviation`, the best first."),
    )
    players = names_field()
    player_kinds = kinds_field()
    next_cursor = ma.fields.String(
        required=True, allow_none=True, metadata=described("`cursor` of the next page.")
    )
    example = {"ratings": [], "players": {}, "player_kinds": {}, "next_cursor": None}


class RatedGameSchema(_StrengthSchema):
    """A rated game, and the rating after it."""

    game = text_field("The game's id.", example=GAME)
    at = text_field("The time when the game ended.", **TIME)
    weight = ma.fields.Float(
        required=True,
        metadata=described("1/n for the n-th game of the same players in 30 days.", example=1.0),
    )
    rank = ma.fields.Integer(required=True, metadata=described("1 is best.", example=1))
    before = ma.fields.Float(required=True, metadata=described("The rating before it."))
    example = {
        "game": GAME, "at": AT, "weight": 1.0, "rank": 1,
        "before": 1500.0, "rating": 1579.1, "deviation": 242.0, "provisional": True,
    }  # fmt: skip


class RatingHistorySchema(AnswerSchema):
    """The history of a rating."""

    rating = ma.fields.Nested(PlayerRatingSchema, required=True)
    games = ma.fields.List(
        ma.fields.Nested(RatedGameSchema), required=True, metadata=described("The oldest first.")
    )
    next_after = next_after_field("`after` of the next page.")
    example = {"rating": PlayerRatingSchema.example, "games": [], "next_after": None}


class ExactRatingSchema(AnswerSchema):
    """A rating with all its stored digits."""

    rating = ma.fields.Float(required=True, metadata=described("The mean.", example=1579.056942))
    deviation = ma.fields.Float(required=True, metadata=described("The standard deviation."))
    example = {"rating": 1500.0, "deviation": 250.0}


class CountedSeatSchema(AnswerSchema):
    """A seat of a rated game."""

    player = text_field("The player's id.", example=PLAYER)
    rank = ma.fields.Integer(required=True, metadata=described("1 is best.", example=1))
    before = ma.fields.Nested(ExactRatingSchema, required=True)
    after = ma.fields.Nested(ExactRatingSchema, required=True)
    example = {
        "player": PLAYER, "rank": 1, "before": ExactRatingSchema.example,
        "after": {"rating": 1579.056942, "deviation": 242.012397},
    }  # fmt: skip


class CountedGameSchema(AnswerSchema):
    """A rated game that counted, with all that its effect follows from (/docs/api/host)."""

    game = text_field("The game's id.", example=GAME)
    at = text_field("The time when the game ended.", **TIME)
    rule = ma.fields.Integer(
        required=True,
        metadata=described("The rule of its weight: 1, each game weighs 1; 2, it weighs 1/n."),
    )
    number = ma.fields.Integer(
        required=True,
        metadata=described("n: its number among the games of the same players in 30 days."),
    )
    weight = ma.fields.Float(required=True, metadata=described("The weight.", example=1.0))
    seats = ma.fields.List(
        ma.fields.Nested(CountedSeatSchema), required=True, metadata=described("By seat.")
    )
    example = {
        "game": GAME, "at": AT, "rule": 2, "number": 1, "weight": 1.0,
        "seats": [CountedSeatSchema.example],
    }  # fmt: skip


class CountedGameListSchema(AnswerSchema):
    """A page of the rated games that counted."""

    games = ma.fields.List(
        ma.fields.Nested(CountedGameSchema),
        required=True,
        metadata=described("In the order in which they counted."),
    )
    next_after = next_after_field("`after` of the next page.")
    example = {"games": [CountedGameSchema.example], "next_after": None}
