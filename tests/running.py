"""Helpers for tests of the service: a runtime on the test's Redis, games, and processes."""

import math
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from redis import Redis

import workers.process
from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import CLOSED, Game
from service import settings
from service.catalogue.bots import BOTS
from service.cli.serve import SHARED_MEMORY
from service.following.cursors import behind_since
from service.following.follower import Follower
from service.following.telling import NoticeWriter
from service.ledger.store import RepeatedRequest
from service.ledger.terms import DEFAULT_TERMS, TableTerms
from service.runtime import Runtime, open_runtime
from service.webhooks.lanes import LANES
from tests.sealed import RULESET as SEALED
from workers.matches import Matches

ROOT = Path(__file__).parents[1]
T = TypeVar("T")
PLAYER = "p-aaaaaaaaaaaaaaaa"
ME: JsonObject = {"player": PLAYER}


NO_LIMITS = {"LONJA_HOSTS": "127.0.0.0/8", "LONJA_HOST_FACTOR": "10000"}
"""Settings without limits, because in a test very many people share one address."""


def environment(redis_url: str, **more: str) -> dict[str, str]:
    """Return the environment of a process on this Redis, with ``sealed`` installed."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("LONJA_")}
    return {
        **found,
        "REDIS_URL": redis_url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "PYTHONPATH": str(ROOT),
        "LONJA_PUBLIC_LOG": "no",  # it would be one more process to start
        **NO_LIMITS,
        **more,
    }


def runtime_on(redis_url: str, *, announce: bool = True) -> Runtime:
    return open_runtime(settings.load(environment(redis_url)), announce=announce)


def bot(name: str) -> JsonObject:
    return BOTS[name].holder(SEALED)


def open_game(
    runtime: Runtime,
    ruleset: str,
    *holders: JsonObject,
    clock: JsonObject | None = None,
    terms: TableTerms = DEFAULT_TERMS,
) -> str:
    seats: list[JsonObject | None] = [*holders]
    created = runtime.tables.create(PLAYER, ruleset, {}, seats, clock_limits=clock, terms=terms)
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


def patient_matches(runtime: Runtime) -> Matches:
    """Return an object that plays tournaments in this process, without time slices."""
    matches = workers.process.make(runtime).matches
    matches.seconds = math.inf
    return matches


def game(runtime: Runtime, game_id: str) -> Game:
    """Return the present state of the game."""
    return runtime.ledger.table(game_id).game


def forget_jobs(runtime: Runtime) -> None:
    """Delete all jobs and all waiting turns."""
    for pattern in ("rq:*", "lonja:{turns_2}:*"):
        for key in runtime.queue_redis.scan_iter(pattern):
            runtime.queue_redis.delete(key)


def kinds(runtime: Runtime, game_id: str) -> list[str]:
    return [event.kind for event, _ in runtime.ledger.events(game_id, 0, 10_000)]


def copies(runtime: Runtime, game_id: str) -> list[JsonObject]:
    """Return the copies of a game's events that a spectator gets."""
    from service.cli.sources import StoredGame  # noqa: PLC0415 - most tests need no command

    stored = StoredGame(runtime, game_id, None)
    return list(stored.copies())


def due_notices(runtime: Runtime, game_id: str, player: str) -> list[tuple[str, int, int]]:
    """Return the notices that a player must get about a game: kinds with seats and versions."""
    game, told = Game(game_id, runtime.registry), []
    events = [event for event, _prev in runtime.ledger.events(game_id, 0, 10_000)]
    for last, batch in groupby(events, lambda event: event.last):
        asked, over, started = game.asked, game.over, game.state is not None
        closed = game.status == CLOSED
        for event in batch:
            game.apply(event)
        mine = [seat for seat, held in enumerate(game.seats) if held.holder == {"player": player}]
        if game.status == CLOSED and not closed:
            told += [("closed", seat, last) for seat in mine if game.seats[seat].owes_entropy]
        if game.state is not None and not started:
            told += [("started", seat, last) for seat in mine]
        told += [
            ("asked", seat, last)
            for seat, decision in game.asked.items()
            if seat in mine and asked.get(seat) != decision and not game.seats[seat].resigned
        ]
        if game.over and not over:
            told += [("ended", seat, last) for seat in mine]
    return told


@contextmanager
def following(runtime: Runtime) -> Iterator[Follower]:
    """Run a follower that writes players' notices, as each web process does."""
    follower = follower_of(runtime)
    thread = threading.Thread(target=follower.run)
    thread.start()
    try:
        yield follower
    finally:
        follower.stop()
        thread.join()


def all_told(runtime: Runtime) -> None:
    """Wait until all notices are written."""
    wait_for(lambda: behind_since(runtime.redis, NoticeWriter.name) is None)


def follower_of(runtime: Runtime) -> Follower:
    telling = NoticeWriter(runtime.redis, runtime.ledger)
    return Follower(runtime.redis, runtime.ledger.store, telling, block_ms=50, standby_seconds=0.05)


def queued_webhooks(redis: Redis, *lanes: str) -> dict[str, float]:
    """Return the times of the next attempts of webhooks in these lanes, by default in all."""
    found: dict[str, float] = {}
    for lane in lanes or LANES:
        for key in redis.scan_iter(f"{lane}:*"):
            waiting: Any = redis.zrange(key, 0, -1, withscores=True)
            found |= {name.decode(): at for name, at in waiting}
    return found


def hurry_webhooks(redis: Redis, at: float = 1.0) -> None:
    """Make all waiting webhooks due now; with a half, as if their sender had died."""
    for lane in LANES:
        for key in redis.scan_iter(f"{lane}:*"):
            waiting: Any = redis.zrange(key, 0, -1)
            redis.zadd(key, dict.fromkeys(waiting, at))
            redis.zadd(lane, {key.decode().removeprefix(f"{lane}:"): 1})


def forget_metrics(port: int) -> None:
    """Delete the metrics that a killed `lonja serve` left in memory."""
    for folder in SHARED_MEMORY.glob(f"lonja-{os.getuid()}-*-{port}"):
        shutil.rmtree(folder)


def wait_for(what: Callable[[], T], seconds: float = 60.0) -> T:
    """Call ``what`` until its result is true, and return that; fail if this takes too long.

    The pauses grow, because each call takes processor time from the service.
    """
    pause, deadline = 0.02, time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(pause)
        pause = min(pause * 1.2, 0.2)
    return found


@contextmanager
def process(
    *arguments: str, env: dict[str, str], log: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run Python with ``arguments``; end the process afterwards in any case.

    Its output goes to ``log``, because a full pipe that nobody reads would block it.
    """
    with log.open("wb") if log else nullcontext(subprocess.PIPE) as said:
        started = subprocess.Popen(
            [sys.executable, *arguments],
            env=env,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()
