"""What it costs a stranger to audit a public log of a million leaves, and its next minute."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from tests.faults.processes import LONJA
from tests.service.auditing.made import AT, MadeLog, created, game_id, many
from tools.bench.measure import Row, at_most

LEAVES, GAMES = 1_000_000, 200_000
BOUND_SECONDS, NEXT_SECONDS, BOUND_MB = 60.0, 3.0, 400.0
_MB, _KB_OF_RSS = 1e6, 1024


def measure(leaves: int = LEAVES, games: int = GAMES) -> Iterator[Row]:
    """Yield processor time, memory and disk of an audit of a log in a folder, without records."""
    with tempfile.TemporaryDirectory() as name:
        log, memory = MadeLog(Path(name) / "log"), Path(name) / "memory"
        for page in many(leaves, games):
            log.add(page)
        log.sign()
        seconds, rss = _audit(log, memory)
        disk = sum(file.stat().st_size for file in memory.rglob("*") if file.is_file())
        found = {"leaves": log.size, "memory_mb": rss / _MB, "disk_mb": disk / _MB}
        yield at_most(
            "processor seconds to audit a public log of a million leaves", seconds, BOUND_SECONDS,
            **found,
        )  # fmt: skip
        yield at_most("MB of memory that this takes", rss / _MB, BOUND_MB, **found)
        log.add(created(game_id(games + number)) for number in range(100))
        log.sign(AT + 60)
        seconds, _rss = _audit(log, memory)
        yield at_most("processor seconds to audit its next minute", seconds, NEXT_SECONDS)


def _audit(log: MadeLog, memory: Path) -> tuple[float, float]:
    """Return the processor time of the command (seconds), and its memory at most (bytes)."""
    keys = [word for key in log.verifiers for word in ("--log-key", str(key))]
    command = [sys.executable, *LONJA, "audit", str(log.folder), *keys, "--state", str(memory)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the audit ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _KB_OF_RSS


if __name__ == "__main__":
    for row in measure():
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
