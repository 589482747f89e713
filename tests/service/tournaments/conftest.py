"""A store, the director of its tournaments, and a worker that plays them in this process."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.proof.verify import Report
from service import settings
from service.records import tournament_file
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.tournaments import requests
from service.tournaments.plan import TournamentRequest
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import Tournament
from tests import running
from workers.matches import Matches

BOTS = ("tests.bots.crashing", "tests.bots.stalling", "tests.bots.cheating")
HOST: JsonObject = {"player": running.PLAYER}
SMALL: JsonObject = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 12},
}


@dataclass
class Hall:
    """The parts of the service that hold tournaments."""

    runtime: Runtime
    matches: Matches

    def open(self, seed: str | None = "s", key: str | None = None, **more: Any) -> Tournament:
        plan = requests.plan_of(
            TournamentRequest.of({**SMALL, **more}), self.runtime.registry, self.runtime.bots
        )
        asked = digest(encode([plan.to_json(), seed]))
        return self.runtime.director.create(
            plan, HOST, seed=seed, key=key, fingerprint=asked
        ).tournament

    def find(self, tournament: Tournament) -> Tournament:
        return self.runtime.director.find(tournament.id)

    def finish(self, tournament: Tournament) -> Tournament:
        """Play a tournament to its end, as one worker does."""
        for _ in range(1000):
            tournament = self.find(tournament)
            if tournament.over:
                return tournament
            self.matches.play(tournament.id)
        raise AssertionError("it does not end")

    def hold(self, **more: Any) -> Tournament:
        return self.finish(self.open(**more))


def hall_on(redis_url: str, *extra_bots: str, **more: str) -> Hall:
    environment = running.environment(redis_url, LONJA_EXTRA_BOTS=",".join(extra_bots), **more)
    found = settings.load(environment)
    runtime = open_runtime(found, announce=False)
    return Hall(runtime, running.patient_matches(runtime))


@pytest.fixture
def new_hall(redis_server: RedisServer, redis_client: Redis) -> Callable[[], Hall]:
    """Return a function that opens the service again on the same store, like another process."""
    return lambda: hall_on(redis_server.url, *BOTS)


@pytest.fixture
def hall(new_hall: Callable[[], Hall]) -> Hall:
    return new_hall()


Check = Callable[..., Report]
"""Verifies the lines of a record; its other arguments are those of ``verify_tournament``."""


@pytest.fixture
def check(hall: Hall, tmp_path: Path) -> Check:
    def check(lines: Iterable[JsonObject], **more: Any) -> Report:
        path = tmp_path / "t.ndjson"
        tournament_file.write(path, lines)
        with tournament_file.reading(path) as found:
            return verify_tournament(found, hall.runtime.registry, **more)

    return check


def failures(report: Report) -> dict[str, list[str]]:
    return {check.name: check.failures for check in report.checks if check.failures}
