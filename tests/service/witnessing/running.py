"""Runs a witness as its operator does."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.cli.witness import WITNESS
from tests.faults.processes import START_SECONDS, started
from tests.running import environment, wait_for

ENVIRONMENT = environment("redis://127.0.0.1:1/0")  # which a witness never asks


@contextmanager
def witness(folder: Path, port: int, code: str = "") -> Iterator[str]:
    """Run the witness in a folder, or ``code`` in its place; yield its URL."""
    how = ("-c", code) if code else WITNESS[1:]
    words = *how, str(folder), "127.0.0.1", str(port), "60"
    with started(*words, env=ENVIRONMENT, log=folder / "output") as process:
        wait_for(lambda: listens(port) or process.poll() is not None, START_SECONDS)
        assert process.poll() is None, (folder / "output").read_text()
        yield f"http://127.0.0.1:{port}"


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
