"""Starts the private Redis again when it has ended, for as long as it takes."""

import time

import structlog

from service.redis.binary import RedisServerError
from service.redis.server import RedisServer

log = structlog.get_logger(__name__)

PAUSES_S = (0.0, 5.0, 10.0, 15.0)
"""The pause before each further attempt; the last one repeats: at most five a minute."""

STEADY_S = 60.0
"""How long the server must run until its next end counts as the first again."""


class Keeper:
    """Looks after a server that was started once, because nothing works without it."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._ended = False
        self._attempts = 0
        self._next_start = self._last_start = time.monotonic()

    def look_after(self) -> bool:
        """Start the server if it does not run and its pause is over; return whether it runs."""
        if self._server.running:
            return True
        if not self._ended:
            self._ended = True
            if time.monotonic() - self._last_start > STEADY_S:
                self._attempts = 0
            self._wait("store_ended", self._server.why_it_ended())
        if time.monotonic() >= self._next_start:
            self._start()
        return self._server.running

    def _start(self) -> None:
        self._last_start = time.monotonic()
        try:
            self._server.start()
        except RedisServerError as error:
            self._wait("store_not_started", str(error))
        else:
            self._ended = False

    def _wait(self, event: str, reason: str) -> None:
        pause = PAUSES_S[min(self._attempts, len(PAUSES_S) - 1)]
        self._attempts += 1
        self._next_start = time.monotonic() + pause
        log.error(event, reason=reason, again_in=pause)
