"""Rulesets with their moves and options."""

import marshmallow as ma

from service.api.schemas.base import (
    EDITION,
    HASH,
    RULESET,
    AnswerSchema,
    described,
    raw_object,
    text_field,
)


def _perhaps(description: str, example: int) -> ma.fields.Integer:
    """A number that a ruleset need not say."""
    return ma.fields.Integer(
        required=True, allow_none=True, metadata=described(description, example=example)
    )


class StrengthSchema(AnswerSchema):
    """A bot's strength in a game, as it was measured (/docs/bots)."""

    against = text_field("The weaker bot on all other seats.", example="greedy")
    seats = ma.fields.Integer(required=True, metadata=described("How many there are.", example=2))
    games = ma.fields.Integer(required=True, metadata=described("Games played.", example=106))
    points = ma.fields.Float(
        required=True, metadata=described("The share of opponents ranked behind it.", example=0.679)
    )
    example = {"against": "greedy", "seats": 2, "games": 106, "points": 0.679}


class BotSchema(AnswerSchema):
    """A bot that may hold a seat."""

    name = text_field("The name by which a seat asks for the bot.", example="greedy")
    title = text_field("The bot's name for people; `name` if it has none.", example="Lola")
    version = text_field("The bot's version, which events name.", example="1")
    settings = raw_object(
        "The bot's settings in this game, unless the seat says otherwise.", example={}
    )
    level = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described(
            "The bot's strength, from 1 to 5 (/docs/bots); null if it is not known.", example=2
        ),
    )
    decision_ms = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described(
            "About how many milliseconds of a processor a decision takes that leaves a choice, in"
            " the median of the slowest game; null if nobody has said.",
            example=2,
        ),
    )
    strength = ma.fields.Nested(
        StrengthSchema,
        required=True,
        allow_none=True,
        metadata=described("How strong it is in this game; null if that was not measured."),
    )
    queue = text_field(
        "The queue whose workers run the bot: `live` answers at once; bots on"
        " `heavy` wait for each other.",
        example="live",
    )
    kind = text_field(
        "`house`: a bot of Lonja; `module`: Python code that the operator installed; `engine`: a"
        " stranger's program, which the service runs in a sandbox (/docs/engines); `program`: one"
        " that the operator trusts, without a sandbox.",
        example="house",
    )
    example = {
        "name": "greedy",
        "title": "Lola",
        "strength": None,
        "version": "2",
        "settings": {},
        "level": 2,
        "decision_ms": 2,
        "queue": "live",
        "kind": "house",
    }


class RulesetSummarySchema(AnswerSchema):
    """A ruleset in the catalogue."""

    id = text_field("The ruleset's id.", example=RULESET)
    version = text_field("The version that new games get.", example="1.0.0")
    title = text_field("Its title in the caller's language.", example="Santiago de Cuba")
    titles = raw_object("Its title by language.", example={"en": "Santiago de Cuba"})
    designer = text_field("The designer of the board game.", example="Michael Rieneck")
    year = ma.fields.Integer(
        required=True,
        metadata=described("The year in which the board game came out.", example=2011),
    )
    min_seats = ma.fields.Integer(
        required=True, metadata=described("The fewest seats it has.", example=2)
    )
    max_seats = ma.fields.Integer(
        required=True, metadata=described("The most seats it has.", example=4)
    )
    stage = text_field("How complete the rules are.", example="complete")
    digest = text_field("SHA-256 over the code and data that decide play.", example=HASH)
    about = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "What it is about, in the caller's language; null if nobody has said.",
            example="All share one car.",
        ),
    )
    min_minutes = _perhaps("The fewest minutes that a game with people takes.", 40)
    max_minutes = _perhaps("The most minutes.", 75)
    weight = _perhaps("How much there is to learn, from 1 (very light) to 5 (very heavy).", 2)
    picture = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("SHA-256 of the document `picture`; null: there is none.", example=HASH),
    )
    first_game = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "SHA-256 of the document `first_game`, the steps of a first game that is led by the"
            " hand; null: there is none.",
            example=HASH,
        ),
    )
    example = {
        "id": RULESET,
        "version": "1.0.0",
        "title": "Santiago de Cuba",
        "titles": {"en": "Santiago de Cuba", "es": "Santiago de Cuba"},
        "designer": "Michael Rieneck",
        "year": 2011,
        "min_seats": 2,
        "max_seats": 4,
        "stage": "complete",
        "digest": HASH,
        "about": "All share one car.",
        "min_minutes": 40,
        "max_minutes": 75,
        "weight": 2,
        "picture": HASH,
        "first_game": HASH,
    }


