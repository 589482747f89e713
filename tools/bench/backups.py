"""The effect of a backup on players: how much longer the slowest moves take."""

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

from rules.kernel.contract.registry import Registry
from service.ledger.store import Store
from service.redis.client import make_client
from tests.faults.processes import LONJA
from tests.running import environment
from tests.scripted import Script
from tools.bench.measure import Row, alternate, at_most
from tools.bench.moves import p99, play_round, service, sign_up

STORED = 500
"""Number of games that a backup has to read in addition to those in play."""
ROUNDS = 3


def measure(registry: Registry, ruleset: str) -> Iterator[Row]:
    """Yield the ratio of the moves' 99th percentile during backups to that without backups."""
    with tempfile.TemporaryDirectory() as name, service(Path(name), "always") as running:
        url, port = running
        redis = make_client(url)
        store = Store(redis)
        # With the setting "always", it would take minutes to store the games.
        redis.config_set("appendfsync", "everysec")
        for seed in range(STORED):
            Script(registry, ruleset, 2 + seed % 3, seed).store(store)
        redis.config_set("appendfsync", "always")
        key, player = sign_up(port)

        def slowest() -> float:
            seconds: list[float] = []
            play_round(store, registry, ruleset, port, key, player, "games", seconds)
            return 1000 * p99(seconds)

        def slowest_beside(*options: str) -> float:
            with tempfile.TemporaryDirectory() as folder, backing_up(url, Path(folder), *options):
                return slowest()

        for what, bound, options in (
            (
                "99th percentile of the time of moves while a backup is written, against no backup",
                3.0,
                ["--no-check"],
            ),
            ("the same while the backup is also checked, on all cores", 5.0, []),
        ):
            beside, alone, ratio = alternate(partial(slowest_beside, *options), slowest, ROUNDS)
            yield at_most(what, ratio, bound, ms=beside, without_ms=alone)


@contextmanager
def backing_up(url: str, folder: Path, *options: str) -> Iterator[None]:
    """Write backups, one after the other.

    Raises:
        RuntimeError: a backup failed.
    """
    ending = threading.Event()
    failures: list[str] = []

    def write() -> None:
        for number in count():
            command = [sys.executable, *LONJA, "backup", str(folder / f"{number}.gz"), *options]
            process = subprocess.Popen(
                command, env=environment(url), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            while process.poll() is None and not ending.wait(0.1):
                pass
            if ending.is_set():
                process.kill()
                process.wait()
                return
            if process.returncode:
                assert process.stdout is not None
                failures.append(process.stdout.read().decode())
                return

    writing = threading.Thread(target=write)
    writing.start()
    try:
        yield
    finally:
        ending.set()
        writing.join()
    if failures:
        raise RuntimeError(failures[0])
