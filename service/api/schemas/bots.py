"""Bot accounts."""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    MAX_SEAT,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    Flag,
    Items,
    RequestSchema,
    Text,
    described,
    text_field,
)
from service.api.schemas.players import MAX_NAME, NewKeySchema, PlayerSchema, name_field
from service.games.bot_record import COUNTED
from service.ledger.kinds import BOT
from service.players.bot_accounts import DECLARED, MAX_BOTS, MAX_CONCURRENCY, MAX_VERSIONS_SHOWN

MAX_VERSION = 40
MAX_PAGE = 300
_URL = r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-;=?-~]*)?"
_MAX_TAKES = 50
_MAX_NUMBERS = 20
_OWNER = "p-oruw2zlsnfxgo2ls"
_TAKES = {"ruleset": RULESET, "seats": [2, 3]}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakesRequest:
    """The values that ``TakesRequestSchema`` loads."""

    ruleset: str
    seats: list[int]


def _ruleset() -> ma.fields.String:
    return ma.fields.String(
        required=True,
        validate=ma.validate.Length(1, 60),
        metadata=described("The ruleset's id.", example=RULESET, maxLength=60),
    )


def _numbers() -> ma.fields.Field[Any]:
    return Items(
        ma.fields.Integer(strict=True, validate=ma.validate.Range(1, MAX_SEAT)),
        required=True,
        validate=ma.validate.Length(1, _MAX_NUMBERS),
        metadata=described("The numbers of seats.", example=[2, 3]),
    )


class TakesRequestSchema(RequestSchema):
    """A ruleset that a bot plays, and the numbers of seats."""

    ruleset = _ruleset()
    seats = _numbers()
    loads = TakesRequest
    example = _TAKES


def _version(**options: Any) -> Text:
    text = "The name of the version, as the owner says it."
    return Text(MAX_VERSION, metadata=described(text, example="1.0"), **options)


def _author(**options: Any) -> Text:
    text = "The name of the bot's author; left out, or null: it is not told."
    return Text(MAX_NAME, metadata=described(text, example="Ana"), **options)


def _page(**options: Any) -> ma.fields.String:
    return ma.fields.String(
        validate=[
            ma.validate.Length(1, MAX_PAGE),
            ma.validate.Regexp(_URL + r"\Z", error="a URL such as https://example.org/bot"),
        ],
        metadata=described(
            "A page about the bot, by http or https; left out, or null: there is none.",
            example="https://example.org/bot",
            maxLength=MAX_PAGE,
            pattern=f"^{_URL}$",
        ),
        **options,
    )


def _takes(schema: type[ma.Schema], **options: Any) -> ma.fields.Field[Any]:
    return Items(
        ma.fields.Nested(schema),
        validate=ma.validate.Length(1, _MAX_TAKES),
        metadata=described("The rulesets and numbers of seats that the bot takes."),
        **options,
    )


def _concurrency(**options: Any) -> ma.fields.Integer:
    return ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MAX_CONCURRENCY),
        metadata=described("The number of questions that the bot answers at once.", example=4),
        **options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAccountRequest:
    """The values that ``BotAccountRequestSchema`` loads."""

    name: str
    version: str
    takes: list[TakesRequest]
    author: str | None
    page: str | None
    concurrency: int


class BotAccountRequestSchema(RequestSchema):
    """A new bot account."""

    name = name_field(required=True)
    version = _version(required=True)
    takes = _takes(TakesRequestSchema, required=True)
    author = _author(allow_none=True, load_default=None)
    page = _page(allow_none=True, load_default=None)
    concurrency = _concurrency(load_default=1)
    loads = BotAccountRequest
    example = {"name": "Robbie", "version": "1.0", "takes": [_TAKES]}


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAccountChange:
    """The values that ``BotAccountChangeSchema`` loads."""

    name: str | None = None
    version: str | None = None
    takes: list[TakesRequest] | None = None
    author: str | None = None
    page: str | None = None
    concurrency: int | None = None


