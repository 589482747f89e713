"""Limits that a new key does not lift: requests, quotas, and memory."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.api.app import create_app
from service.catalogue.bots import LIVE
from service.games.exhibition import current
from service.redis import health
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.turns.schedule import FinishedTurn
from tests.service.api.people import SCRAPER, House, Json, Person, data, play_on, problem
from workers import exhibition

ME, OPEN, BOT = {"holder": "me"}, {"holder": "open"}, {"holder": "bot", "bot": "random"}


def house_with(server: RedisServer, **settings: str) -> House:
    environ = {"REDIS_URL": server.url, "LONJA_EXTRA_RULESETS": "tests.sealed", **settings}
    return House(create_app(open_runtime(load(environ))))


def from_address(house: House, address: str) -> None:
    """Send all further requests from this address."""
    house.client.environ_base["REMOTE_ADDR"] = address


def opened(person: Person, *seats: Json, **headers: str) -> TestResponse:
    return person.post("/v1/games", {"ruleset": "sealed", "seats": list(seats)}, **headers)


@pytest.fixture(autouse=True)
def _looks_as_often_as_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.games.admission.LOOK_EVERY_S", 0.0)


# Requests


def test_fresh_keys_do_not_lift_the_limit_of_an_address(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_ADDRESS_RATE_LIMIT="5 per minute")
    people = [house.player(), house.player()]
    for person in (*people, house.visitor):
        assert person.get("/v1/rulesets").status_code == 200
    told = problem(people[0].get("/v1/rulesets"), 429, "rate_limited")
    assert (told["scope"], told["limit"], told["window_seconds"]) == ("address", 5, 60)
    from_address(house, "192.0.2.9")
    assert people[0].get("/v1/rulesets").status_code == 200


def test_a_key_is_counted_wherever_it_is_used(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_RATE_LIMIT="2 per minute")
    ana = house.player()
    for number in range(2):
        from_address(house, f"192.0.2.{number}")
        assert ana.get("/v1/players/me").status_code == 200
    from_address(house, "192.0.2.3")
    told = problem(ana.get("/v1/players/me"), 429, "rate_limited")
    assert told["scope"] == "key"
    assert house.visitor.get("/v1/rulesets").status_code == 200


def test_ipv6_is_counted_by_64(redis_server: RedisServer, redis_client: Redis) -> None:
    house = house_with(redis_server, LONJA_SIGN_UP_LIMIT="2 per hour")
    for number in range(2):
        from_address(house, f"2001:db8::{number}")
        assert house.player().id
    from_address(house, "2001:db8::3")
    problem(house.client.post("/v1/players", json={"name": "x"}), 429, "rate_limited")
    from_address(house, "2001:db8:0:1::3")
    assert house.player().id


def test_games_have_a_budget_of_their_own(redis_server: RedisServer, redis_client: Redis) -> None:
    house = house_with(redis_server, LONJA_CREATION_LIMIT="1 per hour")
    ana = house.player()
    url = opened(ana, ME, OPEN).headers["Location"]
    assert ana.delete(url).status_code == 200
    told = problem(opened(house.player(), ME, OPEN), 429, "rate_limited")
    assert told["scope"] == "creation"
    assert ana.get(url).status_code == 200


def test_what_is_refused_for_its_body_counts_against_no_budget(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(
        redis_server, LONJA_SIGN_UP_LIMIT="1 per hour", LONJA_CREATION_LIMIT="1 per hour"
    )
    for body in ({}, {"name": ""}, {"name": 1}):
        problem(house.client.post("/v1/players", json=body), 422, "invalid_body")
    ana = house.player()
    problem(house.client.post("/v1/players", json={"name": "Ben"}), 429, "rate_limited")
    problem(house.client.post("/v1/players", json={}), 422, "invalid_body")
    problem(ana.post("/v1/games", {}), 422, "invalid_body")
    problem(house.visitor.post("/v1/games", {}), 401, "key_required")
    assert opened(ana, ME, OPEN).status_code == 201


def test_a_webhook_counts_as_what_is_created(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_CREATION_LIMIT="1 per hour")
    ana = house.player()
    hooks, body = "/v1/players/me/webhooks", {"url": "https://example.org/lonja"}
    assert ana.post(hooks, body).status_code == 201
    assert problem(ana.post(hooks, body), 429, "rate_limited")["scope"] == "creation"


@pytest.mark.parametrize("who", ["player", "network"])
def test_a_declared_host_has_larger_limits(
    redis_server: RedisServer, redis_client: Redis, who: str
) -> None:
    player = house_with(redis_server).player()
    house = house_with(
        redis_server,
        LONJA_HOSTS=player.id if who == "player" else "192.0.2.0/24",
        LONJA_HOST_FACTOR="3",
        LONJA_TABLES_PER_PLAYER="1",
        LONJA_TABLES_PER_ADDRESS="1",
        LONJA_CREATION_LIMIT="10 per hour",
    )
    host = Person(house, player.headers, player.id)
    if who == "network":
        from_address(house, "192.0.2.1")
    for _ in range(3):
        assert opened(host, ME, OPEN).status_code == 201
    told = problem(opened(host, ME, OPEN), 429, "too_many_games")
    assert told["limit"] == 3


# Quotas


def test_a_player_has_so_many_open_tables(redis_server: RedisServer, redis_client: Redis) -> None:
    house = house_with(redis_server, LONJA_TABLES_PER_PLAYER="2")
    ana, bea = house.player(), house.player()
    first, second = (opened(ana, ME, OPEN).headers["Location"] for _ in range(2))
    refused = opened(ana, ME, OPEN)
    told = problem(refused, 429, "too_many_games")
    assert (told["scope"], told["limit"]) == ("player", 2)
    assert int(refused.headers["Retry-After"]) > 0
    assert opened(ana, ME, BOT).status_code == 201, "it waits for nobody"
    assert opened(bea, ME, OPEN).status_code == 201
    assert bea.put(f"{first}/seats/1").status_code == 200
    third = opened(ana, ME, OPEN)
    assert third.status_code == 201, "the first one has started"
    problem(opened(ana, ME, OPEN), 429, "too_many_games")
    assert ana.delete(second).status_code == 200
    assert opened(ana, ME, OPEN).status_code == 201, "the second one was cancelled"


def test_an_address_has_so_many_whatever_keys_it_makes(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_TABLES_PER_ADDRESS="2", LONJA_GAMES_PER_ADDRESS="3")
    for _ in range(2):
        assert opened(house.player(), ME, OPEN).status_code == 201
    told = problem(opened(house.player(), ME, OPEN), 429, "too_many_games")
    assert (told["scope"], told["limit"]) == ("address", 2)
    assert opened(house.player(), ME, BOT).status_code == 201
    told = problem(opened(house.player(), ME, BOT), 429, "too_many_games")
    assert (told["scope"], told["limit"]) == ("address", 3)
    from_address(house, "192.0.2.9")
    assert opened(house.player(), ME, OPEN).status_code == 201


def test_seats_at_the_tables_of_others_count_as_unfinished(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_GAMES_PER_PLAYER="2")
    ana, bea, eva = house.player(), house.player(), house.player()
    urls = [opened(host, ME, OPEN).headers["Location"] for host in (ana, ana, eva)]
    for url in urls[:2]:
        assert bea.put(f"{url}/seats/1", Idempotency_Key=url[-8:]).status_code == 200
    problem(bea.put(f"{urls[2]}/seats/1"), 429, "too_many_games")
    problem(opened(bea, ME, BOT), 429, "too_many_games")
    again = bea.put(f"{urls[0]}/seats/1", Idempotency_Key=urls[0][-8:])
    assert again.headers["Idempotent-Replayed"] == "true"
    play_on(urls[0], [ana, bea])
    assert bea.put(f"{urls[2]}/seats/1").status_code == 200


def test_what_failed_or_was_repeated_counts_once(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_TABLES_PER_PLAYER="1")
    ana = house.player()
    bad = {"ruleset": "sealed", "seats": [ME, OPEN], "options": {"nothing": 1}}
    problem(ana.post("/v1/games", bad), 422, "bad_options")
    made = opened(ana, ME, OPEN, Idempotency_Key="k")
    again = opened(ana, ME, OPEN, Idempotency_Key="k")
    assert (made.status_code, again.status_code) == (201, 201)
    assert again.json == made.json
    problem(opened(ana, ME, OPEN), 429, "too_many_games")


def test_a_table_that_one_left_does_not_count(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.admission.GRACE_MS", -1000)
    house = house_with(redis_server, LONJA_GAMES_PER_PLAYER="1")
    ana, bea = house.player(), house.player()
    url = opened(ana, ME, OPEN, OPEN).headers["Location"]
    assert bea.put(f"{url}/seats/1").status_code == 200
    problem(opened(bea, ME, OPEN), 429, "too_many_games")
    assert bea.delete(f"{url}/seats/1").status_code == 200
    assert opened(bea, ME, OPEN).status_code == 201
    problem(opened(ana, ME, OPEN), 429, "too_many_games")


def test_who_is_refused_again_and_again_costs_little(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.admission.LOOK_EVERY_S", 3600.0)
    house = house_with(redis_server, LONJA_TABLES_PER_PLAYER="1")
    ana, bea = house.player(), house.player()
    for person in (ana, bea):
        assert opened(person, ME, OPEN).status_code == 201
    problem(opened(ana, ME, OPEN), 429, "too_many_games")
    redis_client.config_resetstat()
    problem(opened(ana, ME, OPEN), 429, "too_many_games")
    assert "cmdstat_zrange" not in redis_client.info("commandstats")
    problem(opened(bea, ME, OPEN), 429, "too_many_games")
    assert "cmdstat_zrange" in redis_client.info("commandstats")


def test_requests_at_once_do_not_pass_a_quota_together(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_TABLES_PER_PLAYER="3")
    ana = house.player()

    def ask(_number: int) -> int:
        body = {"ruleset": "sealed", "seats": [ME, OPEN]}
        client = house.app.test_client()
        return client.post("/v1/games", json=body, headers=ana.headers).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(ask, range(8))) == [201] * 3 + [429] * 5


TOURNAMENT: Json = {
    "name": "x",
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"name": "a", "bot": "random"}, {"name": "b", "bot": "random"}],
    "format": {"type": "round_robin"},
}


def test_an_address_holds_so_many_tournaments(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    house = house_with(redis_server, LONJA_TOURNAMENTS_PER_ADDRESS="1")
    held = house.player()
    made = held.post("/v1/tournaments", TOURNAMENT)
    assert made.status_code == 201, made.text
    problem(house.player().post("/v1/tournaments", TOURNAMENT), 429, "too_many_tournaments")
    url = made.headers["Location"]
    assert held.post(f"{url}/cancel", {"reason": "x"}).status_code == 200
    assert house.player().post("/v1/tournaments", TOURNAMENT).status_code == 201


def test_a_player_holds_so_many_tournaments_however_many_are_asked_for_at_once(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.admission.TOURNAMENTS_PER_PLAYER", 3)
    house = house_with(redis_server)
    ana = house.player()
    with ThreadPoolExecutor(8) as pool:
        made = [
            pool.submit(
                house.app.test_client().post, "/v1/tournaments", json=TOURNAMENT,
                headers=ana.headers,
            )
            for _ in range(16)
        ]  # fmt: skip
    answers = [asked.result() for asked in made]
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 13
    held = next(answer for answer in answers if answer.status_code == 201)
    told = problem(ana.post("/v1/tournaments", TOURNAMENT), 429, "too_many_tournaments")
    assert (told["scope"], told["limit"]) == ("player", 3)
    assert ana.post(f"{held.headers['Location']}/cancel", {}).status_code == 200
    assert ana.post("/v1/tournaments", TOURNAMENT).status_code == 201


# Turns


def test_fresh_keys_have_no_turns_and_no_budget_of_their_own(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    environ = {
        "REDIS_URL": redis_server.url,
        "LONJA_EXTRA_RULESETS": "tests.sealed",
        "LONJA_HOSTS": "198.51.100.0/24",
    }
    runtime = open_runtime(load(environ))
    house = House(create_app(runtime))
    games: dict[str, list[str]] = {}
    for address in ("192.0.2.1", "192.0.2.2", "198.51.100.1"):
        from_address(house, address)
        games[address] = [opened(house.player(), BOT, BOT).headers["Location"] for _ in range(2)]
    turns = [turn for _ in range(6) if (turn := runtime.jobs.next(LIVE, None))]
    order = [f"/v1/games/{turn.thing}" for turn in turns]
    (one, two), (other, another), school = games.values()
    assert set(order[:4]) == {one, other, *school}, "a school counts by its players"
    assert set(order[4:]) == {two, another}
    spends_all = next(turn for turn in turns if turn.thing in one)
    runtime.jobs.leave(LIVE, FinishedTurn(spends_all, 900_000_000, again=False))
    waiting = [url for url in order if data(house.visitor.get(url))["bots_wait_until"]]
    assert set(waiting) == {one, two}


# Lists


def test_a_cancelled_table_leaves_the_lists(house: House) -> None:
    ana = house.player()
    kept, cancelled = (opened(ana, ME, OPEN).headers["Location"] for _ in range(2))
    assert ana.delete(cancelled).status_code == 200

    def listed(query: str) -> list[str]:
        return [f"/v1/games/{game['id']}" for game in data(ana.get(f"/v1/games{query}"))["games"]]

    assert listed("") == listed("?status=lobby") == listed("?player=me") == [kept]
    assert listed("?status=aborted") == listed("?status=aborted&player=me") == [cancelled]


# Memory


@pytest.fixture
def full(redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that makes the Redis's memory nearly full, or ends that."""
    monkeypatch.setattr(health, "EVERY_S", 0.0)

    def set_full(*, nearly: bool) -> None:
        used = redis_client.info("memory")["used_memory"]
        redis_client.config_set("maxmemory", used * 10 // 9 if nearly else 0)

    yield set_full
    redis_client.config_set("maxmemory", 0)


def test_nothing_is_begun_when_memory_is_nearly_full_and_play_goes_on(
    house: House, full: Any, logs: list[Json]
) -> None:
    ana, bea = house.player(), house.player()
    url = ana.post(
        "/v1/games", {"ruleset": "sealed", "seats": [ME, OPEN]}, Idempotency_Key="k"
    ).headers["Location"]
    assert "note" not in data(ana.get("/readyz"))
    full(nearly=True)
    refusals = [
        house.client.post("/v1/players", json={"name": "x"}),
        opened(ana, ME, OPEN),
        ana.post("/v1/tournaments", TOURNAMENT),
    ]
    for refusal in refusals:
        problem(refusal, 503, "storage_nearly_full")
        assert int(refusal.headers["Retry-After"]) > 0
    assert data(ana.get("/readyz"))["note"] == "storage_nearly_full"
    again = opened(ana, ME, OPEN, Idempotency_Key="k")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert bea.put(f"{url}/seats/1").status_code == 200
    play_on(url, [ana, bea])
    assert data(ana.get(url))["status"] == "ended"
    metrics = house.client.get("/metrics", headers=SCRAPER).text
    assert "lonja_store_memory_bytes" in metrics
    assert "lonja_store_memory_mark_bytes" in metrics
    full(nearly=False)
    assert opened(ana, ME, OPEN).status_code == 201
    told = [entry["event"] for entry in logs if entry["event"].startswith("storage_")]
    assert told == ["storage_nearly_full", "storage_has_room"]


def test_no_exhibition_is_begun_when_memory_is_nearly_full(runtime: Runtime, full: Any) -> None:
    full(nearly=True)
    exhibition.keep_going_if_room(runtime)
    assert current(runtime.redis) is None
    full(nearly=False)
    exhibition.keep_going_if_room(runtime)
    assert current(runtime.redis) is not None


def test_a_mark_may_be_a_number_of_bytes(redis_server: RedisServer, redis_client: Redis) -> None:
    house = house_with(redis_server, LONJA_REDIS_MEMORY_MARK="1kb")
    problem(house.client.post("/v1/players", json={"name": "x"}), 503, "storage_nearly_full")
