"""Linux's data on processes (proc_pid_stat(5), Documentation/scheduler/sched-stats.rst)."""

import os
import time
from pathlib import Path

_NANOSECONDS = 1e9
_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process and of its ended children. Raises OSError."""
    # the clock id of a process, see clock_getcpuclockid(3); Python offers this only for threads
    clock = (~pid << 3) | 2
    fields = _stat(pid)
    return time.clock_gettime(clock) + (int(fields[13]) + int(fields[14])) / _TICKS


def waiting_seconds(pid: int) -> float:
    """Return the seconds for which a process's threads waited for a processor.

    Waits in progress and ended threads are not included. Raises OSError: the process is gone.
    """
    return sum(map(thread_waiting_seconds, Path(f"/proc/{pid}/task").iterdir()))


def thread_waiting_seconds(task: Path) -> float:
    """Return ``waiting_seconds`` of one thread, given its folder in /proc.

    The result is 0 if the kernel does not count it.
    """
    try:
        _ran, waited, _times = (task / "schedstat").read_bytes().split()
    except (OSError, ValueError):
        return 0.0
    return int(waited) / _NANOSECONDS


def state(pid: int) -> str:
    """Return a process's state, such as ``R`` or ``S``. Raises OSError: the process is gone."""
    return _stat(pid)[0]


def is_alive(pid: int) -> bool:
    """Whether a process is running; a zombie is not."""
    try:
        return state(pid) not in "ZX"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """Return a process's children that have not ended."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_bytes().split())
    except OSError:
        pass  # the process has ended, or the kernel does not list children
    return found


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name; the first one is the state."""
    text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    return text.rpartition(")")[2].split()
