"""The service that the pages are visited at."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from service.redis.server import RedisServer
from tests.faults import processes

EXTRA = {
    "LONJA_EXTRA_RULESETS": "tests.pig,tests.sealed",
    "LONJA_OUTBOUND_HTTP": "yes",  # webhooks to a receiver of the tests
    "LONJA_OUTBOUND_NETWORKS": "127.0.0.0/8",
}


class Service(NamedTuple):
    """Everything runs; its web process can be killed, and the launcher starts another."""

    pid: int
    port: int
    redis_url: str

    def kill_web(self) -> None:
        for child in processes.descendants(self.pid):
            if b"gunicorn" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    """Run everything on this folder, on a Redis that a test can open tables on."""
    port = processes.free_port()
    with (
        RedisServer(folder / "redis") as redis,
        processes.serve(folder, port, REDIS_URL=redis.url, **EXTRA) as process,
    ):
        yield Service(process.pid, port, redis.url)
