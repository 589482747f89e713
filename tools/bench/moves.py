"""Moves through gunicorn, compared with a handler that only validates and appends."""

import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import orjson

from rules.kernel.contract.registry import Registry
from service.cli.web import WEB
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.faults.people import answers, wait_for
from tests.faults.processes import free_port, started
from tests.running import environment
from tests.scripted import Script
from tools.bench.load import PROCESSES, Load, post_all, request
from tools.bench.measure import Row, alternate, at_least, at_most

Appendfsync = Literal["always", "everysec"]

GAMES = 64
MOVES = 63
"""Number of moves of each game in a round; five rounds make 20,160 requests."""
HOST = "127.0.0.1"
APP = "tools.bench.baseline:app"


def measure(registry: Registry, ruleset: str, appendfsync: Appendfsync) -> list[Row]:
    """Return two rows: throughput, and 99th percentile, each relative to the baseline's."""
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
            "throughput of moves through gunicorn against that of a handler that only validates and"
            " appends,"
            f" `{appendfsync}`", rates[2], 0.6,
            moves_per_second=rates[0], baseline_per_second=rates[1],
        ),
        at_most(
            "99th percentile of the times of moves against that of the same handler,"
            f" `{appendfsync}`",
            mine / base, 2.0,
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
    """Play all moves of a round; return moves a second, and add the time of each to ``times``."""
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
    """Run two web processes as in deployment, on their own Redis; yield its URL and their port."""
    port = free_port()
    with RedisServer(folder, appendfsync) as server:
        env = environment(
            server.url,
            PORT=str(port),
            LONJA_APPENDFSYNC=appendfsync,
            LONJA_LOG_LEVEL="warning",
            LONJA_WEB_WORKERS=str(PROCESSES),
        )
        with started(*WEB[1:], APP, env=env, log=folder / "web.log"):
            wait_for(lambda: answers(port, "/readyz"), 60)
            yield server.url, port


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
