"""Processes of the service, which tests start and end by their ids."""

import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.faults.crash import is_alive, wait_until_dead
from tests.faults.people import answers, wait_for
from tests.running import ROOT, environment, forget_metrics

LONJA = ("-c", "from service.cli import main; main(prog_name='lonja')")
CRASHING = "tests.faults.web_app:app"
START_SECONDS = 300.0
"""Time limit for starting all processes; a busy machine takes minutes."""
ANSWER_SECONDS = 20.0
"""Time limit for its first answer, which a busy machine needs, too."""
COMMAND_SECONDS = 300.0
"""Time limit for a command."""


PORTS = range(12_000, 32_000)
"""Ports that the system gives to nobody by itself; Linux gives connections those from 32768 on
(``ip_local_port_range``), so one of these could be taken before a server listens there."""


def free_port() -> int:
    """Return a port at which nobody listens."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("of a hundred ports, none is free")


@contextmanager
def started(
    *arguments: str, env: dict[str, str], log: Path, code: Path = ROOT
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run Python with ``arguments`` in the folder ``code``; afterwards kill it and descendants."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env=env,
            cwd=code,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        kill_tree(process)


def end(process: "subprocess.Popen[bytes]", seconds: float = 20) -> None:
    """End a process that a test started; kill it if it has not ended after ``seconds``."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def kill_tree(process: "subprocess.Popen[bytes]") -> None:
    """Kill -9 a process that a test started, and its descendants."""
    if process.poll() is not None:
        return
    family = _freeze(process.pid)
    for pid in reversed(family):  # Redis first: the launcher's death would end it gracefully
        kill(pid)
    process.wait(20)
    for pid in family:
        wait_until_dead(pid)


def kill(pid: int) -> None:
    """Kill -9 one process, unless it has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _freeze(pid: int) -> list[int]:
    """Stop a process and its descendants (SIGSTOP), so that none of them starts another process."""
    frozen: list[int] = []
    while new := [found for found in [pid, *descendants(pid)] if found not in frozen]:
        for found in new:
            try:
                os.kill(found, signal.SIGSTOP)
            except ProcessLookupError:
                continue
            frozen.append(found)
    return frozen


def descendants(pid: int) -> list[int]:
    """Return the descendants of a process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found: list[int] = []
    left = [pid]
    while left:
        children = parents.get(left.pop(), [])
        found += children
        left += children
    return [child for child in found if is_alive(child)]


@contextmanager
def web(
    redis_url: str, log: Path, application: str, *, workers: int = 1, **more: str
) -> Iterator[int]:
    """Run gunicorn as the launcher does, on a free port, and wait until it answers."""
    port = free_port()
    with web_on(port, redis_url, log, application, workers=workers, **more):
        yield port


@contextmanager
def web_on(
    port: int, redis_url: str, log: Path, application: str, *, workers: int = 1, **more: str
) -> Iterator[None]:
    """Run gunicorn on this port, which an earlier one may have used."""
    arguments = [
        "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}", "--worker-class", "gevent",
        "--workers", str(workers), "--graceful-timeout", "5", "--no-control-socket",
        "--log-level", "warning", *(["--preload"] if application == CRASHING else []),
    ]  # fmt: skip
    with started(*arguments, env=environment(redis_url, **more), log=log):
        wait_for(lambda: answers(port))
        yield


@contextmanager
def worker(redis_url: str, log: Path, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    with started("-m", "workers.worker", env=environment(redis_url, **more), log=log) as process:
        yield process


@contextmanager
def serve(
    data_dir: Path, port: int, *arguments: str, **more: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run ``lonja serve`` on a folder, which an earlier one may have used.

    It has no worker for slow bots unless ``more`` asks for one, because tests rarely need it.
    """
    data_dir.mkdir(exist_ok=True)
    env = environment("", LONJA_DATA_DIR=str(data_dir), **{"LONJA_HEAVY_WORKERS": "0", **more})
    command = [*LONJA, "serve", "--port", str(port), *arguments]
    try:
        with started(*command, env=env, log=data_dir / "serve.log") as process:
            ready = partial(answers, port, "/readyz", seconds=ANSWER_SECONDS)
            wait_for(lambda: process.poll() is not None or ready(), START_SECONDS)
            assert process.poll() is None, (data_dir / "serve.log").read_text()
            yield process
    finally:
        forget_metrics(port)


def run_lonja(*arguments: str, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, *LONJA, *arguments],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )


def lonja(*arguments: str, env: dict[str, str]) -> str:
    """Run a command that must succeed; return its output."""
    done = run_lonja(*arguments, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