class RulesetListSchema(AnswerSchema):
    """All rulesets."""

    rulesets = ma.fields.List(
        ma.fields.Nested(RulesetSummarySchema), required=True, metadata=described("In order of id.")
    )
    example = {"rulesets": [RulesetSummarySchema.example]}


class RulesetSchema(RulesetSummarySchema):
    """A ruleset with all that a client needs to set up and show a game."""

    table_version = ma.fields.Integer(
        required=True,
        metadata=described("Of the standard of its documents (/docs/api/table).", example=1),
    )
    versions = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described("The versions whose games can be played here.", example=["1.0.0"]),
    )
    languages = ma.fields.List(
        ma.fields.String(), required=True, metadata=described("Of `labels`.", example=["en", "es"])
    )
    max_decisions = ma.fields.Integer(
        required=True, metadata=described("No game has more decisions.", example=8000)
    )
    max_events = ma.fields.Integer(
        required=True, metadata=described("No game has more events.", example=9000)
    )
    options = raw_object("JSON Schema of each option by name, with default and description.")
    moves = raw_object("JSON Schema of each move type by name; `secret` ones are sealed.")
    effects = raw_object(
        "JSON Schema of each effect's data by type, in the caller's language; with its `audience`."
    )
    view = raw_object("JSON Schema of what a viewer is shown (`state`), in the caller's language.")
    error_codes = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described("All values of `reason` in an `illegal_move`."),
    )
    end_reasons = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described("The reasons for which a game can end."),
    )
    bots = ma.fields.List(
        ma.fields.Nested(BotSchema), required=True, metadata=described("The bots on offer.")
    )
    lead_scale = raw_object(
        "How much of the leads that bots see comes true: by the number of seats, for an `analysis`"
        " and for `thoughts`, a factor in thousandths for each third of a game (/docs/bots)."
    )
    labels = raw_object("Words and templates by key, in the caller's language.")
    editions = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described("The editions of the tables on offer.", example=[EDITION]),
    )
    data = raw_object("The data tables: `edition`, `digest` and `tables`.")
    documents = raw_object(
        "SHA-256 of each document (null: there is none): `board`, `first_game`, `labels`,"
        " `picture`, `renderer`, `rules` by language."
    )
    example = {
        **RulesetSummarySchema.example,
        "table_version": 1,
        "versions": ["1.0.0"],
        "languages": ["en", "es"],
        "max_decisions": 8000,
        "max_events": 9000,
        "options": {
            "turn_limit": {"type": "integer", "default": 400, "description": "When it ends."}
        },
        "moves": {"pass_loading": {"type": "object", "secret": False}},
        "effects": {"goods_taken": {"type": "object", "audience": "public"}},
        "view": {"type": "object"},
        "error_codes": ["not_your_decision"],
        "end_reasons": ["seventh_ship"],
        "bots": [BotSchema.example],
        "lead_scale": {"2": {"analysis": [800, 760, 600], "thoughts": [760, 720, 600]}},
        "labels": {"good.rum": "rum"},
        "editions": [EDITION],
        "data": {"edition": EDITION, "digest": HASH, "tables": {}},
        "documents": {
            "board": HASH,
            "first_game": HASH,
            "labels": HASH,
            "picture": HASH,
            "renderer": None,
            "rules": {"en": HASH, "es": HASH},
        },
    }
