"""Redis ends and starts again, while web processes and workers keep running."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import processes
from tests.faults.conftest import Whole, kill_redis, proves
from tests.faults.crash import is_alive
from tests.faults.people import Answer, Client, Follower, answers, wait_for

APPLICATION = "service.api.wsgi:app"


class Service:
    """Gunicorn and a worker, without a launcher that restarts them."""

    def __init__(self, port: int, *roots: int) -> None:
        self.port = port
        self._roots = roots
        self._pids = self._now()

    def _now(self) -> set[int]:
        return {pid for root in self._roots for pid in (root, *processes.descendants(root))}

    def still_runs(self) -> bool:
        return self._now() == self._pids and all(map(is_alive, self._pids))


@pytest.fixture
def service(runtime: Runtime, server: RedisServer, tmp_path: Path) -> Iterator[Service]:
    log = tmp_path / "log"
    with (
        processes.web(server.url, log, APPLICATION, workers=2) as port,
        processes.worker(server.url, log) as worker,
    ):
        wait_for(lambda: answers(port, "/readyz"))
        (gunicorn,) = [
            pid
            for pid in processes.descendants(os.getpid())
            if f"127.0.0.1:{port}".encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
            and processes.descendants(pid)
        ]
        yield Service(port, gunicorn, worker.pid)


def is_unavailable(answer: Answer) -> bool:
    assert answer.status in (200, 201, 503), answer
    if answer.status != 503:
        return False
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json["code"] == "store_unavailable"
    assert answer.json["status"] == 503
    return True


def requests(client: Client, game: str, move: object) -> list[Answer]:
    """Send one request of each kind."""
    reads = ("", "/state", "/state?at=1", "/events", "/legal_moves", "/head", "/log", "/stream")
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = {"ruleset": "sealed", "options": {}, "seats": seats}
    return [
        *(client.ask("GET", f"{game}{path}") for path in reads),
        client.ask("GET", "/v1/games"),
        client.ask("GET", "/readyz"),
        client.ask("POST", f"{game}/moves", move, Idempotency_Key="while-away"),
        client.ask("POST", "/v1/games", table),
        client.ask("POST", "/v1/players", {"name": "Bea"}),
    ]


def test_all_is_refused_politely_and_goes_on_by_itself(
    service: Service, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    ana = Client(service.port).player()
    game = ana.open("sealed", "greedy")
    follower = Follower(ana, game)
    follower.start()
    for _ in range(3):
        ana.post(f"{game}/moves", ana.next_move(game, rng))
    move = ana.next_move(game, rng)
    wait_for(lambda: follower.version == len(ana.events(game)))

    for _ in range(2):  # twice, because recovery must work repeatedly
        kill_redis(server)
        for answer in requests(ana, game, move):
            assert is_unavailable(answer), answer
        assert answers(service.port, "/healthz")
        server.start()
        wait_for(lambda: answers(service.port, "/readyz"))
        for path in ("", "/state", "/events", "/legal_moves", "/head", "/log"):
            ana.get(f"{game}{path}")

    told = ana.ask("POST", f"{game}/moves", move, Idempotency_Key="while-away")
    assert told.status == 201
    ana.play_on(game, rng)  # against a bot whose worker also lost Redis
    follower.join(20)
    assert follower.failure is None
    assert [e["hash"] for e in follower.events] == [e["hash"] for e in ana.events(game)]
    print(f"the stream needed {follower.connections} connections")  # noqa: T201
    assert service.still_runs()
    proves(runtime, game.rpartition("/")[2])
    whole(runtime)


def test_a_web_process_starts_without_redis(
    server: RedisServer, runtime: Runtime, tmp_path: Path
) -> None:
    kill_redis(server)
    with processes.web(server.url, tmp_path / "log", APPLICATION) as port:
        for _ in range(2):
            assert answers(port, "/healthz")
            for path in ("/readyz", "/v1/games"):
                assert is_unavailable(Client(port).ask("GET", path))
        server.start()
        assert answers(port, "/readyz")
        assert answers(port, "/v1/games")


def test_a_worker_waits_for_redis_when_it_starts(
    server: RedisServer, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = running.open_game(runtime, "sealed", running.bot("random"), running.bot("random"))
    kill_redis(server)
    log = tmp_path / "log"
    with processes.worker(server.url, log) as worker:
        wait_for(lambda: "store_unavailable" in log.read_text())
        assert worker.poll() is None
        server.start()
        wait_for(lambda: running.game(runtime, game_id).over)


def is_idle(runtime: Runtime) -> bool:
    """Whether the only worker waits for a job."""
    (name,) = runtime.redis.smembers("rq:workers") or (None,)
    return name is not None and runtime.redis.hget(name, "state") == b"idle"


@pytest.mark.parametrize("began", [True, False])
def test_a_worker_without_redis_ends_when_told_to(
    server: RedisServer,
    runtime: Runtime,
    tmp_path: Path,
    *,
    began: bool,
) -> None:
    log = tmp_path / "log"
    runtime.redis.delete("rq:workers")
    if not began:
        kill_redis(server)
    with processes.worker(server.url, log) as worker:
        if began:
            wait_for(lambda: is_idle(runtime))
            kill_redis(server)
        words = "retrying in 1 seconds" if began else "store_unavailable"
        wait_for(lambda: log.read_text().count(words) > 2)  # the longest pause between two attempts
        worker.terminate()
        assert worker.wait(20) == 0, log.read_text()


@pytest.mark.campaign("crashes")
def test_a_redis_that_hangs_is_one_that_is_gone(
    service: Service, server: RedisServer, runtime: Runtime, rng: random.Random, whole: Whole
) -> None:
    ana = Client(service.port).player()
    game = ana.open("sealed", "greedy")
    move = ana.next_move(game, rng)
    os.kill(server.pid, signal.SIGSTOP)
    try:
        assert is_unavailable(
            ana.ask("POST", f"{game}/moves", move, Idempotency_Key="while-it-hung")
        )
        assert answers(service.port, "/healthz")
    finally:
        os.kill(server.pid, signal.SIGCONT)  # now it runs the commands that it got
    wait_for(lambda: answers(service.port, "/readyz"))
    assert ana.ask("POST", f"{game}/moves", move, Idempotency_Key="while-it-hung").status == 201
    assert [e["by"] for e in ana.events(game) if e["kind"] == "moved"].count({"seat": 0}) == 1
    ana.play_on(game, rng)
    proves(runtime, game.rpartition("/")[2])
    whole(runtime)


def test_serve_outlives_a_worker_that_dies_while_redis_is_away(
    server: RedisServer, runtime: Runtime, tmp_path: Path, rng: random.Random
) -> None:
    port, data = processes.free_port(), tmp_path / "data"
    few = {"LONJA_WEB_WORKERS": "1", "LONJA_TOURNAMENT_WORKERS": "0"}
    with processes.serve(data, port, "--no-exhibition", REDIS_URL=server.url, **few) as launcher:
        ana = Client(port).player()
        game = ana.open("sealed", "greedy")
        kill_redis(server)
        for pid in processes.descendants(launcher.pid):
            if b"workers.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        log = data / "serve.log"
        wait_for(lambda: launcher.poll() is not None or log.read_text().count("again_in") > 2, 60)
        assert launcher.poll() is None, log.read_text()
        server.start()
        wait_for(lambda: answers(port, "/readyz"))
        ana.play_on(game, rng)
        assert launcher.poll() is None
