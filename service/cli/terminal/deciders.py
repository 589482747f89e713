"""Bots of a local game decide in a separate process.

That process can be killed. So the program responds to keys while a bot thinks. If a bot hangs, it
fails after the same time as in the service. Nothing is left running when the program ends.
"""

import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CRASHED, STOPPED, TOO_SLOW
from service.cli.local import LocalGame
from service.cli.terminal.thoughts import HintReply, RecordedFailure, Reply, Task, Thought
from service.process.limits import Limit, StoppedError, TookTooLongError
from service.process.stopwatch import Stopwatch

ANSWERING = "workers.apart"
"""The command line of the bots' process; the service never imports its workers."""
GRACE_SECONDS = 2.0
"""Seconds from a bot's time limit until it is killed, if Python could not stop it."""
LOOK_SECONDS = 0.1
"""Seconds between checks of a bot's time."""
START_SECONDS = 60.0
"""Time limit for the process to load the rules and the bots."""


class NoDeciderError(Exception):
    """The bots' process does not start, or ends before it has read a question."""


class Decider:
    """Asks the bots of one game, in a process that starts with the first question."""

    def __init__(self, local: LocalGame) -> None:
        self._local = local
        self._process: subprocess.Popen[bytes] | None = None
        self._link: Connection | None = None
        self._told = 0
        self._closed = threading.Event()
        self._changing = threading.Lock()
        """Held while the process begins or ends: a game may be left while a bot is asked."""

    def ask(self, seat: Seat) -> Thought | None:
        """Return the decision of a seat's bot; None if the person has left the game meanwhile.

        Raises:
            NoDeciderError: the bots' process does not start, or has ended.
        """
        task = self._set(seat, hint=False)
        reply: Reply | None = None if task is None else self._wait(task)
        return None if task is None or reply is None else Thought(seat, task.code, reply)

    def hint(self, seat: Seat) -> HintReply | None:
        """Return a hint for a seat that has a decision; None if the person has left the game.

        Raises:
            NoDeciderError: as for ``ask``.
        """
        task = self._set(seat, hint=True)
        reply: HintReply | None = None if task is None else self._wait(task)
        return reply

    def _set(self, seat: Seat, *, hint: bool) -> Task | None:
        """Give the process a task, and return it; None if the game was left."""
        if self._closed.is_set():
            return None
        try:
            return self._send(seat, hint=hint)
        except (OSError, EOFError) as error:
            self._end()
            if self._closed.is_set():
                return None
            raise NoDeciderError(f"{type(error).__name__} {error}".strip()) from None

    def _send(self, seat: Seat, *, hint: bool) -> Task:
        """Send a seat's task to the process, and return it. Raises OSError, EOFError."""
        link = self._link or self._begin()
        events = self._local.events
        link.send((events[self._told :], seat, hint))
        self._told = len(events)
        if not link.poll(START_SECONDS):
            raise TimeoutError(f"no word for {START_SECONDS:g} s")
        task: Task = link.recv()
        return task

    def _wait(self, task: Task) -> Any:
        """Return the process's answer or its failure; None if the game was left meanwhile."""
        link, process = self._link, self._process
        if link is None or process is None:
            return None
        limit = Limit(task.seconds + GRACE_SECONDS)
        try:
            passing = Stopwatch(process.pid)
            while not link.poll(LOOK_SECONDS):
                limit.judge(passing.look(LOOK_SECONDS))
            reply = link.recv()
        except TookTooLongError as error:
            failure = RecordedFailure(TOO_SLOW, str(error))
        except StoppedError as error:
            failure = RecordedFailure(STOPPED, str(error))
        except (OSError, EOFError):
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_SECONDS)
            failure = RecordedFailure(CRASHED, f"its process ended with {process.returncode}")
        else:
            return reply
        self._end()
        return None if self._closed.is_set() else failure

    def _begin(self) -> Connection:
        """Start the process. Raises EOFError once the game was left."""
        with self._changing:
            if self._closed.is_set():
                raise EOFError
            link, self._process = self._started()
            self._link = link
        self._told = 0
        link.send((self._local.game.id, self._local.secrets.salt))
        return link

    def _started(self) -> tuple[Connection, subprocess.Popen[bytes]]:
        link, theirs = Pipe()
        with theirs:
            begin = f"from {ANSWERING} import answer_all; answer_all({theirs.fileno()})"
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", begin],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # only the program may write on the screen
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only the program, which kills this process
            )
        return link, process

    def _end(self) -> None:
        with self._changing:
            process, self._process, self._link = self._process, None, None
        if process is not None:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Kill the process, whatever it does."""
        self._closed.set()
        self._end()
