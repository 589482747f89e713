"""Answers to requests that fail in gunicorn, outside of the application."""

import secrets

import structlog
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)

from service.metrics import REQUESTS
from service.problems import CODES, Problem

log = structlog.get_logger("service.access")

_SHOWN = 200
"""The maximum number of characters of gunicorn's message that are sent back.

The message quotes the request.
"""

_CODES: tuple[tuple[type[Exception], str], ...] = (
    (LimitRequestLine, "uri_too_long"),
    (LimitRequestHeaders, "headers_too_large"),
    (UnsupportedTransferCoding, "unsupported_encoding"),
)
_OURS = (InvalidResponseHeader, InvalidResponseHeaderName)
"""Gunicorn's exceptions for mistakes of the application."""


def problem_of(error: Exception) -> Problem:
    """Return the problem that describes an HTTP error to the client."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "bad_request")
    text = str(error)
    return Problem(code, text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def refusal(error: BaseException) -> bytes:
    """Return the complete answer to a request that failed before or after the application.

    It is counted and logged like the application's answers.
    """
    request_id = secrets.token_hex(8)
    if isinstance(error, ParseException) and not isinstance(error, _OURS):
        problem = problem_of(error)
    else:
        problem = Problem("internal_error")
        log.error("request_failed", request_id=request_id, exc_info=error)
    status = CODES[problem.code].status
    REQUESTS.labels("none", "none", status).inc()
    log.info(
        "request",
        request_id=request_id,
        status=status,
        problem=problem.code,
        detail=problem.detail,
    )
    problem.members["request_id"] = problem.headers["X-Request-Id"] = request_id
    return problem.raw()
