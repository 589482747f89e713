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
    rank = ma.fields.Integer(required=True, metadata=described("1 is best.", example=1))
    before = ma.fields.Float(required=True, metadata=described("The rating before it."))
    example = {
        "game": GAME, "at": AT, "rank": 1,
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
