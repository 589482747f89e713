"""Moves through gunicorn, against a handler that only validates and appends."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import orjson

from rules.kernel.contract.registry import Registry
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.running import NO_LIMITS
from tests.scripted import Script
from tools.bench.load import PROCESSES, Load, post_all, request
from tools.bench.measure import Row, alternate, at_least, at_most

Appendfsync = Literal["always", "everysec"]

GAMES = 64
MOVES = 63
"""Of each game in one round: five rounds make 20,160 requests."""
HOST = "127.0.0.1"


def measure(registry: Registry, ruleset: str, appendfsync: Appendfsync) -> list[Row]:
    """Return our throughput as a share of the baseline's, and the ratio of the 99th percentiles."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder), appendfsync) as running:
        url, port = running
        key, player = sign_up(port)
        ours: list[float] = []
        theirs: list[float] = []
        store = Store(make_client(url))
        alternate(
            lambda: play_round(store, registry, ruleset, port, key, player, "games", []),
            lambda: play_round(store, registry, ruleset, port, key, player, "baseline", []),
            rounds=1,
        )
        rates = alternate(
            lambda: play_round(store, registry, ruleset, port, key, player, "games", ours),
            lambda: play_round(store, registry, ruleset, port, key, player, "baseline", theirs),
        )
    mine, base = p99(ours), p99(theirs)
    return [
        at_least(
            f"moves through gunicorn against the baseline, {appendfsync}", rates[2], 0.6,
            moves_per_second=rates[0], baseline_per_second=rates[1],
        ),
        at_most(
            f"their 99th percentile against the baseline's, {appendfsync}", mine / base, 2.0,
            ms=1000 * mine, baseline_ms=1000 * base, requests=len(ours),
        ),
    ]  # fmt: skip


def play_round(
    store: Store,
    registry: Registry,
    ruleset: str,
    port: int,
    key: str,
    player: str,
    path: str,
    seconds: list[float],
) -> float:
    """Have all moves of a round made; return moves a second, and add what each took."""
    holder = {"player": player}
    queues = []
    for seed in range(GAMES):
        script = Script(registry, ruleset, 2 + seed % 3, seed, holder=holder)
        moves = script.rehearse(MOVES)
        script.open_in(store)
        queues.append([
            request(
                f"/v1/{path}/{script.id}/{events}/moves" if path == "baseline"
                else f"/v1/{path}/{script.id}/moves",
                key,
                f"{script.id}-{number}",
                orjson.dumps({"seat": seat, "move": move, "expected_version": version}),
            )
            for number, (seat, move, version, events) in enumerate(moves)
        ])  # fmt: skip
    load: Load = post_all(HOST, port, queues)
    seconds += load.seconds
    return load.rate


@contextmanager
def service(folder: Path, appendfsync: Appendfsync) -> Iterator[tuple[str, int]]:
    """Run two web processes on a Redis of their own; yield its URL and their port."""
    port = _free_port()
    with RedisServer(folder, appendfsync) as server:
        environment = {
            **os.environ,
            "REDIS_URL": server.url,
            "LONJA_APPENDFSYNC": appendfsync,
            **NO_LIMITS,
            "LONJA_LOG_LEVEL": "warning",
        }
        gunicorn = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "tools.bench.baseline:create()",
                "--bind", f"{HOST}:{port}", "--worker-class", "gevent", "--workers", str(PROCESSES),
                "--keep-alive", "30", "--timeout", "60",  # as in deployment
                "--no-control-socket", "--log-level", "warning",
            ],
            env=environment,
        )  # fmt: skip
        try:
            _wait_for(port)
            yield server.url, port
        finally:
            gunicorn.terminate()
            gunicorn.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=1):
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def sign_up(port: int) -> tuple[str, str]:
    """Return the key and the id of a new player."""
    posted = urllib.request.Request(
        f"http://{HOST}:{port}/v1/players",
        data=b'{"name": "Bench"}',
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(posted) as answer:
        player: dict[str, Any] = orjson.loads(answer.read())
    return player["key"], player["id"]


def p99(seconds: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(seconds)[int(len(seconds) * 0.99)]
