"""Budgets of processor time: what bots take is recorded, and who has used up its budget fails."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import TOO_SLOW
from service.catalogue.engines import folder_digest
from service.process.limits import Limit
from service.redis.keys import lease_key
from service.redis.server import RedisServer
from service.tournaments import requests
from service.tournaments.plan import BadPlanError, TournamentRequest
from service.tournaments.record import export
from service.tournaments.tournament import Tournament
from tests.bots.burning import SECONDS
from tests.service.tournaments.conftest import SMALL, Check, Hall, failures, hall_on
from tests.service.tournaments.forging import File, forger_of
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import codes, standing
from tests.workers.hostile import as_user, folder_of
from workers import bots
from workers.engines import pool

__all__ = ["judge"]

ENTRIES = [{"bot": "random"}, {"bot": "burning"}]
FORMAT = {"type": "round_robin", "games": 2}


@pytest.fixture
def new_hall(redis_server: RedisServer, redis_client: Redis) -> Callable[[], Hall]:
    return lambda: hall_on(redis_server.url, "tests.bots.burning")


def parts(file: File, bot: str) -> list[list[JsonObject]]:
    """Return what is recorded about each decision of a bot, by game."""
    found = []
    for game in file.games:
        own = [
            copy["body"]["bot"]
            for copy in game.copies
            if (copy["kind"] == "moved" and copy["by"]["bot"] == f"{bot}@1")
            or (copy["kind"] == "bot_failed" and copy["body"]["bot"]["bot"] == bot)
        ]
        found.append(own)
    return found


def spend_twice(hall: Hall, held: Tournament, which: int) -> File:
    """Return a forged record, in which a bot has taken more time for a decision than it had."""
    file = File.of(export.lines(hall.runtime, held))

    def change(game: Any) -> None:
        told = [copy["body"]["bot"] for copy in game.copies if "bot" in copy["body"]]
        own = [one for one in told if one["cpu_us"] > 1e6 * SECONDS / 2]
        own[which]["cpu_us"] = 2_000_000

    return forger_of(hall, held).forge_games(file, change)


def test_who_has_used_up_its_budget_fails(
    new_hall: Callable[[], Hall], check: Check, judge: Judge
) -> None:
    """Two workers play in turn, each a move, and know from the record what is left."""
    hall = new_hall()
    workers = cycle([hall.matches, new_hall().matches])
    held = hall.open(
        entries=ENTRIES, format=FORMAT, failures={"budget_seconds": 1},
    )  # fmt: skip
    assert held.plan.failures.processor_seconds == 1
    while not held.over:
        worker = next(workers)
        worker.seconds = 0.0
        worker.play(held.id)
        held = hall.find(held)
    lines = list(export.lines(hall.runtime, held))
    failed = 0
    for game, decisions in zip(File.of(lines).games, parts(File.of(lines), "burning"), strict=True):
        spent = sum(one["cpu_us"] for one in decisions)
        causes = [
            copy["body"]["failure"]["cause"] for copy in game.copies if copy["kind"] == "bot_failed"
        ]
        assert causes == ([TOO_SLOW] if spent >= 1_000_000 else [])
        assert spent < 1_300_000
        failed += len(causes)
    assert failed, "a game of four choices is too long for it"
    assert check(lines).ok
    found = judge(lines)
    assert standing(found) == "sound", [f["en"] for f in found["findings"]]
    forged = spend_twice(hall, held, 0).lines()
    told = failures(check(forged))["games"]
    assert any("a bot moved with its budget used up" in one for one in told)
    assert "budget_used" in codes(judge(forged))


def test_an_answer_adds_to_the_budget(hall: Hall, check: Check, judge: Judge) -> None:
    held = hall.hold(
        entries=ENTRIES, format=FORMAT,
        failures={"budget_seconds": 1, "increment_seconds": 1},
    )  # fmt: skip
    lines = list(export.lines(hall.runtime, held))
    found = parts(File.of(lines), "burning")
    assert any(sum(one["cpu_us"] for one in decisions) > 1_000_000 for decisions in found)
    assert not any(outcome.result.failures for outcome in held.outcomes())
    assert check(lines).ok
    assert standing(judge(lines)) == "sound"


def test_without_budgets_no_time_is_told(hall: Hall, check: Check, judge: Judge) -> None:
    held = hall.hold(seed=None, entries=[{"bot": "random"}] * 2, format=FORMAT)
    file = File.of(export.lines(hall.runtime, held))
    assert not any("cpu_us" in one for decisions in parts(file, "random") for one in decisions)

    def tell(game: Any) -> None:
        next(copy for copy in game.copies if copy["kind"] == "moved")["body"]["bot"]["cpu_us"] = 1

    forged = forger_of(hall, held).forge_games(file, tell).lines()
    told = failures(check(forged))["games"]
    assert any(
        "the time of a decision is told if it counts against a budget" in one for one in told
    )
    assert "budget_untold" in codes(judge(forged))


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"increment_seconds": 1}, "failures.increment_seconds"),
        ({"budget_seconds": 10, "seconds": 1}, "failures.seconds"),
    ],
)
def test_plans_that_contradict_themselves(hall: Hall, asked: JsonObject, field: str) -> None:
    request = TournamentRequest.of({**SMALL, "failures": asked})
    with pytest.raises(BadPlanError) as error:
        requests.plan_of(request, hall.runtime.registry, hall.runtime.bots)
    assert error.value.field == field


def test_a_bot_is_told_what_it_has_left() -> None:
    told = Limit(2.5, increment=1.0).to_json()
    assert told == {"processor_ms": 2500, "increment_ms": 1000}


# Engines

ENGINE = """
import json, os, signal, sys, time

