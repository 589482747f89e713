"""The messages of a game's stream, as a component that typed clients are made from."""

from rules.kernel.canonical import JsonObject

MESSAGE: JsonObject = {"$ref": "#/components/schemas/StreamMessage"}
STREAM: JsonObject = {
    "type": "string",
    "contentMediaType": "text/event-stream",
    "contentSchema": {"type": "array", "items": MESSAGE},
    "examples": ['retry: 2000\n\nid: 7\ndata: {"seq": 7, "kind": "moved"}\n\n: keep-alive\n\n'],
}
"""A stream; what is decoded are its messages."""

_CLOSING = ("end", "rewound", "displaced")


def add_messages(schemas: JsonObject) -> None:
    """Add what the messages of a stream are when their ``data`` is parsed."""
    schemas["StreamMessage"] = {
        "description": "A server-sent event of a game's stream, with its `data` parsed.",
        "oneOf": [
            {
                "type": "object",
                "description": "An event of the game.",
                "properties": {
                    "id": {"type": "integer"},
                    "data": {"$ref": "#/components/schemas/Event"},
                },
                "required": ["id", "data"],
            },
            {
                "type": "object",
                "description": "The last message.",
                "properties": {
                    "event": {"type": "string", "enum": list(_CLOSING)},
                    "data": {
                        "type": "object",
                        "properties": {
                            "version": {"type": "integer"},
                        },
                        "required": ["version"],
                    },
                },
                "required": ["event", "data"],
            },
        ],
        "examples": [{"event": "end", "data": {"version": 42}}],
    }
