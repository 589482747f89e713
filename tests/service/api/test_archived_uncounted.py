"""Clients see no difference when games of a tournament that do not count have left the store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.unended import games_without_result
from tests import running
from tests.service.api.archiving import moved, reopening
from tests.service.api.people import House, Person, data, problem
from tests.service.api.resources.test_bots import made
from tests.service.api.test_archived import differing, got
from tests.service.api.test_archived_tournament import lasting
from tests.service.api.test_tournament_players import Cup

Reopen = Callable[[], Runtime]


@pytest.fixture
def reopen(
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Reopen:
    """Return a function that opens a service with an archive, as a new process does."""
    return reopening(redis_server.url, tmp_path, monkeypatch)


@pytest.fixture
def runtime(reopen: Reopen) -> Iterator[Runtime]:
    runtime = reopen()
    with running.following(runtime):
        yield runtime


def test_games_of_a_cancelled_tournament_are_answered_as_before(
    reopen: Reopen, runtime: Runtime, redis_client: Redis
) -> None:
    house = House(create_app(runtime))
    ana = house.player("Ana")
    robbie = made(ana, concurrency=3)
    entries = {"player": robbie.id}, {"bot": "greedy"}, {"bot": "random"}
    cup = Cup(runtime, ana, *entries, format={"type": "round_robin", "games": 6})
    cup.work()
    first = moves(robbie, cup.games())
    data(ana.post(f"{cup.url}/cancel", {}))
    cup.work()
    held = cup.found()
    ids = [*games_without_result(held)]
    begun = [id_ for id_ in ids if redis_client.keys(f"*:{id_}:events")]
    assert first.keys() <= {*begun} < {*ids}
    never = next(id_ for id_ in ids if id_ not in begun)
    pages = [
        f"/v1/games/{id_}{page}" for id_ in (begun[0], begun[-1], never) for page in (
            "", "/state", "/state?at=3", "/state?at=3&seat=0", "/events", "/events?after=2",
            "/headers", "/log", "/scores", "/head", "/record", "/legal_moves?seat=0",
            "/stream?after=1", "/analysis",
        )
    ]  # fmt: skip
    pages += [
        cup.url, f"{cup.url}/report", f"{cup.url}/games", f"{cup.url}/rounds", f"{cup.url}/record",
        "/v1/games", "/v1/games?status=aborted", f"/v1/games?player={robbie.id}",
        "/v1/tournaments",
    ]  # fmt: skip
    people = ana, robbie, house.visitor
    before = {page: [got(who, page) for who in people] for page in pages}
    assert before[f"/v1/games/{begun[0]}/record"][2].status_code == 200
    assert {a.status_code for page in pages for a in before[page]} <= {200, 401, 403, 404}
    gone = len(begun) + sum(map(len, held.results.values())) + 1
    assert moved(runtime) == (gone, 1)
    assert [lasting(redis_client, id_) for id_ in (*ids, cup.id)] == [[]] * (len(ids) + 1)

    for app in (house.app, create_app(reopen())):
        house.client = app.test_client()
        for page, answers in before.items():
            for who, old in zip(people, answers, strict=True):
                expect_same(got(who, page), old, page)
        for id_, (body, answer) in first.items():
            again = robbie.post(f"/v1/games/{id_}/moves", body, Idempotency_Key="k")
            assert (again.status_code, data(again)) == (answer.status_code, data(answer))
            problem(robbie.post(f"/v1/games/{id_}/moves", body), 409, "game_over")
    assert [lasting(redis_client, id_) for id_ in ids] == [[]] * len(ids), "reading writes nothing"


def moves(robbie: Person, games: list[str]) -> dict[str, tuple[object, TestResponse]]:
    """Let a player move in each game that asks it; return the requests and their answers."""
    found: dict[str, tuple[object, TestResponse]] = {}
    for id_ in games:
        state = data(robbie.get(f"/v1/games/{id_}/state"))
        (seat,) = [decision["seat"] for decision in state["decisions"]]
        legal = data(robbie.get(f"/v1/games/{id_}/legal_moves?seat={seat}"))
        body = {"seat": seat, "move": legal["moves"][0], "expected_version": legal["version"]}
        answer = robbie.post(f"/v1/games/{id_}/moves", body, Idempotency_Key="k")
        assert answer.status_code == 201
        found[id_] = body, answer
    return found


def expect_same(new: TestResponse, old: TestResponse, page: str) -> None:
    assert new.status_code == old.status_code, page
    if old.status_code == 200:
        assert differing(new, old) == [], page
    else:
        assert (new.json or {})["code"] == (old.json or {})["code"], page
    assert new.headers.get("ETag") == old.headers.get("ETag"), page
