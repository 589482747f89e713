"""Asking a service again and again: with growing pauses, and with words for whoever waits."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from service.cli.terminal import troubles
from service.cli.terminal.api import Refusal, UnreachableError

PAUSES = (0.25, 1, 2, 4, 8, 15)
"""How many seconds are between two tries, and for all that follow the last."""
SLOW_SECONDS = 10.0
"""So long at least where somebody else has to mend something first."""

_MENDED = ("game_damaged", "game_sealed", "rules_version_unavailable")
"""Refusals that end when somebody has mended something, or a block of a tournament is over."""


class Patience:
    """One thing that is tried until it succeeds, or ``left`` is set.

    What can be mended at once is mended without a word: it speaks from the second failure on.
    """

    def __init__(self, language: str, left: threading.Event, speak: Callable[[str], None]) -> None:
        """``speak`` is told once that the service is away, and once that it is back."""
        self._language = language
        self._left = left
        self._speak = speak
        self._failures = 0
        self._began = 0.0
        self.trouble = ""
        """What is the matter, since when, and when it is tried again; empty if all is well."""

    def failed(self, error: Refusal | UnreachableError) -> None:
        """Wait after a failure, the longer the more there were; not once it is left."""
        if not self._failures:
            self._began = time.monotonic()
        pause = float(PAUSES[min(self._failures, len(PAUSES) - 1)])
        self._failures += 1
        refused = isinstance(error, Refusal)
        if isinstance(error, Refusal):
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
        """Begin anew; if somebody was told of trouble, say that it is over."""
        if self.trouble:
            seconds = round(time.monotonic() - self._began)
            self.trouble = ""
            self._speak(troubles.tell(self._language, "back", seconds=seconds))
        self._failures = 0


def may_be_tried(error: Refusal) -> bool:
    """Whether what was refused may be asked again for: in a while, or when it is mended."""
    return error.passing or error.code in _MENDED
