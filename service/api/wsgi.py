"""Gunicorn's application, ``service.api.wsgi:app``, made from the environment in each worker.

If Redis is unreachable or unsuitable when a worker starts, the worker answers 503 and tries again
at the next request; its liveness check works without Redis.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

import structlog
from flask import Flask, Response
from redis.exceptions import RedisError

from service import settings
from service.api.app import create_app
from service.api.http import wire
from service.api.http.errors import answer_problem
from service.api.http.responses import answer
from service.following.follower import Follower
from service.following.telling import NoticeWriter
from service.ledger.outages import SIGN_SECONDS
from service.ledger.unlisting import ArchiveBehindError
from service.problems import ALWAYS, Problem
from service.process import logs
from service.process.garbage import collect_less
from service.redis.client import UnsuitableServerError
from service.redis.health import EVERY_S
from service.runtime import Runtime, open_for_play
from service.version import VERSION

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

log = structlog.get_logger(__name__)

INDEX_SECONDS = 1.0
"""Interval at which a process looks for packs that the index of its host lacks."""
FOLD_SECONDS = 2.0
"""Time after which it looks for packs again although rated games are not folded."""
MAX_INDEX_SECONDS = 15.0
"""The longest pause after failures."""


class LazyApplication:
    """The application of one process, made by ``create`` at the first request."""

    def __init__(self, create: Callable[[Runtime], Flask] = create_app) -> None:
        self._create = create
        self._made: Flask | None = None
        self._lock = Lock()
        self.draining = False
        """Whether the process is about to end, and tells balancers so."""
        self._stopping = False
        self._follower: Follower | None = None

    def watch(self) -> None:
        """Keep checking the store's health, and reading new bans and revocations."""
        while True:
            time.sleep(EVERY_S)
            with suppress(RedisError, UnsuitableServerError):  # ``health`` has logged the error
                found = self._make().extensions["lonja"]
                found.runtime.health.complaint()
                found.bans.look_again()
                found.invalidations.look_again()

    def drain(self) -> None:
        """Report from now on that the process is not ready, but continue to serve."""
        self.draining = True

    def refusal(self, error: BaseException) -> bytes:
        """Return the complete answer to a request that fails in gunicorn."""
        return wire.refusal(error)

    def stop(self) -> None:
        """End all streams, so that the process can end."""
        self._stopping = True
        if self._follower is not None:
            self._follower.stop()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        alone = self._alone(environ.get("PATH_INFO", ""))
        if alone is not None:
            alone.headers.update(ALWAYS)
            return alone(environ, start_response)
        return self._make()(environ, start_response)

    def _alone(self, path: str) -> Response | None:
        """Return an answer that needs no application, or 503 if the application cannot be made.

        Return None if the application is to answer.
        """
        if self._made is None and path == "/healthz":
            return answer({"status": "ok", "version": VERSION})
        if self.draining and path == "/readyz":
            return answer_problem(Problem("stopping"))
        try:
            self._make()
        except UnsuitableServerError as error:
            log.error("store_unfit", reason=str(error))  # noqa: TRY400 - a sentence says it all
            return answer_problem(Problem("store_unavailable"))
        except RedisError:
            return answer_problem(Problem("store_unavailable"))
        return None

    def _make(self) -> Flask:
        if self._made is not None:
            return self._made
        with self._lock:
            if self._made is None:
                configured = settings.load(os.environ)
                logs.configure(configured)
                made = self._create(open_for_play(configured))
                made.extensions["lonja"].hub.is_stopping = lambda: self._stopping
                collect_less()
                runtime = made.extensions["lonja"].runtime
                self._follower = _follow(runtime)
                Thread(target=_say_alive, args=[runtime], name="alive", daemon=True).start()
                if runtime.settings.archive is not None:
                    Thread(target=_keep_index, args=[runtime], name="index", daemon=True).start()
                self._made = made
            return self._made


def _follow(runtime: Runtime) -> Follower:
    """Start a thread that writes notices about new events while no other process does so."""
    telling = NoticeWriter(runtime.redis, runtime.ledger)
    follower = Follower(runtime.redis, runtime.ledger.store, telling)
    Thread(target=follower.run, name="follower", daemon=True).start()
    return follower


def _say_alive(runtime: Runtime) -> None:
    """Keep saying that this process answers, as long as the store takes it."""
    while True:
        with suppress(RedisError):  # then it is an outage
            runtime.ledger.outages.say_alive()
        time.sleep(SIGN_SECONDS)


def _keep_index(runtime: Runtime) -> None:
    """Keep putting new packs into the index of this host, and folding the rated games.

    After failures it does so ever later.
    """
    pause = INDEX_SECONDS
    while True:
        try:
            catch_up(runtime)
        except RedisError as error:
            log.warning("index_behind", reason=str(error))
            pause = min(2 * pause, MAX_INDEX_SECONDS)
        except Exception:
            log.exception("index_failed")
            pause = min(2 * pause, MAX_INDEX_SECONDS)
        else:
            pause = INDEX_SECONDS
        time.sleep(pause)


def catch_up(runtime: Runtime) -> None:
    """Fold rated games for a while, and put new packs into the index, whatever of it fails.

    Raises RedisError.
    """
    complete, behind = True, None
    if runtime.host_rows is not None:
        try:
            complete = runtime.host_rows.catch_up(FOLD_SECONDS)
        except ArchiveBehindError as error:  # it may need a pack that is put in now
            complete, behind = False, error
    runtime.ledger.store.past_lists.catch_up(announce=True, complete=complete)
    if behind is not None:
        raise behind


app = LazyApplication()
