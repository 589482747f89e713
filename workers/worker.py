"""The worker process: RQ jobs in its main thread, the sweeper beside them.

Jobs run in this process, not in a fork of it (``SimpleWorker``). From a person's move to the
bot's answer that takes 6 ms instead of 33 (median, two cores, with the sweeper beside it): nothing
is forked, and the game is folded already. A fork beside the sweeper's thread could also inherit a
lock that nobody frees. A job that brings the process down costs no move: the launcher starts
another worker, and the sweep finds the game.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

import structlog
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service import logs, settings
from service.jobs import LIVE
from service.redis_client import blocking_client
from service.runtime import Runtime, open_runtime
from workers import exhibition, process
from workers.process import Process
from workers.sweeper import Sweeper

log = structlog.get_logger(__name__)

WORKER_TTL = 30
MAINTENANCE_SECONDS = 60


class LiveWorker(SimpleWorker):
    """An RQ worker that, when told to stop, ends its job after the present move."""

    process: Process

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Answer SIGTERM and SIGINT."""
        self.process.turns.stopping = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # rq has few types


def run(runtime: Runtime, *, burst: bool = False, exhibit: bool = False) -> None:
    """Work until told to stop, or with ``burst`` until the queue is empty."""
    parts = process.make(runtime)
    process.use(parts)
    worker = LiveWorker(
        [LIVE],
        connection=blocking_client(runtime.settings.queue_redis_url or ""),
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_SECONDS,
    )
    worker.process = parts
    worker.log_result_lifespan = False
    sweeper = Sweeper(runtime, parts.turns, also=(exhibition.keep_going,) if exhibit else ())
    sweeper.start()
    try:
        worker.work(burst=burst, logging_level="WARNING")
    finally:
        sweeper.stop()
        sweeper.join(timeout=5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a worker with the settings of the environment; return the exit code."""
    parser = argparse.ArgumentParser(prog="lonja worker", description=main.__doc__)
    parser.add_argument("--burst", action="store_true", help="stop when the queue is empty")
    parser.add_argument("--exhibit", action="store_true", help="keep an exhibition game going")
    given = parser.parse_args(arguments)
    try:
        found = settings.load(os.environ)
        logs.configure(found)
        runtime = open_runtime(found, announce=False)
    except settings.SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except RedisError as error:
        sys.stderr.write(f"The Redis at REDIS_URL does not answer: {error}\n")
        return 1
    run(runtime, burst=given.burst, exhibit=given.exhibit)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # until the worker's own is set
    sys.exit(main())
