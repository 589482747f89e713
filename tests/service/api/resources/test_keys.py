"""Keys of players: several, with scopes and expiry; all processes refuse a revoked key at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import digest
from service.administration.acts import ActTerms, Administration
from service.administration.journal import Who
from service.api.app import create_app
from service.ids import new_player_id
from service.players.invalidation import CHANGED
from service.players.keys import DAY_MS, MAX_KEYS, PlayerKey, PlayerKeys
from service.players.players import Player
from service.runtime import Runtime
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.stored import stored
from tests.service.api.test_stream import streaming

KEYS = "/v1/players/me/keys"
BOT = {"name": "my bot", "scope": "play", "days": 30}


def person(house: House, key: str) -> Person:
    return Person(house, {"Authorization": f"Bearer {key}"}, key=key)


def other_process(runtime: Runtime) -> House:
    return House(create_app(runtime))


def make(of: Person, scope: str = "play", **more: object) -> Json:
    return data(of.post(KEYS, {"name": scope, "scope": scope, **more}))


def key_id(of: Person) -> str:
    return str(data(of.get("/v1/players/me"))["key"]["id"])


def test_a_key_is_told_once_and_listed_without_it(house: House, runtime: Runtime) -> None:
    ana = house.player()
    made = data(ana.post(KEYS, BOT))
    key = made.pop("key")
    mine = data(person(house, key).get("/v1/players/me"))
    assert (mine["id"], mine["key"]) == (ana.id, made)
    today = made["created_at"][:10]
    first, listed = data(ana.get(KEYS))["keys"]
    assert (first["name"], first["scope"], first["expires_at"]) == ("first", "full", None)
    assert listed == {**made, "last_used_on": today, "last_refused_at": None}
    assert made["expires_at"][10:] == made["created_at"][10:]
    for name, value in stored(runtime.redis):
        assert key not in value, name
        assert ana.key not in value, name


def test_a_repeated_request_makes_one_key(house: House) -> None:
    ana = house.player()
    made = data(ana.post(KEYS, BOT, Idempotency_Key="k"))
    told = problem(ana.post(KEYS, BOT, Idempotency_Key="k"), 409, "already_answered")
    assert told["id"] == made["id"]
    other = {**BOT, "name": "another"}
    problem(ana.post(KEYS, other, Idempotency_Key="k"), 422, "idempotency_key_reused")
    url = f"{KEYS}/{made['id']}"
    rotated = data(ana.post(f"{url}/rotate", Idempotency_Key="r"))
    assert rotated["id"] == made["id"]
    problem(ana.post(f"{url}/rotate", Idempotency_Key="r"), 409, "already_answered")
    assert len(data(ana.get(KEYS))["keys"]) == 2
    first, again = (ana.delete(url, Idempotency_Key="d") for _ in range(2))
    assert (first.status_code, again.status_code) == (204, 204)
    assert again.headers["Idempotent-Replayed"] == "true"
    problem(ana.delete(url), 404, "no_such_key")


def test_a_scope_that_is_too_narrow_is_named(house: House) -> None:
    ana = house.player()
    bot = person(house, make(ana, "read")["key"])
    answer = bot.post("/v1/games", {})
    told = problem(answer, 403, "insufficient_scope")
    assert (told["needed_scope"], told["key_scope"]) == ("host", "read")
    wanted = 'Bearer error="insufficient_scope", scope="host"'
    assert answer.headers["WWW-Authenticate"] == wanted
    assert bot.get("/v1/games?player=me").status_code == 200
    problem(ana.post(KEYS, {**BOT, "scope": "all"}), 422, "invalid_body")
    problem(ana.post(KEYS, {**BOT, "days": 0}), 422, "invalid_body")


def test_what_is_revoked_or_rotated_opens_nothing_in_any_process(
    house: House, runtime: Runtime
) -> None:
    ana, elsewhere = house.player(), other_process(runtime)
    made = make(ana)
    here, there = person(house, made["key"]), person(elsewhere, made["key"])
    assert key_id(here) == key_id(there) == made["id"], "both processes remember it"
    rotated = data(ana.post(f"{KEYS}/{made['id']}/rotate"))
    for bot in (here, there):
        problem(bot.get("/v1/players/me"), 401, "unknown_key")
    here, there = person(house, rotated["key"]), person(elsewhere, rotated["key"])
    assert key_id(here) == key_id(there) == made["id"]
    assert ana.delete(f"{KEYS}/{made['id']}").status_code == 204
    for bot in (there, here):
        problem(bot.get("/v1/players/me"), 401, "unknown_key")


def test_a_key_ends_by_itself(house: House, runtime: Runtime) -> None:
    ana = house.player()
    now = runtime.ledger.store.clock.now_ms
    keys: PlayerKeys = house.app.extensions["lonja"].keys
    made = make(ana, days=1)
    bot = person(house, made["key"])
    assert key_id(bot) == made["id"]
    keys.now_ms = lambda: now() + DAY_MS
    told = problem(bot.get("/v1/players/me"), 401, "key_expired")
    assert told["since"] == made["expires_at"]
    assert len(data(ana.get(KEYS))["keys"]) == 2, "it is listed until it is revoked"
    again = data(ana.post(f"{KEYS}/{made['id']}/rotate"))
    assert again["expires_at"] > made["expires_at"], "as long as before, from now on"
    assert key_id(person(house, again["key"])) == made["id"]


def test_the_last_full_key_stays(house: House) -> None:
    ana = house.player()
    own = key_id(ana)
    make(ana, "host")
    problem(ana.delete(f"{KEYS}/{own}"), 409, "last_full_key")
    problem(ana.post(f"{KEYS}/{own}/rotate"), 409, "last_full_key")
    safe = person(house, make(ana, "full")["key"])
    assert safe.delete(f"{KEYS}/{own}").status_code == 204
    problem(ana.get("/v1/players/me"), 401, "unknown_key")
    problem(safe.delete(f"{KEYS}/{key_id(safe)}"), 409, "last_full_key")


def test_there_is_a_limit(house: House) -> None:
    ana = house.player()
    last = [make(ana) for _ in range(MAX_KEYS - 1)][-1]
    assert problem(ana.post(KEYS, BOT), 409, "too_many_keys")["limit"] == MAX_KEYS
    assert ana.delete(f"{KEYS}/{last['id']}").status_code == 204
    make(ana)


def test_a_key_that_an_emptied_store_does_not_know_opens_nothing(
    house: House, runtime: Runtime
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    with streaming(ana, "/v1/players/me/stream") as stream:
        assert stream.message()
        for person in (ana, bob):
            assert person.get("/v1/players/me").status_code == 200  # the process caches the key
        runtime.redis.flushall()
        problem(ana.get("/v1/players/me"), 401, "unknown_key")
        for _heartbeat in range(10):
            if "event: revoked" in stream.message():
                break
        else:
            pytest.fail("the stream goes on")
    problem(bob.post("/v1/games", {}), 401, "unknown_key")
    problem(house.visitor.get(url), 404, "unknown_game")
    eve = house.player("Eve")
    assert eve.get("/v1/players/me").status_code == 200
    runtime.redis.flushall()
    problem(eve.get("/v1/players/me"), 401, "unknown_key")


def test_streams_and_tickets_end_with_their_key(house: House, runtime: Runtime) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    after = data(people[0].get(url))["version"]
    made = make(people[0], "read")
    bot = person(house, made["key"])
    ticket, unused = (data(bot.post("/v1/stream_tickets"))["ticket"] for _ in range(2))
    by_ticket = f"{url}/stream?seat=0&ticket="
    with (
        streaming(bot, f"{url}/stream?after={after}") as own,
        streaming(house.visitor, f"{by_ticket}{ticket}&after={after}") as lent,
        streaming(people[0], f"{url}/stream?after={after}") as other,
    ):
        for stream in (own, lent, other):
            stream.message()
        elsewhere = other_process(runtime)
        owner = person(elsewhere, people[0].key)
        assert owner.delete(f"{KEYS}/{made['id']}").status_code == 204
        house.app.extensions["lonja"].invalidations.look_again()  # as the process does regularly
        for stream in (own, lent):
            assert "event: revoked" in stream.message()
            with pytest.raises(StopIteration):
                stream.message()
        data(people[1].post(f"{url}/resignations", {"seat": 1}))
        assert other.event()["kind"] == "resigned"
    problem(house.visitor.get(f"{by_ticket}{unused}"), 401, "unknown_ticket")


def test_a_key_opens_nothing_that_was_revoked_while_the_request_was_on_its_way(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if another request of the process noticed the revocation first."""
    ana = house.player()
    made = make(ana)
    bot = person(house, made["key"])
    data(bot.get("/v1/players/me"))  # so this process caches the key
    keys: PlayerKeys = house.app.extensions["lonja"].keys
    find = keys.find

    def find_and_be_overtaken(sent: str) -> PlayerKey | None:
        found = find(sent)
        monkeypatch.undo()
        owner = person(other_process(runtime), ana.key)
        assert owner.delete(f"{KEYS}/{made['id']}").status_code == 204
        with ThreadPoolExecutor(1) as other:  # a new thread, as for each request
            data(other.submit(ana.get, "/v1/players/me").result())
        return found

    monkeypatch.setattr(keys, "find", find_and_be_overtaken)
    problem(bot.get("/v1/players/me"), 401, "unknown_key")


