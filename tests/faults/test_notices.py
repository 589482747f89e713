"""``kill -9`` to web processes and workers: each player gets every notice exactly once."""

import http.client
import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import orjson
import pytest

from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.faults import processes
from tests.faults.people import LOST, Client, Json, wait_for
from tests.running import due_notices

GAMES = 2
APPLICATION = "service.api.wsgi:app"


class Listener(threading.Thread):
    """Reads a player's notices until stopped, and resumes the stream after each interruption."""

    def __init__(self, client: Client) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[str, str, int]] = []
        self.connections = 0
        self.resyncs = 0
        self.stopping = False
        self.failure: BaseException | None = None
        self._client = client
        self._place = ""

    def run(self) -> None:
        try:
            while not self.stopping:
                try:
                    self._read()
                except LOST:
                    threading.Event().wait(0.02)
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.failure = error

    def _read(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._client.port, timeout=30)
        try:
            headers = {"Authorization": f"Bearer {self._client.key}"}
            if self._place:
                headers["Last-Event-ID"] = self._place
            connection.request("GET", "/v1/players/me/stream", headers=headers)
            answer = connection.getresponse()
            if answer.status == 503:
                return
            assert answer.status == 200, answer.read()
            self.connections += 1
            message: dict[str, str] = {}
            while line := answer.readline().decode():
                name, _, value = line.rstrip("\n").partition(": ")
                if name:
                    message[name] = value
                    continue
                if "data" in message:
                    self._hear(message)
                message = {}
        finally:
            connection.close()

    def _hear(self, message: dict[str, str]) -> None:
        self._place = message["id"]
        if message["event"] == "resync":
            self.resyncs += 1
            return
        body = orjson.loads(message["data"])
        self.told.append((body["game_id"], message["event"], body["version"]))


@pytest.fixture
def web(server: RedisServer, tmp_path: Path) -> Iterator[int]:
    with processes.web(server.url, tmp_path / "web", APPLICATION) as port:
        yield port


def kill_web() -> None:
    """Kill gunicorn's web processes; gunicorn starts others."""
    for pid in processes.descendants(os.getpid()):
        for process in processes.descendants(pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def send(client: Client, game: str, move: Json, key: str) -> None:
    """Repeat a move until it is answered."""

    def answered() -> bool:
        try:
            answer = client.ask("POST", f"{game}/moves", move, Idempotency_Key=key)
        except LOST:
            return False
        return answer.status == 201

    wait_for(answered)


def test_killed_processes_tell_each_thing_once(
    web: int, server: RedisServer, runtime: Runtime, rng: random.Random, tmp_path: Path
) -> None:
    client = Client(web).player()
    listener = Listener(client)
    listener.start()
    wait_for(lambda: listener.resyncs)
    games = [client.open("sealed", "random") for _ in range(GAMES)]
    left = [*games]
    moves = 0
    while left:
        with processes.worker(server.url, tmp_path / "worker") as worker:
            for _ in range(10):
                game = rng.choice(left)
                move = client.next_move(game, rng)
                if move is None:
                    left.remove(game)
                    break
                moves += 1
                if moves % 8 == 4:
                    kill_web()
                send(client, game, move, f"move-{moves}")
            os.kill(worker.pid, signal.SIGKILL)
    due = sorted(
        (game_id, kind, version)
        for game_id in (game.rpartition("/")[2] for game in games)
        for kind, _seat, version in due_notices(runtime, game_id, client.id)
    )
    wait_for(lambda: listener.failure or len(listener.told) >= len(due))
    listener.stopping = True
    assert listener.failure is None
    assert sorted(listener.told) == due
    assert listener.resyncs == 1
    assert listener.connections > 1
