"""After an outage of the store, of any length, the bots of every queue resume soon."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from redis.exceptions import RedisError

from service.catalogue.bots import HEAVY, LIVE
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.turns.queue import QUEUES, TOURNAMENTS
from tests import running
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.conftest import kill_redis
from tests.faults.people import LOST, Client, wait_for

APPLICATION = "service.api.wsgi:app"
BACK_S = 2.5
GENEROUS_S = 90.0
T = TypeVar("T")
BOTS = {LIVE: "greedy", HEAVY: "search"}
TOURNAMENT = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "greedy"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 3000},
    "rated": False,
}


@pytest.fixture
def server(tmp_path: Path, redis_binary: Path | None) -> Iterator[RedisServer]:
    with RedisServer(tmp_path / "store", binary=redis_binary) as server:
        yield server


@pytest.fixture
def port(server: RedisServer, runtime: Runtime, tmp_path: Path) -> Iterator[int]:
    """A web node, and a worker of each queue that waits for jobs."""
    env = running.environment(server.url)
    with ExitStack() as stack:
        port = stack.enter_context(processes.web(server.url, tmp_path / "web", APPLICATION))
        for queue in QUEUES:
            command = ("-m", "workers.worker", "--queue", queue)
            stack.enter_context(processes.started(*command, env=env, log=tmp_path / queue))
        wait_for(lambda: runtime.redis.scard("rq:workers") == len(QUEUES))
        yield port


def insist(ask: Callable[[], T]) -> T:
    """Repeat a request until there is an answer: web processes must reach the store, too."""
    deadline = time.monotonic() + GENEROUS_S
    while True:
        try:
            return ask()
        except (*LOST, AssertionError, RedisError):
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.02)


@pytest.mark.campaign("kills")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("away", [0.0, 1.0, 7.0, 20.0, 40.0, 70.0])
@pytest.mark.parametrize("busy", [False, True])
def test_bots_are_back_within_seconds(
    port: int,
    server: RedisServer,
    runtime: Runtime,
    record_property: Figure,
    *,
    busy: bool,
    away: float,
) -> None:
    """Idle workers get new jobs then; busy workers continue their work."""
    ana, rng = Client(port).player(), random.Random(away)
    newest = runtime.ledger.store.newest
    tables = {queue: ana.open("sealed", bot) for queue, bot in BOTS.items()}
    moves = {queue: ana.next_move(table, rng) for queue, table in tables.items()}
    games: dict[str, str] = {}
    if busy:
        for queue, bot in BOTS.items():
            games[queue] = running.open_game(runtime, "ragusa", *[running.bot(bot)] * 4)
        games[TOURNAMENTS] = ana.post("/v1/tournaments", TOURNAMENT)["id"]
        lengths = {queue: newest(game) for queue, game in games.items()}
        for queue, game in games.items():
            wait_for(lambda q=queue, g=game: newest(g) > lengths[q])  # type: ignore[misc]
    kill_redis(server)
    time.sleep(away)
    server.start()
    back = time.monotonic()
    waited_for = {}
    for queue, game in games.items():
        waited_for[f"{queue} goes on"] = game, insist(partial(newest, game))
    for queue, table in tables.items():
        told = insist(partial(ana.post, f"{table}/moves", moves[queue], Idempotency_Key="1"))
        after = told["events"][-1]["seq"]  # after this request, the bot has its first decision
        waited_for[f"{queue} answers"] = table.rpartition("/")[2], after
    if not busy:
        made = insist(partial(ana.post, "/v1/tournaments", TOURNAMENT, Idempotency_Key="2"))
        waited_for["tournaments begins"] = made["id"], 1
    took = {}
    while waited_for:
        assert time.monotonic() < back + GENEROUS_S, waited_for
        for what, (stream, length) in list(waited_for.items()):
            if newest(stream) > length:
                del waited_for[what]
                took[what] = round(time.monotonic() - back, 2)
    print(f"after {away} s away, {'busy' if busy else 'idle'}: {took}")  # noqa: T201
    record_property("seconds until the last bot was back", max(took.values()))
    assert max(took.values()) < BACK_S
