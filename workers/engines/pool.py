"""The engines of this process, and the state that they share.

An engine is started when it gets its first question.
"""

import atexit
from collections.abc import Callable, Hashable

from workers.engines.engine import Engine
from workers.engines.engine_process import EngineProcess


class ProcessEndingError(Exception):
    """This process has to end; the question stays open, and another process will ask it."""


_engines: dict[Hashable, Engine] = {}
_meanwhile: Callable[[], None] | None = None
_closed_ns = 0


def engine(key: Hashable, start: Callable[[], EngineProcess]) -> Engine:
    """Return the engine with this key.

    ``start`` is called whenever the engine's process has to be started.
    """
    if key not in _engines:
        _engines[key] = Engine(start, _each_look)
    return _engines[key]


def close(key: Hashable) -> None:
    """Kill an engine and forget it."""
    global _closed_ns  # noqa: PLW0603 - the process has one sum
    closed = _engines.pop(key, None)
    if closed is not None:
        closed.close()
        _closed_ns += closed.spent_ns


def call_meanwhile(do: Callable[[], None] | None) -> None:
    """Store a function, which is called at short intervals while an engine thinks.

    If ``do`` raises an error, the engine that thinks is killed, and the error is raised further.
    """
    global _meanwhile  # noqa: PLW0603 - the process has one
    _meanwhile = do


def spent_ns() -> int:
    """Return the processor time that all engines, including killed ones, took for their answers."""
    return _closed_ns + sum(engine.spent_ns for engine in _engines.values())


def _each_look() -> None:
    if _meanwhile is not None:
        _meanwhile()


@atexit.register
def close_all() -> None:
    """Kill all engines."""
    for key in list(_engines):
        close(key)
