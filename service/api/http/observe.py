"""Request ids, the access log and metrics. Keys, tickets and bodies are never logged."""

import re
import secrets
import time
from functools import cache
from typing import Any, NamedTuple, cast

import structlog
from flask import Flask, Request, Response, g

from service.api.http import refused
from service.api.http.context import Caller
from service.metrics import REQUESTS, SECONDS
from service.problems import ALWAYS, Problem
from service.process import logs, task_time

log = structlog.get_logger("service.access")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
_QUIET = ("service.checkHealth", "service.checkReadiness", "web.metrics")
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"))


def watch(app: Flask) -> None:
    """Count every request of ``app``, and log it."""
    app.after_request(_end)


class ObservedRequest(NamedTuple):
    """When a request began: the time by the clock (s), and its task's processor time (ns)."""

    request: Request
    id: str
    began: float
    began_ns: int


def begin(request: Request) -> None:
    """Give a request an id, and note its start time, as ``g.watched``."""
    began, began_ns = time.perf_counter(), task_time.current().begin()
    given = request.headers.get("X-Request-Id")
    id_ = given if given and _REQUEST_ID.match(given) else secrets.token_hex(8)
    g.watched = ObservedRequest(request, id_, began, began_ns)
    logs.about(id_)


def _end(response: Response) -> Response:
    request, id_, began, _ns = cast("ObservedRequest", g.watched)
    seconds = time.perf_counter() - began
    operation = request.endpoint or "none"
    method = request.method if request.method in _METHODS else "other"
    status = response.status_code
    _requests(operation, method, status).inc()
    _seconds(operation).observe(seconds)
    response.headers["X-Request-Id"] = id_
    response.headers.extend(ALWAYS)
    write = log.debug if operation in _QUIET else log.info
    asks: Caller | None = g.get("caller")
    problem: Problem | None = g.get("problem")
    if asks is not None and problem is not None and status < 500:
        refused.note(asks, method, status, problem, id_)
    player, admin = (None, None) if asks is None else (asks.player, asks.admin)
    write(
        "request",
        request_id=id_,
        method=method,
        path=request.path,
        status=status,
        ms=round(seconds * 1000, 2),
        player=None if player is None else player.id,
        problem=None if problem is None else problem.code,
        **({} if admin is None else {"admin": admin.name}),
    )
    return response


@cache
def _requests(operation: str, method: str, status: int) -> Any:
    return REQUESTS.labels(operation, method, status)


@cache
def _seconds(operation: str) -> Any:
    return SECONDS.labels(operation)
