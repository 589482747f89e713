"""The service for the programs with generated clients."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import processes


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Service"]:
    port = processes.free_port()
    folder = tmp_path_factory.mktemp("service")
    with processes.serve(folder, port, LONJA_EXTRA_RULESETS="") as process:
        yield Service(process.pid, f"http://127.0.0.1:{port}")


class Service:
    """A running service, whose web process can be killed; the launcher then starts another one."""

    def __init__(self, pid: int, url: str) -> None:
        self.url = url
        self._pid = pid

    def kill_web(self) -> None:
        for child in processes.descendants(self._pid):
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"gunicorn" in command:
                os.kill(child, signal.SIGKILL)
