"""A limit on how long something may take by the clock on the wall."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType


class TookTooLongError(RuntimeError):
    """It was stopped."""


class TimeLimit:
    """Raises TookTooLongError in what runs within it for more than ``seconds``; used many times.

    Only while it is ``armed``, for only a process's main thread can be stopped so. Code that
    never comes back to Python cannot be stopped: then the worker's launcher has to.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._armed = False

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Take the process's alarm: setting it up for each use costs more than a use."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._stop)
        self._armed = True
        try:
            yield
        finally:
            self._armed = False
            signal.signal(signal.SIGALRM, before)

    def __enter__(self) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _stop(self, _signum: int, _frame: FrameType | None) -> None:
        raise TookTooLongError(f"no answer within {self._seconds:g} s")
