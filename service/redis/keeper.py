"""Restarts the private Redis whenever it has ended, as often as necessary."""

import time
from collections.abc import Callable

import structlog

from service.process.launcher import ChildEnd
from service.process.pauses import Pauses
from service.redis.binary import RedisServerError
from service.redis.server import RedisServer

log = structlog.get_logger(__name__)

PAUSES_S = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before restarts: short at first, because everything waits, later four tries a minute."""

STORE = "store"
"""The server's name among the children of a service."""


class Keeper:
    """Supervises a started server, and starts it again when it ends: nothing works without it.

    It never blocks, so that other children are supervised while the server loads its log. ``ended``
    is called with each end, also during a start.
    """

    def __init__(
        self, server: RedisServer, ended: Callable[[ChildEnd], None] = lambda _end: None
    ) -> None:
        self._server = server
        self._tell_end = ended
        self._pauses = Pauses(PAUSES_S)
        self._up_since: float | None = time.monotonic()
        self._starting = False
        self._next_start = 0.0

    def look_after(self) -> bool:
        """Start the server if it does not run and its pause is over; return whether it answers."""
        if self._up_since is not None and not self._server.running:
            lived = time.monotonic() - self._up_since
            self._up_since = None
            self._wait("store_ended", self._server.why_it_ended(), lived)
            self._tell_end(ChildEnd(STORE, self._server.exit_code, self._pauses.in_a_row))
        if self._up_since is None:
            self._bring_up()
        return self._up_since is not None

    def _bring_up(self) -> None:
        try:
            if not self._starting:
                if time.monotonic() < self._next_start:
                    return
                self._server.begin()
                self._starting = True
            if self._server.answers():
                self._starting = False
                self._up_since = time.monotonic()
        except RedisServerError as error:
            ran, self._starting = self._starting, False
            self._wait("store_not_started", str(error), 0.0)
            if ran:
                self._tell_end(ChildEnd(STORE, self._server.exit_code, self._pauses.in_a_row))

    def _wait(self, event: str, reason: str, lived: float) -> None:
        pause = self._pauses.after(lived)
        self._next_start = time.monotonic() + pause
        log.error(event, reason=reason, again_in=pause)
