"""Headers of deprecated operations and fields (RFC 9745), and of their sunset (RFC 8594)."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Response, after_this_request, request
from werkzeug.http import http_date

from service.api.schemas.base import DEPRECATION, Deprecation


def warn(used: Iterable[Deprecation]) -> None:
    """Add headers about the deprecation in ``used`` that has the earliest sunset.

    If ``used`` is empty, nothing is added.
    """
    first = min(used, key=lambda deprecated: deprecated.sunset, default=None)
    if first is not None:
        after_this_request(lambda response: _told(response, first))


def deprecated_fields(fields: Mapping[str, Any]) -> dict[str, Deprecation]:
    """Return the deprecated fields of a schema."""
    return {
        name: field.metadata[DEPRECATION]
        for name, field in fields.items()
        if DEPRECATION in field.metadata
    }


def _told(response: Response, deprecated: Deprecation) -> Response:
    """Add the headers with the dates of a deprecation, and a link to the reference."""
    tag, _, name = (request.endpoint or "").partition(".")
    response.headers["Deprecation"] = f"@{_midnight(deprecated.since).timestamp():.0f}"
    response.headers["Sunset"] = http_date(_midnight(deprecated.sunset))
    response.headers.add(
        "Link", f'</docs/reference/{tag}/{name}>; rel="deprecation"; type="text/html"'
    )
    return response


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
