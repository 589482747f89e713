"""The messages of streams and webhooks, as components that typed clients are made from.

The messages are written in ``service.live.messages`` and ``service.webhooks.messages``, and checked
there by forms with the same members, because checking a message by these schemas would take longer
than writing it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import CLOSED
from service.api.schemas.base import (
    AT,
    GAME,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    described,
    text_field,
    version_field,
)
from service.api.schemas.examples import camel
from service.api.schemas.form import SCHEMAS, union
from service.api.schemas.play import EventSchema, QuestionSchema
from service.api.schemas.webhooks import WEBHOOK
from service.ledger.notices import ASKED, CLOCK_LOW, DECLINED, ENDED, INVITED, STARTED
from service.live.messages import DISPLACED, END, MESSAGE, READ, RESYNC, REVOKED, REWOUND
from service.webhooks.messages import PING

_Fields = dict[str, ma.fields.Field[Any]]


def _schema(name: str, what: str, fields: _Fields, example: JsonObject) -> type[AnswerSchema]:
    """Return the schema of the component ``name``."""
    told = {"__doc__": what, "__module__": __name__, "example": example}
    return type(f"{name}Schema", (AnswerSchema,), {**fields, **told})


def _tag(value: str) -> ma.fields.Field[Any]:
    return ma.fields.String(required=True, validate=ma.validate.OneOf([value]))


def _time(text: str, *, is_null: bool = False) -> ma.fields.Field[Any]:
    return ma.fields.String(required=True, allow_none=is_null, metadata=described(text, **TIME))


def _message(
    name: str, event: str, what: str, data: type[AnswerSchema], id_: _Fields, example: Any = None
) -> type[AnswerSchema]:
    """Return the schema of a server-sent event; ``id_`` is its field ``id``, if it has one."""
    fields = {"event": _tag(event), **id_, "data": ma.fields.Nested(data, required=True)}
    told = {"event": event, **({} if example is None else {"id": example}), "data": data.example}
    return _schema(name, what, fields, told)


# Games and tournaments


class StreamPlaceSchema(AnswerSchema):
    """The position that a stream has reached."""

    version = version_field("The version of the game or tournament.")
    example = {"version": 42}


_CLOSING = {
    END: "The game or tournament is over, or for ever as it is.",
    REWOUND: "Events that were sent are not in the log any more.",
    DISPLACED: "A player, or a caller who has fewer streams, got this one's slot.",
    REVOKED: "The key is not good any more that opened the stream, or its player is banned.",
}
"""The types of a stream's last message, each with the reason that it gives."""

STREAMED: Mapping[str, type[AnswerSchema]] = MappingProxyType(
    {
        MESSAGE: _message(
            "StreamEvent",
            MESSAGE,
            "An event of a game or tournament; the line `event` is left out: it means `message`.",
            EventSchema,
            {"id": version_field("The event's seq.")},
            7,
        ),
        **{
            event: _message(
                f"Stream{camel(event)}", event, f"The last message. {why}", StreamPlaceSchema, {}
            )
            for event, why in _CLOSING.items()
        },
    }
)
"""The messages of a game's or tournament's stream, by their ``event``."""

# Notices

_WHERE = {"game_id": GAME, "ruleset": RULESET, "seat": 0, "version": 9}


def _where() -> _Fields:
    """Return the fields that every notice about a game has."""
    return {
        "game_id": text_field("The game's id."),
        "ruleset": text_field("The ruleset's id."),
        "seat": ma.fields.Integer(
            strict=True, required=True, metadata=described("The player's seat.", minimum=0)
        ),
        "version": version_field("The game's version at that time."),
    }


def _decision() -> _Fields:
    return {
        "decision": version_field("The decision's id."),
        "deadline": _time("Until when it is to be made; null without a clock.", is_null=True),
    }


def _id_of(text: str, **options: Any) -> ma.fields.Field[Any]:
    return ma.fields.String(required=True, allow_none=True, metadata=described(text, **options))


_NOTICES: Mapping[str, tuple[str, Any, JsonObject]] = MappingProxyType(
    {
        INVITED: (
            "A rematch keeps a seat for you, or you are challenged.",
            lambda: {
                "by": _id_of("The player who opened the table."),
                "rematch_of": _id_of("The game that this one is a rematch of."),
            },
            {"by": PLAYER, "rematch_of": GAME},
        ),
        CLOSED: (
            "All seats are held, and the entropy is awaited that your seat committed to.",
            lambda: {"entropy_until": _time("Until when to reveal it.", is_null=True)},
            {"entropy_until": AT},
        ),
        STARTED: ("A game in which you sit begins.", dict, {}),
        ASKED: (
            "Your seat has a decision, or can go on with it.",
            _decision,
            {"decision": 9, "deadline": AT},
        ),
        CLOCK_LOW: (
            "The time for a decision gets short.",
            _decision,
            {"decision": 9, "deadline": AT},
        ),
        DECLINED: (
            "A bot account that you have challenged does not come to its seat.",
            lambda: {
                "by": text_field("The bot account.", example=PLAYER),
                "reason": text_field("The reason that it gives.", example="busy"),
            },
            {"by": PLAYER, "reason": "busy"},
        ),
        ENDED: (
            "A game in which you sit is over.",
            lambda: {
                "status": ma.fields.String(
                    required=True,
                    validate=ma.validate.OneOf(("ended", "aborted")),
                    metadata=described("How: played to its end, or not."),
                )
            },
            {"status": "ended"},
        ),
    }
)
"""The notices by type: the meaning of each, its own fields, and an example of them."""

