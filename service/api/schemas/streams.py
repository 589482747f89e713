"""The messages of a game's stream, as a component that typed clients are made from."""

from rules.kernel.canonical import JsonObject
from service.api.schemas.examples import camel
from service.api.schemas.form import SCHEMAS, tag, union

MESSAGE: JsonObject = {"$ref": f"{SCHEMAS}StreamMessage"}
STREAM: JsonObject = {
    "type": "string",
    "contentMediaType": "text/event-stream",
    "contentSchema": {"type": "array", "items": MESSAGE},
    "examples": ['retry: 2000\n\nid: 7\ndata: {"seq": 7, "kind": "moved"}\n\n: keep-alive\n\n'],
}
"""A stream, described by the messages that a client decodes."""

_CLOSING = {
    "end": "The game is over, or for ever as it is.",
    "rewound": "Events that were sent are not in the log any more.",
    "displaced": "A seat, or somebody who has fewer streams, needs the place.",
    "revoked": "The key is not good any more that opened the stream, or its player is banned.",
}
"""What the last message of a stream may be, and why."""


def add_messages(schemas: JsonObject) -> None:
    """Add the schemas of a stream's messages, with ``data`` parsed."""
    schemas["StreamEvent"] = {
        "type": "object",
        "description": "An event of the game; the line `event` is left out, which means `message`.",
        "properties": {
            "event": tag("message"),
            "id": {"type": "integer", "minimum": 0, "description": "The event's seq."},
            "data": {"$ref": f"{SCHEMAS}Event"},
        },
        "required": ["event", "id", "data"],
        "examples": [{"event": "message", "id": 7, "data": schemas["Event"]["examples"][0]}],
    }
    names = {"message": "StreamEvent"}
    for event, why in _CLOSING.items():
        name = names[event] = f"Stream{camel(event)}"
        schemas[name] = {
            "type": "object",
            "description": f"The last message. {why}",
            "properties": {"event": tag(event), "data": {"$ref": f"{SCHEMAS}StreamPlace"}},
            "required": ["event", "data"],
            "examples": [{"event": event, "data": {"version": 42}}],
        }
    schemas["StreamPlace"] = {
        "type": "object",
        "description": "How far a stream came.",
        "properties": {
            "version": {"type": "integer", "minimum": 0, "description": "The game's version."}
        },
        "required": ["version"],
        "examples": [{"version": 42}],
    }
    what = "A server-sent event of a game's stream, with its `data` parsed."
    schemas["StreamMessage"] = union("event", names, what)
