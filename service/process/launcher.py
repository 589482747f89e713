"""Starts the processes of a service on one machine, and ends them together.

Children die with the launcher, even if it is killed. A child that dies is restarted after a pause;
the pauses grow. A vital child is restarted a limited number of times, any other child without
limit. A child that ends before it was ever ready shows a mistake in the setup, so the launcher ends
everything. A child that stops sending heartbeats, although it had a processor to run on, is killed.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import NamedTuple

import structlog

from service.process.notify import ADDRESS, READY, WATCHDOG, NotifySocket
from service.process.pauses import Pauses
from service.process.stopwatch import Stopwatch

log = structlog.get_logger(__name__)

RESTARTS, WITHIN_SECONDS = 5, 60.0
PAUSES_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
SILENT_SECONDS = 60.0
"""Seconds without a heartbeat after which a child is examined."""
OWN_SHARE = 1 / 3
"""A silent child is killed if it had a processor for this share of the silence."""
STOP_SECONDS = 12.0
POLL_SECONDS = 0.1
PR_SET_PDEATHSIG = 1  # linux/prctl.h


class GaveUpError(RuntimeError):
    """A child cannot be kept running; the message names it."""


class ChildEnd(NamedTuple):
    """The end of a child: its exit code, negative for a signal, and the number of ends in a row."""

    child: str
    code: int
    in_a_row: int


@dataclass
class Child:
    """A process to keep running.

    A ``vital`` child is one without which nothing works. It is restarted at once, and if it dies
    again and again everything ends. ``listener`` is the socket on which the child accepts
    connections, inherited under the same descriptor; connections made during a restart wait.
    """

    name: str
    command: Sequence[str]
    vital: bool = False
    listener: socket.socket | None = None
    process: subprocess.Popen[bytes] | None = None
    was_ready: bool = False
    """Whether the child has ever reported that it is ready."""
    starts: deque[float] = field(default_factory=partial(deque, maxlen=RESTARTS + 1))
    """The times of the child's recent starts."""
    pauses: Pauses = field(default_factory=partial(Pauses, PAUSES_SECONDS))
    next_start: float = 0.0
    heard_at: float | None = None
    """The time of the child's last heartbeat; None if it has sent no heartbeat."""
    passing: Stopwatch | None = None
    """The stopwatch that was started when the child's silence was noticed."""


