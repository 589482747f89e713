"""Retries of requests to a service, with growing pauses and messages to the person who waits."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from service.cli.terminal import troubles
from service.cli.terminal.api import ServiceRefusedError, UnreachableError

PAUSES = (0.25, 1, 2, 4, 8, 15)
"""Seconds between two tries; the last applies to all later ones."""
SLOW_SECONDS = 10.0
"""Minimum pause if somebody else must fix something before a retry."""

_MENDED = ("game_damaged", "game_sealed", "rules_version_unavailable")
"""Codes of refusals that end once somebody has fixed a fault, or a tournament's block is over."""


class Patience:
    """An operation that is retried until it succeeds or the event ``left`` is set.

    A single failure is silent: messages begin with the second.
    """

    def __init__(self, language: str, left: threading.Event, speak: Callable[[str], None]) -> None:
        """``speak`` is called when the service does not answer, and when it answers again."""
        self._language = language
        self._left = left
        self._speak = speak
        self._failures = 0
        self._began = 0.0
        self.trouble = ""
        """The fault, its beginning, and the time of the next attempt; empty without a fault."""

    def failed(self, error: ServiceRefusedError | UnreachableError) -> None:
        """Count a failure of the operation, report it unless it is the first, and pause.

        The pauses grow with the number of failures. If a pause is longer than usual, the first
        failure is reported, too. As soon as the event ``left`` is set, the method returns.
        """
        if not self._failures:
            self._began = time.monotonic()
        pause = float(PAUSES[min(self._failures, len(PAUSES) - 1)])
        self._failures += 1
        refused = isinstance(error, ServiceRefusedError)
        if isinstance(error, ServiceRefusedError):
            pause = max(pause, error.retry_after, SLOW_SECONDS if error.status == 409 else 0)
        if self._failures > 1 or pause > PAUSES[0]:
            self._tell(str(error), pause, refused=refused)
        self._left.wait(pause)

    def _tell(self, why: str, pause: float, *, refused: bool) -> None:
        now = datetime.now().astimezone()
        since = now - timedelta(seconds=time.monotonic() - self._began)
        if not self.trouble:
            self._speak(troubles.tell(self._language, "held" if refused else "lost", why=why))
        self.trouble = troubles.tell(
            self._language,
            "waits" if refused else "away",
            since=troubles.clock(since),
            why=why,
            again=troubles.clock(now + timedelta(seconds=pause)),
        )

    def succeeded(self) -> None:
        """Count the failures of the operation from zero again.

        If trouble was reported to the person, report that it is over.
        """
        if self.trouble:
            seconds = round(time.monotonic() - self._began)
            self.trouble = ""
            self._speak(troubles.tell(self._language, "back", seconds=seconds))
        self._failures = 0


def may_be_tried(error: ServiceRefusedError) -> bool:
    """Whether a refused request may succeed later, after some time or after a remedy."""
    return error.passing or error.code in _MENDED
