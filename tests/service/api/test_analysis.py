"""Analyses: requested over HTTP, made by real workers, visible to all viewers of the game."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from subprocess import Popen
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from service.catalogue.bots import BOTS, HEAVY, LIVE
from service.games import analyses
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.turns.schedule import Turn
from tests.running import environment, forget_jobs, process, runtime_on, wait_for
from tests.sealed import RULESET as SEALED
from tests.service.api.people import House, Json, Person, data, play_on, problem
from workers import bots
from workers.analyses import AnalysisWork
from workers.analysis import course, futures

Start = Callable[..., AbstractContextManager[Popen[str]]]


@pytest.fixture
def ana(house: House) -> Person:
    return house.player()


@pytest.fixture
def over(house: House, ana: Person) -> str:
    """The URL of a game that has ended."""
    return played(house, ana)


def played(house: House, ana: Person, seed: int = 1) -> str:
    people = [ana, house.player("Ben")]
    url = house.table(*people)
    play_on(url, people, seed)
    assert data(ana.get(url))["status"] == "ended"
    return url


@pytest.fixture
def start(redis_server: RedisServer) -> Start:
    """Start a worker of the queue ``heavy``."""
    env = environment(redis_server.url)
    return partial(process, "-m", "workers.worker", "--queue", HEAVY, env=env)


def ask(url: str, person: Person, bot: str = "greedy") -> Json:
    answer = person.post(f"{url}/analysis", {"bot": bot})
    assert answer.status_code == 202, answer.text
    assert answer.headers["Location"] == f"{url}/analysis?bot={bot}"
    return data(answer)


def read(url: str, person: Person, bot: str = "greedy") -> Json:
    return data(person.get(f"{url}/analysis?bot={bot}"))


def settled(url: str, person: Person, bot: str = "greedy") -> Json:
    """Wait until the analysis is made or has failed, and return it."""
    wait_for(lambda: read(url, person, bot)["state"] in ("done", "failed"))
    return read(url, person, bot)


def expected(runtime: Runtime, url: str, bot: str = "greedy") -> JsonObject:
    """Return the analysis, computed from the game's events in this process."""
    game_id = url.rpartition("/")[2]
    events = [event for event, _prev in runtime.ledger.events(game_id, 0, 10_000)]
    holder = BOTS[bot].holder(SEALED)
    return course.analyse(game_id, events, runtime.registry, holder, lambda: None)


def test_a_game_is_analysed_by_a_worker_and_everybody_reads_it(
    house: House, runtime: Runtime, ana: Person, over: str, start: Start
) -> None:
    problem(ana.get(f"{over}/analysis?bot=greedy"), 404, "no_analysis")
    asked = ask(over, ana)
    assert (asked["state"], asked["rows"], asked["result"]) == ("queued", 0, None)
    assert asked["steps"] > 10
    with start():
        found = settled(over, house.visitor)
    assert (found["state"], found["rows"], found["detail"]) == ("done", asked["steps"], None)
    assert found["result"] == expected(runtime, over)
    again = house.player("Cleo")
    assert ask(over, again)["state"] == "done"  # the analysis is not made twice
    assert read(over, again)["asked_at"] == asked["asked_at"]
    assert runtime.jobs.waiting(HEAVY) == 0


def test_what_is_read_can_be_kept(house: House, ana: Person, over: str, work: AnalysisWork) -> None:
    ask(over, ana)
    tag = ana.get(f"{over}/analysis?bot=greedy").headers["ETag"]
    assert ana.get(f"{over}/analysis?bot=greedy", If_None_Match=tag).status_code == 304
    make(work, over)
    done = ana.get(f"{over}/analysis?bot=greedy", If_None_Match=tag)
    assert (done.status_code, done.headers["Cache-Control"]) == (200, "private, no-cache")
    seen = house.visitor.get(f"{over}/analysis?bot=greedy")
    assert seen.headers["Cache-Control"] == "no-cache"
    assert seen.headers["ETag"] == done.headers["ETag"]


def test_what_cannot_be_analysed_is_refused(house: House, ana: Person, over: str) -> None:
    problem(house.visitor.post(f"{over}/analysis", {}), 401, "key_required")
    running = house.table(ana, house.player())
    problem(ana.post(f"{running}/analysis"), 409, "not_ended")
    opening = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    lobby = ana.post("/v1/games", opening).headers["Location"]
    data(ana.delete(lobby))
    problem(ana.post(f"{lobby}/analysis"), 409, "not_running")
    known = ["greedy", "lookahead", "search", "search-deep"]
    for name, why in (("none", "there is no bot 'none'"), ("random", "'random' tries nothing out")):
        for answer in (
            ana.post(f"{over}/analysis", {"bot": name}), ana.get(f"{over}/analysis?bot={name}"),
        ):  # fmt: skip
            found = problem(answer, 422, "unknown_bot")
            assert (found["detail"], found["bots"]) == (why, known)
            assert found["errors"][0]["value"] == name
    problem(ana.post(f"{over}/analysis", {"bot": 5}), 422, "invalid_body")
    problem(ana.post(f"{over}/analysis", {"who": "me"}), 422, "invalid_body")
    problem(ana.get("/v1/games/g00-none/analysis"), 404, "unknown_game")


def test_of_a_private_table_strangers_learn_nothing(house: House, ana: Person) -> None:
    people = [ana, house.player("Ben")]
    opening = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    opened = ana.post("/v1/games", {**opening, "table": {"visibility": "private"}})
    url, game_id = opened.headers["Location"], data(opened)["id"]
    token = data(ana.post(f"{url}/invitations", {}))["token"]
    data(people[1].put(f"{url}/seats/1", {"invitation": token}))
    play_on(url, people)
    ask(url, people[1])
    for person in (house.visitor, house.player("Eve")):
        refused = problem(person.get(f"{url}/analysis?bot=greedy"), 404, "unknown_game")
        assert refused["game_id"] == game_id
    problem(house.player("Eve").post(f"{url}/analysis"), 404, "unknown_game")