def test_a_stream_ends_when_the_time_of_its_key_is_over(house: House, runtime: Runtime) -> None:
    ana, bea = house.player(), house.player()
    url = house.table(ana, bea)
    after = data(ana.get(url))["version"]
    now = runtime.ledger.store.clock.now_ms
    keys: PlayerKeys = house.app.extensions["lonja"].keys
    keys.now_ms = lambda: now() - DAY_MS + 1_000  # so the key expires within a second
    bot = person(house, make(ana, "read", days=1)["key"])
    house.app.extensions["lonja"].hub.heartbeat = 0.2
    with streaming(bot, f"{url}/stream?after={after}") as stream:
        while "event: revoked" not in (told := stream.message()):
            assert told.startswith((":", "retry"))


def from_before(redis: Redis, key: str) -> Player:
    """Store a player and the player's key as 0.2.0 did."""
    old = Player(new_player_id(), "Old Name", "2026-01-01T00:00:00.000Z")
    hashed = digest(key.encode()).hex()
    record = orjson.dumps({"id": old.id, "name": old.name, "created_at": old.created_at})
    redis.set(f"lonja:{{meta}}:player:{old.id}", record)
    redis.hset(stored_at(key), mapping={"hash": hashed, "player": record})
    return old


def stored_at(key: str) -> str:
    return f"lonja:{{meta}}:key:{digest(key.encode()).hex()[:32]}"


