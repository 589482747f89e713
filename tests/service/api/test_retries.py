"""Requests that are sent twice: every change happens once."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisGone

from rules.kernel.record.secrets import entropy_commitment
from service.api.app import create_app
from service.ledger.store import Retry
from service.players.keys import PlayerKeys
from service.players.players import Players
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.faults.proxy import LosingProxy
from tests.service.api.people import House, Person, data, problem

NAME = {"name": "Ana"}
RETRY = Retry.of("@127.0.0.1", "k", b"f" * 16)


@pytest.fixture
def ana(house: House) -> Person:
    return house.player()


def players(redis: Redis) -> int:
    return len(redis.keys("lonja:{meta}:player:*"))


def made_keys(redis: Redis) -> int:
    """Return the number of keys in the store, besides notes of refused requests."""
    return len([key for key in redis.keys("*") if b":refusals:" not in key])


def test_a_secret_is_told_once(house: House, ana: Person, runtime: Runtime) -> None:
    for path, body, of in (
        ("players", NAME, house.visitor), ("players", NAME, ana), ("stream_tickets", None, ana),
    ):  # fmt: skip
        first = of.post(f"/v1/{path}", body, Idempotency_Key=f"{path} {of.id}".replace(" ", "-"))
        made = data(first)
        before = made_keys(runtime.redis)
        again = of.post(f"/v1/{path}", body, Idempotency_Key=f"{path} {of.id}".replace(" ", "-"))
        told = problem(again, 409, "already_answered")
        assert told["id"] == made["id"]
        assert "new Idempotency-Key" in told["detail"]
        secret = made.get("key") or made["ticket"]
        assert secret not in again.text
        assert made_keys(runtime.redis) == before, "nothing more was made"
        assert data(of.post(f"/v1/{path}", body, Idempotency_Key="new"))["id"] != made["id"]
        runtime.redis.delete(*runtime.redis.keys("lonja:{meta}:once:*"))


def test_a_key_stands_for_one_body_and_one_path(house: House, ana: Person) -> None:
    assert house.visitor.post("/v1/players", NAME, Idempotency_Key="k").status_code == 201
    other = house.visitor.post("/v1/players", {"name": "Bob"}, Idempotency_Key="k")
    problem(other, 422, "idempotency_key_reused")
    assert ana.post("/v1/stream_tickets", Idempotency_Key="k").status_code == 201
    problem(ana.post("/v1/players", NAME, Idempotency_Key="k"), 422, "idempotency_key_reused")
    problem(ana.post("/v1/players", NAME, Idempotency_Key="a b"), 422, "invalid_header")


def test_a_key_is_its_callers_own(house: House, ana: Person) -> None:
    def created(of: Person, address: str = "192.0.2.1") -> str:
        answer = house.client.post(
            "/v1/players",
            json=NAME,
            headers={**of.headers, "Idempotency-Key": "k"},
            environ_base={"REMOTE_ADDR": address},
        )
        return str(data(answer)["id"])

    bob = house.player("Bob")
    visitor = house.visitor
    assert len({created(visitor), created(visitor, "192.0.2.2"), created(ana), created(bob)}) == 4


def test_a_refused_request_keeps_nothing(house: House) -> None:
    problem(house.visitor.post("/v1/players", {}, Idempotency_Key="k"), 422, "invalid_body")
    assert house.visitor.post("/v1/players", NAME, Idempotency_Key="k").status_code == 201


def test_what_is_kept_is_small_and_ends(house: House, runtime: Runtime) -> None:
    house.visitor.post("/v1/players", {"name": "x" * 60}, Idempotency_Key="k" * 200)
    (kept,) = runtime.redis.keys("lonja:{meta}:once:*")
    assert 23 * 3600 < runtime.redis.ttl(kept) <= 24 * 3600
    assert len(kept) + runtime.redis.strlen(kept) < 120


def test_of_many_at_once_one_is_done(
    house: House, redis_server: RedisServer, redis_client: Redis
) -> None:
    clients = [house.app.test_client() for _ in range(4)]
    go = threading.Barrier(len(clients))
    answers: list[Any] = []

    def ask(client: Any) -> None:
        go.wait()
        headers = {"Idempotency-Key": "k"}
        answers.append(client.post("/v1/players", json=NAME, headers=headers))

    threads = [threading.Thread(target=ask, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert len({answer.json["id"] for answer in answers}) == 1
    assert players(redis_client) == 1


@pytest.mark.parametrize("key", [None, "k"], ids=["without a key", "with a key"])
def test_what_changes_a_game_knows_its_own_success_if_the_stores_answer_is_lost(
    redis_server: RedisServer, redis_client: Redis, key: str | None
) -> None:
    """The store's client repeats the command by itself, and gets the result of the first."""
    with LosingProxy(redis_server.url) as proxy:
        environ = {"REDIS_URL": proxy.url, "LONJA_EXTRA_RULESETS": "tests.sealed"}
        house = House(create_app(open_runtime(load(environ))))
        ana, bob = house.player("Ana"), house.player("Bob")
        me, still_open = {"holder": "me"}, {"holder": "open"}
        table = {"ruleset": "sealed", "seats": [me, still_open, still_open]}
        entropy = {**me, "entropy_commitment": entropy_commitment(None, 0, bytes(32)).hex()}
        number = 0

        def ask(
            of: Person, method: str, path: str, body: Any = None, of_key: str = ":events"
        ) -> Any:
            nonlocal number
            number += 1
            headers = {} if key is None else {"Idempotency-Key": f"{key}{number}"}
            proxy.lose(1, of_key.encode())
            lost = proxy.lost
            answer = house.client.open(
                path, method=method, json=body, headers={**of.headers, **headers}
            )
            assert answer.status_code < 300, (method, path, answer.text)
            assert proxy.lost == lost + 1
            return answer

        house.table(ana, bob)  # this loads the script
        url = ask(ana, "POST", "/v1/games", table).headers["Location"]
        ask(bob, "PUT", f"{url}/seats/1", {})
        ask(bob, "DELETE", f"{url}/seats/1")
        data(bob.put(f"{url}/seats/2"))
        data(ana.post(f"{url}/invitations", {}))
        made = data(ask(ana, "POST", f"{url}/invitations", {"uses": 2}, ":table"))
        told = data(ana.get(url))["table"]["invitations"]
        assert [one["id"] for one in told].count(made["id"]) == 1
        assert len(told) == 2
        assert house.visitor.get(url, Invitation=made["token"]).status_code == 200
        assert (
            data(ask(ana, "PUT", f"{url}/host", {"seat": 2}, ":table"))["table"]["host"] == bob.id
        )
        ask(bob, "DELETE", url)
        url = ana.post("/v1/games", {**table, "seats": [entropy, still_open]}).headers["Location"]
        assert data(bob.put(f"{url}/seats/1"))["status"] == "closed"
        ask(ana, "POST", f"{url}/seats/0/entropy", {"entropy": "00" * 32})
        listed = ana.legal(url, 0)
        move = {"seat": 0, "move": listed["moves"][0], "expected_version": listed["version"]}
        ask(ana, "POST", f"{url}/moves", move)
        ask(bob, "POST", f"{url}/resignations", {"seat": 1})
        problem(bob.post(f"{url}/resignations", {"seat": 1}), 409, "already_resigned")


