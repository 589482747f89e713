"""Bots that search delay nobody: the order in which a real worker of ``heavy`` takes turns.

The tests check the order in the worker's log, which has a line for each turn, never times.
"""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import HEAVY, LIVE
from service.ledger.store import RepeatedRequest
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.running import ME, bot, environment, game, process, wait_for
from workers import jobs
from workers.process import make

FLOOD, RIVAL, MODEST, NEWCOMER = (f"p-{letter * 16}" for letter in "bcde")
STRONGEST = bot("search-deep")
SEARCH: JsonObject = {**STRONGEST, "settings": {**STRONGEST["settings"], "nodes": 150}}
"""The strongest bot with fewer nodes, so that it is quick: the tests check only the turns."""


class Worker:
    """A worker of the bots that search, and the order of its turns."""

    def __init__(self, web: Runtime, pid: int, log: Path) -> None:
        self._web = web
        self._pid = pid
        self._log = log

    def owners(self, since: int = 0) -> list[str]:
        """Return the owners of its turns, in order, without the first ones."""
        turns = []
        for line in self._log.read_bytes().splitlines():
            with suppress(orjson.JSONDecodeError):  # some lines are no log
                said = orjson.loads(line)
                if said["event"] == "turn":
                    turns.append(game(self._web, said["thing"]).created_by["player"])
        return turns[since:]

    def pause(self) -> None:
        """Stop the worker (SIGSTOP), most likely during a decision."""
        os.kill(self._pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self._pid, os.WSTOPPED)

    def go_on(self) -> None:
        os.kill(self._pid, signal.SIGCONT)


@contextmanager
def worker_of(web: Runtime, server: RedisServer, log: Path, **more: str) -> Iterator[Worker]:
    env = environment(server.url, LONJA_LOG_FORMAT="json", LONJA_LOG_LEVEL="debug", **more)
    with process("-m", "workers.worker", "--queue", HEAVY, env=env, log=log) as started:
        yield Worker(web, started.pid, log)


@pytest.fixture
def heavy(web: Runtime, redis_server: RedisServer, tmp_path: Path) -> Iterator[Worker]:
    with worker_of(web, redis_server, tmp_path / "worker.log") as worker:
        yield worker


def open_for(web: Runtime, player: str, *holders: JsonObject) -> str:
    created = web.tables.create(player, "santiago_de_cuba", {}, list(holders))
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


def owners_until(owner: str, worker: Worker, since: int) -> list[str]:
    """Return the owners of the turns up to the first of this owner; empty if there is none yet."""
    owners = worker.owners(since)
    return owners[: owners.index(owner) + 1] if owner in owners else []


def between(owners: list[str], owner: str) -> Iterator[Counter[str]]:
    """Yield the numbers of other owners' turns between two turns of an owner."""
    own = [at for at, name in enumerate(owners) if name == owner]
    for first, second in pairwise(own):
        yield Counter(owners[first + 1 : second])


def test_owners_of_strong_bots_take_turns_however_many_games_they_have(
    web: Runtime, heavy: Worker
) -> None:
    for player, games in ((FLOOD, 8), (RIVAL, 3), (MODEST, 1)):
        for _ in range(games):
            open_for(web, player, SEARCH, SEARCH)
    owners = wait_for(lambda: len(found := heavy.owners()) > 18 and found)
    assert isinstance(owners, list)
    everybody = owners[owners.index(MODEST) :]
    for waited in between(everybody, MODEST):
        assert waited == {FLOOD: 1, RIVAL: 1}


def test_a_newcomer_waits_for_one_decision_that_has_begun(web: Runtime, heavy: Worker) -> None:
    """The worker is stopped while the new owner arrives, so that no turn ends unnoticed."""
    for player in (FLOOD, RIVAL):
        for _ in range(5):
            open_for(web, player, SEARCH, SEARCH)
    wait_for(lambda: len(heavy.owners()) > 4)
    heavy.pause()
    before = len(heavy.owners())
    open_for(web, NEWCOMER, SEARCH, SEARCH)
    heavy.go_on()
    waited = wait_for(partial(owners_until, NEWCOMER, heavy, before))
    assert len(waited) <= 2  # with its own


def test_a_person_is_answered_after_one_decision_of_each_other_owner(
    web: Runtime, heavy: Worker
) -> None:
    """Each time again, and whatever games the other owner has."""
    for _ in range(3):
        open_for(web, FLOOD, SEARCH, SEARCH)
        open_for(web, FLOOD, ME, SEARCH, SEARCH)
    played = open_for(web, NEWCOMER, ME, SEARCH)
    for _ in range(4):
        wait_for(lambda: 0 in game(web, played).asked)
        heavy.pause()
        before = len(heavy.owners())
        while 1 not in (now := game(web, played)).asked:
            move = now.ruleset.legal_moves(now.state, Seat(0))[-1].to_json()
            web.tables.move(played, Seat(0), move, now.version, ME["player"])
        heavy.go_on()
        waited = wait_for(partial(owners_until, NEWCOMER, heavy, before))
        assert len(waited) <= 2  # with its own


def test_greedy_waits_for_no_thought_at_all(
    web: Runtime, worker: Runtime, heavy: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the worker of the strong bots never ends its turn."""
    for _ in range(6):
        open_for(web, FLOOD, SEARCH, SEARCH)
    wait_for(heavy.owners)
    heavy.pause()
    quick = open_for(web, NEWCOMER, bot("greedy"), bot("greedy"))
    monkeypatch.setattr("workers.process._current", make(worker))
    while not game(web, quick).over:  # on a busy machine it takes more than one job
        before = game(web, quick).version
        jobs.take_turns(LIVE)
        assert game(web, quick).version > before
    assert web.jobs.waiting(HEAVY) >= 5


def test_an_owner_of_strong_bots_has_a_budget_and_the_others_go_on(
    web: Runtime, redis_server: RedisServer, tmp_path: Path
) -> None:
    flood = [open_for(web, FLOOD, STRONGEST, STRONGEST) for _ in range(3)]
    frugal = {"LONJA_BOT_BUDGET": "1 per day"}  # a second: some decisions of the strongest level
    with worker_of(web, redis_server, tmp_path / "worker.log", **frugal) as heavy:
        wait_for(lambda: web.jobs.held_until(game(web, flood[0])))
        spent = len(heavy.owners())
        modest = open_for(web, MODEST, SEARCH, SEARCH)
        wait_for(lambda: MODEST in heavy.owners()[spent:])
        assert FLOOD not in heavy.owners()[spent + 1 :]  # one line may have been written meanwhile
    assert web.jobs.held_until(game(web, modest)) is None
    assert not any(game(web, game_id).over for game_id in flood)
