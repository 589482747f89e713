"""A limit on how long something may take by the clock on the wall."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TookTooLongError(RuntimeError):
    """It was stopped."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TookTooLongError in what runs within, after so many seconds.

    Only a process's main thread can be stopped so; elsewhere there is no limit. Code that never
    comes back to Python cannot be stopped: then the worker's launcher has to.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signum: int, _frame: FrameType | None) -> None:
        raise TookTooLongError(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
