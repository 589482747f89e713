"""Request and response headers of operations, as the OpenAPI document shows them."""

from flask import Request

from rules.kernel.canonical import JsonObject
from service.api.schemas.base import COMPONENT

MOST_CHARACTERS = 1_000
"""Limit on a header that lists preferences or ETags: parsing thousands of entries takes long."""

_BOUNDED = (
    "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH",
    "CONTENT_TYPE",
)  # fmt: skip

HEADERS_KNOWN = "x-headers-known"
"""The key under which an operation keeps its headers until the OpenAPI document is finished."""


def _text(description: str, example: str, **schema: object) -> JsonObject:
    return {
        "description": description,
        "schema": {"type": "string", **schema},
        "example": example,
    }


def _taken(name: str, header: JsonObject) -> JsonObject:
    return {"in": "header", "name": name, **header}


IDEMPOTENCY_KEY: JsonObject = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "Makes the request safe to repeat: the same key and body get the same answer, marked"
        " `Idempotent-Replayed: true`, as long as the game or tournament exists, and for a day"
        " where the request is no part of a record. Keys are the caller's own, and each is for one"
        " request: best a new UUID."
    ),
    "schema": {"type": "string", "pattern": "^[\\x21-\\x7e]{1,200}$"},
}
"""The header has no example: clients that send examples verbatim would reuse one key."""
ONCE_KEY: JsonObject = {
    **IDEMPOTENCY_KEY,
    COMPONENT: "Idempotency-Key.once",
    "description": (
        "Makes the request safe to repeat, for a day: what it makes is made once. A secret is told"
        " once too, so the same key and body get 409 `already_answered` with the `id` of what was"
        " made. Keys are the caller's own; without a player's key, they are the address's."
    ),
}
IF_NONE_MATCH = _taken(
    "If-None-Match",
    _text(
        "An `ETag` that the caller has; 304 if it is still good.",
        '"5f2b51ca2fdc5baa31ec02e002f69aec"',
    ),
)
RANGE = _taken(
    "Range",
    _text(
        "One part, in bytes, of what stays as it is; more parts than one are not taken.",
        "bytes=32768-",
    ),
)
IF_RANGE = _taken(
    "If-Range",
    _text(
        "The `ETag` of what the caller has the beginning of: if that is not what there is, all of"
        " it is answered.",
        '"5f2b51ca2fdc5baa31ec02e002f69aec"',
    ),
)
INVITATION = _taken(
    "Invitation",
    _text(
        "The token of an invitation: all reads of a private table take it.",
        "li_i-mfrggzdfmztwq2lk.c29tZSByYW5kb20gYnl0ZXM",
    ),
)
LAST_EVENT_ID = _taken(
    "Last-Event-ID",
    _text(
        "The `seq` of the last event that was received; the stream goes on after it. What is no"
        " such number is passed over.",
        "6",
    ),
)
ACCEPT_LANGUAGE = _taken(
    "Accept-Language", _text("`en` or `es`: the language of labels and texts.", "es")
)

# Headers of operations' answers

LAST_MODIFIED: JsonObject = {"in": "answer", "name": "Last-Modified"}
"""The time at which the answer's data were up to date."""
LINK: JsonObject = {"in": "answer", "name": "Link"}
"""The link to the next page."""
ACCEPT_RANGES: JsonObject = {"in": "answer", "name": "Accept-Ranges"}
"""Whether ranges can be requested."""
CONTENT_DISPOSITION: JsonObject = {"in": "answer", "name": "Content-Disposition"}
"""The name of the file."""