class TestALostReply:
    @pytest.fixture
    def proxy(self, redis_server: RedisServer, redis_client: Redis) -> Iterator[LosingProxy]:
        with LosingProxy(redis_server.url) as proxy:
            yield proxy

    @pytest.fixture
    def create(self, proxy: LosingProxy) -> Callable[[], Any]:
        made = Players(make_client(proxy.url))
        made.create("Warm", Retry.of("@", "warm", b"f" * 16))  # loads the script
        return lambda: made.create("Ana", RETRY)

    def test_does_not_cost_the_secret(
        self, create: Callable[[], Any], proxy: LosingProxy, redis_client: Redis
    ) -> None:
        """The store's client repeats the command, and recognises its own change."""
        proxy.lose(1)
        player, key = create()
        assert proxy.lost == 1
        known = PlayerKeys(redis_client, lambda: 0).find(key)
        assert known is not None
        assert known.player == player.id
        assert players(redis_client) == 2

    def test_that_nobody_hears_of_does_not_make_two(
        self, create: Callable[[], Any], proxy: LosingProxy, house: House, redis_client: Redis
    ) -> None:
        proxy.lose(2)
        with pytest.raises(RedisGone):
            create()
        with pytest.raises(Exception, match="it made p-"):
            create()
        assert players(redis_client) == 2
