"""``kill -9`` during a tournament: it ends by itself, with the same table as without kills."""

import os
import random
import signal
import socket
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import orjson
import pytest

from service.redis.server import RedisServer
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.people import LOST, Client, Json, wait_for
from tests.running import environment, runtime_on
from tests.service.tournaments.conftest import hall_on
from tests.service.tournaments.test_held import figures


def body(games: int) -> Json:
    return {
        "ruleset": "santiago_de_cuba",
        "seats": 3,
        "entries": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}, {"bot": "random"}],
        "format": {"type": "round_robin", "games": games},
        "rated": False,
        "seed": "kill",
    }


def undisturbed(folder: Path, games: int, binary: Path | None) -> Json:
    """Return the figures of the same tournament without kills."""
    folder.mkdir()
    with RedisServer(folder, binary=binary) as server:
        hall = hall_on(server.url)
        asked = body(games)
        return figures(hall.hold(**{**asked, "seed": asked.pop("seed")}))


class Service:
    """``lonja serve`` on a folder, which is started again whenever it ends."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._port = port
        self._stack = ExitStack()
        self.launcher: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.keep_up()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def keep_up(self) -> None:
        if self.launcher is None or self.launcher.poll() is not None:
            self._stack.close()
            wait_for(self._port_is_free)  # gunicorn's workers outlive a killed master by a second
            self.launcher = self._stack.enter_context(
                processes.serve(
                    self._folder, self._port, "--no-exhibition", LONJA_TOURNAMENT_WORKERS="2"
                )
            )

    def _port_is_free(self) -> bool:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", self._port))
            except OSError:
                return False
        return True

    def kill_something(self, rng: random.Random) -> None:
        """Kill a random process of the service, or all of them at once."""
        assert self.launcher is not None
        victims = processes.descendants(self.launcher.pid)
        if not victims or rng.randrange(6) == 0:
            processes.kill_tree(self.launcher)
        else:
            with suppress(ProcessLookupError):
                os.kill(rng.choice(victims), signal.SIGKILL)
        self.keep_up()


def torture(
    tmp_path: Path, games: int, kills: int, seed: int, binary: Path | None, pause: float
) -> None:
    rng = random.Random(seed)
    wanted = undisturbed(tmp_path / "peace", games, binary)
    port = processes.free_port()
    data = tmp_path / "data"
    with Service(data, port) as service:
        client = Client(port).player()
        made = client.ask("POST", "/v1/tournaments", body(games), Idempotency_Key="t").json
        url = f"/v1/tournaments/{made['id']}"

        def played() -> int:
            with suppress(*LOST, AssertionError):
                count: int = client.get(url)["games"]["played"]
                return count
            return -1

        struck = 0
        while struck < kills and played() < games:
            time.sleep(rng.uniform(0.0, pause))
            service.kill_something(rng)
            struck += 1
        assert struck == kills, f"it was over after {struck} kills: play more games"

        def over() -> bool:
            service.keep_up()
            with suppress(*LOST, AssertionError):
                return bool(client.get(url)["status"] == "ended")
            return False

        wait_for(over, 240)
        env = environment("", LONJA_DATA_DIR=str(data))
        del env["REDIS_URL"]
        report = tmp_path / "report.json"
        record = tmp_path / "record.ndjson.gz"
        processes.lonja(
            "tournament", "export", made["id"], "--url", f"http://127.0.0.1:{port}",
            "--output", str(report), "--output", str(record), env=env,
        )  # fmt: skip
        found = orjson.loads(report.read_bytes())
        assert {name: found[name] for name in wanted} == wanted | {
            "created_by": found["created_by"]
        }
        assert "Every check passed" in processes.lonja("verify", str(record), env=env)
        assert "0 findings" in processes.lonja("ledger", "check", env=env)
        runtime = runtime_on(redis_of(data))
        streams = sum(1 for _ in runtime.redis.scan_iter("lonja:{s*}:game:*:events", count=1000))
        assert streams == found["games"]["played"], "a game was played twice"


def redis_of(data: Path) -> str:
    return f"unix://{orjson.loads((data / 'redis.lock').read_bytes())['socket']}"


@pytest.mark.timeout(400)
def test_a_tournament_outlives_kills(tmp_path: Path, redis_binary: Path | None) -> None:
    torture(tmp_path, games=60, kills=5, seed=1, binary=redis_binary, pause=0.6)


@pytest.mark.campaign("kills")
@pytest.mark.timeout(1800)
def test_a_tournament_outlives_fifty_kills(
    tmp_path: Path, redis_binary: Path | None, record_property: Figure
) -> None:
    torture(tmp_path, games=201, kills=50, seed=2, binary=redis_binary, pause=0.4)
    record_property("kills", 50)