def test_a_key_from_before_there_were_several_is_a_full_one(house: House, runtime: Runtime) -> None:
    redis, place = runtime.redis, stored_at("lk_old")
    from_before(redis, "lk_old")
    someone = person(house, "lk_old")
    own = data(someone.get("/v1/players/me"))["key"]
    assert (own["name"], own["scope"], own["expires_at"]) == ("first", "full", None)
    assert [each["id"] for each in data(someone.get(KEYS))["keys"]] == [own["id"]]
    problem(someone.delete(f"{KEYS}/{own['id']}"), 409, "last_full_key")
    other = person(house, make(someone, "full")["key"])
    assert [each["id"] for each in data(other.get(KEYS))["keys"]] == [own["id"], key_id(other)]
    assert redis.hget(place, "hash"), "0.2.0 finds it still"
    assert orjson.loads(redis.hget(place, "player") or b"")["name"] == ""
    assert other.delete(f"{KEYS}/{own['id']}").status_code == 204
    problem(someone.get("/v1/players/me"), 401, "unknown_key")
    assert not redis.exists(place)


def test_a_name_from_before_is_erased_from_its_key_too(house: House, runtime: Runtime) -> None:
    redis = runtime.redis
    old, left = from_before(redis, "lk_old"), from_before(redis, "lk_left")
    administration: Administration = house.app.extensions["lonja"].administration
    administration.erase_name(old.id, ActTerms(Who("root"), "he asked for it"))
    someone = person(house, "lk_left")
    headers, body = someone.headers, {"id": left.id}
    gone = house.client.delete("/v1/players/me", json=body, headers=headers)
    assert gone.status_code == 204
    assert "Old Name" not in repr(stored(redis))
    assert data(person(house, "lk_old").get("/v1/players/me"))["name"] == ""
    problem(someone.get("/v1/players/me"), 401, "unknown_key")


def test_a_store_that_has_lost_notes_is_followed(house: House, runtime: Runtime) -> None:
    ana = house.player()
    made = make(ana)
    bot = person(house, made["key"])
    runtime.redis.xadd(CHANGED, {"id": "y-later"}, id="9999999999999-0")
    key_id(bot)
    runtime.redis.delete(CHANGED)
    assert key_id(bot) == made["id"]
    assert ana.delete(f"{KEYS}/{made['id']}").status_code == 204
    problem(bot.get("/v1/players/me"), 401, "unknown_key")


def test_whoever_was_held_up_does_not_act_on_what_another_has_changed(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two full keys revoke each other, and one request waits for longer than any lock lasts."""
    ana = house.player()
    made = make(ana, "full")
    bot = person(house, made["key"])
    (first,) = [key for key in data(ana.get(KEYS))["keys"] if key["id"] != made["id"]]
    keys: PlayerKeys = house.app.extensions["lonja"].keys
    settle = keys.settle

    def late(*asked: Any) -> Any:
        monkeypatch.setattr(keys, "settle", settle)
        runtime.redis.delete(*runtime.redis.keys("lonja:{meta}:keys_lock*"), "x")
        assert ana.delete(f"{KEYS}/{made['id']}").status_code == 204
        return settle(*asked)

    monkeypatch.setattr(keys, "settle", late)
    problem(bot.delete(f"{KEYS}/{first['id']}"), 401, "unknown_key")
    assert [key["id"] for key in data(ana.get(KEYS))["keys"]] == [first["id"]]


def test_whoever_leaves_has_no_key_that_was_just_made(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player()
    remove_all = runtime.webhooks.remove_all
    made: list[Json] = []

    def late(*asked: Any) -> Any:
        if not made:
            made.append(make(ana))
        return remove_all(*asked)

    monkeypatch.setattr(runtime.webhooks, "remove_all", late)
    assert ana.delete("/v1/players/me", {"id": ana.id, "resign": False}).status_code == 204
    for key in (ana.key, made[0]["key"]):
        problem(person(house, key).get("/v1/players/me"), 401, "unknown_key")
    assert not runtime.redis.keys("lonja:{meta}:key:*")
