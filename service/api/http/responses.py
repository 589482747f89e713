"""Sends JSON, and answers 304 when the caller has it already."""

import gzip
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import orjson
from flask import Response, request

from rules.kernel.canonical import digest

JSON = "application/json"
NDJSON = "application/x-ndjson"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
VARY = "Authorization, Accept-Language"


def encode(value: Any) -> bytes:
    """Return JSON bytes; equal values have equal bytes."""
    return orjson.dumps(value)


def answer(value: Any, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Answer with JSON that nobody may store."""
    response = Response(encode(value), status, mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = VARY
    response.headers.update(headers)
    return response


def etag_of(*parts: object) -> str:
    """Return the ETag of what these facts determine completely.

    For a game they are its version and time, not its hash, which depends on what is hidden.
    """
    return digest(orjson.dumps([request.path, *parts], default=str)).hex()[:32]


def unchanged(etag: str) -> Response | None:
    """Return 304 if the caller has the representation that ``etag`` stands for."""
    if not _has(etag):
        return None
    return _tagged(Response(status=304), etag)


def _has(etag: str) -> bool:
    """Whether the caller says that it has it; weakly, as after a proxy (RFC 9110, 13.1.2)."""
    return "If-None-Match" in request.headers and request.if_none_match.contains_weak(etag)


def tagged(value: Any, etag: str) -> Response:
    """Answer with JSON that the caller may keep, and ask again whether it is still good."""
    return _tagged(Response(encode(value), mimetype=JSON), etag)


def tagged_bytes(body: Any, etag: str, media_type: str) -> Response:
    """Answer as ``tagged`` with bytes, or with an iterator of them."""
    return _tagged(Response(body, mimetype=media_type), etag)


def _tagged(response: Response, etag: str) -> Response:
    response.set_etag(etag)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = f"{VARY}, Accept"
    return response


class Made:
    """A document that is the same for everybody: its bytes, the same compressed, and its ETag."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self._body = body
        self._compressed = gzip.compress(body, mtime=0)  # equal in all processes, as is the ETag
        self._media_type = media_type
        self._etag = digest(body).hex()[:32]

    def answer(self) -> Response:
        """Answer with it, compressed if the caller takes that, or 304 if the caller has it."""
        compressed = request.accept_encodings["gzip"] > 0
        etag = f"{self._etag}-gzip" if compressed else self._etag
        if _has(etag):
            response = Response(status=304)
        else:
            body = self._compressed if compressed else self._body
            response = Response(body, mimetype=self._media_type)
            if compressed:
                response.headers["Content-Encoding"] = "gzip"
        response.set_etag(etag)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = "Accept-Encoding"
        return response
