"""``lonja import`` of a tournament, killed at any point: no part shows; a repetition ends it."""

import math
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.ledger.ledger import GameNotFoundError
from service.records import tournament_file
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.record import export
from service.tournaments.tournament import TournamentNotFoundError
from tests import running
from tests.faults import command
from tests.faults.conftest import Whole
from tests.service.tournaments.conftest import hall_on

KILLED = -signal.SIGKILL


class Cup:
    """A tournament of another installation, and its record."""

    def __init__(self, url: str, folder: Path) -> None:
        hall = hall_on(url)
        held = hall.hold(format={"type": "round_robin", "games": 4})
        self.id = held.id
        self.games = list(export.game_ids(held))
        self.key = hall.runtime.signer.public_key.hex()
        self.path = folder / "cup.ndjson"
        self._folder = folder
        tournament_file.write(self.path, export.lines(hall.runtime, held))

    def import_(self, server: RedisServer, order: str = "") -> tuple[int | None, list[str]]:
        return command.run(
            "import", str(self.path), "--by", "operator", "--public-key", self.key,
            environment=running.environment(server.url), folder=self._folder, order=order,
        )  # fmt: skip

    def is_here(self, runtime: Runtime) -> bool:
        """Whether the whole tournament is visible; fail if only a part is."""
        listed = bool(runtime.director.newest(1))
        seen = [self._is_seen(runtime, name) for name in self.games]
        try:
            runtime.standings.of(self.id)
            runtime.director.find(self.id)
        except TournamentNotFoundError:
            assert not any(seen)
            assert not listed
            return False
        assert all(seen)
        assert listed
        lines = export.lines(runtime, runtime.director.find(self.id))
        again = self._folder / "again.ndjson"
        tournament_file.write(again, lines)
        return again.read_bytes() == self.path.read_bytes()

    def _is_seen(self, runtime: Runtime, name: str) -> bool:
        try:
            runtime.ledger.table(name)
        except GameNotFoundError:
            return False
        return True


@pytest.fixture
def cup(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Cup:
    return Cup(redis_server.url, tmp_path)


@pytest.fixture
def empty(server: RedisServer) -> Iterator[Redis]:
    server.start()
    with make_client(server.url) as client:
        _empty(client)
        yield client


def _empty(redis: Redis) -> None:
    redis.flushall()
    redis.script_flush()  # so that every run sends the same commands


def torture(cup: Cup, server: RedisServer, empty: Redis, most: float, whole: Whole) -> int:
    """Kill imports, each at another command (of many, at some); return the number of kills."""
    code, points = cup.import_(server)
    assert code == 0
    wanted = _keys(empty)
    kills = 0
    for point in range(1, len(points) + 1, max(1, math.ceil(len(points) / most))):
        _empty(empty)
        assert cup.import_(server, f"{point} after 0")[0] == KILLED, points[point - 1]
        kills += 1
        runtime = running.runtime_on(server.url)
        before = cup.is_here(runtime)
        whole(runtime)
        assert cup.import_(server)[0] == 0, points[point - 1]
        assert cup.is_here(runtime), points[point - 1]
        assert before or point < len(points), "it was there before the last command"
        assert _keys(empty) == wanted, points[point - 1]
    whole(running.runtime_on(server.url))
    return kills


def _keys(redis: Redis) -> set[bytes]:
    """Return the keys that do not expire."""
    return {key for key in redis.scan_iter("lonja:{s*") if redis.ttl(key) == -1}


def test_an_import_that_is_killed_is_repeated(
    cup: Cup, server: RedisServer, empty: Redis, whole: Whole
) -> None:
    torture(cup, server, empty, 4, whole)


@pytest.mark.campaign("crashes")
@pytest.mark.timeout(900)
def test_an_import_that_is_killed_anywhere_is_repeated(
    cup: Cup, server: RedisServer, empty: Redis, whole: Whole, record_property: Any
) -> None:
    record_property("kills", torture(cup, server, empty, math.inf, whole))
