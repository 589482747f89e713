"""Acts of admins over HTTP: their effects on players, and the journal."""

from collections.abc import MutableMapping
from typing import Any

import pytest
from flask import Flask

from rules.kernel.proof.verify import verify
from service.administration.acts import ActTerms, Administration
from service.administration.journal import Who
from service.administration.keys import ADMIN_KEYS, AdminKeys
from service.api.app import create_app
from service.players.bans import BANS
from service.redis.format import FORMAT_KEY
from service.redis.keys import ACTS
from service.runtime import Runtime
from service.upkeep import maintenance
from tests.running import copies, kinds, patient_matches
from tests.service.api.people import House, Json, Person, data, play_on, problem

WHY = {"reason": "a bot plays on seat 1"}
GAME = "g00-aaaaaaaaaaaaaaaaaaaa"
PLAYER = "p-aaaaaaaaaaaaaaaa"


@pytest.fixture
def keys(runtime: Runtime) -> AdminKeys:
    return AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms)


def person(house: House, key: str) -> Person:
    return Person(house, {"Authorization": f"Bearer {key}"})


@pytest.fixture
def admin(house: House, keys: AdminKeys) -> Person:
    _made, key = keys.make("ana", 1)
    return person(house, key)


def id_of(url: str) -> str:
    return url.rpartition("/")[2]


def on(game: str, act: str) -> str:
    return f"/v1/admin/games/{id_of(game)}/{act}"


# Keys


def test_a_key_is_told_once_and_opens_admin_alone(
    house: House, keys: AdminKeys, runtime: Runtime
) -> None:
    made, key = keys.make("ana", 1)
    admin = person(house, key)
    assert data(admin.get("/v1/admin/me")) == made.to_json()
    (stored,) = runtime.redis.hvals(ADMIN_KEYS)
    assert key.encode() not in stored
    for url in ("/v1/players/me", "/v1/games", f"/v1/games/{GAME}"):
        problem(admin.get(url), 401, "unknown_key")
    player = house.player()
    for url in ("/v1/admin/me", "/v1/admin/acts"):
        problem(player.get(url), 403, "not_admin")
        problem(house.visitor.get(url), 401, "admin_key_required")
        problem(person(house, "la_nobody").get(url), 401, "unknown_key")
        problem(person(house, f"{key}x").get(url), 401, "unknown_key")
        problem(person(house, f"{player.key}x").get(url), 401, "unknown_key")
    brief = data(player.post("/v1/players/me/keys", {"name": "x", "scope": "read", "days": 1}))
    then = runtime.ledger.store.clock.now_ms() + 25 * 3600 * 1000
    house.app.extensions["lonja"].keys.now_ms = lambda: then
    problem(person(house, brief["key"]).get("/v1/admin/me"), 401, "key_expired")


def test_a_key_that_is_over_or_revoked_opens_nothing(
    house: House, runtime: Runtime, keys: AdminKeys
) -> None:
    now = runtime.ledger.store.clock.now_ms
    made, key = keys.make("ana", 1)
    day_later = AdminKeys(runtime.redis, lambda: now() + 24 * 3600 * 1000)
    assert keys.by_key(key) == made
    assert day_later.by_key(key) is None
    assert [day_later.is_over(each) for each in day_later.all()] == [True]
    assert keys.revoke("a-nobody") is None
    assert keys.revoke(made.id) == made
    problem(person(house, key).get("/v1/admin/me"), 401, "unknown_key")


def test_an_admin_is_counted_and_logged(
    admin: Person, logs: list[MutableMapping[str, Any]]
) -> None:
    first, second = (admin.get("/v1/admin/me").headers["RateLimit-Remaining"] for _ in range(2))
    assert int(second) == int(first) - 1
    requests = [entry for entry in logs if entry["event"] == "request"]
    assert requests[-1]["admin"] == "ana"


# Games


def test_a_game_is_suspended_and_goes_on(
    house: House, admin: Person, runtime: Runtime, logs: list[MutableMapping[str, Any]]
) -> None:
    people = [house.player(name) for name in ("Ana", "Bea")]
    game = house.table(*people, clock={"decision_seconds": 600})
    form = {"seat": 0, "move": people[0].legal(game, 0)["moves"][0], "expected_version": 9}
    act = data(admin.post(on(game, "suspend"), WHY))
    assert (act["by"], act["subject"], act["reason"]) == ("ana", id_of(game), WHY["reason"])
    noted = next(entry for entry in logs if entry["event"] == "admin_act")
    assert {name: noted[name] for name in act} == act

    shown = data(people[0].get(game))
    assert (shown["status"], shown["suspended_since"]) == ("running", shown["at"])
    assert {decision["deadline"] for decision in shown["decisions"]} == {None}
    assert people[0].legal(game, 0)["moves"] == []
    form["expected_version"] = shown["version"]
    told = problem(people[0].post(f"{game}/moves", form), 409, "game_suspended")
    assert told["since"] == shown["suspended_since"]
    problem(people[1].post(f"{game}/resignations", {"seat": 1}), 409, "game_suspended")
    problem(people[0].delete(game), 409, "not_in_lobby")
    problem(admin.post(on(game, "suspend"), WHY), 409, "game_suspended")
    state = data(people[0].get(f"{game}/state?seat=0"))
    assert state["suspended_since"] == shown["suspended_since"]

    data(admin.post(on(game, "resume"), WHY))
    problem(admin.post(on(game, "resume"), WHY), 409, "not_suspended")
    assert data(people[0].get(game))["suspended_since"] is None
    play_on(game, people)
    report = verify(id_of(game), copies(runtime, id_of(game)), runtime.registry)
    assert report.ok, report.to_json()
    assert report.status == "ended"


