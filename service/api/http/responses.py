"""Responses: JSON and documents, compressed; or 304 if the caller has the current version."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from flask import Response, request

from rules.kernel.canonical import digest
from service.api.http import codings
from service.process.fair_queue import give_way

JSON = "application/json"
NDJSON = "application/x-ndjson"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
VARY = "Authorization, Accept-Language, Invitation"

NO_CACHE = "no-cache"
"""Anybody may cache the answer, but must revalidate it at each use."""
FOR_MINUTES = "public, max-age=300"
"""Anybody may cache the answer for some minutes: it changes only with the service's release."""

FOR_EVER = "public, max-age=31536000, immutable"
"""Anybody may cache the answer for ever: its URL has the document's digest."""


def encode(value: Any) -> bytes:
    """Return JSON bytes; equal values have equal bytes."""
    give_way()  # encoding cannot be interrupted, so other requests get a turn first
    return orjson.dumps(value)


def answer(value: Any, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Answer with JSON that must not be stored."""
    response = Response(encode(value), status, mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = VARY
    response.headers.update(headers)
    return response


# Reads


def etag_of(*parts: object) -> str:
    """Return the ETag of an answer. The path and ``parts`` must determine the whole answer.

    For a game, the parts are its version and time, but not its hash, which depends on hidden
    values.
    """
    return digest(orjson.dumps([request.path, *parts], default=str)).hex()[:32]


def unchanged(etag: str) -> Response | None:
    """Return 304 if the caller has the representation with this ``etag``."""
    if "If-None-Match" not in request.headers:
        return None
    response = _not_modified(etag)
    return None if response is None else for_caller(response)


def tagged(value: Any, etag: str, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Answer with JSON under an ETag; the caller may keep and revalidate it."""
    return tagged_bytes(encode(value), etag, JSON, headers)


def tagged_bytes(
    body: bytes, etag: str, media_type: str, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Answer with a body under an ETag; the caller may keep and revalidate it."""
    coding = codings.chosen(len(body))
    response = _coded(codings.quick(body, coding), media_type, etag, coding)
    response.headers.update(headers)
    return for_caller(response)


def checked(value: Any, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Answer with JSON, or with 304 if the caller has this version.

    The ETag is the hash of the JSON.
    """
    return checked_bytes(encode(value), JSON, headers)


def checked_bytes(
    body: bytes, media_type: str, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Answer with a body, or with 304 if the caller has this version.

    The ETag is the hash of the body.
    """
    etag = _digest(body)
    return unchanged(etag) or tagged_bytes(body, etag, media_type, headers)


def public_bytes(body: bytes, media_type: str, keep: str) -> Response:
    """Answer with a body that everybody may read, or with 304; ``keep`` says who may keep it."""
    etag = _digest(body)
    response = _not_modified(etag)
    if response is None:
        coding = codings.chosen(len(body))
        response = _coded(codings.quick(body, coding), media_type, etag, coding)
    response.headers["Cache-Control"] = keep
    response.headers["Vary"] = "Accept-Encoding"
    return response


def to_next(**place: object) -> Mapping[str, str]:
    """Return the header that links to the next page (RFC 8288).

    ``place`` is the query parameter with the position where that page begins. If its value is None,
    there is no next page, and no header.
    """
    if None in place.values():
        return NO_HEADERS
    path, query = quote(request.script_root + request.path), {**request.args, **place}
    return {"Link": f'<{path}?{urlencode(query)}>; rel="next"'}


class StaticDocument:
    """A document that is kept in memory: its bytes in each requested coding, and its ETag."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self._media_type = media_type
        self._bodies: dict[str | None, bytes] = {None: body}
        self._etag = _digest(body)

    def answer(self, keep: str = NO_CACHE, vary: str = "") -> Response:
        """Answer with the document, or 304. ``vary`` names the request headers that select it."""
        response = _not_modified(self._etag)
        if response is None:
            coding = codings.wanted()  # also if it is short, for it is compressed once
            response = _coded(self._in(coding), self._media_type, self._etag, coding)
        response.headers["Cache-Control"] = keep
        response.headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
        return response

    def _in(self, coding: str | None) -> bytes:
        if coding not in self._bodies:
            self._bodies[coding] = codings.thorough(self._bodies[None], coding)
        return self._bodies[coding]


def _digest(body: bytes) -> str:
    return digest(body).hex()[:32]


def _not_modified(etag: str) -> Response | None:
    """Return 304 if the caller has the document in a coding that it accepts, else None.

    A shared cache may also send the ETags of its copies in other codings; these do not count. ETags
    are compared weakly, because a proxy may have weakened one (RFC 9110, 13.1.2).
    """
    known = request.if_none_match
    for coding in (codings.wanted(), None):
        coded = codings.etag_in(etag, coding)
        if known.contains_weak(coded):
            response = Response(status=304)
            response.set_etag(coded)
            return response
    return None


def _coded(body: bytes, media_type: str, etag: str, coding: str | None) -> Response:
    response = Response(body, mimetype=media_type)
    response.set_etag(codings.etag_in(etag, coding))
    if coding is not None:
        response.headers["Content-Encoding"] = coding
    return response


def for_caller(response: Response) -> Response:
    """Set the headers ``Cache-Control`` and ``Vary`` of a response that depends on the caller.

    If the request has a key, no shared cache may store the response. If the request has an
    invitation, no cache at all may store it: once the invitation is revoked, no copy may remain.
    """
    if "Invitation" in request.headers:
        keep = "private, no-store"
    else:
        keep = NO_CACHE if "Authorization" not in request.headers else f"private, {NO_CACHE}"
    response.headers["Cache-Control"] = keep
    response.headers["Vary"] = f"{VARY}, Accept, Accept-Encoding"
    return response
