"""Several hosts as in deploy/README.md, each with its own loopback address of this machine.

They are three servers and three sentinels with the files of deploy/valkey, web nodes and workers
with the command lines and variables of the units, and a proxy with its configuration.
"""

import signal
import subprocess
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

from tests.deploy.proxies import Proxy
from tests.deploy.test_units import directives
from tests.faults.people import Client
from tests.faults.processes import LONJA, free_port, kill_tree, started
from tests.running import environment, wait_for

HOSTS = [f"127.0.0.{number}" for number in range(31, 40)]


class Visitor(Client):
    """A client that sends requests through a proxy."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(proxy.https)
        self._proxy = proxy

    def connect(self, timeout: float) -> HTTPConnection:
        return self._proxy.connect(timeout=timeout)


class Host:
    """A host with one unit of Lonja, which can be stopped, killed and started again."""

    def __init__(self, unit: str, address: str, redis_url: str, folder: Path) -> None:
        self.address, self.port = address, free_port()
        found = directives(unit)
        (command,) = found["ExecStart"]
        said = dict(each.split("=", 1) for each in found["Environment"])
        counts = folder / f"counts-{address}"
        if "PROMETHEUS_MULTIPROC_DIR" in said:
            counts.mkdir()
            said["PROMETHEUS_MULTIPROC_DIR"] = str(counts)
        self._command = [*LONJA, *command.split()[1:]]
        self._stop_seconds = int(found["TimeoutStopSec"][-1])
        self._log = folder / f"{address}.log"
        self._env = environment(
            redis_url, **said, LONJA_HOST=address, PORT=str(self.port), LONJA_REPLICAS_TO_WAIT="1",
            LONJA_TRUSTED_PROXIES="127.0.0.1", LONJA_WEB_WORKERS="1", LONJA_LOG_FORMAT="json",
        )  # fmt: skip
        self._stack = ExitStack()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the id of the host's first process."""
        assert self.process is not None
        return self.process.pid

    @property
    def place(self) -> str:
        """The address at which the proxy finds the host."""
        return f"{self.address}:{self.port}"

    def start(self) -> None:
        started_ = started(*self._command, env=self._env, log=self._log)
        self.process = self._stack.enter_context(started_)

    def is_ready(self) -> bool:
        connection = HTTPConnection(self.address, self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def drain(self) -> None:
        """Stop the unit as systemd does, and start it again when it has ended."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(self._stop_seconds) == 0
        self.start()

    def kill(self) -> None:
        """Kill the unit's process and its descendants."""
        if self.process is not None:
            kill_tree(self.process)
        self._stack.close()

    def wait_until_ready(self) -> None:
        wait_for(self.is_ready, 60)
