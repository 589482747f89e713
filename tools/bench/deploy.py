"""How much processor time a move takes in a deployment: the figures of deploy/README.md.

    python -m tools.bench.deploy

It reports processor time, which does not depend on other load. All processes run on this machine,
each configured as in deploy/; players read the legal moves and make one of them.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import click

from service.redis.binary import bundled_path
from tests.deploy import proxies
from tests.deploy.hosts import HOSTS, Host
from tests.deploy.proxies import DEPLOY
from tests.faults.people import answers
from tests.faults.processes import LONJA, descendants, free_port, started
from tests.faults.sentinels import installation
from tests.running import environment, wait_for

PLAYERS = 16
MOVES = 20
"""Number of moves of each player."""

TICKS = os.sysconf("SC_CLK_TCK")
Connect = Callable[[], HTTPConnection]


class Player:
    """A player with a game of his own, over one connection."""

    def __init__(self, connect: Connect) -> None:
        self._connection = connect()
        self._headers = {"Content-Type": "application/json"}
        made = self._ask("POST", "/v1/players", {"name": "Ana"})
        self._headers["Authorization"] = f"Bearer {made['key']}"
        self._game = self._open()

    def play(self, moves: int) -> None:
        for _ in range(moves):
            listed = self._ask("GET", f"{self._game}/legal_moves")
            if not listed["moves"]:  # the game is over
                self._game = self._open()
                listed = self._ask("GET", f"{self._game}/legal_moves")
            version = listed["version"]
            move = {"seat": listed["seat"], "move": listed["moves"][0], "expected_version": version}
            self._ask("POST", f"{self._game}/moves", move)

    def _open(self) -> str:
        seats = [{"holder": "me"}]
        game = self._ask("POST", "/v1/games", {"ruleset": "ragusa", "options": {}, "seats": seats})
        return f"/v1/games/{game['id']}"

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, self._headers)
        answer = self._connection.getresponse()
        found: dict[str, Any] = json.loads(answer.read())
        assert answer.status < 300, found
        return found


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants."""
    ticks = 0
    for each in (pid, *descendants(pid)):
        stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(stat[11]) + int(stat[12])
    return ticks / TICKS


def megabytes(pid: int) -> float:
    """Return the memory of a process and its descendants in MB; shared pages count once."""
    kept = 0
    for each in (pid, *descendants(pid)):
        rollup = Path(f"/proc/{each}/smaps_rollup").read_text()
        kept += int(rollup.partition("\nPss:")[2].split()[0])
    return kept / 1024


class Part(NamedTuple):
    """One of the services of a deployment, such as the proxy."""

    name: str
    pid: int


def measure(parts: list[Part], connect: Connect) -> None:
    """Let the players play; print the processor time that each service takes for a move."""
    players = [Player(connect) for _ in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as pool:
        list(pool.map(lambda player: player.play(5), players))
        before = {part.name: processor_seconds(part.pid) for part in parts}
        began = time.monotonic()
        list(pool.map(lambda player: player.play(MOVES), players))
        elapsed = time.monotonic() - began
    made = PLAYERS * MOVES
    click.echo(f"{made / elapsed:7.0f} moves a second, beside all else that runs here")
    for part in parts:
        taken = (processor_seconds(part.pid) - before[part.name]) / made * 1000
        click.echo(f"{taken:7.2f} ms of a processor for a move: {part.name}")
        click.echo(f"{megabytes(part.pid):7.0f} MB: {part.name}")


def main() -> None:
    with tempfile.TemporaryDirectory() as name, ExitStack() as ending:
        folder = Path(name)
        port, valkey_port = free_port(), free_port()
        log = folder / "log"
        valkey = subprocess.Popen(
            [
                str(bundled_path()), DEPLOY / "valkey/server.conf", "--bind", "127.0.0.1",
                "--port", str(valkey_port), "--dir", folder, "--logfile", folder / "valkey.log",
            ]
        )  # fmt: skip
        ending.callback(valkey.wait)
        ending.callback(valkey.terminate)
        env = environment(f"redis://127.0.0.1:{valkey_port}/0", LONJA_TRUSTED_PROXIES="127.0.0.1")
        web = ending.enter_context(started(*LONJA, "web", "--port", str(port), env=env, log=log))
        worker = ending.enter_context(started(*LONJA, "worker", env=env, log=log))
        wait_for(lambda: answers(port, "/readyz"))
        parts = [Part("Valkey", valkey.pid), Part("web", web.pid), Part("worker", worker.pid)]
        click.echo("without a proxy")
        measure(parts, lambda: HTTPConnection("127.0.0.1", port))
        for kind in (proxies.caddy, proxies.nginx):
            (folder / kind.__name__).mkdir()
            with kind(folder / kind.__name__, f"127.0.0.1:{port}") as proxy:
                click.echo(f"through {proxy.name}")
                measure([*parts, Part(proxy.name, proxy.pid)], proxy.connect)
    with tempfile.TemporaryDirectory() as name:
        click.echo("several hosts: two web nodes, two replicas of which one is waited for, nginx")
        several(Path(name))


def several(folder: Path) -> None:
    """Measure a deployment with a host for each service, all simulated on this machine."""
    with ExitStack() as ending:
        servers = ending.enter_context(installation(folder / "servers", bundled_path()))
        units = ["lonja-web.service"] * 2 + ["lonja-live@1.service"]
        hosts = [
            Host(unit, at, servers.url, folder) for unit, at in zip(units, HOSTS, strict=False)
        ]
        for host in hosts:
            ending.callback(host.kill)
            host.start()
        for host in hosts[:2]:
            host.wait_until_ready()
        (folder / "nginx").mkdir()
        places = [host.place for host in hosts[:2]]
        proxy = ending.enter_context(proxies.nginx(folder / "nginx", *places))
        parts = [
            *(Part(f"server {number}", node.pid) for number, node in enumerate(servers.servers)),
            *(Part(host.place, host.pid) for host in hosts),
            Part(proxy.name, proxy.pid),
        ]
        measure(parts, proxy.connect)


if __name__ == "__main__":
    main()