def test_nothing_is_owed_to_a_suspended_game(admin: Person, runtime: Runtime, house: House) -> None:
    seats = [{"holder": "bot", "bot": "random"}] * 2
    ana = house.player()
    game = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    store = runtime.ledger.store
    assert store.owed(id_of(game))[1].due is not None
    data(admin.post(on(game, "suspend"), WHY))
    assert store.owed(id_of(game))[1] == (None, None)
    data(admin.post(on(game, "requeue"), WHY))
    assert store.owed(id_of(game))[1] == (None, None)
    assert not any(maintenance.check(store, runtime.registry))
    data(admin.post(on(game, "resume"), WHY))
    assert store.owed(id_of(game))[1].due is not None


def test_a_table_waits_for_its_operator(house: House, admin: Person, runtime: Runtime) -> None:
    seats = [{"holder": "me"}, {"holder": "open"}]
    ana, bea = house.player("Ana"), house.player("Bea")
    game = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    data(admin.post(on(game, "suspend"), WHY))
    problem(bea.put(f"{game}/seats/1"), 409, "game_suspended")
    problem(ana.delete(f"{game}/seats/0"), 409, "game_suspended")
    problem(ana.delete(game), 409, "game_suspended")
    assert runtime.tables.cancel_unstarted(id_of(game), 2**50) is None
    data(admin.post(on(game, "resume"), WHY))
    data(bea.put(f"{game}/seats/1"))


def test_a_game_is_ended(house: House, admin: Person, runtime: Runtime) -> None:
    people = [house.player(name) for name in ("Ana", "Bea")]
    game = house.table(*people)
    again = {"Idempotency_Key": "end-it"}
    act = admin.post(on(game, "end"), WHY, **again)
    repeated = admin.post(on(game, "end"), WHY, **again)
    assert data(repeated) == data(act)
    assert repeated.headers["Idempotent-Replayed"] == "true"
    problem(admin.post(on(game, "end"), {"reason": "else"}, **again), 422, "idempotency_key_reused")
    problem(admin.post(on(game, "end"), WHY), 409, "game_over")
    shown = data(people[0].get(game))
    assert shown["status"] == "aborted"
    *_, aborted, _revealed = data(people[0].get(f"{game}/events"))["events"]
    assert aborted["by"] == {"admin": "ana"}
    assert aborted["body"]["aborted"] == {"reason": "ended_by_operator", "withheld_by": []}
    assert WHY["reason"] not in str(data(people[0].get(f"{game}/events")))
    report = verify(id_of(game), copies(runtime, id_of(game)), runtime.registry)
    assert report.ok, report.to_json()


def test_a_damaged_game_is_ended_too(house: House, admin: Person, runtime: Runtime) -> None:
    people = [house.player(name) for name in ("Ana", "Bea")]
    game = house.table(*people)
    key = f"lonja:{{s{id_of(game)[1:3]}}}:game:{id_of(game)}:events"
    runtime.redis.xadd(key, {"e": b"nonsense", "p": b"x" * 64}, id="99-0")
    problem(admin.post(on(game, "suspend"), WHY), 409, "game_damaged")
    problem(admin.post(on(game, "requeue"), WHY), 409, "game_damaged")
    data(admin.post(on(game, "end"), WHY))
    assert kinds(runtime, id_of(game))[-2:] == ["aborted", "chance_revealed"]


def test_lost_work_is_called_for_again(house: House, admin: Person, runtime: Runtime) -> None:
    seats = [{"holder": "bot", "bot": "random"}] * 2
    ana = house.player()
    game = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    shard = f"lonja:{{s{id_of(game)[1:3]}}}:due"
    for key in (shard, *runtime.queue_redis.keys("lonja:{turns*"), *runtime.redis.keys("rq:*")):
        runtime.redis.delete(key)
    assert runtime.jobs.waiting() == 0
    data(admin.post(on(game, "requeue"), WHY))
    assert runtime.jobs.waiting() == 1
    assert runtime.redis.zscore(shard, id_of(game)) is not None


