"""The service for the tests of pages."""

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
    "LONJA_OUTBOUND_HTTP": "yes",  # allows webhooks to a receiver of the tests
    "LONJA_OUTBOUND_NETWORKS": "127.0.0.0/8",
}


class Service(NamedTuple):
    """A running service, whose web process can be killed; the launcher then starts another one."""

    pid: int
    port: int
    redis_url: str

    def kill_web(self) -> None:
        for child in processes.descendants(self.pid):
            if b"gunicorn" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[Service]:
    """Run a service on this folder, and on a Redis on which tests can open tables directly."""
    port = processes.free_port()
    with (
        RedisServer(folder / "redis") as redis,
        processes.serve(folder, port, REDIS_URL=redis.url, **EXTRA, **more) as process,
    ):
        yield Service(process.pid, port, redis.url)
