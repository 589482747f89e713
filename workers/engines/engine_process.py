"""The process of an engine: how it starts, what it has used, why it ended."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from service.process import procfs
from service.process.limits import KILLED, Limit, StoppedError
from service.process.stopwatch import Stopwatch
from workers.engines.pipes import PipeClosedError, Pipes
from workers.engines.protocol import CRASHED

EXIT_SECONDS = 2.0
"""Time that a process may take to end after it has closed its output."""

_PAUSE_SECONDS = 0.01

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals with which an operator, the service, or the kernel (if memory runs out) ends a
process.
"""


class EngineFailedError(Exception):
    """A failure of an engine that is its own fault; the message describes it.

    ``again`` is false if the engine says that it is no use to ask it again. ``code`` is the kind of
    failure: ``CRASHED``, ``BAD_ANSWER`` or ``FLOODED``.
    """

    def __init__(self, told: str, *, again: bool = True, code: str = CRASHED) -> None:
        super().__init__(told)
        self.again = again
        self.code = code


class EngineProcess:
    """An engine's process, which has the same rights as the process that starts it."""

    start = Limit(60.0)
    """Time that an engine may take to say hello."""
    longest_look = 0.5
    """The longest interval between two checks of what it uses, in seconds."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], **options: Any
    ) -> None:
        self.process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # its own process group, so Ctrl-C does not reach it
            **options,
        )
        self.pipes = Pipes(self.process)
        self._spent_ns = 0

    def passing(self) -> Stopwatch:
        """Return a stopwatch of the process. Raises PipeClosedError if it has ended."""
        try:
            return Stopwatch(self.process.pid)
        except ProcessLookupError:
            raise PipeClosedError from None

    def spent_ns(self) -> int:
        """Return the processor time of the process, as far as it is known."""
        with suppress(OSError):
            self._spent_ns = round(1e9 * procfs.processor_seconds(self.process.pid))
        return self._spent_ns

    def has_ended(self) -> bool:
        """Whether the process has ended; it stays a zombie, so that its id is not reused."""
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is not None

    def wake(self) -> None:
        """Do nothing; a subclass may let the engine run here, because a question follows."""

    def rest(self) -> None:
        """Do nothing; a subclass may stop the engine here, because no question is open."""

    def judge(self) -> None:
        """Raise EngineFailedError if the engine exceeds a limit other than its limit of time."""

    def cause_of_end(self) -> Exception:
        """Return the error for an engine that ended: its own failure, or a stop from outside."""
        deadline = time.monotonic() + EXIT_SECONDS
        while not self.has_ended():
            if time.monotonic() > deadline:
                return EngineFailedError("it closed its output")
            time.sleep(_PAUSE_SECONDS)
        self.pipes.read_last_errors()
        self.end()
        code = self.process.returncode
        if code >= 0:
            return EngineFailedError(self._ended_with(code))
        name = signal.Signals(-code).name
        if -code in _FROM_OUTSIDE:
            return StoppedError(KILLED, f"its process was ended by {name}")
        return EngineFailedError(f"its process ended with {name}")

    def _ended_with(self, code: int) -> str:
        """Return a sentence for an exit code."""
        return f"its process ended with exit code {code}"

    def end(self) -> None:
        """Kill the process and the others of its group; a second call does nothing."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.pipes.close()
