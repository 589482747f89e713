"""What one worker process is made of; jobs, which are called by name, find it here."""

import os
from dataclasses import dataclass

from service import settings
from service.runtime import Runtime, open_runtime
from workers.turns import Turns


@dataclass(frozen=True, slots=True)
class Process:
    """The parts of this process."""

    runtime: Runtime
    turns: Turns


def make(runtime: Runtime) -> Process:
    """Wire the parts."""
    return Process(runtime, Turns(runtime))


_current: Process | None = None


def use(process: Process) -> None:
    """Make ``process`` the one that jobs find."""
    global _current  # noqa: PLW0603 - a job is a function that gets ids alone
    _current = process


def current() -> Process:
    """Return this process, made from the environment's settings if nobody made it yet."""
    if _current is None:
        use(make(open_runtime(settings.load(os.environ), announce=False)))
    assert _current is not None  # noqa: S101 - set just above
    return _current
