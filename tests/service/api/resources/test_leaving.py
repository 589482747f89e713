"""Renaming, export and leaving; after it, nothing in the store has the name."""

import time
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from rules.kernel.proof.verify import verify
from service.administration.keys import AdminKeys
from service.api.app import create_app
from service.people import hosted
from service.players.departed import departed
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.running import copies, patient_matches, wait_for
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.stored import stored

ME = "/v1/players/me"
NAME = "Zuleika-Dobson-of-Judas-College"
CUP = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 2},
}


def leave(person: Person, **more: Any) -> Any:
    headers, body = person.headers, {"id": person.id, **more}
    return person.house.client.delete(ME, json=body, headers=headers)


def rename(person: Person, name: str, **headers: str) -> Any:
    return person.house.client.patch(ME, json={"name": name}, headers={**person.headers, **headers})


def other_process(runtime: Runtime) -> House:
    return House(create_app(runtime))


def id_of(url: str) -> str:
    return url.rpartition("/")[2]


def test_another_name_is_shown_everywhere_at_once(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game = house.table(ana, bea)
    elsewhere = other_process(runtime)
    seen = elsewhere.visitor.get(game)
    answer = rename(ana, "Anna", **{"Idempotency-Key": "k"})
    assert data(answer)["name"] == "Anna"
    assert data(rename(ana, "Anna", **{"Idempotency-Key": "k"})) == data(answer)
    problem(rename(ana, "Else", **{"Idempotency-Key": "k"}), 422, "idempotency_key_reused")
    problem(rename(ana, "\u202e"), 422, "invalid_body")
    again = elsewhere.visitor.get(game, If_None_Match=seen.headers["ETag"])
    assert data(again)["players"] == {ana.id: "Anna", bea.id: "Bea"}, "no cache keeps the old one"
    assert [seat["name"] for seat in data(again)["seats"]] == ["Anna", "Bea"]
    assert data(Person(elsewhere, ana.headers).get(ME))["name"] == "Anna"


def test_lists_have_names_beside_ids(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game = house.table(ana, bea)
    cup = ana.post("/v1/tournaments", CUP).headers["Location"]
    both = {ana.id: "Ana", bea.id: "Bea"}
    page = data(house.visitor.get("/v1/games"))
    assert page["players"] == both
    assert [seat["name"] for seat in page["games"][0]["seats"]] == ["Ana", "Bea"]
    assert data(house.visitor.get(f"{game}/events"))["players"] == both
    assert data(house.visitor.get(f"{game}/events?after=2&limit=1"))["players"] == {bea.id: "Bea"}
    (listed,) = data(house.visitor.get("/v1/tournaments"))["tournaments"]
    assert listed["players"] == {ana.id: "Ana"}
    for url in (cup, f"{cup}/report", f"{cup}/events"):
        assert data(house.visitor.get(url))["players"] == {ana.id: "Ana"}, url
    _made, key = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("root", 1)
    admin = Person(house, {"Authorization": f"Bearer {key}"})
    data(admin.post(f"/v1/admin/players/{bea.id}/unban", {"reason": "a mistake"}))
    assert data(admin.get("/v1/admin/acts"))["players"] == {bea.id: "Bea"}


def test_names_of_a_whole_page_take_one_question(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        house.table(house.player(), house.player())
    elsewhere = other_process(runtime)
    asked: list[Any] = []
    mget: Any = Redis.mget

    def noted(redis: Redis, keys: list[str]) -> Any:
        asked.append(keys)
        return mget(redis, keys)

    monkeypatch.setattr(Redis, "mget", noted)
    assert len(data(elsewhere.visitor.get("/v1/games"))["players"]) == 6
    assert len(asked) == 1


def test_an_export_has_all_that_is_ones_own(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    games = {id_of(house.table(ana, bea)), id_of(house.table(bea, ana))}
    table = id_of(ana.post("/v1/games", opening()).headers["Location"])
    cup = id_of(ana.post("/v1/tournaments", CUP).headers["Location"])
    bea.post("/v1/tournaments", CUP)
    _made, key = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("root", 1)
    admin = Person(house, {"Authorization": f"Bearer {key}"})
    data(admin.post(f"/v1/admin/players/{ana.id}/unban", {"reason": "Bea complained"}))
    answer = ana.get(f"{ME}/export")
    found = data(answer)
    assert answer.headers["Cache-Control"] == "no-store"
    assert found["player"] == {name: data(ana.get(ME))[name] for name in found["player"]}
    assert [each["name"] for each in found["keys"]] == ["first"]
    assert {game["id"] for game in found["games"]} == games
    assert found["tables"] == [table]
    assert [each["id"] for each in found["tournaments"]] == [cup]
    assert [act["act"] for act in found["acts"]] == ["unban_player"]
    assert found["banned_since"] is None
    assert ana.key not in answer.text
    assert "complained" not in answer.text
    assert "Bea" not in answer.text, "what others are called is theirs"


def test_what_others_hold_costs_an_export_and_leaving_nothing(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted, "_PAGE", 2)
    ana, bea, cat = (house.player(name) for name in ("Ana", "Bea", "Cat"))
    for person in (ana, bea):
        person.post("/v1/tournaments", CUP)

    def cost(ask: Callable[[], Any]) -> int:
        before = runtime.redis.info("stats")["total_commands_processed"]
        ask()
        return int(runtime.redis.info("stats")["total_commands_processed"] - before)

    ana.get(f"{ME}/export")  # or some data are read for the first time
    export = cost(lambda: ana.get(f"{ME}/export"))
    leaving = cost(lambda: leave(ana, resign=True))
    for _ in range(6):
        cat.post("/v1/tournaments", CUP)
    bea.get(f"{ME}/export")
    assert cost(lambda: bea.get(f"{ME}/export")) == export
    assert len(data(bea.get(f"{ME}/export"))["tournaments"]) == 1
    assert cost(lambda: leave(bea, resign=True)) == leaving


def opening(*holders: str) -> Json:
    held = holders or ("open", "open")
    return {"ruleset": "sealed", "seats": [{"holder": holder} for holder in held]}


def test_who_plays_must_resign_or_wait(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game = id_of(house.table(bea, ana))
    own, theirs = (
        of.post("/v1/games", opening("me", "open")).headers["Location"] for of in (ana, bea)
    )
    data(ana.put(f"{theirs}/seats/1", {"entropy_commitment": "0" * 64}))
    given = ana.post("/v1/games", opening()).headers["Location"]
    cup = ana.post("/v1/tournaments", CUP).headers["Location"]
    told = problem(leave(ana), 409, "still_playing")
    assert {*told["games"]} == {game, id_of(theirs)}
    assert told["tournaments"] == [id_of(cup)]
    told = problem(leave(ana, resign=True), 409, "still_playing")
    assert told["games"] == [id_of(theirs)], "it is closed: nobody can stand up, and others wait"
    assert data(ana.get(own))["status"] == "lobby", "a refused request does nothing"
    data(bea.delete(theirs))
    problem(leave(ana), 409, "still_playing")
    assert leave(ana, resign=True).status_code == 204
    visitor = house.visitor
    assert [data(visitor.get(url))["status"] for url in (own, given)] == ["aborted"] * 2
    assert data(visitor.get(f"/v1/games/{game}"))["seats"][1]["resigned"] is True
    assert data(visitor.get(cup))["status"] == "cancelled"
    assert data(visitor.get(cup))["players"] == {ana.id: ""}
    patient_matches(runtime).play(id_of(cup))
    problem(ana.get(ME), 401, "unknown_key")
    problem(leave(ana), 401, "unknown_key")


def test_a_seat_in_the_lobby_is_free_again(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    table = bea.post("/v1/games", opening("me", "open", "open")).headers["Location"]
    data(ana.put(f"{table}/seats/1"))
    problem(leave(ana, id=bea.id), 422, "invalid_body")
    assert leave(ana).status_code == 204
    assert data(bea.get(table))["seats"][1]["holder"] == "open"


def test_an_export_has_ones_own_private_tables_and_nobody_elses(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    own = private(ana)
    running = private(ana)
    theirs = private(bea)
    data(bea.put(f"{running}/seats/1", {"invitation": invitation(ana, running)}))
    given = private(ana)
    data(bea.put(f"{given}/seats/1", {"invitation": invitation(ana, given)}))
    assert {g["id"] for g in data(ana.get(f"{ME}/export"))["games"]} == {
        id_of(url) for url in (own, running, given)
    }
    found = data(bea.get(f"{ME}/export"))
    assert {g["id"] for g in found["games"]} == {id_of(url) for url in (theirs, running, given)}
    assert found["tables"] == [id_of(theirs)]
    assert id_of(own) not in bea.get(f"{ME}/export").text
    assert {g["visibility"] for g in found["games"]} == {"private"}


def test_who_leaves_frees_private_tables_too(house: House, runtime: Runtime) -> None:
    """Exactly the tables that the player hosts are cancelled, even those that others opened."""
    ana, bea = house.player("Ana"), house.player("Bea")
    own, given, taken = private(ana, 3), private(ana, 3), private(bea, 3)
    data(bea.put(f"{given}/seats/1", {"invitation": invitation(ana, given)}))
    data(ana.put(f"{taken}/seats/1", {"invitation": invitation(bea, taken)}))
    data(ana.put(f"{given}/host", {"seat": 1}))
    data(bea.put(f"{taken}/host", {"seat": 1}))
    running = private(bea)
    data(ana.put(f"{running}/seats/1", {"invitation": invitation(bea, running)}))
    assert problem(leave(ana), 409, "still_playing")["games"] == [id_of(running)]
    assert leave(ana, resign=True).status_code == 204
    assert data(bea.get(given))["seats"][0]["holder"] == "open"
    assert data(bea.get(given))["status"] == "lobby"
    assert data(bea.get(taken))["status"] == "aborted"
    assert data(bea.get(running))["seats"][1]["resigned"] is True
    assert runtime.ledger.table(id_of(own)).game.status == "aborted"


def private(host: Person, seats: int = 2) -> str:
    asked = opening("me", *["open"] * (seats - 1)) | {"table": {"visibility": "private"}}
    return host.post("/v1/games", asked).headers["Location"]


def invitation(host: Person, url: str) -> str:
    return str(data(host.post(f"{url}/invitations", {}))["token"])


def test_a_suspended_game_holds_nobody_back(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game = house.table(ana, bea)
    _made, key = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("root", 1)
    admin = Person(house, {"Authorization": f"Bearer {key}"})
    data(admin.post(f"/v1/admin{game.removeprefix('/v1')}/suspend", {"reason": "odd"}))
    assert leave(ana).status_code == 204
    assert data(bea.get(game))["seats"][0] == {
        **data(bea.get(game))["seats"][0], "player": ana.id, "name": "", "resigned": False,
    }  # fmt: skip


@pytest.fixture
def durable(tmp_path: Path, redis_binary: Path | None) -> Any:
    with RedisServer(tmp_path / "redis", binary=redis_binary) as server:
        yield server


def test_whoever_has_left_is_nowhere_by_name(
    durable: RedisServer, tmp_path: Path, logs: list[MutableMapping[str, Any]]
) -> None:
    environ = {"REDIS_URL": durable.url, "LONJA_EXTRA_RULESETS": "tests.sealed"}
    runtime = open_runtime(load(environ))
    house = House(create_app(runtime))
    elsewhere = other_process(runtime)
    zuleika, bea = house.player(NAME), house.player("Bea")
    game = house.table(zuleika, bea)
    cup = zuleika.post("/v1/tournaments", CUP).headers["Location"]
    pages = (
        game, f"{game}/events", f"{game}/state", f"{game}/log", "/v1/games",
        f"/v1/games?player={zuleika.id}", cup, f"{cup}/events", f"{cup}/report", f"{cup}/games",
        "/v1/tournaments", f"/v1/players/{zuleika.id}", "/", "/docs",
    )  # fmt: skip
    data(zuleika.post(f"{ME}/keys", {"name": "bot", "scope": "play"}))
    data(zuleika.post("/v1/stream_tickets"))
    before = [elsewhere.visitor.get(page) for page in pages]
    assert NAME in before[0].text
    redis = runtime.redis
    rewrite(redis)
    assert [key for key, value in stored(redis) if NAME in value], "the scan finds it"
    assert holding(tmp_path), "so do the files"

    assert leave(zuleika, resign=True).status_code == 204
    assert departed(redis).players == {zuleika.id}
    for key, value in stored(redis):
        assert NAME not in value, key
        assert zuleika.key not in value, key
    for there in (house, elsewhere):
        for page, seen in zip(pages, before, strict=True):
            etag = {"If_None_Match": seen.headers["ETag"]} if "ETag" in seen.headers else {}
            answer = there.visitor.get(page, **etag)
            assert NAME not in answer.text, page
            assert NAME not in seen.text or answer.status_code == 200, f"{page}: 304 keeps it"
    assert NAME not in bea.get(f"{ME}/export").text
    assert NAME not in repr(logs)
    rewrite(redis)
    wait_for(lambda: not holding(tmp_path))
    report = verify(id_of(game), copies(runtime, id_of(game)), runtime.registry)
    assert report.ok, report.to_json()


def rewrite(redis: Redis) -> None:
    """Make the server rewrite its append-only file."""
    redis.bgrewriteaof()
    wait_for(lambda: not redis.info("persistence")["aof_rewrite_in_progress"])
    time.sleep(0.05)


def holding(folder: Path) -> list[Path]:
    """Return the files that contain the name."""
    name = NAME.encode()
    return [path for path in folder.rglob("*") if path.is_file() and name in path.read_bytes()]
