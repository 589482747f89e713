"""Starts the processes of a service on one machine, and ends them all together.

Children die with the launcher, even one that is killed; a child that dies is started again, a
bounded number of times.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

import structlog

log = structlog.get_logger(__name__)

RESTARTS, WITHIN_SECONDS = 5, 60.0
STOP_SECONDS = 12.0
POLL_SECONDS = 0.1
PR_SET_PDEATHSIG = 1  # linux/prctl.h


class GaveUp(RuntimeError):
    """A child kept dying; the message names it."""


@dataclass
class Child:
    """A process to keep running."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    starts: deque[float] = field(default_factory=deque)


class Launcher:
    """Runs ``children`` with ``environment`` until told to stop.

    ``each_round`` is called about ten times a second, for what else there is to look after, and
    ``ending`` once when somebody has asked for the end, before the children end. These have
    ``drain_seconds`` more to end, unless they are told to a second time.
    """

    def __init__(
        self,
        children: Sequence[Child],
        environment: Mapping[str, str],
        each_round: Callable[[], None] = lambda: None,
        *,
        drain_seconds: float = 0.0,
        ending: Callable[[], None] = lambda: None,
    ) -> None:
        self._children = children
        self._environment = environment
        self._each_round = each_round
        self._drain_seconds = drain_seconds
        self._ending = ending
        self._stopping = False
        self._asked = False

    def run(self) -> None:
        """Keep everything running until SIGTERM or SIGINT, then end it.

        Raises:
            GaveUp: a child died too often; everything was ended.

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

    def stop(self) -> None:
        """End everything after this round."""
        self._stopping = True

    def _ask_to_stop(self, _signum: int, _frame: FrameType | None) -> None:
        if self._stopping:  # somebody is impatient: gunicorn takes this for an end at once
            for process in self._running():
                process.send_signal(signal.SIGINT)
        self._stopping = self._asked = True

    def _look_after(self, child: Child) -> None:
        if child.process is not None:
            code = child.process.poll()
            if code is None:
                return
            log.warning("process_ended", name=child.name, pid=child.process.pid, code=code)
        now = time.monotonic()
        while child.starts and child.starts[0] < now - WITHIN_SECONDS:
            child.starts.popleft()
        if len(child.starts) > RESTARTS:
            raise GaveUp(
                f"The {child.name} process ended {len(child.starts)} times within a minute:"
                " its messages above say why."
            )
        child.starts.append(now)
        child.process = self._spawn(child)

    def _spawn(self, child: Child) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            child.command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            process_group=0,  # a terminal's Ctrl-C is for the launcher, which ends its children
            preexec_fn=die_with_parent(),  # noqa: PLW1509 - only system calls, no locks
        )

    def _end(self) -> None:
        running = self._running()
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


def die_with_parent() -> Callable[[], None] | None:
    """Return what a child calls first, so that the kernel ends it cleanly with its parent."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def ask_kernel() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask_kernel
