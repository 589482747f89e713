"""Engines: processes that answer questions within a time limit, and that can be killed."""

import time
from collections.abc import Callable
from typing import TypeVar

from rules.kernel.canonical import JsonObject
from service.process.limits import Limit
from workers.engines import protocol
from workers.engines.engine_process import EngineFailedError, EngineProcess
from workers.engines.pipes import PipeClosedError
from workers.engines.protocol import (
    BAD_ANSWER,
    FLOODED,
    LONGEST_LINE,
    BadAnswerError,
    EngineAnswer,
)

T = TypeVar("T")

SHORTEST_LOOK = 0.01
"""The shortest interval between two checks of what an engine uses, in seconds."""


class Engine:
    """A process that answers questions; it is started for the first question. Not thread-safe.

    ``start`` starts the process. ``meanwhile`` is called several times a second while the engine
    thinks; if it raises an error, the engine is killed.
    """

    def __init__(
        self, start: Callable[[], EngineProcess], meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        self.hello: JsonObject = {}
        """The engine's first message, in which it describes itself."""
        self.spent_ns = 0
        """The processor time of all its answers, invalid and unfinished ones included."""
        self.asked_ns = 0
        """The processor time of the newest of them, without that of the engine's start."""
        self._start_process = start
        self._meanwhile = meanwhile
        self._running: EngineProcess | None = None
        self._asked = 0

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it does not run."""
        return None if self._running is None else self._running.process.pid

    def ask(self, question: JsonObject, limit: Limit, *, again: bool = False) -> EngineAnswer:
        """Ask a question and return the engine's answer.

        ``again`` says whether the caller asks the same question again after an invalid answer. The
        engine is told this together with the error.

        Raises:
            EngineFailedError: the engine failed.
            TookTooLongError: the engine used up its limit, or slept, and was killed.
            StoppedError: the engine was killed through no fault of its own.
        """
        if self._running is not None and self._running.has_ended():
            self.close()  # the process has ended between two questions, so nothing is lost
        self.asked_ns = 0
        running = self._running or self._start()
        self._asked += 1
        number = self._asked

        def answered(message: JsonObject) -> EngineAnswer | None:
            answer, error = message.get("answer"), message.get("error")
            if isinstance(error, dict) and error.get("id") == number:
                more = error.get("again") is True
                raise EngineFailedError(str(error.get("message")), again=more)
            if isinstance(answer, dict) and answer.get("id") == number:
                return protocol.read_answer(answer, question["legal"])
            return None  # this answers an older question, or is an unknown message

        asked, before = {"id": number, **question, "limit": limit.to_json()}, self.spent_ns
        try:
            return self._converse(running, protocol.line("question", asked), answered, limit)
        except BadAnswerError as error:
            self.refuse(BAD_ANSWER, str(error), again=again)
            raise EngineFailedError(str(error), code=BAD_ANSWER) from None
        finally:
            self.asked_ns = self.spent_ns - before

    def refuse(self, code: str, message: str, *, again: bool) -> None:
        """Tell the engine what is wrong with its answer, and whether the question is repeated."""
        self.tell("error", {"id": self._asked, "code": code, "message": message, "again": again})

    def tell(self, kind: str, body: JsonObject) -> None:
        """Send the engine a message to which no answer is awaited, if it runs."""
        if self._running is not None:
            self._running.pipes.say(protocol.line(kind, body))

    def start(self) -> None:
        """Start the process unless it runs, and store the engine's first message in ``hello``.

        Raises the errors of ``ask``.
        """
        if self._running is None:
            self._start()

    def ends(self, seconds: float) -> bool:
        """Close the process's input; return whether it ended by itself within ``seconds``."""
        running = self._running
        if running is None:
            return True
        running.wake()
        running.pipes.end_input()
        until = time.monotonic() + seconds
        while not (ended := running.has_ended()) and time.monotonic() < until:
            time.sleep(SHORTEST_LOOK)
        self.close()
        return ended

    def close(self) -> None:
        """Kill the process, whatever it does."""
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def _start(self) -> EngineProcess:
        running = self._running = self._start_process()

        def greeted(message: JsonObject) -> JsonObject | None:
            said = message.get("hello")
            return said if isinstance(said, dict) else None

        hello = protocol.line("hello", protocol.service_hello())
        try:
            self.hello = self._converse(running, hello, greeted, running.start)
            protocol.need_version(self.hello)
        except BadAnswerError as error:
            self.close()
            raise EngineFailedError(str(error)) from None
        return running

    def _converse(
        self,
        running: EngineProcess,
        said: bytes,
        wanted: Callable[[JsonObject], T | None],
        limit: Limit,
    ) -> T:
        """Send a message, and return the first answer of the ``wanted`` kind."""
        before = running.spent_ns()
        try:
            running.wake()
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
            running.rest()

    def _listen(
        self,
        running: EngineProcess,
        said: bytes,
        wanted: Callable[[JsonObject], T | None],
        limit: Limit,
    ) -> T:
        passing, pipes = running.passing(), running.pipes
        pipes.say(said)
        pause, looked = SHORTEST_LOOK, time.monotonic()
        while True:
            for line in pipes.lines(pause):
                if (found := wanted(protocol.read(line))) is not None:
                    return found
            if pipes.told > LONGEST_LINE:
                self.close()
                raise EngineFailedError(f"it says more than {LONGEST_LINE} bytes", code=FLOODED)
            if time.monotonic() < looked + pause:
                continue
            self._judge(running)
            # Pending output is read before the engine's time is judged.
            if not pipes.has_more():
                self._meanwhile()
                passed = passing.look(pause)
                # Count the time now, so that it is counted even if the engine is killed.
                running.spent_ns()
                limit.judge(passed)
                pause = min(running.longest_look, max(SHORTEST_LOOK, limit.left(passed)))
                looked = time.monotonic()

    def _judge(self, running: EngineProcess) -> None:
        try:
            running.judge()
        except EngineFailedError:
            self.close()
            raise
