"""The engines of this process: one for each module of a bot, started for its first question."""

import atexit
import os
import sys
from collections.abc import Callable

from service.settings import Settings
from workers.engines.engine import Engine

ANSWERING = "workers.engines.answering"
"""The command line of an engine's process."""


class ProcessEndingError(Exception):
    """This process has to end; the question stays open, and another process will ask it."""


_rules: dict[str, str] = {}
_engines: dict[str, Engine] = {}
_meanwhile: Callable[[], None] | None = None


def of(module: str) -> Engine:
    """Return the engine of a bot's module."""
    if module not in _engines:
        command = [sys.executable, "-P", "-m", ANSWERING, module]
        _engines[module] = Engine(command, environment(), _each_look)
    return _engines[module]


def environment() -> dict[str, str]:
    """Return the environment of an engine: the paths of code and of installed rules.

    The environment has none of the service's settings, such as the store's address.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LONJA_", "REDIS_", "NOTIFY_"))
    }
    return {**kept, **_rules, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def know_rules(settings: Settings) -> None:
    """Note the rulesets that ``settings`` install, so that engines find them."""
    told = {
        "LONJA_EXTRA_RULESETS": ",".join(settings.extra_rulesets),
        "LONJA_EDITIONS": ",".join(map(str, settings.editions)),
    }
    if told != _rules:
        close_all()
        _rules.update(told)


def call_meanwhile(do: Callable[[], None] | None) -> None:
    """Have ``do`` called from time to time while an engine thinks; its errors kill that engine."""
    global _meanwhile  # noqa: PLW0603 - the process has one
    _meanwhile = do


def spent_ns() -> int:
    """Return the processor time that all engines took for their answers."""
    return sum(engine.spent_ns for engine in _engines.values())


def _each_look() -> None:
    if _meanwhile is not None:
        _meanwhile()


@atexit.register
def close_all() -> None:
    """Kill all engines."""
    for engine in _engines.values():
        engine.close()
    _engines.clear()
