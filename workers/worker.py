"""The worker process: the main thread runs RQ jobs, and another thread runs the sweeper.

Jobs run in this process, not in a fork of it (``SimpleWorker``). Because nothing is forked and the
game is already in memory, a bot answers a person's move in 6 ms instead of 33 (median, two cores,
while the sweeper runs). A fork could also inherit a lock of the sweeper's thread that nothing would
ever release. If a job crashes the process, no move is lost: the launcher starts another worker, and
a sweeper finds the game.
"""

import argparse
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import structlog
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from service.catalogue.bots import HEAVY, LIVE
from service.process.logs import Printable
from service.redis.client import blocking_client
from service.runtime import Runtime
from service.settings import Settings
from service.turns.queue import QUEUES, TOURNAMENTS
from workers import exhibition, process
from workers.archiver import Archiver
from workers.beats import JOBS
from workers.daily_scrub import DailyScrub
from workers.ladders import HouseLadders
from workers.port import open_port
from workers.process import Process
from workers.starting import PAUSE_SECONDS, exit_code_of, open_store
from workers.sweeper import Sweeper

log = structlog.get_logger(__name__)

WORKER_TTL = 30
MAINTENANCE_SECONDS = 60
NICE = {LIVE: 0, HEAVY: 5, TOURNAMENTS: 10}
"""The niceness (nice(2)) of each queue's workers: the more urgent their work, the lower."""


class BriefAboutRedis(logging.Filter):
    """Removes the traceback from RQ's message that Redis was lost.

    ``_work`` reports the loss too.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove the traceback if there is one, and let the record pass."""
        if record.exc_info and isinstance(record.exc_info[1], RedisError):
            record.exc_info = None
        return True


logging.getLogger("rq.worker").addFilter(BriefAboutRedis())
logging.getLogger("rq.worker").addFilter(Printable())


class LiveWorker(SimpleWorker):
    """An RQ worker that, when told to stop, ends its job after the current move."""

    process: Process

    max_connection_wait_time = PAUSE_SECONDS
    """Maximum seconds between two attempts to reach Redis; RQ doubles the time after each
    attempt.
    """

    def heartbeat(self, *args: Any, **kwargs: Any) -> None:
        """Report that the worker is alive; RQ calls it between jobs, and while it waits."""
        self.process.beats.note(JOBS)
        super().heartbeat(*args, **kwargs)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Handle SIGTERM and SIGINT."""
        self.process.stop()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # rq has few types


def run(runtime: Runtime, *, queue: str = LIVE, burst: bool = False, exhibit: bool = False) -> None:
    """Work until told to stop, or, if ``burst``, until the queue is empty."""
    parts = process.make(runtime, queue)
    process.use(parts)
    port = open_port(runtime.settings, parts.beats)
    also: list[Callable[[Runtime], object]] = []
    if exhibit:
        also.append(exhibition.keep_going_if_room)
    runs = (Archiver(), DailyScrub())
    if queue == TOURNAMENTS:
        also += [HouseLadders(), *runs]
    sweeper = Sweeper(parts, also=also)
    sweeper.start()
    try:
        with suppress(KeyboardInterrupt):  # SIGTERM may come while the queue is unavailable
            while not _work(parts, queue, burst=burst):
                log.warning("queue_lost", again_in=PAUSE_SECONDS)
                with suppress(StopRequested, RedisError):  # RQ's handler of signals raises this
                    time.sleep(PAUSE_SECONDS)
    finally:
        sweeper.stop()
        sweeper.join(timeout=5)
        for one in runs:
            one.stop()
        if port is not None:
            port.close()


def _work(parts: Process, queue: str, *, burst: bool) -> bool:
    """Run the queue's jobs; return False if the connection to the queue was lost.

    If Redis becomes unavailable between two jobs, RQ waits for it; during a job it does not.
    """
    if parts.stopping:
        return True
    parts.beats.note(JOBS)
    try:
        worker = LiveWorker(
            [queue],
            connection=blocking_client(parts.runtime.settings.queue_redis_url or ""),
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            maintenance_interval=MAINTENANCE_SECONDS,
        )
        worker.process = parts
        worker.log_result_lifespan = False
        worker.work(burst=burst, logging_level="WARNING")
    except RedisError as error:
        log.warning("queue_unreachable", error=str(error))
    return burst or parts.stopping


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a worker with the settings of the environment; return the exit code."""
    parser = argparse.ArgumentParser(prog="lonja worker", description=main.__doc__)
    parser.add_argument("--burst", action="store_true", help="stop when the queue is empty")
    parser.add_argument("--exhibit", action="store_true", help="keep an exhibition game going")
    parser.add_argument("--queue", choices=QUEUES, default=LIVE, help="whose turns to take")
    given = parser.parse_args(arguments)

    def work(found: Settings) -> None:
        os.nice(NICE[given.queue])
        runtime = open_store(found, wait=not given.burst)
        run(runtime, queue=given.queue, burst=given.burst, exhibit=given.exhibit)

    return exit_code_of(work)


if __name__ == "__main__":
    # This handler applies until the worker installs its own.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