_MORE: Mapping[str, Callable[[], _Fields]] = MappingProxyType(
    {
        ASKED: lambda: {
            "question": ma.fields.Nested(
                QuestionSchema,
                allow_none=True,
                metadata=described(
                    "With `questions=true`: its question; null if it cannot be answered now."
                ),
            )
        }
    }
)
"""Fields that notices have on a player's stream alone."""


class ResyncSchema(AnswerSchema):
    """The endpoint to read instead of the earlier messages, which are no longer kept."""

    read = text_field("The endpoint that lists your games.")
    example = {"read": READ}


class NothingSchema(AnswerSchema):
    """An object without members."""

    example: ClassVar[JsonObject] = {}


_RESYNC = "Earlier messages are not known any more: read your games anew."


def _notice_id() -> _Fields:
    return {"id": text_field("The id from which a stream resumes.", pattern="^[0-9]+-[0-9]+$")}


_ID = "1764000000000-0"

NOTICES: Mapping[str, type[AnswerSchema]] = MappingProxyType(
    {
        **{
            kind: _message(
                f"Notice{camel(kind)}",
                kind,
                what,
                _schema(
                    f"Notice{camel(kind)}Data",
                    f"What a notice `{kind}` says.",
                    {
                        **_where(),
                        "at": _time("The time of the notice."),
                        **own(),
                        **_MORE.get(kind, dict)(),
                    },
                    {**_WHERE, "at": AT, **example},
                ),
                _notice_id(),
                _ID,
            )
            for kind, (what, own, example) in _NOTICES.items()
        },
        RESYNC: _message("NoticeResync", RESYNC, _RESYNC, ResyncSchema, _notice_id(), _ID),
        **{
            kind: _message(
                f"Notice{camel(kind)}",
                kind,
                f"The last message. {_CLOSING[kind]}",
                NothingSchema,
                {},
            )
            for kind in (DISPLACED, REVOKED)
        },
    }
)
"""The messages of a player's stream, by their ``event``."""

# Webhooks


class TestMessageSchema(AnswerSchema):
    """The webhook that sent a test message."""

    webhook_id = text_field("Its id.")
    example = {"webhook_id": WEBHOOK}


def _sent(kind: str, what: str, data: type[AnswerSchema]) -> type[AnswerSchema]:
    return _schema(
        f"Webhook{camel(kind)}",
        what,
        {
            "type": _tag(kind),
            "timestamp": _time("The time of the event."),
            "data": ma.fields.Nested(data, required=True),
        },
        {"type": kind, "timestamp": AT, "data": data.example},
    )


WEBHOOKS: Mapping[str, type[AnswerSchema]] = MappingProxyType(
    {
        **{
            kind: _sent(
                kind,
                what,
                _schema(
                    f"Webhook{camel(kind)}Data",
                    f"What a message `{kind}` says.",
                    {**_where(), **own()},
                    {**_WHERE, **example},
                ),
            )
            for kind, (what, own, example) in _NOTICES.items()
        },
        RESYNC: _sent(RESYNC, _RESYNC, ResyncSchema),
        PING: _sent(PING, "A test that you asked for.", TestMessageSchema),
    }
)
"""The bodies of webhooks' requests, by their ``type``."""

# Schemas for the OpenAPI and AsyncAPI documents


def component_of(schema: type[AnswerSchema]) -> str:
    """Return the name of a message's component."""
    return schema.__name__.removesuffix("Schema")


def _stream(name: str, example: str) -> JsonObject:
    """Return the schema of a stream whose decoded messages fit the component ``name``."""
    return {
        "type": "string",
        "contentMediaType": "text/event-stream",
        "contentSchema": {"type": "array", "items": {"$ref": f"{SCHEMAS}{name}"}},
        "examples": [example],
    }


STREAM = _stream(
    "StreamMessage", 'retry: 2000\n\nid: 7\ndata: {"seq": 7, "kind": "moved"}\n\n: keep-alive\n\n'
)
NOTICE_STREAM = _stream(
    "NoticeMessage",
    f"retry: 2000\n\nid: {_ID}\nevent: asked\n"
    f'data: {{"game_id": "{GAME}", "ruleset": "{RULESET}", "seat": 0, "version": 9, "at": "{AT}",'
    f' "decision": 9, "deadline": null}}\n\n: keep-alive\n\n',
)


def add_unions(schemas: JsonObject) -> None:
    """For each kind of stream, add the union of its messages to ``schemas``.

    In these messages, ``data`` is JSON that has already been parsed.
    """
    for name, messages, whose in (
        ("StreamMessage", STREAMED, "a game's or tournament's stream"),
        ("NoticeMessage", NOTICES, "a player's stream"),
    ):
        names = {event: component_of(schema) for event, schema in messages.items()}
        what = f"A server-sent event of {whose}, with its `data` parsed."
        schemas[name] = union("event", names, what)