class Launcher:
    """Runs ``children`` with ``environment`` until told to stop.

    ``each_round`` is called about ten times a second, for other supervision; ``ended`` is called
    with each end of a child that is restarted, and ``ending`` once when a shutdown begins. The
    children then have ``drain_seconds`` to end, unless a second signal comes. A child whose
    heartbeats stop for ``silent_seconds`` is killed.
    """

    def __init__(
        self,
        children: Sequence[Child],
        environment: Mapping[str, str],
        each_round: Callable[[], None] = lambda: None,
        *,
        drain_seconds: float = 0.0,
        ended: Callable[[ChildEnd], None] = lambda _end: None,
        ending: Callable[[], None] = lambda: None,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        self._children = children
        self._silent_seconds = silent_seconds
        self._notices = NotifySocket()
        self._environment = {**environment, ADDRESS: self._notices.address}
        self._each_round = each_round
        self._drain_seconds = drain_seconds
        self._ended = ended
        self._ending = ending
        self._stopping = False
        self._asked = False

    def run(self) -> None:
        """Keep everything running until SIGTERM or SIGINT, then end it.

        Raises:
            GaveUpError: a vital child died too often, or a child died before it was ever ready;
                everything was ended.
        """
        signal.signal(signal.SIGTERM, self._ask_to_stop)
        signal.signal(signal.SIGINT, self._ask_to_stop)
        try:
            while not self._stopping:
                for child in self._children:
                    self._look_after(child)
                self._each_round()
                time.sleep(POLL_SECONDS)
            if self._asked:
                self._ending()
        finally:
            self._end()
            self._notices.close()

    def stop(self) -> None:
        """End everything after this round."""
        self._stopping = True

    def _ask_to_stop(self, _signum: int, _frame: FrameType | None) -> None:
        if self._stopping:  # gunicorn ends at once on a second signal
            for process in self._running():
                process.send_signal(signal.SIGINT)
        self._stopping = self._asked = True

    def _look_after(self, child: Child) -> None:
        if child.process is not None:
            code = child.process.poll()
            self._listen()
            if code is None:
                self._watch(child, child.process)
                return
            self._note_end(child, code)
        if time.monotonic() >= child.next_start:
            self._start(child)

    def _listen(self) -> None:
        for pid, line in self._notices.notices():
            for child in self._children:
                if child.process is None or child.process.pid != pid:
                    continue
                child.was_ready |= line == READY
                if line == WATCHDOG:
                    child.heard_at, child.passing = time.monotonic(), None

    def _watch(self, child: Child, process: "subprocess.Popen[bytes]") -> None:
        """Kill a child that sends no heartbeats, unless it only waits for a processor."""
        if child.heard_at is None or time.monotonic() - child.heard_at < self._silent_seconds:
            return
        try:
            if child.passing is None:
                child.passing = Stopwatch(process.pid)
                return
            passed = child.passing.look(POLL_SECONDS)
        except ProcessLookupError:  # the child has just ended by itself
            return
        if passed.processor + passed.asleep >= self._silent_seconds * OWN_SHARE:
            log.error("process_silent", name=child.name, pid=process.pid)
            process.kill()

    def _note_end(self, child: Child, code: int) -> None:
        now = time.monotonic()
        pause = child.pauses.after(now - child.starts[-1])
        if child.vital:
            pause = 0.0
            if len(child.starts) > RESTARTS and child.starts[0] > now - WITHIN_SECONDS:
                raise GaveUpError(
                    f"The {child.name} process ended {len(child.starts)} times within a minute:"
                    " its messages above say why."
                )
        elif not child.was_ready and code > 0:  # a positive code: nobody killed the child
            raise GaveUpError(
                f"The {child.name} process ended before it was at work, with {cause_of(code)}: its"
                " messages above say why."
            )
        pid = child.process and child.process.pid
        log.warning("process_ended", name=child.name, pid=pid, code=code, again_in=pause)
        self._ended(ChildEnd(child.name, code, child.pauses.in_a_row))
        child.process = child.heard_at = child.passing = None
        child.next_start = now + pause

    def _start(self, child: Child) -> None:
        child.starts.append(time.monotonic())
        try:
            child.process = self._spawn(child)
        except OSError as error:  # for instance, the machine has no memory for another process
            log.error("process_not_started", name=child.name, error=str(error))  # noqa: TRY400 - known
            self._note_end(child, os.EX_OSERR)

    def _spawn(self, child: Child) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            child.command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[] if child.listener is None else [child.listener.fileno()],
            process_group=0,  # Ctrl-C reaches only the launcher, which ends its children
            preexec_fn=die_with_parent(),  # noqa: PLW1509 - only system calls, no locks
        )

    def _end(self) -> None:
        running = self._running()
        for child in self._children:
            # close the sockets, so that no connection waits for a child that will not start again
            if child.listener is not None:
                child.listener.close()
        for process in running:
            process.terminate()
        deadline = time.monotonic() + STOP_SECONDS + self._drain_seconds
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _running(self) -> list[subprocess.Popen[bytes]]:
        return [c.process for c in self._children if c.process and c.process.poll() is None]


def cause_of(code: int) -> str:
    """Return the cause of an end in words, by exit code (negative for a signal)."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def die_with_parent(
    parent: int | None = None, by: signal.Signals = signal.SIGTERM
) -> Callable[[], None] | None:
    """Return the function that a child of ``parent`` calls first, so that it dies with its parent.

    The default parent is this process. The kernel sends the child a signal when the parent dies.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    if parent is None:
        parent = os.getpid()

    def ask_kernel() -> None:
        prctl(PR_SET_PDEATHSIG, by)
        if os.getppid() != parent:  # the parent died before the call
            os._exit(1)

    return ask_kernel
