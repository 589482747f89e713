"""Runs the commands in a page's blocks, in order, on a service that is started for them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.running import ROOT

BLOCK = re.compile(r"```sh\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.DOTALL)
MARK = "-- the block ends here --"
SHIM = """#!/bin/sh
exec {python} -c 'import sys; from service.cli import main; sys.argv[0] = "lonja"; main()' "$@"
"""


class Block(NamedTuple):
    """Commands, and their output on the page, if there is any."""

    commands: str
    output: str | None


def blocks_of(text: str) -> list[Block]:
    """Return the command blocks of a page, or of a part of a page."""
    return [Block(*match) for match in BLOCK.findall(text)]


def pattern(shown: str) -> re.Pattern[str]:
    """Return a pattern for an output: `…` matches any text, a time or hash any other one."""
    kinds = {"any": r".*?", "hex": r"[0-9a-f]+", "time": r"[0-9T:.Z-]+"}
    token = re.compile(r"(?P<any>…)|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+Z)|(?P<hex>\b[0-9a-f]{32,}\b)")
    parts, end = [], 0
    for found in token.finditer(shown):
        parts.append(re.escape(shown[end : found.start()]))
        parts.append(kinds[str(found.lastgroup)])
        end = found.end()
    parts.append(re.escape(shown[end:]))
    return re.compile("".join(parts).rstrip() + r"\s*", re.DOTALL)


def set_up(folder: Path) -> Path:
    """Make a folder look like a checkout after `make setup`, with `lonja` in its usual place."""
    shim = folder / ".venv" / "bin" / "lonja"
    shim.parent.mkdir(parents=True)
    shim.write_text(SHIM.format(python=sys.executable))
    shim.chmod(0o755)
    if shutil.which("curl") is None:  # a bare Debian
        curl = shim.with_name("curl")
        curl.write_text(f'#!/bin/sh\nexec {sys.executable} -m tests.curl "$@"\n')
        curl.chmod(0o755)
    return folder


def bare_environment(redis_binary: Path | None) -> dict[str, str]:
    """Return the environment of a shell without settings of another Lonja."""
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
    """Run `lonja serve` in ``folder`` for the context; end it as by Ctrl-C."""
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
        deadline = time.monotonic() + 90
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


def run(
    found: list[Block], folder: Path, environment: dict[str, str], port: int, seconds: float = 100
) -> list[str]:
    """Run the blocks in one shell, within some seconds; return the output of each."""
    script = folder / "tour.sh"
    marked = "".join(f"{block.commands}\necho; echo '{MARK}'\n" for block in found)
    script.write_text("set -eu\n" + marked.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    done = subprocess.run(
        ["bash", script],
        check=False,
        cwd=folder,
        env={**environment, "LONJA_GAMES_DIR": str(folder / "games")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    outputs = done.stdout.split(MARK)
    assert done.returncode == 0, f"{outputs[-1]}\n{done.stderr}"
    return outputs[:-1]


def expect_shown(found: list[Block], outputs: list[str]) -> None:
    """Check that the blocks printed what the page shows."""
    assert len(outputs) == len(found)
    for block, output in zip(found, outputs, strict=True):
        if block.output is not None:
            assert pattern(block.output.strip()).fullmatch(output.strip()), (
                f"{block.commands}\nprinted\n{output[:2000]}\nand not\n{block.output}"
            )
