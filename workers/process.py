"""The objects of a worker process. RQ calls a job by name, and the job finds the objects here."""

import os
import signal
from dataclasses import dataclass, field
from functools import partial

from service import settings
from service.catalogue.bots import LIVE, engines_of
from service.runtime import Runtime, open_runtime
from workers import bots
from workers.analyses import AnalysisWork
from workers.beats import JOBS, Beats
from workers.deciding import TimeLimit
from workers.engines import modules, pool, strangers
from workers.engines.pool import ProcessEndingError
from workers.hints import HintWork
from workers.matches import Matches
from workers.turns import Turns


@dataclass(frozen=True, slots=True)
class Process:
    """The objects of this process."""

    runtime: Runtime
    turns: Turns
    matches: Matches
    analyses: AnalysisWork
    hints: HintWork
    beats: Beats = field(default_factory=partial(Beats, LIVE))
    undone: set[str] = field(default_factory=set)
    """The ids of games and tournaments whose turns were not finished when the store became
    unavailable; the next sweep queues these turns again.
    """

    def stop(self) -> None:
        """End the current job soon."""
        self.turns.stopping = self.matches.stopping = self.analyses.stopping = True

    def meanwhile(self) -> None:
        """Report that the process is alive, while an engine thinks.

        Raises:
            ProcessEndingError: the process has to end.
        """
        self.beats.note(JOBS)
        if self.stopping:
            raise ProcessEndingError

    def leave(self) -> None:
        """End the process after the current move, as SIGTERM does."""
        self.stop()
        os.kill(os.getpid(), signal.SIGTERM)

    @property
    def stopping(self) -> bool:
        """Whether the process has to end."""
        return self.turns.stopping


def make(runtime: Runtime, queue: str = LIVE) -> Process:
    """Make the objects of a worker of this queue.

    Raises SettingsError: an engine of a stranger cannot be run here.
    """
    bots.install(runtime.settings.extra_bots, engines_of(runtime.settings))
    strangers.need_all(bots.ENGINES.values(), runtime.registry)
    modules.know_rules(runtime.settings)
    bots.hash_code(runtime.registry)
    beats = Beats(queue, allowed=lambda: TimeLimit.allowed)
    return Process(
        runtime,
        Turns(runtime),
        Matches(runtime),
        AnalysisWork(runtime),
        HintWork(runtime),
        beats,
    )


_current: Process | None = None


def use(process: Process) -> None:
    """Make ``process`` the object that jobs find."""
    global _current  # noqa: PLW0603 - a job is a function that gets ids alone
    _current = process
    pool.call_meanwhile(process.meanwhile)


def current() -> Process:
    """Return this process's object; the first call makes it from the environment's settings."""
    if _current is None:
        use(make(open_runtime(settings.load(os.environ), announce=False)))
    assert _current is not None  # noqa: S101 - set just above
    return _current
