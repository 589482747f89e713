"""Web processes with the settings of a deployment."""

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from service.api.gunicorn import config
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.faults.people import answers, wait_for
from tests.faults.processes import descendants, free_port, started
from tests.running import environment

_ARGUMENTS = ("-m", "service.api.gunicorn", "--config", f"python:{config.__name__}")
_SECONDS = 60.0


class WebService:
    """Two web processes, for a benchmark to control."""

    def __init__(self, folder: Path, env: dict[str, str], stack: ExitStack) -> None:
        self.port = int(env["PORT"])
        self.store = Store(make_client(env["REDIS_URL"]))
        self._log = folder / "web.log"
        self._env = env
        self._stack = stack
        self._start()

    @classmethod
    @contextmanager
    def running(
        cls, folder: Path, redis: RedisServer, streams: int, **more: str
    ) -> "Iterator[WebService]":
        """Run the service on this Redis while the context lasts.

        One process may get all of the ``streams``, and a process notices only after half a minute
        that a stream was closed; so each may have ten times as many. ``more`` are further settings.
        """
        env = environment(
            redis.url,
            PORT=str(free_port()),
            LONJA_APPENDFSYNC="everysec",
            LONJA_LOG_LEVEL="warning",
            LONJA_MAX_STREAMS=str(10 * streams),
            LONJA_STREAMS_PER_ADDRESS=str(10 * streams),
            **more,
        )
        with ExitStack() as stack:
            yield cls(folder, env, stack)

    def restart(self) -> None:
        """Stop the web processes as an operator does; return when new ones are ready."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(_SECONDS)
        self._start()

    def kilobytes(self) -> float:
        """Return the memory that the web processes do not share with others."""
        rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in self._pids()]
        kept = [re.findall(r"^Private_\w+: +(\d+) kB$", each, re.MULTILINE) for each in rollups]
        return float(sum(int(found) for each in kept for found in each))

    def processor_seconds(self) -> float:
        """Return the processor time that the web processes have taken so far."""
        tasks = [task for pid in self._pids() for task in Path(f"/proc/{pid}/task").iterdir()]
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def _start(self) -> None:
        self._process = self._stack.enter_context(
            started(*_ARGUMENTS, env=self._env, log=self._log)
        )
        wait_for(lambda: answers(self.port, "/readyz"), _SECONDS)

    def _pids(self) -> list[int]:
        return descendants(self._process.pid)
