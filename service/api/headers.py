"""Headers that operations take, as the document shows them."""

from rules.kernel.canonical import JsonObject

IDEMPOTENCY_KEY: JsonObject = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "Makes the request safe to repeat: the same key and body get the same answer, marked"
        " `Idempotent-Replayed: true`, as long as the game exists. Keys are the caller's own."
    ),
    "schema": {"type": "string", "pattern": "^[\\x21-\\x7e]{1,200}$"},
    "example": "0c0a4a2e-6f0b-4c6c-9d61-2d8a5a3f4b11",
}
IF_NONE_MATCH: JsonObject = {
    "in": "header",
    "name": "If-None-Match",
    "description": "An `ETag` that the caller has; 304 if it is still good.",
    "schema": {"type": "string"},
    "example": '"5f2b51ca2fdc5baa31ec02e002f69aec"',
}
LAST_EVENT_ID: JsonObject = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The `seq` of the last event that was received; the stream goes on after it.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,15}$"},
    "example": "6",
}
ACCEPT_LANGUAGE: JsonObject = {
    "in": "header",
    "name": "Accept-Language",
    "description": "`en` or `es`: the language of labels and texts.",
    "schema": {"type": "string"},
    "example": "es",
}