def burn(seconds):
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print(json.dumps({"hello": {"protocol": 1}}), flush=True)
    if "question" in message:
        question = message["question"]
        DOES
        told = {"seat": question["seat"], "decision": question["decision"], **question["limit"]}
        answer = {"id": question["id"], "move": 0, "thoughts": told}
        print(json.dumps({"answer": answer}), flush=True)
"""
"""An engine that says which limit it was told."""

BURNS = "burn(0.3)"
KILLS = """
        with open(sys.argv[1], "a") as asked:
            asked.write(json.dumps([question["game"], question["decision"]]) + chr(10))
        with open(sys.argv[1]) as asked:
            if len(list(asked)) == 2:
                burn(0.5)
                os.kill(os.getppid(), signal.SIGKILL)
                sys.exit()
"""
"""Kills the worker once, within the second decision, after half a second of work."""


class Engines(NamedTuple):
    """The settings of a service with an engine, and the file to which the engine may write."""

    settings: Mapping[str, str]
    asked: Path


@contextmanager
def engines(folder: Path, does: str, *, sandbox: bool) -> Iterator[Engines]:
    """Name an engine in a file, as an operator does."""
    file, asked = folder / "engines.toml", folder / "asked"
    with folder_of("leaves") as place:
        (place / "engine.py").write_text(ENGINE.replace("DOES", does))
        file.write_text(
            f'[[engine]]\nname = "strange"\nversion = "1"\nfolder = "{place}"\n'
            f'command = ["python3", "engine.py", "{asked}"]\nsandbox = {str(sandbox).lower()}\n'
            f'digest = "{folder_digest(place)}"\nrulesets = ["sealed"]\n'
        )
        try:
            yield Engines({"LONJA_ENGINES": str(file)}, asked)
        finally:
            pool.close_all()
            bots.ENGINES.pop(("strange", "1"), None)


def are_told_what_is_left(games: list[list[JsonObject]], budget_ms: int) -> None:
    """Check that each decision's limit is the budget less what the record has of those before."""
    for decisions in games:
        left = budget_ms
        for one in decisions:
            if "thoughts" in one:
                assert abs(one["thoughts"]["processor_ms"] - left) <= 1
            left -= one["cpu_us"] / 1000


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH")
def test_an_engine_in_a_sandbox_plays_on_a_budget(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path, check: Check, judge: Judge
) -> None:
    """It is told what it has left, and what it takes is recorded, without its sandbox's start."""
    with engines(tmp_path, BURNS, sandbox=True) as made:
        hall = hall_on(redis_server.url, **made.settings)
        held = hall.hold(
            entries=[{"bot": "random"}, {"bot": "strange"}], format=FORMAT,
            failures={"budget_seconds": 5},
        )  # fmt: skip
        assert not any(outcome.result.failures for outcome in held.outcomes())
        lines = list(export.lines(hall.runtime, held))
        games = parts(File.of(lines), "strange")
        are_told_what_is_left(games, 5_000)
        for decisions in games:
            assert decisions
            assert all(300_000 <= one["cpu_us"] < 400_000 for one in decisions)
        assert check(lines).ok
        assert standing(judge(lines)) == "sound"


def test_who_was_asked_by_a_worker_that_was_killed_is_asked_again_with_the_same_budget(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path, check: Check, judge: Judge
) -> None:
    """What the killed decision took is lost, and costs the bot nothing."""
    with engines(tmp_path, KILLS, sandbox=False) as made:
        hall = hall_on(redis_server.url, **made.settings)
        held = hall.open(
            entries=[{"bot": "strange"}, {"bot": "random"}], format=FORMAT,
            failures={"budget_seconds": 1},
        )  # fmt: skip

        def work() -> None:
            worker = hall_on(redis_server.url, **made.settings).matches
            worker.seconds = 0.0  # so that each move is stored at once
            while worker.play(held.id):
                pass

        with pytest.raises(EOFError):
            as_user(0, work, always=True)
        redis_client.delete(lease_key(held.id, "1"))  # which expires by itself
        held = hall.finish(held)
        asked = Counter(map(tuple, map(orjson.loads, made.asked.read_text().splitlines())))
        ((_game, twice),) = [one for one, times in asked.items() if times == 2]
        assert set(asked.values()) == {1, 2}
        lines = list(export.lines(hall.runtime, held))
        games = parts(File.of(lines), "strange")
        are_told_what_is_left(games, 1_000)
        assert not any(outcome.result.failures for outcome in held.outcomes())
        again = [one for one in games[0] if one["thoughts"]["decision"] == twice]
        assert [one["cpu_us"] < 500_000 for one in again] == [True]
        assert check(lines).ok
        assert standing(judge(lines)) == "sound"
