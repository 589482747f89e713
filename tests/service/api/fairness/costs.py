"""Measures the processor time of a web process between a visitor's connect and the answer."""

import base64
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import orjson

from tests.running import ROOT
from tests.service.api.fairness.crowd import read_answer

CROWD, VICTIM = "127.0.0.2", "127.0.0.3"
CONNECTIONS = 32
TIMES = 200
QUIET_TIMES = 3
AT_ONCE = 20
"""Number of requests that are measured alone, then beside the crowd, alternately."""
_CPUCLOCK_SCHED = 2


def processor_ns(pid: int) -> int:
    """Return the processor time of another process (clock_getcpuclockid(3))."""
    return time.clock_gettime_ns((~pid << 3) | _CPUCLOCK_SCHED)


def ask(port: int, raw: bytes, address: str = VICTIM) -> bytes:
    """Send a request on a new connection; return the first bytes of the complete answer."""
    with socket.create_connection(("127.0.0.1", port), 60, source_address=(address, 0)) as opened:
        opened.sendall(raw)
        first = opened.recv(16, socket.MSG_PEEK)
        read_answer(opened)
        return first


def cost_ns(pid: int, port: int, raw: bytes, address: str = VICTIM) -> int:
    """Return the processor time of a process from a visitor's connect to the answer's last byte."""
    began = processor_ns(pid)
    ask(port, raw, address)
    return processor_ns(pid) - began


class Found(NamedTuple):
    """Costs of the same request, in ns."""

    alone: list[int]
    beside: list[int]

    @property
    def ratios(self) -> tuple[float, float]:
        """Return the ratios of the costs beside and alone: of medians, and of 99th percentiles."""
        return median(self.beside) / median(self.alone), _p99(self.beside) / _p99(self.alone)


def _p99(found: list[int]) -> int:
    return sorted(found)[-1 - len(found) // 100]


@contextmanager
def crowd(pid: int, port: int, requests: list[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Make one address send these requests in turn, on all of its connections."""
    told = {
        "port": port,
        "address": CROWD,
        "connections": CONNECTIONS,
        "requests": [base64.b64encode(one).decode() for one in requests],
    }
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.service.api.fairness.crowd"], stdin=subprocess.PIPE, cwd=ROOT
    )
    try:
        assert started.stdin is not None
        started.stdin.write(orjson.dumps(told))
        started.stdin.close()
        began = processor_ns(pid)
        while processor_ns(pid) - began < 20_000_000 and started.poll() is None:
            time.sleep(0.02)  # until it sends requests
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def at_once(*pids: int) -> Iterator[None]:
    """Give these processes a real-time priority, if that is allowed.

    Otherwise, while the visitor or the store waits for a processor of a busy machine, the web
    process rightly works for others, and this work would be measured, too.
    """
    before = [(pid, os.sched_getscheduler(pid), os.sched_getparam(pid)) for pid in pids]
    try:
        for pid in pids:
            with suppress(OSError):
                how = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
                os.sched_setscheduler(pid, how, os.sched_param(1))
        yield
    finally:
        for pid, how, priority in before:
            with suppress(OSError):
                os.sched_setscheduler(pid, how, priority)


def measure(
    pid: int,
    store: int,
    port: int,
    victim: bytes,
    others: Sequence[subprocess.Popen[Any]],
    times: int = TIMES,
) -> Found:
    """Return the costs of a request, alone and beside the processes ``others``, alternately.

    ``store`` is the process of the web process's store.
    """
    found = Found([], [])
    for _ in range(times // AT_ONCE):
        for other in others:
            os.kill(other.pid, signal.SIGSTOP)
        _wait_until_idle(pid)
        with at_once(0, store):
            found.alone.extend(cost_ns(pid, port, victim) for _ in range(AT_ONCE))
        for other in others:
            os.kill(other.pid, signal.SIGCONT)
        time.sleep(0.02)
        with at_once(0, store):
            found.beside.extend(cost_ns(pid, port, victim) for _ in range(AT_ONCE))
    assert all(other.poll() is None for other in others), "somebody has gone"
    return found


def _wait_until_idle(pid: int) -> None:
    """Wait until a process is idle, and does not only wait for a processor."""
    deadline, quiet = time.monotonic() + 60, 0
    while quiet < QUIET_TIMES:
        assert time.monotonic() < deadline, "the process is never idle"
        before = processor_ns(pid)
        time.sleep(0.03)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        is_quiet = state == "S" and processor_ns(pid) - before < 1_000_000
        quiet = quiet + 1 if is_quiet else 0