class BotAccountChangeSchema(RequestSchema):
    """Changes to a bot account; what is left out stays as it is."""

    name = name_field()
    version = _version()
    takes = _takes(TakesRequestSchema)
    author = _author(allow_none=True)
    page = _page(allow_none=True)
    concurrency = _concurrency()
    loads = BotAccountChange
    example = {"version": "1.1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAccountDeletion:
    """The values that ``BotAccountDeletionSchema`` loads."""

    id: str
    resign: bool


class BotAccountDeletionSchema(RequestSchema):
    """A request to delete a bot account."""

    id = ma.fields.String(
        required=True, metadata=described("The bot's id: nothing of this is undone.")
    )
    resign = Flag(
        load_default=False, metadata=described("Whether the bot resigns the games that it plays.")
    )
    loads = BotAccountDeletion
    example = {"id": PLAYER, "resign": True}


class TakesSchema(AnswerSchema):
    """A ruleset that a bot plays, and the numbers of seats."""

    ruleset = _ruleset()
    seats = _numbers()
    example = _TAKES


class BotAccountSchema(PlayerSchema):
    """A bot account: a program that plays, and what its owner says about it."""

    owner = text_field("The id of the player who owns the bot.", example=_OWNER)
    owner_name = text_field("The owner's name; empty if it was erased.", example="Ana")
    author = _author(required=True, allow_none=True)
    page = _page(required=True, allow_none=True)
    version = _version(required=True)
    since = text_field("The time since when the bot has this version.", **TIME)
    version_is = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf([DECLARED]),
        metadata=described("`declared`: the owner names the version, and nothing proves it."),
    )
    takes = _takes(TakesSchema, required=True)
    concurrency = _concurrency(required=True)
    present = ma.fields.Boolean(
        required=True,
        metadata=described("Whether the bot listens for questions now, or did within 40 seconds."),
    )
    example = {
        **PlayerSchema.example, "name": "Robbie", "kind": BOT, "owner": _OWNER, "owner_name": "Ana",
        "author": "Ana", "page": None, "version": "1.0", "since": AT, "version_is": DECLARED,
        "takes": [_TAKES], "concurrency": 4, "present": True,
    }  # fmt: skip


class NewBotAccountSchema(BotAccountSchema):
    """A new bot account, with its key, which is shown only once."""

    key = text_field(
        "Send it as `Authorization: Bearer <key>`. It only plays.",
        example=NewKeySchema.example["key"],
    )
    example = {**BotAccountSchema.example, "present": False, "key": NewKeySchema.example["key"]}


class OwnBotAccountSchema(BotAccountSchema):
    """One of the caller's bots."""

    has_key = ma.fields.Boolean(
        required=True, metadata=described("Whether the bot has a key; false once it is revoked.")
    )
    last_used_on = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The day of the key's last use; null before the first.", example=None),
    )
    example = {**BotAccountSchema.example, "has_key": True, "last_used_on": "2026-11-20"}


class OwnBotAccountListSchema(AnswerSchema):
    """All bots of a player."""

    bots = ma.fields.List(
        ma.fields.Nested(OwnBotAccountSchema),
        required=True,
        metadata=described(f"The oldest first; {MAX_BOTS} at most."),
    )
    example = {"bots": [OwnBotAccountSchema.example]}


class BotAccountListSchema(AnswerSchema):
    """Bots that are present."""

    bots = ma.fields.List(ma.fields.Nested(BotAccountSchema), required=True)
    example = {"bots": [BotAccountSchema.example]}


class BotVersionSchema(AnswerSchema):
    """A version of a bot."""

    version = _version(required=True)
    since = text_field("The time since when the bot has, or had, this version.", **TIME)
    example = {"version": "1.0", "since": AT}


class BotRecordSchema(AnswerSchema):
    """The games of a version of a bot with a ruleset and a number of seats."""

    version = _version(required=True)
    ruleset = _ruleset()
    seats = ma.fields.Integer(required=True, metadata=described("The number of seats.", example=3))
    games = ma.fields.Integer(required=True, metadata=described("The number of games.", example=8))
    won = ma.fields.Integer(
        required=True,
        metadata=described("In how many the bot came first, alone or with others.", example=5),
    )
    example = {"version": "1.0", "ruleset": RULESET, "seats": 3, "games": 8, "won": 5}


class KnownBotAccountSchema(BotAccountSchema):
    """A bot account with its versions and its record."""

    versions = ma.fields.List(
        ma.fields.Nested(BotVersionSchema),
        required=True,
        metadata=described(f"The newest first; {MAX_VERSIONS_SHOWN} at most."),
    )
    record = ma.fields.List(
        ma.fields.Nested(BotRecordSchema),
        required=True,
        metadata=described(
            f"The bot's newest {COUNTED} public games that have ended, counted, each for the"
            " version that the bot had when the table was opened."
        ),
    )
    example = {
        **BotAccountSchema.example,
        "versions": [BotVersionSchema.example],
        "record": [BotRecordSchema.example],
    }