def test_a_tournaments_games_are_left_to_it(house: House, admin: Person, runtime: Runtime) -> None:
    made = house.player().post(
        "/v1/tournaments",
        {
            "ruleset": "sealed",
            "seats": 2,
            "entries": [{"bot": "random"}, {"bot": "random"}],
            "format": {"type": "round_robin", "games": 2},
        },
    )
    tournament = data(made)["id"]
    data(admin.post(f"/v1/admin/tournaments/{tournament}/requeue", WHY))
    patient_matches(runtime).play(tournament)
    (*_, game) = (each["id"] for each in data(house.visitor.get(games_of(tournament)))["games"])
    problem(admin.post(on(game, "end"), WHY), 409, "game_over")
    unknown = "/v1/admin/tournaments/t00-aaaaaaaaaaaaaaaaaaaa/requeue"
    problem(admin.post(unknown, WHY), 404, "unknown_tournament")


def games_of(tournament: str) -> str:
    return f"/v1/tournaments/{tournament}/games"


def test_a_store_that_an_older_release_may_play_on_takes_no_suspension(
    house: House, admin: Person, runtime: Runtime, app: Flask
) -> None:
    game = house.table(house.player(), house.player())
    runtime.redis.set(FORMAT_KEY, "lonja/2")
    told = problem(admin.post(on(game, "suspend"), WHY), 409, "upgrade_unfinished")
    assert told["level"] == "lonja/2"
    administration: Administration = app.extensions["lonja"].administration
    administration.finish_upgrade(ActTerms(Who("ana"), "all is new"))
    data(admin.post(on(game, "suspend"), WHY))


# Players


def test_a_banned_player_is_refused_and_his_games_go_on(
    house: House, admin: Person, runtime: Runtime
) -> None:
    people = [house.player(name) for name in ("Ana", "Bea")]
    game = house.table(*people)
    ticket = data(people[1].post("/v1/stream_tickets"))["ticket"]
    again = {"Idempotency_Key": "ban"}
    act = admin.post(f"/v1/admin/players/{people[1].id}/ban", WHY, **again)
    assert data(admin.post(f"/v1/admin/players/{people[1].id}/ban", WHY, **again)) == data(act)
    since = problem(people[1].get(game), 403, "banned")["since"]
    problem(people[1].post(f"{game}/resignations", {"seat": 1}), 403, "banned")
    problem(house.visitor.get(f"{game}/stream?ticket={ticket}"), 403, "banned")
    assert data(house.visitor.get(game))["status"] == "running", "a spectator needs no key"
    assert data(people[0].get(game))["seats"][1]["resigned"] is False
    assert runtime.redis.hget(BANS, people[1].id) == since.encode()

    data(admin.post(f"/v1/admin/players/{people[1].id}/unban", WHY))
    play_on(game, people)
    problem(admin.post(f"/v1/admin/players/{PLAYER}/ban", WHY), 404, "unknown_player")


def test_a_name_is_erased_from_all_that_is_stored(
    house: House, admin: Person, runtime: Runtime
) -> None:
    ana, other = house.player("Ana Nombre"), house.player("Bea")
    game = house.table(ana, other)
    data(admin.post(f"/v1/admin/players/{ana.id}/erase_name", WHY))
    redis = runtime.redis
    for key in redis.keys("lonja:{meta}:*"):
        read = {
            b"string": redis.get, b"hash": redis.hgetall, b"stream": redis.xrange,
            b"zset": lambda name: redis.zrange(name, 0, -1), b"set": redis.smembers,
        }  # fmt: skip
        assert b"Ana Nombre" not in repr(read[redis.type(key)](key)).encode(), key  # type: ignore[index, operator]
    fresh = House(create_app(runtime))  # other processes cache the name for a minute
    someone = Person(fresh, ana.headers)
    assert data(someone.get("/v1/players/me"))["name"] == ""
    assert [seat["name"] for seat in data(someone.get(game))["seats"]] == ["", "Bea"]


# The journal


def test_the_journal_has_all_that_was_asked_for(
    house: House, admin: Person, runtime: Runtime
) -> None:
    people = [house.player(), house.player()]
    game = house.table(*people)
    done: list[Json] = [
        data(admin.post(on(game, act), WHY)) for act in ("suspend", "resume", "end")
    ]
    first = data(admin.get("/v1/admin/acts?limit=2"))
    rest = data(admin.get(f"/v1/admin/acts?limit=2&after={first['next_after']}"))
    assert [*first["acts"], *rest["acts"]] == done
    assert rest["next_after"] is None
    assert [act["act"] for act in done] == ["suspend_game", "resume_game", "end_game"]
    problem(admin.post(on(GAME, "end"), WHY), 404, "unknown_game")
    problem(admin.post(on(game, "end"), {}), 422, "invalid_body")
    problem(admin.post(on(game, "end"), {"reason": "\x07"}), 422, "invalid_body")
    problem(admin.get("/v1/admin/acts?after=yesterday"), 422, "invalid_query")
    assert runtime.redis.xlen(ACTS) == 3
