"""Runs a command of ours when its time has come, in one process of an installation at a time.

It is a process of its own at the lowest priority: what it does may not make turns wait.
"""

import os
import secrets
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any

import structlog
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from service.runtime import Runtime

log = structlog.get_logger(__name__)

OURS = (sys.executable, "-P", "-c", "from service.cli import main; main()")
"""How a command of ours begins."""

_LEASE_MS = 120_000
_LOOK_SECONDS = 30.0
"""Interval at which a process looks whether a run is due, or has ended."""
_AGAIN_SECONDS = 600.0
"""The pause after a run, also after one that failed."""
_LOWEST_PRIORITY = 19
_END_SECONDS = 5.0


class LeasedRun(ABC):
    """Runs a command when it is due, if there are packs; ``lease`` says which process does it."""

    name: str
    """How logs call a run."""
    lease: str
    """The key of the process that runs it; it expires."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._child: subprocess.Popen[bytes] | None = None
        self._next_at = 0.0

    @abstractmethod
    def is_due(self, runtime: Runtime) -> bool:
        """Whether a run has to begin."""

    @abstractmethod
    def result(self, runtime: Runtime) -> JsonObject:
        """Return what the log says of the last run."""

    def __call__(self, runtime: Runtime) -> None:
        """Begin what is due, and look after what runs."""
        if runtime.settings.archive is None or time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + _LOOK_SECONDS
        if self._child is not None:
            self._look_after(runtime, self._child)
        elif self.is_due(runtime) and self._take(runtime):
            self._begin()

    def stop(self) -> None:
        """End what runs; the next run finishes its work."""
        child, self._child = self._child, None
        if child is not None and child.poll() is None:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_END_SECONDS)
            if child.poll() is None:
                child.kill()
                child.wait()

    def _begin(self) -> None:
        self._child = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._child.pid, _LOWEST_PRIORITY)
        event = f"{self.name}_begun"
        log.info(event, pid=self._child.pid)

    def _look_after(self, runtime: Runtime, child: "subprocess.Popen[bytes]") -> None:
        code = child.poll()
        if code is None:
            self._take(runtime)
            return
        self._child, self._next_at = None, time.monotonic() + _AGAIN_SECONDS
        self._give_back(runtime)
        told = log.info if code == 0 else log.warning
        told(f"{self.name}_ended", code=code, **self.result(runtime))

    def _take(self, runtime: Runtime) -> bool:
        """Take the lease, or keep it; return whether this process has it."""
        found: Any = runtime.redis.set(self.lease, self._owner, nx=True, px=_LEASE_MS, get=True)
        if found == self._owner.encode():
            runtime.redis.pexpire(self.lease, _LEASE_MS)
        return found in (None, self._owner.encode())

    def _give_back(self, runtime: Runtime) -> None:
        with suppress(RedisError):  # else it expires
            if runtime.redis.get(self.lease) == self._owner.encode():
                runtime.redis.delete(self.lease)
