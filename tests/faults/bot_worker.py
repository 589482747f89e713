"""The service's worker in a process that crashes on order (``crash``), started quickly by fork.

``fork`` starts it from a server that has imported all modules. Only commands of the thread that
runs jobs are points, not those of the sweeper.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import orjson

from service import settings
from service.ledger import snapshots
from service.runtime import open_runtime
from tests.faults import crash
from workers import sweeper, turns, worker

_forks = get_context("forkserver")
_forks.set_forkserver_preload([__name__, "service.api.app"])


def work(environment: dict[str, str], order: str, burst: bool, notes: Path | None) -> None:  # noqa: FBT001 - given by position
    """Run as a worker until killed, or with ``burst`` until the queue is empty."""
    os.environ.update(environment)
    snapshots.EVERY = 1
    crash.install()
    # Sweeps find lost turns at once. In a burst none is lost, and on a busy machine a sweep would
    # take a slow turn for a lost one.
    interval = 3600 if burst else 0.05
    setattr(worker, "Sweeper", partial(sweeper.Sweeper, interval=interval))  # noqa: B010 - a factory will do
    setattr(sweeper, "GRACE_MS", 50)  # noqa: B010 - it is imported there
    turns.GRACE_MS = 50
    sweeper.ASK_AGAIN_MS = 1_000
    setattr(worker, "PAUSE_SECONDS", 0.05)  # noqa: B010 - likewise
    with crash.watched(crash.Order.of(order) if order else crash.Order()) as points:
        worker.run(open_runtime(settings.load(os.environ), announce=False), burst=burst)
        if notes is not None:
            notes.write_bytes(orjson.dumps(points))


@contextmanager
def fork(
    environment: dict[str, str], order: str = "", *, burst: bool = False, notes: Path | None = None
) -> Iterator[BaseProcess]:
    """Run a worker, and end it afterwards in any case."""
    process = _forks.Process(target=work, args=(environment, order, burst, notes))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join(20)
        process.close()