def test_nobody_has_many_made_at_once(
    house: House, ana: Person, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bot in ("greedy", "lookahead", "search"):
        ask(over, ana, bot)
    found = problem(ana.post(f"{over}/analysis", {"bot": "search-deep"}), 429, "too_many_analyses")
    assert (found["scope"], found["limit"]) == ("player", 3)
    assert ask(over, ana, "greedy")["state"] == "queued"  # a pending one counts once
    ben = house.player("Ben")
    for scope, limit in (("address", "PER_ADDRESS"), ("service", "WAITING")):
        with monkeypatch.context() as patched:
            patched.setattr(analyses, limit, 3)
            answer = ben.post(f"{over}/analysis", {"bot": "search-deep"})
            found = problem(answer, 429, "too_many_analyses")
            assert (found["scope"], found["limit"]) == (scope, 3)
    ask(over, ben, "search-deep")


def test_it_takes_turns_among_the_bots_of_whoever_asks(
    runtime: Runtime, ana: Person, over: str
) -> None:
    """So it counts against that player's budget, and no game with people waits for it."""
    ask(over, ana)
    name = f"{over.rpartition('/')[2]}:greedy@2"
    assert runtime.jobs.waiting(LIVE) == 0
    turn = runtime.jobs.next(HEAVY, None)
    assert turn is not None
    assert turn == Turn("bots", ana.id, name, turn.request_id)


def test_a_worker_that_is_killed_costs_one_row(
    runtime: Runtime, ana: Person, over: str, start: Start
) -> None:
    ask(over, ana)
    with start() as worker:
        wait_for(lambda: read(over, ana)["rows"] > 1)
        worker.kill()
        worker.wait()
    left = read(over, ana)
    forget_jobs(runtime)
    silent_for_long(runtime)
    with start():
        found = settled(over, ana)
    assert found["asked_at"] == left["asked_at"]
    assert found["result"] == expected(runtime, over)


def silent_for_long(runtime: Runtime) -> None:
    """Make all pending analyses look overdue."""
    key = f"{analyses.PREFIX}open"
    owed: Any = runtime.redis.zrange(key, 0, -1)
    if owed:  # the worker may have finished before it was killed
        runtime.redis.zadd(key, dict.fromkeys(owed, 0))


@pytest.fixture
def work(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> AnalysisWork:
    """Make analyses in this process, a row at a time."""
    monkeypatch.setattr("workers.analyses.SLICE_SECONDS", -1.0)
    monkeypatch.setattr(futures, "FUTURES", 2)
    return AnalysisWork(runtime_on(redis_server.url, announce=False))


def name_of(url: str, bot: str = "greedy") -> str:
    return analyses.name_of(url.rpartition("/")[2], BOTS[bot])


def make(work: AnalysisWork, url: str) -> int:
    """Make a whole analysis; return the number of turns."""
    turns = 1
    while work.make(name_of(url)):
        turns += 1
    return turns


def test_a_turn_ends_after_a_row_and_another_worker_may_go_on(
    runtime: Runtime, ana: Person, over: str, work: AnalysisWork
) -> None:
    steps = ask(over, ana)["steps"]
    other = AnalysisWork(runtime)
    for turn in range(1, steps):
        assert (other if turn % 3 == 0 else work).make(name_of(over))
        found = read(over, ana)
        assert (found["rows"], found["state"]) == (turn, "running")
    assert not work.make(name_of(over))
    found = read(over, ana)
    assert (found["state"], found["result"]) == ("done", expected(runtime, over))


def test_what_fails_says_why_and_may_be_asked_for_again(
    ana: Person, over: str, work: AnalysisWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(over, ana)
    with monkeypatch.context() as patched:
        patched.delitem(bots.FUNCTIONS, ("greedy", "2"))
        assert not work.make(name_of(over))
    found = read(over, ana)
    assert (found["state"], found["detail"]) == ("failed", "there is no bot greedy@2")
    assert ask(over, ana)["state"] == "queued"
    assert make(work, over) == read(over, ana)["steps"]
    assert read(over, ana)["state"] == "done"


def test_what_kills_workers_is_given_up(
    runtime: Runtime, ana: Person, over: str, work: AnalysisWork
) -> None:
    ask(over, ana)
    assert work.make(name_of(over))
    for _ in range(analyses.TRIES):
        assert runtime.analyses.begin(name_of(over), 0)  # and the process has ended
    assert not work.make(name_of(over))
    found = read(over, ana)
    assert (found["state"], found["detail"]) == ("failed", "3 workers ended at its row 2")


def test_only_the_newest_are_kept_and_none_for_ever(
    house: House,
    runtime: Runtime,
    ana: Person,
    over: str,
    work: AnalysisWork,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analyses, "MOST", 1)
    other = played(house, ana, seed=2)
    for url in (over, other):
        ask(url, ana)
        make(work, url)
    problem(ana.get(f"{over}/analysis?bot=greedy"), 404, "no_analysis")
    assert read(other, ana)["state"] == "done"
    kept = [*runtime.redis.scan_iter("*:analysis*")]
    assert len(kept) == 1
    assert 0 < int(runtime.redis.ttl(kept[0])) <= analyses.KEEP_S


def test_what_is_too_long_is_not_kept(
    ana: Person, over: str, work: AnalysisWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MOST_BYTES", 1_000)
    ask(over, ana)
    make(work, over)
    found = read(over, ana)
    assert found["state"] == "failed"
    assert "bytes are more than 1,000" in found["detail"]
