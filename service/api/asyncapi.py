"""The description of streams and webhooks (AsyncAPI 3.0).

It complements the description of requests, which is ``openapi.yaml`` (OpenAPI). ``openapi.yaml``
contains the schemas of the messages of streams. ``asyncapi.yaml`` refers to these schemas by a
relative path, because the repository and the service each keep both files in one folder.
``asyncapi.yaml`` itself contains the schemas of the messages of webhooks, because no operation
answers with such a message.
"""

from collections.abc import Mapping

from rules.kernel.canonical import JsonObject
from service.api.schemas.base import AnswerSchema
from service.api.schemas.streams import NOTICES, STREAMED, WEBHOOKS, component_of
from service.version import VERSION

FILE = "asyncapi.yaml"
_OPENAPI = "openapi.yaml#/components/schemas/"
_SCHEMAS, _MESSAGES = "#/components/schemas/", "#/components/messages/"
_FORMAT = "application/vnd.oai.openapi;version=3.1.0"
_STREAM, _JSON = "text/event-stream", "application/json"

_CHANNELS = (
    ("game", "/v1/games/{game_id}/stream", STREAMED, "The events of a game."),
    ("tournament", "/v1/tournaments/{tournament_id}/stream", STREAMED, "Those of a tournament."),
    ("notices", "/v1/players/me/stream", NOTICES, "What happens in all games of a player."),
)
_IDS = {"game_id": "The id of a game.", "tournament_id": "The id of a tournament."}
_WEBHOOK_HEADERS = {
    "webhook-id": "The message's id, the same in every attempt.",
    "webhook-timestamp": "When this attempt was made, in seconds since 1970.",
    "webhook-signature": "One or more signatures, separated by spaces: one must be right.",
}


def document(components: JsonObject) -> JsonObject:
    """Return the AsyncAPI document; ``components`` are the schemas of webhooks' messages."""
    channels: JsonObject = {}
    operations: JsonObject = {}
    for name, address, messages, what in _CHANNELS:
        channels[name] = {
            "address": address,
            "title": name.capitalize(),
            "description": f"{what} Server-sent events; each `data` is JSON.",
            "messages": _refer(messages),
        }
        known = {id_: {"description": told} for id_, told in _IDS.items() if id_ in address}
        if known:
            channels[name]["parameters"] = known
        operations[f"follow{name.capitalize()}"] = _operation(name, what, "GET")
    channels["webhook"] = {
        "address": None,
        "title": "Webhook",
        "description": "The URL of a webhook, which gets a `POST` for each message, by the"
        " specification of Standard Webhooks.",
        "messages": _refer(WEBHOOKS),
    }
    operations["callWebhook"] = _operation("webhook", "The same notices, to a URL.", "POST")
    told = {**_messages(STREAMED), **_messages(NOTICES)}
    sent = {
        component_of(schema): {
            **_message(schema, kind, _JSON),
            "headers": {"$ref": f"{_SCHEMAS}WebhookHeaders"},
            "payload": {"$ref": f"{_SCHEMAS}{component_of(schema)}"},
        }
        for kind, schema in WEBHOOKS.items()
    }
    headers = {
        "type": "object",
        "description": "What signs a message.",
        "properties": {
            name: {"type": "string", "description": what} for name, what in _WEBHOOK_HEADERS.items()
        },
        "required": [*_WEBHOOK_HEADERS],
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Lonja: streams and webhooks",
            "version": VERSION,
            "description": "What the service sends without being asked each time. How streams are"
            " opened and webhooks made is in `openapi.yaml`.",
            "license": {"name": "MIT"},
            "contact": {"name": "The Lonja authors"},
            "tags": [{"name": "streams", "description": "Events as they happen."}],
        },
        "defaultContentType": _JSON,
        "channels": channels,
        "operations": operations,
        "components": {
            "messages": {**told, **sent},
            "schemas": {**components, "WebhookHeaders": headers},
        },
    }


def _refer(messages: Mapping[str, type[AnswerSchema]]) -> JsonObject:
    return {
        kind: {"$ref": f"{_MESSAGES}{component_of(schema)}"} for kind, schema in messages.items()
    }


def _operation(channel: str, what: str, method: str) -> JsonObject:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "title": what.removesuffix("."),
        "summary": what,
        "description": what,
        "bindings": {"http": {"method": method, "bindingVersion": "0.3.0"}},
    }


def _messages(messages: Mapping[str, type[AnswerSchema]]) -> JsonObject:
    return {
        component_of(schema): {
            **_message(schema, kind, _STREAM),
            "payload": {
                "schemaFormat": _FORMAT,
                "schema": {"$ref": f"{_OPENAPI}{component_of(schema)}"},
            },
        }
        for kind, schema in messages.items()
    }


def _message(schema: type[AnswerSchema], kind: str, media_type: str) -> JsonObject:
    what = " ".join((schema.__doc__ or "").split())
    return {"name": kind, "title": component_of(schema), "summary": what, "contentType": media_type}