HEADERS: JsonObject = {
    "X-Request-Id": _text(
        "What the service's logs call this request; a caller may choose it.",
        "3f1c9a52d0b84e6f",
    ),
    "Retry-After": {
        "description": "The seconds after which to try again.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 2,
    },
    "RateLimit-Policy": _text(
        "All limits of requests that this one counted against.",
        '"key-60s";q=6000;w=60, "address-60s";q=12000;w=60',
    ),
    "RateLimit": _text(
        "The number of requests that each limit leaves, and the seconds after"
        " which it ends. What a dear one"
        " counts above 1 is in the next one's."
        " `RateLimit-Limit`, `-Remaining` and `-Reset` tell the same of the one that the caller is"
        " nearest to, for clients that know the older draft alone.",
        '"key-60s";r=5999;t=60, "address-60s";r=11999;t=60',
    ),
    "Server-Timing": _text(
        "The processor time that the request took, of its own, in whole units of 5 ms: `desc` says"
        " how many, at least 1, and `dur` how many ms these are. So often it counts.",
        'processor;dur=5;desc="1"',
    ),
    "ETag": _text(
        "Stands for this representation: version, viewer, language and rules.",
        '"5f2b51ca2fdc5baa31ec02e002f69aec"',
    ),
    "Cache-Control": _text(
        "The caches that may keep the answer, and for how long without asking again.",
        "private, no-cache",
    ),
    "Link": _text(
        "The URL of the next page (RFC 8288); left out of the last page.",
        '</v1/games?limit=20&cursor=PLACE>; rel="next"',
    ),
    "Accept-Ranges": _text(
        "`bytes` if parts of it can be asked for, `none` if it still changes.",
        "bytes",
        enum=["bytes", "none"],
    ),
    "Content-Range": _text(
        "Which bytes these are, and of how many; of a part that is not there, how many there are.",
        "bytes 32768-40959/40960",
    ),
    "Content-Disposition": _text(
        "The name of the file that the answer is saved to.",
        "attachment; filename=g07-mfrggzdfmztwq2lknnwg.ndjson",
    ),
    "Deprecation": _text(
        "Since when this is not to be used any more (RFC 9745); `Link` leads on.",
        "@1767225600",
    ),
    "Sunset": _text(
        "From when on this may be gone (RFC 8594).",
        "Fri, 01 Jan 2027 00:00:00 GMT",
    ),
    "Last-Modified": _text(
        "The time of the answer's figures; left out as long as there are none.",
        "Sun, 22 Nov 2026 11:49:48 GMT",
    ),
    "Idempotent-Replayed": _text(
        "`true` if the request was answered before and this is that answer.",
        "true",
        enum=["true"],
    ),
    "Location": _text(
        "The URL of what was made.",
        "/v1/games/g07-mfrggzdfmztwq2lknnwg",
        format="uri-reference",
    ),
}
_EVERYWHERE = ("X-Request-Id", "RateLimit-Policy", "RateLimit", "Server-Timing")


def pass_over_long_lists(request: Request) -> None:
    """Treat headers whose lists are too long as if they had not been sent.

    Servers may ignore such headers. A content type that is too long counts as an unknown one.
    """
    environ = request.environ
    for name in _BOUNDED:
        if len(environ.get(name, "")) > MOST_CHARACTERS:
            del environ[name]


def finish_operation(path: str, operation: JsonObject) -> None:
    """Add to an operation its response headers, and 304 if it supports ``If-None-Match``."""
    told = operation.pop(HEADERS_KNOWN, [])
    headers = [header for header in told if header["in"] == "header"]
    taken = {header["name"] for header in headers}
    if headers:
        operation["parameters"] = [*operation.get("parameters", ()), *headers]
    if "If-None-Match" in taken:
        operation["responses"]["304"] = {"description": "The caller has it already."}
    for status, response in operation["responses"].items():
        # All answers have these headers, as `info` says; only the answer 429 documents them.
        names = [*_EVERYWHERE] if status == "429" and path.startswith("/v1") else []
        if status in {"200", "206", "304"} and "If-None-Match" in taken:
            names += ("ETag", "Cache-Control")
        if status in {"206", "416"}:
            names.append("Content-Range")
        if status in {"200", "206"}:
            names += [header["name"] for header in told if header["in"] == "answer"]
        if status.startswith("2") and IDEMPOTENCY_KEY in headers:
            names.append("Idempotent-Replayed")
        if operation.get("deprecated"):
            names += ("Deprecation", "Sunset", "Link")
        if status == "201":
            names.append("Location")
        if names:
            answered = response.setdefault("headers", {})
            answered.update({name: {"$ref": f"#/components/headers/{name}"} for name in names})
