"""Lets games leave the store when they have to: once a day by their age, or because it is full.

`lonja archive move --due` does the work, in a process of its own at the lowest priority: what it
verifies and writes may not make turns wait. One process of an installation does it at a time.
"""

import os
import secrets
import subprocess
import time
from contextlib import suppress
from typing import Any

import structlog
from redis.exceptions import RedisError

from service.players.keys import DAY_MS
from service.redis.keys import meta_key
from service.runtime import Runtime
from service.upkeep.due import Due, last_run

log = structlog.get_logger(__name__)

LEASE = meta_key("archiver")
"""The process that lets games leave; it expires."""

_LEASE_MS = 120_000
_LOOK_SECONDS = 30.0
"""Interval at which a process looks whether games have to leave, or whether they have left."""
_AGAIN_SECONDS = 600.0
"""The pause after a run, also after one that failed."""
_FULL_AGAIN_MS = 600_000
"""Minimum time between the beginnings of two runs because the store is full."""
_LOWEST_PRIORITY = 19
_END_SECONDS = 5.0


class Archiver:
    """Runs ``command`` when games have to leave the store, if there is a folder of packs."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._owner = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._child: subprocess.Popen[bytes] | None = None
        self._next_at = 0.0

    def __call__(self, runtime: Runtime) -> None:
        """Begin what is due, and look after what runs."""
        if runtime.settings.archive is None or time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + _LOOK_SECONDS
        if self._child is not None:
            self._look_after(runtime, self._child)
        elif _is_due(runtime) and self._take(runtime):
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
        log.info("archive_run_begun", pid=self._child.pid)

    def _look_after(self, runtime: Runtime, child: subprocess.Popen[bytes]) -> None:
        code = child.poll()
        if code is None:
            self._take(runtime)
            return
        self._child, self._next_at = None, time.monotonic() + _AGAIN_SECONDS
        self._give_back(runtime)
        told = log.info if code == 0 else log.warning
        last = last_run(runtime.redis)
        told("archive_run_ended", code=code, **({} if last is None else last._asdict()))

    def _take(self, runtime: Runtime) -> bool:
        """Take the lease, or keep it; return whether this process has it."""
        found: Any = runtime.redis.set(LEASE, self._owner, nx=True, px=_LEASE_MS, get=True)
        if found == self._owner.encode():
            runtime.redis.pexpire(LEASE, _LEASE_MS)
        return found in (None, self._owner.encode())

    def _give_back(self, runtime: Runtime) -> None:
        with suppress(RedisError):  # else it expires
            if runtime.redis.get(LEASE) == self._owner.encode():
                runtime.redis.delete(LEASE)


def _is_due(runtime: Runtime) -> bool:
    last = last_run(runtime.redis)
    now = runtime.ledger.store.clock.ask()
    if last is None or now >= last.at + DAY_MS:
        return True
    return now >= last.at + _FULL_AGAIN_MS and Due.of(runtime.settings).excess(runtime.redis) > 0
