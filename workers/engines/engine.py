"""Engines: processes that answer questions within a time limit, and that can be killed."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from service.process import procfs
from service.process.limits import KILLED, Limit, StoppedError
from service.process.stopwatch import Stopwatch
from workers.engines import protocol
from workers.engines.pipes import PipeClosedError, Pipes
from workers.engines.protocol import LONGEST_LINE, BadAnswerError, EngineAnswer

T = TypeVar("T")

START = Limit(60.0)
"""Time that an engine may take to say hello."""

LOOK_SECONDS = 0.01, 0.5
"""The shortest and the longest interval between two checks of an engine's time."""

EXIT_SECONDS = 2.0
"""Time that a process may take to end after it has closed its output."""

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals with which an operator, the service, or the kernel (if memory runs out) ends a
process.
"""


class EngineFailedError(Exception):
    """A failure of an engine that is its own fault; the message describes it."""


class Engine:
    """A process that answers questions; it is started for the first question. Not thread-safe.

    ``meanwhile`` is called several times a second while the engine thinks; if it raises an error,
    the engine is killed.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        self.hello: JsonObject = {}
        """The engine's first message, in which it describes itself."""
        self.spent_ns = 0
        """The processor time of all its answers, invalid and unfinished ones included."""
        self._command = command
        self._environment = environment
        self._meanwhile = meanwhile
        self._running: _EngineProcess | None = None
        self._asked = 0

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it does not run."""
        return None if self._running is None else self._running.process.pid

    def ask(self, question: JsonObject, legal: Sequence[Move[Any]], limit: Limit) -> EngineAnswer:
        """Ask a question and return the engine's answer.

        Raises:
            EngineFailedError: the engine failed.
            TookTooLongError: the engine used up its limit, or slept, and was killed.
            StoppedError: the engine was killed through no fault of its own.
        """
        if self._running is not None and self._running.has_ended():
            self.close()  # the process has ended between two questions, so nothing is lost
        running = self._running or self._start()
        self._asked += 1
        number = self._asked

        def answered(message: JsonObject) -> EngineAnswer | None:
            answer, error = message.get("answer"), message.get("error")
            if isinstance(error, dict) and error.get("id") == number:
                raise EngineFailedError(str(error.get("message")))
            if isinstance(answer, dict) and answer.get("id") == number:
                return protocol.read_answer(answer, legal)
            return None  # this answers an older question, or is an unknown message

        asked = {"id": number, **question, "limit": limit.to_json()}
        try:
            return self._converse(running, protocol.line("question", asked), answered, limit)
        except BadAnswerError as error:
            told = {"id": number, "code": protocol.BAD_ANSWER, "message": str(error)}
            running.pipes.say(protocol.line("error", {**told, "again": False}))
            raise EngineFailedError(str(error)) from None

    def close(self) -> None:
        """Kill the process, whatever it does."""
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def _start(self) -> "_EngineProcess":
        running = self._running = _EngineProcess(self._command, self._environment)

        def greeted(message: JsonObject) -> JsonObject | None:
            said = message.get("hello")
            return said if isinstance(said, dict) else None

        hello = protocol.line("hello", protocol.service_hello())
        try:
            self.hello = self._converse(running, hello, greeted, START)
            protocol.need_version(self.hello)
        except BadAnswerError as error:
            self.close()
            raise EngineFailedError(str(error)) from None
        return running

    def _converse(
        self,
        running: "_EngineProcess",
        said: bytes,
        wanted: Callable[[JsonObject], T | None],
        limit: Limit,
    ) -> T:
        """Send a message, and return the first answer of the ``wanted`` kind."""
        before = running.spent_ns()
        try:
            return self._listen(running, said, wanted, limit)
        except (BadAnswerError, EngineFailedError):
            raise  # the engine may answer the next question
        except PipeClosedError:
            cause = running.cause_of_end()
            self.close()
            raise cause from None
        except BaseException:
            self.close()
            raise
        finally:
            self.spent_ns += running.spent_ns() - before

    def _listen(
        self,
        running: "_EngineProcess",
        said: bytes,
        wanted: Callable[[JsonObject], T | None],
        limit: Limit,
    ) -> T:
        passing, pipes = running.passing(), running.pipes
        pipes.say(said)
        shortest, longest = LOOK_SECONDS
        pause, looked = shortest, time.monotonic()
        while True:
            for line in pipes.lines(pause):
                if (found := wanted(protocol.read(line))) is not None:
                    return found
            if pipes.told > LONGEST_LINE:
                self.close()
                raise EngineFailedError(f"it says more than {LONGEST_LINE} bytes")
            is_time = time.monotonic() >= looked + pause
            # Pending output is read before the engine is judged.
            if is_time and not pipes.has_more():
                self._meanwhile()
                passed = passing.look(pause)
                # Count the time now, so that it is counted even if the engine is killed.
                running.spent_ns()
                limit.judge(passed)
                pause = min(longest, max(shortest, limit.left(passed)))
                looked = time.monotonic()


class _EngineProcess:
    """The process of an engine."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # its own process group, so Ctrl-C does not reach it
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

    def cause_of_end(self) -> Exception:
        """Return the error for an engine that ended: its own failure, or a stop from outside."""
        deadline = time.monotonic() + EXIT_SECONDS
        while not self.has_ended():
            if time.monotonic() > deadline:
                return EngineFailedError("it closed its output")
            time.sleep(LOOK_SECONDS[0])
        self.end()
        code = self.process.returncode
        if code >= 0:
            return EngineFailedError(f"its process ended with exit code {code}")
        name = signal.Signals(-code).name
        if -code in _FROM_OUTSIDE:
            return StoppedError(KILLED, f"its process was ended by {name}")
        return EngineFailedError(f"its process ended with {name}")

    def end(self) -> None:
        """Kill the process and the others of its group; a second call does nothing."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.pipes.close()
