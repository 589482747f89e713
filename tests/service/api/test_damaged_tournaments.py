"""Tournaments whose keys were overwritten: clear errors, and no effect on other tournaments."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from redis import Redis

from service.api.app import create_app
from service.redis.keys import game_key
from service.runtime import Runtime, open_runtime
from service.tournaments.standing import MADE
from service.upkeep import maintenance
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.test_stream import streaming

BODY: Json = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "greedy"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 4},
}
FOLDING = ("", "/report", "/ratings.svg", "/ranks.svg", "/games", "/head")
"""Paths answered from the data beside the stream or, if these are missing, by folding it."""
CHANGES: dict[str, Json | None] = {
    "pause": None, "extend": {"games": 4}, "cancel": {"reason": "x"},
    "entropy": {"entry": 0, "entropy": "00" * 32},
}  # fmt: skip
"""The requests of the host of a running tournament, with their bodies."""

Harm = Callable[[Redis, str], Any]


def something_else(redis: Redis, key: str) -> None:
    redis.delete(key)
    redis.set(key, "x")


def foreign_entries(redis: Redis, key: str) -> None:
    redis.delete(key)
    redis.xadd(key, {"x": "y"}, id="1-0")


def another_record(redis: Redis, key: str) -> None:
    """Readable data that belong to a game."""
    ((_entry_id, fields),) = cast("Any", redis.xrange(key, count=1))
    redis.delete(key)
    event = fields[b"e"].replace(b'"plan"', b'"game"')
    redis.xadd(key, {"e": event, "p": fields[b"p"]}, id="1-0")


def no_first(redis: Redis, key: str) -> None:
    redis.xdel(key, "1-0")


def foreign_last(redis: Redis, key: str) -> None:
    redis.xadd(key, {"x": "y"}, id=f"{redis.xlen(key) + 1}-0")


def no_last(redis: Redis, key: str) -> None:
    redis.xdel(key, f"{redis.xlen(key)}-0")


NOTHING_LEFT: tuple[Harm, ...] = (something_else, foreign_entries, another_record, no_first)


@pytest.fixture
def host(house: House) -> Person:
    return house.player("Host")


def opened(host: Person, **more: Any) -> str:
    url: str = host.post("/v1/tournaments", {**BODY, **more}).headers["Location"]
    return url


@pytest.fixture
def url(host: Person) -> str:
    return opened(host)


def key_of(url: str, name: str = "events") -> str:
    return game_key(url.rpartition("/")[2], name)


def another_process(runtime: Runtime) -> House:
    return House(create_app(open_runtime(runtime.settings)))


def forget_what_is_kept(runtime: Runtime, url: str) -> None:
    assert runtime.redis.hdel(key_of(url, "kept"), MADE)


def listed(house: House) -> list[str]:
    return [
        f"/v1/tournaments/{one['id']}"
        for one in data(house.visitor.get("/v1/tournaments"))["tournaments"]
    ]


@pytest.mark.parametrize("harm", NOTHING_LEFT)
def test_a_tournament_of_which_not_even_the_beginning_can_be_read(
    house: House, host: Person, runtime: Runtime, url: str, harm: Harm
) -> None:
    other = opened(host)
    harm(runtime.redis, key_of(url))
    forget_what_is_kept(runtime, url)
    for path in FOLDING:
        problem(house.visitor.get(url + path), 409, "tournament_damaged")
    for verb, body in CHANGES.items():
        problem(host.post(f"{url}/{verb}", body), 409, "tournament_damaged")
    assert listed(house) == [other]
    assert host.post(f"{other}/pause").status_code == 200


@pytest.mark.parametrize("harm", [*NOTHING_LEFT, foreign_last])
def test_what_is_kept_of_it_is_shown_and_nobody_changes_it(
    house: House, host: Person, runtime: Runtime, url: str, harm: Harm
) -> None:
    before = data(house.visitor.get(url))
    harm(runtime.redis, key_of(url))
    assert data(house.visitor.get(url)) == before
    host = Person(another_process(runtime), host.headers)
    for verb, body in CHANGES.items():
        problem(host.post(f"{url}/{verb}", body), 409, "tournament_damaged")


def test_nobody_changes_a_tournament_whose_newest_event_was_removed(
    host: Person, runtime: Runtime, url: str
) -> None:
    no_last(runtime.redis, key_of(url))
    told = problem(host.post(f"{url}/pause"), 409, "tournament_damaged")
    assert "removed" in told["detail"]


def test_a_repeated_request_for_a_tournament_that_was_overwritten(
    host: Person, runtime: Runtime
) -> None:
    made = host.post("/v1/tournaments", BODY, Idempotency_Key="k")
    foreign_entries(runtime.redis, key_of(made.headers["Location"]))
    again = host.post("/v1/tournaments", BODY, Idempotency_Key="k")
    problem(again, 409, "tournament_damaged")


@pytest.mark.parametrize("harm", [something_else, foreign_entries, foreign_last])
def test_events_that_cannot_be_read_are_not_shown(
    house: House, runtime: Runtime, url: str, harm: Harm
) -> None:
    harm(runtime.redis, key_of(url))
    for path in ("/events", "/stream"):
        problem(house.visitor.get(url + path), 409, "tournament_damaged")


def test_a_stream_ends_where_the_tournament_is_damaged(
    house: House, runtime: Runtime, url: str
) -> None:
    with streaming(house.visitor, f"{url}/stream") as stream:
        foreign_last(runtime.redis, key_of(url))
        while not (message := stream.message()).startswith("event: "):
            pass  # the contents at its opening
        assert message.startswith("event: rewound")


def test_a_damaged_tournament_takes_no_place_of_its_host(
    house: House, host: Person, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.admission.TOURNAMENTS_PER_PLAYER", 1)
    monkeypatch.setattr("service.games.admission.LOOK_EVERY_S", 0.0)
    url = opened(host)
    problem(host.post("/v1/tournaments", BODY), 429, "too_many_tournaments")
    foreign_last(runtime.redis, key_of(url))
    assert opened(host)


@pytest.mark.parametrize(("name", "path"), [("kept", ""), ("secrets", "/events")])
def test_a_key_of_another_type_is_named_to_the_operator_and_hides_no_other_tournament(
    host: Person, runtime: Runtime, url: str, name: str, path: str
) -> None:
    other = opened(host)
    something_else(runtime.redis, key_of(url, name))
    house = another_process(runtime)
    told = problem(house.visitor.get(url + path), 503, "store_unavailable")
    assert "`lonja ledger check`" in told["detail"]
    assert other in listed(house)
    assert data(house.visitor.get(f"{other}/events"))
    found = [f for f in maintenance.check(runtime.ledger.store, runtime.registry) if f]
    assert [(f.problem, f.detail) for f in found] == [
        ("wrong_type", f"{key_of(url, name)} is a string, not a hash")
    ]
