"""How long it takes to read a tournament of 24,000 games, and to draw its bands; no game is played.

Reads go to a process that has cached nothing of the tournament, as after a restart.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

import structlog

from service.api.app import create_app
from service.process import logs
from service.process.garbage import collect_less
from service.redis.server import RedisServer
from service.tournaments.figures.bands import SAMPLES
from service.tournaments.report import drawing
from service.tournaments.tournament import Block, Tournament
from tests.running import runtime_on
from tests.service.tournaments import recorded
from tests.service.tournaments.held import Held, plan
from tools.bench.measure import Row, alternate, at_most

GAMES, FEW = 24_000, 1_500
SEATS = 3
ROUNDS = 5
DRAWINGS = 100
SMALL = "/v1/tournament_formats"
READ = (
    "", "/report", "/ratings.svg", "/ranks.svg", "/games?limit=60", "/games?after=23000&limit=60",
    "/events?limit=60", "/head",
)  # fmt: skip


def measure() -> Iterator[Row]:
    """Yield a row for the reads, and one for the bands."""
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "everysec") as server:
        worker = runtime_on(server.url, announce=False)
        tournament = recorded.opened(worker, plan(SEATS, "round_robin", games=GAMES))
        tournament = recorded.play(worker, tournament, luck())
        worker.reports.catch_up(tournament)
        collect_less()  # a process that only reads has not played the tournament
        yield read(server, tournament)
    yield bands()


def luck() -> Callable[[Block, tuple[int, ...]], list[int]]:
    """Return a function that draws random ranks, in which later entries do better."""
    drawn = random.Random(1).random

    def ranks(_block: Block, seating: tuple[int, ...]) -> list[int]:
        found = [drawn() + entry / 10 for entry in seating]
        return [1 + sum(other > own for other in found) for own in found]

    return ranks


def read(server: RedisServer, tournament: Tournament) -> Row:
    """Compare the time to read each resource of the tournament with the time of a small request.

    Each request is the second one of a fresh process, which has a connection and has cached nothing
    else.
    """
    base = f"/v1/tournaments/{tournament.id}"
    ratios, ms, smalls = {}, {}, [0.0]
    with structlog.testing.capture_logs():
        for path in ("/v1/tournaments", *(base + path for path in READ)):
            name = path.replace(tournament.id, "T")
            found, smalls, ratios[name] = alternate(
                partial(_answered, server, path), partial(_answered, server, SMALL), ROUNDS
            )
            ms[name] = 1000 * median(found)
    logs.about(None)  # removes the request's id, which later lines of the log would have otherwise
    return at_most(
        "the slowest read of this tournament by a process that has just started, against a small"
        " request",
        max(ratios.values()), 10.0, by_path=ratios, ms=ms, small_ms=1000 * median(smalls),
    )  # fmt: skip


def _answered(server: RedisServer, path: str) -> float:
    """Return the seconds until ``path`` is answered."""
    client = create_app(runtime_on(server.url, announce=False)).test_client()
    client.get(SMALL)
    began = time.perf_counter()
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - began


def bands() -> Row:
    """Compare the time to draw bands for 24,000 games with that for 1,500 games (500 blocks)."""
    many, few = (Held(plan(SEATS, "round_robin", games=g)) for g in (GAMES, FEW))
    for held in (many, few):
        held.play(luck())

    def seconds(held: Held) -> float:
        """Return the time of all drawings, extrapolated from ``DRAWINGS`` of them."""
        began = time.process_time()
        made = drawing(held.tournament)
        prepared = time.process_time() - began
        made.draw(0, DRAWINGS)
        drawn = time.process_time() - began - prepared
        return prepared + drawn * SAMPLES / DRAWINGS

    longs, shorts, ratio = alternate(lambda: seconds(many), lambda: seconds(few), ROUNDS)
    return at_most(
        "time to compute the bands of this tournament, against those of a tournament of 1,500"
        " games",
        ratio, GAMES / FEW,
        many_s=longs, few_s=shorts,
    )  # fmt: skip
