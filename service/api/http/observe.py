"""Request ids, the access log and metrics. Keys, tickets and bodies are never logged."""

import re
import secrets
import time
from functools import cache
from typing import Any

import structlog
from flask import Flask, Request, Response, g, request

from service.api.http.context import Caller
from service.metrics import REQUESTS, SECONDS
from service.problems import ALWAYS
from service.process import logs, strands

log = structlog.get_logger("service.access")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
_QUIET = ("service.checkHealth", "service.checkReadiness", "web.metrics")
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"))


def watch(app: Flask) -> None:
    """Count every request of ``app``, and log it."""
    app.after_request(_end)


def begin(request: Request) -> None:
    """Give a request an id, and note when it begins."""
    g.began, g.began_ns = time.perf_counter(), strands.current().begin()
    given = request.headers.get("X-Request-Id")
    g.request_id = given if given and _REQUEST_ID.match(given) else secrets.token_hex(8)
    logs.about(g.request_id)


def _end(response: Response) -> Response:
    seconds = time.perf_counter() - g.began
    operation = request.endpoint or "none"
    method = request.method if request.method in _METHODS else "other"
    _requests(operation, method, response.status_code).inc()
    _seconds(operation).observe(seconds)
    response.headers["X-Request-Id"] = g.request_id
    response.headers.extend(ALWAYS)
    write = log.debug if operation in _QUIET else log.info
    asks: Caller | None = g.get("caller")
    player, admin = (None, None) if asks is None else (asks.player, asks.admin)
    write(
        "request",
        request_id=g.request_id,
        method=method,
        path=request.path,
        status=response.status_code,
        ms=round(seconds * 1000, 2),
        player=None if player is None else player.id,
        problem=g.get("problem"),
        **({} if admin is None else {"admin": admin.name}),
    )
    return response


@cache
def _requests(operation: str, method: str, status: int) -> Any:
    return REQUESTS.labels(operation, method, status)


@cache
def _seconds(operation: str) -> Any:
    return SECONDS.labels(operation)
