"""What gunicorn serves: ``service.wsgi:app``, made from the environment in each worker.

A worker that starts while Redis is away, or is not fit to hold games, answers 503 and tries again
at the next request; that it is alive it says without any Redis.
"""

import os
from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING

import structlog
from flask import Flask
from redis.exceptions import RedisError

from service import logs, settings
from service.api.answers import answer
from service.app import create_app
from service.garbage import collect_less
from service.problems import Problem
from service.redis_client import UnsuitableServerError
from service.runtime import open_for_play
from service.version import VERSION

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

log = structlog.get_logger(__name__)


class LazyApplication:
    """The application of one process, made when the first request comes."""

    def __init__(self) -> None:
        self._made: Flask | None = None
        self._lock = Lock()
        self._stopping = False

    def stop(self) -> None:
        """End all streams, so that the process can end."""
        self._stopping = True

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if self._made is None and environ.get("PATH_INFO") == "/healthz":
            alive = answer({"status": "ok", "version": VERSION})
            return alive(environ, start_response)
        try:
            made = self._made or self._make()
        except UnsuitableServerError as error:
            log.error("store_unsuitable", reason=str(error))  # noqa: TRY400 - a sentence says it all
            return Problem("store_unavailable").response()(environ, start_response)
        except RedisError:
            return Problem("store_unavailable").response()(environ, start_response)
        return made(environ, start_response)

    def _make(self) -> Flask:
        with self._lock:
            if self._made is None:
                configured = settings.load(os.environ)
                logs.configure(configured)
                made = create_app(open_for_play(configured))
                made.extensions["lonja"].hub.is_stopping = lambda: self._stopping
                collect_less()
                self._made = made
            return self._made


app = LazyApplication()
