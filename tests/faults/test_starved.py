"""Tournaments beside thirty busy processes: the load of other programs costs no bot a point."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from service import settings
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.tournaments import requests
from service.tournaments.plan import TournamentRequest
from service.tournaments.tournament import Tournament
from tests.campaigns import Figure
from tests.faults import processes
from tests.running import PLAYER, environment
from workers.worker import NICE

BUSY = 30
MOST_SECONDS = 240
"""Maximum time for which the test watches a tournament; it judges the blocks played until then."""

BURN = """
import os, resource
os.nice(NICE)
resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
while True:
    pass
"""
"""A program that uses a processor for a while, at the workers' niceness so that they can play."""

CUP: JsonObject = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "burning"}, {"bot": "search-deep"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 6},
    "rated": False,
}
BOTS = {"LONJA_EXTRA_BOTS": "tests.bots.burning"}


@pytest.fixture
def _busy() -> Iterator[None]:
    program = BURN.replace("NICE", str(NICE["tournaments"])).replace("MOST", str(MOST_SECONDS))
    with ExitStack() as ended:
        for _ in range(BUSY):
            process = subprocess.Popen([sys.executable, "-S", "-c", program])
            ended.callback(process.wait)
            ended.callback(process.kill)
        yield


def held(runtime: Runtime, redis_url: str, log: Path, limit: JsonObject) -> Tournament:
    """Let two workers play a tournament until it ends or pauses, or the time is up."""
    plan = requests.plan_of(
        TournamentRequest.of({**CUP, "failures": limit}), runtime.registry, runtime.bots
    )
    made = runtime.director.create(plan, {"player": PLAYER}).tournament
    ends = time.monotonic() + MOST_SECONDS
    worker = ("-m", "workers.worker", "--queue", "tournaments")
    env = environment(redis_url, **BOTS)
    with (
        processes.started(*worker, env=env, log=log),
        processes.started(*worker, env=env, log=log),
    ):
        while time.monotonic() < ends:
            found = runtime.director.find(made.id)
            if found.over or found.status == "paused":
                break
            time.sleep(1)
    return runtime.director.find(made.id)


def failures(tournament: Tournament) -> int:
    return sum(len(game.failures) for games in tournament.results.values() for game in games)


@pytest.mark.campaign("starved")
@pytest.mark.timeout(2 * MOST_SECONDS)
@pytest.mark.usefixtures("_busy")
@pytest.mark.parametrize("clock", ["processor_seconds", "seconds"])
def test_a_busy_machine_costs_nobody_a_point(
    clock: str, server: RedisServer, tmp_path: Path, record_property: Figure
) -> None:
    """The limit is a second for each move, which needs less than half of that."""
    server.start()
    runtime = open_runtime(settings.load(environment(server.url, **BOTS)), announce=False)
    tournament = held(runtime, server.url, tmp_path / "log", {clock: 1, "disqualify_after": 0})
    games = sum(map(len, tournament.results.values()))
    record_property(f"games by {clock}", games)
    record_property(f"failures by {clock}", failures(tournament))
    record_property(f"abandoned tries by {clock}", sum(tournament.abandoned.values()))
    assert os.getloadavg()[0] > 1
    if clock == "processor_seconds":
        assert failures(tournament) == 0
        assert games or tournament.abandoned, "nothing was played, which shows nothing"
    else:
        assert not tournament.abandoned, "by the wall, it is the bot's fault, as it was"
