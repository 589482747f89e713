"""Runs every command of the README, in order, in one shell, on a service started for it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs import ROOT

README = ROOT / "README.md"
FIRST, LAST = "\n## A five-minute tour\n", "\n## How to prove a game\n"
BLOCK = re.compile(r"```sh\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.DOTALL)
MARK = "-- the block ends here --"
SHIM = """#!/bin/sh
exec {python} -c 'import sys; from service.cli import main; sys.argv[0] = "lonja"; main()' "$@"
"""


class Block(NamedTuple):
    """Some commands, and what the README shows of their output, if it shows any."""

    commands: str
    output: str | None


def blocks() -> list[Block]:
    _, _, rest = README.read_text(encoding="utf-8").partition(FIRST)
    tour, found, _ = rest.partition(LAST)
    assert found, "the headings of the README have other names"
    return [Block(*match) for match in BLOCK.findall(tour)]


def pattern(shown: str) -> re.Pattern[str]:
    """Return what an output must match: `…` is anything, and a time or a hash is any other."""
    kinds = {"any": r".*?", "hex": r"[0-9a-f]+", "time": r"[0-9T:.Z-]+"}
    token = re.compile(r"(?P<any>…)|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+Z)|(?P<hex>\b[0-9a-f]{32,}\b)")
    parts, end = [], 0
    for found in token.finditer(shown):
        parts.append(re.escape(shown[end : found.start()]))
        parts.append(kinds[str(found.lastgroup)])
        end = found.end()
    parts.append(re.escape(shown[end:]))
    return re.compile("".join(parts).rstrip() + r"\s*", re.DOTALL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that looks like a checkout after `make setup`: `lonja` is where one looks for it."""
    shim = tmp_path / ".venv" / "bin" / "lonja"
    shim.parent.mkdir(parents=True)
    shim.write_text(SHIM.format(python=sys.executable))
    shim.chmod(0o755)
    if shutil.which("curl") is None:  # a bare Debian
        curl = shim.with_name("curl")
        curl.write_text(f'#!/bin/sh\nexec {sys.executable} -m tests.curl "$@"\n')
        curl.chmod(0o755)
    return tmp_path


@pytest.fixture
def environment(redis_binary: Path | None) -> dict[str, str]:
    found = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LONJA_") and name not in ("REDIS_URL", "PORT")
    }
    if redis_binary is not None:
        found["LONJA_REDIS_SERVER"] = str(redis_binary)
    return {**found, "PYTHONPATH": str(ROOT)}


@contextmanager
def serving(folder: Path, environment: dict[str, str], port: int) -> Iterator[None]:
    """Run `lonja serve` in ``folder`` until the block is left; it is ended as by Ctrl-C."""
    with (folder / "serve.log").open("wb") as log:
        service = subprocess.Popen(
            [folder / ".venv/bin/lonja", "serve", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    said = folder / "serve.log"
    try:
        deadline = time.monotonic() + 40
        while "Lonja runs at" not in said.read_text():
            assert service.poll() is None, said.read_text()
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.1)
        yield
        service.send_signal(signal.SIGINT)
        assert service.wait(30) == 0
    finally:
        if service.poll() is None:
            service.kill()
            service.wait()


def run(found: list[Block], folder: Path, environment: dict[str, str], port: int) -> list[str]:
    """Run the blocks in one shell; return the output of each."""
    script = folder / "tour.sh"
    marked = "".join(f"{block.commands}\necho; echo '{MARK}'\n" for block in found)
    script.write_text("set -eu\n" + marked.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    done = subprocess.run(
        ["bash", script],
        check=False,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
    )
    outputs = done.stdout.split(MARK)
    assert done.returncode == 0, f"{outputs[-1]}\n{done.stderr}"
    return outputs[:-1]


def test_every_command_works_and_shows_what_it_says(
    folder: Path, environment: dict[str, str]
) -> None:
    found, port = blocks(), free_port()
    with serving(folder, environment, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/docs", timeout=5) as page:
            assert page.status == 200
        outputs = run(found, folder, environment, port)
    assert len(outputs) == len(found) > 12
    for block, output in zip(found, outputs, strict=True):
        if block.output is not None:
            assert pattern(block.output.strip()).fullmatch(output.strip()), (
                f"{block.commands}\nprinted\n{output[:2000]}\nand not\n{block.output}"
            )


def test_a_wrong_output_would_be_noticed() -> None:
    shown = pattern('{"id": 6, "name": "choose", …}')
    assert shown.fullmatch('{"id": 6, "name": "choose", "label": "x"}')
    assert not shown.fullmatch('{"id": 13, "name": "choose", "label": "x"}')
    assert not shown.fullmatch('{"id": 6, "name": "drive", "label": "x"}')
    assert pattern(f"2026-11-20T21:29:00.123Z {'a' * 32}").fullmatch(
        f"2027-01-01T00:00:00Z {'b' * 32}"
    )
    assert not pattern("true").fullmatch("Traceback: true")
