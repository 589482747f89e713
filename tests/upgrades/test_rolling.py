"""A rolling upgrade: processes are replaced one by one, while people, bots and a tournament play.

For a while, the code of an earlier release and the present code use one store. No acknowledged
event is lost, nothing is done twice, and every game verifies.
"""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from service.api.gunicorn import config
from service.records import tournament_file
from service.redis.format import NEWEST, level_of, raise_level
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from tests.faults import processes
from tests.faults.conftest import Whole, proves
from tests.faults.people import LOST, Answer, Client, Follower, Json, answers, wait_for
from tests.running import ROOT, environment, runtime_on

GAMES = 30
CUP: Json = {
    "ruleset": "santiago_de_cuba",
    "seats": 3,
    "entries": [{"bot": "greedy"}, {"bot": "greedy", "name": "another"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": GAMES},
    "rated": False,
    "seed": "upgrade",
}
DRAIN_SECONDS = 2


class Code:
    """The processes of one release on the store."""

    def __init__(self, folder: Path, redis_url: str, log: Path) -> None:
        self._folder = folder
        self._log = log
        self._env = environment(
            redis_url,
            PYTHONPATH=str(folder),
            LONJA_EXTRA_RULESETS="",
            LONJA_DRAIN_SECONDS=str(DRAIN_SECONDS),
            LONJA_WEB_WORKERS="1",
        )

    def says_where_it_is(self) -> str:
        command = [sys.executable, "-c", "import service; print(*service.__path__)"]
        done = subprocess.run(
            command, env=self._env, cwd=self._folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    @contextmanager
    def web(self) -> Iterator["Web"]:
        port = processes.free_port()
        arguments = ("-m", "gunicorn", "--config", f"python:{config.__name__}")
        env = {**self._env, "PORT": str(port)}
        with processes.started(*arguments, env=env, log=self._log, code=self._folder) as process:
            wait_for(lambda: answers(port, "/readyz"), 60)
            yield Web(port, process)

    @contextmanager
    def worker(self, queue: str) -> Iterator["subprocess.Popen[bytes]"]:
        arguments = ("-m", "workers.worker", "--queue", queue)
        with processes.started(
            *arguments, env=self._env, log=self._log, code=self._folder
        ) as process:
            yield process


class Web:
    """A web process behind a balancer."""

    def __init__(self, port: int, process: "subprocess.Popen[bytes]") -> None:
        self.port = port
        self._process = process

    def drain(self, balancer: "Balancer") -> None:
        """End the process, after the balancer has noticed."""
        self._process.terminate()
        wait_for(lambda: not answers(self.port, "/readyz"))
        balancer.ports.remove(self.port)
        assert self._process.wait(60) == 0


class Balancer(Client):
    """Sends each request to the next port, and repeats unanswered requests with a key."""

    def __init__(self, ports: list[int], key: str = "", id_: str = "") -> None:
        self.ports = ports
        self._turns = count()
        super().__init__(0, key, id_)

    @property
    def port(self) -> int:
        return self.ports[next(self._turns) % len(self.ports)]

    @port.setter
    def port(self, _port: int) -> None:
        """Fails, because a balancer has several ports."""

    def ask(
        self, method: str, path: str, body: Any = None, *, timeout: float = 30.0, **headers: Any
    ) -> Answer:
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = super().ask(method, path, body, timeout=timeout, **headers)
                if answer.status != 503 or time.monotonic() > deadline:
                    return answer
            except LOST:
                if time.monotonic() > deadline or not (method == "GET" or headers):
                    raise
            time.sleep(0.05)


class Person(threading.Thread):
    """Plays one game after another against bots until stopped, and records acknowledged moves."""

    def __init__(self, client: Balancer, seed: int) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.games: list[str] = []
        self.promised: list[tuple[str, Json]] = []
        self.enough = threading.Event()
        self.failure: BaseException | None = None
        self._rng = random.Random(seed)
        self._keys = count()

    def run(self) -> None:
        try:
            while not self.enough.is_set():
                self.games.append(self.client.open("santiago_de_cuba", "random", "random"))
                self._play(self.games[-1])
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.failure = error

    def _play(self, game: str) -> None:
        while (move := self.client.next_move(game, self._rng, 60)) is not None:
            key = f"move-{next(self._keys)}"
            answer = self.client.post(f"{game}/moves", move, Idempotency_Key=key)
            self.promised.append((game, answer))

    def goes_on(self, by: int = 3) -> None:
        """Wait until a few more moves are acknowledged."""
        wanted = len(self.promised) + by
        wait_for(lambda: self.failure is not None or len(self.promised) >= wanted, 60)
        assert self.failure is None, self.failure


@pytest.mark.timeout(300)
def test_process_after_process_is_replaced_while_all_play_on(
    release: Path, tmp_path: Path, redis_binary: Path | None, whole: Whole
) -> None:
    log = tmp_path / "log"
    with ExitStack() as running:
        enter = running.enter_context
        server = enter(RedisServer(tmp_path / "store", binary=redis_binary))
        old, new = Code(release, server.url, log), Code(ROOT, server.url, log)
        assert old.says_where_it_is().startswith(str(release))

        old_web, bots = enter(old.web()), enter(old.worker("live"))
        ports = [old_web.port]
        anybody = Balancer(ports)
        made = anybody.player("Ana")
        person = Person(Balancer(ports, made.key, made.id), seed=1)
        cup = f"/v1/tournaments/{person.client.post('/v1/tournaments', CUP)['id']}"
        person.start()
        running.callback(person.enough.set)
        person.goes_on()
        follower = Follower(person.client, person.games[0])
        follower.start()

        ports.append(enter(new.web()).port)
        person.goes_on()  # alternately on both releases
        enter(new.worker("live"))
        person.goes_on()
        old_web.drain(anybody)
        person.goes_on()
        _end(bots)
        person.goes_on()

        blocks = enter(old.worker("tournaments"))
        wait_for(lambda: anybody.get(cup)["games"]["played"] > 0, 60)
        paused = person.client.ask("POST", f"{cup}/pause", {})
        assert paused.status == 200, paused
        enter(new.worker("tournaments"))
        resumed = person.client.ask("POST", f"{cup}/resume", {})
        assert resumed.status == 200, resumed
        _end(blocks)

        person.enough.set()
        person.join(120)
        assert person.failure is None, person.failure
        follower.join(30)
        assert follower.failure is None, follower.failure
        wait_for(lambda: anybody.get(cup)["status"] == "ended", 120)
        runtime = runtime_on(server.url)
        assert level_of(runtime.redis) != NEWEST, "the way back is open"
        raise_level(runtime.redis)
        assert enter(old.worker("live")).wait(60) == 1
        assert f"the format {NEWEST}, and this Lonja plays" in log.read_text()
        whole(runtime)
        for game in person.games:
            _keeps_its_promises(person, game, runtime)
        _was_held_well(cup.rpartition("/")[2], runtime, tmp_path / "cup.ndjson")
        streams = sum(1 for _ in runtime.redis.scan_iter("lonja:{s*}:game:*:events", count=1000))
        assert streams == len(person.games) + GAMES, "a game was played twice"


def _end(worker: "subprocess.Popen[bytes]") -> None:
    worker.terminate()
    assert worker.wait(60) == 0


def _keeps_its_promises(person: Person, game: str, runtime: Runtime) -> None:
    """Fail unless the log has exactly the acknowledged moves of that seat, each once."""
    log = person.client.events(game)
    promised = [answer for of, answer in person.promised if of == game]
    for answer in promised:
        for event in answer["events"]:
            assert log[event["seq"] - 1]["hash"] == event["hash"]
    moved = [event for event in log if event["kind"] == "moved" and event["by"] == {"seat": 0}]
    assert len(moved) == len(promised)
    proves(runtime, game.rpartition("/")[2])


def _was_held_well(tournament_id: str, runtime: Runtime, path: Path) -> None:
    """Fail unless the record of a tournament is proved."""
    held = runtime.director.find(tournament_id)
    tournament_file.write(path, export.lines(runtime, held))
    with tournament_file.reading(path) as found:
        report = verify_tournament(found, runtime.registry)
    assert report.ok, report.to_json()
    assert len(held.codes) == 2, "both versions were to play"
