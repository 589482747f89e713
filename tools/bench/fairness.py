"""How long people wait while another visitor floods the service, compared with a quiet service."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from typing import NamedTuple

from service.catalogue.bots import HEAVY
from service.ledger.store import RepeatedRequest
from service.runtime import Runtime
from service.turns.queue import TOURNAMENTS
from service.turns.schedule import SHARED
from tests.running import bot, environment, game, process, runtime_on
from tools.bench.measure import Row, alternate, at_most
from tools.bench.tournaments import open_tournament, p99, store, tournament_worker, waits

VISITOR = "p-bbbbbbbbbbbbbbbb"
HOSTS = [f"p-{letter * 16}" for letter in "bcdefghijklmnopqrstu"]
SMALL, LARGE = 10, 3_000
FLOOD = 1_500
STRONG_FLOOD = 200
TURNS = 400
ROUNDS = 3
RULESET = "santiago_de_cuba"
DEEPEST = "ragusa"
"""The game in which a decision of ``search-deep`` takes longest."""


def measure() -> Iterator[Row]:
    """Yield a row for each figure."""
    yield live_flood()
    yield strong_flood()
    yield from small_tournament()


def live_flood() -> Row:
    """Return how much longer a person waits for ``greedy`` during another visitor's flood.

    The flood is ``FLOOD`` games between bots. The figure is the ratio of the 99th percentiles, with
    and without the flood.
    """
    with store() as server, ExitStack() as stack:
        runtime = runtime_on(server.url)
        stack.enter_context(process("-m", "workers.worker", env=environment(server.url)))
        waits(runtime, 50, "greedy")  # until the worker has started
        beside, alone, ratio = alternate(
            lambda: _p99_in_a_flood(runtime), lambda: p99(waits(runtime, TURNS, "greedy")), ROUNDS
        )
    return at_most(
        f"99th percentile of the time of a turn of `greedy` beside {FLOOD:,} bot games of another"
        " player, against alone", ratio, 5.0,
        p99_ms=[1000 * median(alone), 1000 * median(beside)],
    )  # fmt: skip


def strong_flood() -> Row:
    """Return how much longer a person waits for ``greedy`` beside games of the strongest bots.

    There is a worker for the strongest bots for each core, so that no core is left for ``greedy``.
    """
    cores = os.cpu_count() or 1
    with store() as server, ExitStack() as stack:
        runtime = runtime_on(server.url)
        env = environment(server.url, LONJA_BOT_BUDGET="1000000 per hour")
        stack.enter_context(process("-m", "workers.worker", env=env))
        for _ in range(cores):
            stack.enter_context(process("-m", "workers.worker", "--queue", HEAVY, env=env))
        waits(runtime, 50, "greedy")  # until the worker has started
        beside, alone, ratio = alternate(
            lambda: _p99_beside_thought(runtime), lambda: p99(waits(runtime, TURNS, "greedy")),
            ROUNDS,
        )  # fmt: skip
    return at_most(
        f"the same beside {STRONG_FLOOD} games of another player, each with three `search-deep`",
        ratio, 5.0, p99_ms=[1000 * median(alone), 1000 * median(beside)], heavy_workers=cores,
    )  # fmt: skip


def _p99_beside_thought(runtime: Runtime) -> float:
    began = _turns(runtime, HEAVY)
    flood = [_open_for_bots(runtime, "search-deep", DEEPEST) for _ in range(STRONG_FLOOD)]
    while _turns(runtime, HEAVY) == began:
        time.sleep(0.05)
    found = p99(waits(runtime, TURNS, "greedy"))
    if any(game(runtime, game_id).over for game_id in flood):
        raise RuntimeError("a game was over: nobody thought so long")
    for game_id in flood:
        runtime.tables.abort(game_id, VISITOR)
    while runtime.jobs.waiting(HEAVY):
        time.sleep(0.05)
    return found


def _open_for_bots(runtime: Runtime, name: str = "greedy", ruleset: str = RULESET) -> str:
    created = runtime.tables.create(VISITOR, ruleset, {}, [bot(name)] * 3)
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


def _p99_in_a_flood(runtime: Runtime) -> float:
    flood = [_open_for_bots(runtime) for _ in range(FLOOD)]
    found = p99(waits(runtime, TURNS, "greedy"))
    unfinished = [game_id for game_id in flood if not game(runtime, game_id).over]
    if len(unfinished) < FLOOD / 2:
        raise RuntimeError(f"only {len(unfinished)} games were left: it was no flood")
    for game_id in unfinished:
        runtime.tables.abort(game_id, VISITOR)
    while runtime.jobs.waiting():
        time.sleep(0.05)
    return found


def small_tournament() -> Iterator[Row]:
    """Compare how long a small tournament takes beside twenty large ones, and alone.

    The time is in seconds, and in turns of the only worker, which do not depend on the machine's
    speed.
    """
    with store() as server, ExitStack() as stack:
        runtime = runtime_on(server.url)
        stack.enter_context(tournament_worker(server))
        _taken(runtime)  # until the worker has started
        alone = _median([_taken(runtime) for _ in range(ROUNDS)])
        one_host = _beside(runtime, HOSTS[:1] * len(HOSTS))
        each_its_own = _beside(runtime, HOSTS)
    what = f"beside {len(HOSTS)} large tournaments"
    yield _slower(
        f"seconds of a tournament of {SMALL} games {what} of one other host, against alone",
        one_host,
        alone,
        4.0,
    )
    yield _slower(f"the same {what} of as many hosts", each_its_own, alone, 25.0)


class _BotTime(NamedTuple):
    seconds: float
    turns: int


def _slower(name: str, beside: _BotTime, alone: _BotTime, bound: float) -> Row:
    return at_most(
        name, beside.seconds / alone.seconds, bound,
        seconds=[alone.seconds, beside.seconds], turns=[alone.turns, beside.turns],
    )  # fmt: skip


def _median(found: list[_BotTime]) -> _BotTime:
    return _BotTime(median(one.seconds for one in found), int(median(one.turns for one in found)))


def _taken(runtime: Runtime) -> _BotTime:
    """Return the time of a small tournament from its request to its end, in seconds and turns."""
    began, before = time.perf_counter(), _turns(runtime)
    tournament = open_tournament(runtime, RULESET, SMALL)
    while not runtime.director.find(tournament.id).over:
        time.sleep(0.01)
    return _BotTime(time.perf_counter() - began, _turns(runtime) - before)


def _turns(runtime: Runtime, queue: str = TOURNAMENTS) -> int:
    """Return the number of turns that workers took from a queue."""
    return int(runtime.redis.hget(f"{SHARED}{queue}:counts", "turns") or 0)


def _beside(runtime: Runtime, hosts: list[str]) -> _BotTime:
    began = _turns(runtime)
    large = [open_tournament(runtime, RULESET, LARGE, {"player": host}) for host in hosts]
    while _turns(runtime) - began < len(large):  # until each large tournament has had a turn
        time.sleep(0.05)
    found = _taken(runtime)
    for one in large:
        runtime.director.cancel(one.id, "measured", one.created_by)
    cancelled = [runtime.director.find(one.id) for one in large]
    # Writing the final report is the last thing that a worker does for a tournament.
    while not all(map(runtime.reports.final, cancelled)):
        time.sleep(0.05)
    return found
