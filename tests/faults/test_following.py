"""``kill -9`` to the leading follower, at each step: no notice is lost or written twice."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from service.following.cursors import behind_since
from service.following.telling import NoticeWriter
from service.ids import new_player_id
from service.ledger import notices
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.faults import follower, processes
from tests.running import due_notices

PLAYERS = 3
GAMES = 6
KILLS = 60
PAUSE_SECONDS = 0.02
"""Pause between moves, because a player's feed holds at most 500 notices."""


class Client(threading.Thread):
    """Reads a player's notices, closes the stream at random, and resumes it at the last id."""

    def __init__(self, runtime: Runtime, player: str, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[str, str, int, int]] = []
        self.stopping = threading.Event()
        self._runtime = runtime
        self._player = player
        self._rng = rng
        self._place = notices.listen(runtime.redis, player)

    def run(self) -> None:
        while not self.stopping.wait(0.05):
            self.look()

    def look(self) -> None:
        limit = self._rng.choice((3, 50, 200))
        found = notices.after(self._runtime.redis, self._player, self._place, limit)
        assert found is not None
        for one in found:
            body = orjson.loads(one.body)
            self.told.append((body["game_id"], one.kind, body["seat"], body["version"]))
            self._place = one.id


class Play(threading.Thread):
    """Plays games of these players, one after another, until stopped."""

    def __init__(self, runtime: Runtime, players: list[str], rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.games: list[str] = []
        self.stopping = threading.Event()
        self._runtime = runtime
        self._players = players
        self._rng = rng

    def run(self) -> None:
        open_now: list[str] = []
        while not self.stopping.wait(PAUSE_SECONDS):
            while len(open_now) < GAMES:
                pair = self._rng.sample(self._players, 2)
                open_now.append(
                    running.open_game(self._runtime, "sealed", *({"player": p} for p in pair))
                )
                self.games.append(open_now[-1])
            game = running.game(self._runtime, self._rng.choice(open_now))
            if game.over:
                open_now.remove(game.id)
                continue
            seat = self._rng.choice([*game.asked])
            move = self._rng.choice(game.ruleset.legal_moves(game.state, seat)).to_json()
            holder = game.seats[seat].holder
            assert holder is not None
            self._runtime.tables.move(game.id, seat, move, game.version, holder["player"])


@contextmanager
def _running(*threads: "Client | Play") -> Iterator[None]:
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.stopping.set()
        for thread in threads:
            thread.join()


def _killed(
    server: RedisServer, runtime: Runtime, rng: random.Random, steps: list[str], log: Path
) -> None:
    """Kill the leading follower at each of these steps, under load; then compare the notices."""
    runtime.redis.flushall()
    players = [new_player_id() for _ in range(PLAYERS)]
    clients = [Client(runtime, player, rng) for player in players]
    play = Play(runtime, players, rng)
    environment = running.environment(server.url)
    with _running(play, *clients):
        for step in steps:
            command = ("-m", "tests.faults.follower", server.url, step, str(rng.randint(1, 4)))
            with processes.started(*command, env=environment, log=log) as process:
                assert process.wait(60) < 0
    with processes.started("-m", "tests.faults.follower", server.url, env=environment, log=log):
        running.wait_for(lambda: behind_since(runtime.redis, NoticeWriter.name) is None)
    for client, player in zip(clients, players, strict=True):
        for _ in range(len(client.told) + 10_000):
            known = len(client.told)
            client.look()
            if len(client.told) == known:
                break
        due = [
            (game_id, *one)
            for game_id in play.games
            for one in due_notices(runtime, game_id, player)
        ]
        assert sorted(client.told) == sorted(due)
        assert client.told, "nobody was told anything"


def test_a_killed_follower_loses_nothing_and_tells_nothing_twice(
    server: RedisServer, runtime: Runtime, rng: random.Random, tmp_path: Path
) -> None:
    _killed(server, runtime, rng, ["write", "note"], tmp_path / "log")


@pytest.mark.campaign("follower")
@pytest.mark.timeout(3600)
def test_many_kills_of_the_follower_at_each_step(
    server: RedisServer,
    runtime: Runtime,
    rng: random.Random,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    steps = [rng.choice(follower.STEPS) for _ in range(KILLS)]
    _killed(server, runtime, rng, steps, tmp_path / "log")
    record_property("kills", KILLS)
