"""The refused requests of each key, which only its owner can read, for a day."""

from typing import Any

import pytest

from service.administration.keys import AdminKeys
from service.players.keys import DAY_MS, PlayerKeys, refusals_key
from service.players.refusals import KEPT, SHOWN, Refusals
from service.runtime import Runtime
from tests.service.api.people import House, Json, Person, data, problem, seat_key
from tests.service.api.stored import stored

ME = "/v1/players/me"
KEYS = f"{ME}/keys"
NOWHERE = "g00-aaaaaaaaaaaaaaaaaaaa"
PRIVATE = {
    "ruleset": "sealed",
    "seats": [{"holder": "me"}, {"holder": "open"}],
    "table": {"visibility": "private", "title": "Garden party"},
}


def bot_of(of: Person, scope: str = "play", **more: Any) -> tuple[Person, str]:
    """Return a client with a new key of this player, and the key's id."""
    made = data(of.post(KEYS, {"name": "bot", "scope": scope, **more}))
    return Person(of.house, {"Authorization": f"Bearer {made['key']}"}, key=made["key"]), made["id"]


def refused(of: Person, key_id: str) -> list[Json]:
    found: list[Json] = data(of.get(f"{KEYS}/{key_id}/refused_requests"))["refused_requests"]
    return found


def codes(of: Person, key_id: str) -> list[str]:
    return [each["code"] for each in refused(of, key_id)]


def test_each_key_has_its_own_with_what_happened_and_why(house: House) -> None:
    ana = house.player()
    (bot, bots), (other, others) = bot_of(ana), bot_of(ana, "read")
    told = problem(bot.post("/v1/games?x=1", {}, X_Request_Id="r-1"), 403, "insufficient_scope")
    data(bot.get(ME))
    problem(other.get(f"/v1/games/{NOWHERE}"), 404, "unknown_game")
    (listed,) = refused(ana, bots)
    at = listed.pop("at")
    assert listed == {
        "method": "POST", "path": "/v1/games", "status": 403, "code": "insufficient_scope",
        "detail": told["detail"], "request_id": "r-1",
    }  # fmt: skip
    keys = data(ana.get(KEYS))["keys"]
    assert keys[0]["created_at"] <= at
    assert [key["last_refused_at"] == at for key in keys] == [False, True, False]
    assert keys[0]["last_refused_at"] is None
    assert codes(ana, others) == ["unknown_game"]
    assert codes(ana, own_id(ana)) == []


def own_id(of: Person) -> str:
    return str(data(of.get(ME))["key"]["id"])


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/game", "not_found"),
        ("PUT", "/v1/games", "method_not_allowed"),
        ("GET", "/v1/admin/me", "not_admin"),
        ("POST", "/v1/players", "not_json"),
    ],
)
def test_a_request_that_reaches_no_operation_of_its_key_is_there_too(
    house: House, method: str, path: str, code: str
) -> None:
    ana = house.player()
    headers = {**ana.headers, "Content-Type": "application/json"}
    sent = house.client.open(path, method=method, data="{", headers=headers)
    assert sent.json is not None
    assert sent.json["code"] == code
    assert codes(ana, own_id(ana)) == [code]


def test_a_key_that_has_expired_or_whose_seat_is_over_is_told_its_owner(
    house: House, runtime: Runtime
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    page = Person(house, {"Authorization": f"Bearer {seat_key(ana, url, 0)}"})
    (seat,) = [key["id"] for key in data(ana.get(KEYS))["keys"] if key["scope"] == "seat"]
    bot, bots = bot_of(ana, days=1)
    data(ana.post(f"{url}/resignations", {"seat": 0}))
    problem(page.get(f"{url}/state"), 401, "seat_key_over")
    keys: PlayerKeys = house.app.extensions["lonja"].keys
    now = keys.now_ms
    keys.now_ms = lambda: now() + DAY_MS
    problem(bot.get(ME), 401, "key_expired")
    assert codes(ana, seat) == ["seat_key_over"]
    assert codes(ana, bots) == ["key_expired"]


def test_the_newest_are_kept_for_a_day(house: House, runtime: Runtime) -> None:
    ana = house.player()
    key = own_id(ana)
    for number in range(KEPT + 2):
        problem(ana.get(f"/v1/players/p-{number}"), 404, "unknown_player")
    paths = [each["path"] for each in refused(ana, key)]
    assert paths == [f"/v1/players/p-{number}" for number in range(KEPT + 1, 1, -1)]
    place = refusals_key(key)
    assert DAY_MS - 60_000 < runtime.redis.pttl(place) <= DAY_MS
    refusals: Refusals = house.app.extensions["lonja"].refusals
    now = refusals._now_ms
    refusals._now_ms = lambda: now() + DAY_MS + 60_000
    assert refused(ana, key) == [], "what is older is not shown"
    assert data(ana.get(KEYS))["keys"][0]["last_refused_at"] is None
    problem(ana.get("/v1/players/p-new"), 404, "unknown_player")
    assert runtime.redis.xlen(place) == 0, "and goes with the next one"


def test_only_their_owner_reads_them(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    key = own_id(ana)
    problem(ana.get("/v1/players/p-none"), 404, "unknown_player")
    bot, _ = bot_of(ana, "host")
    problem(bot.get(f"{KEYS}/{key}/refused_requests"), 403, "insufficient_scope")
    problem(house.visitor.get(f"{KEYS}/{key}/refused_requests"), 401, "key_required")
    theirs, nobodys = (
        problem(eve.get(f"{KEYS}/{name}/refused_requests"), 404, "no_such_key")
        for name in (key, "y-aaaaaaaaaaaaaaaa")
    )
    assert theirs["detail"].replace(key, "y-aaaaaaaaaaaaaaaa") == nobodys["detail"]


def test_a_refused_request_to_a_private_game_tells_what_was_sent(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    private = ana.post("/v1/games", PRIVATE).headers["Location"].rpartition("/")[2]
    seen = []
    for game in (private, NOWHERE):
        bot, bots = bot_of(eve)
        problem(bot.get(f"/v1/games/{game}"), 404, "unknown_game")
        problem(bot.put(f"/v1/games/{game}/seats/1"), 404, "unknown_game")
        told = refused(eve, bots)
        for each in told:
            del each["at"], each["request_id"]
        seen.append(repr(told).replace(game, "…"))
    assert seen[0] == seen[1], "as if there were no such game"


def test_neither_a_query_nor_a_key_in_a_wrong_place_is_stored(
    house: House, runtime: Runtime
) -> None:
    ana = house.player()
    _made, admin = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("root", 1)
    ticket = data(ana.post("/v1/stream_tickets"))["ticket"]
    for secret in (ana.key, admin, ticket):
        problem(ana.get(f"/v1/players/{secret}?key={secret}"), 422, "invalid_query")
        problem(ana.get(f"{KEYS}/{secret}/refused_requests"), 404, "no_such_key")
        problem(ana.get("/v1/games/x", X_Request_Id=secret[:64]), 404, "unknown_game")
    long = "é" * 500
    problem(ana.get(f"/v1/players/{long}%0A"), 404, "unknown_player")
    (newest, *_) = told = refused(ana, own_id(ana))
    assert [len(newest[name]) for name in ("path", "detail")] == [SHOWN, SHOWN]
    assert told[-1]["path"] == "/v1/players/lk_…"
    kept = repr(stored(runtime.redis))
    for secret in (ana.key, admin, ticket):
        assert secret not in kept


def test_whoever_exports_has_them_and_whoever_leaves_takes_them_along(
    house: House, runtime: Runtime
) -> None:
    ana = house.player()
    key = own_id(ana)
    bot, bots = bot_of(ana)
    problem(bot.get("/v1/players/p-bots"), 404, "unknown_player")
    problem(ana.get("/v1/players/p-own"), 404, "unknown_player")
    exported = data(ana.get(f"{ME}/export"))["refused_requests"]
    assert [(each.pop("key_id"), each) for each in exported] == [
        (key, *refused(ana, key)), (bots, *refused(ana, bots))
    ]  # fmt: skip
    data(ana.post(f"{KEYS}/{bots}/rotate"))
    assert codes(ana, bots) == ["unknown_player"], "another text, and the same key"
    assert ana.delete(f"{KEYS}/{bots}").status_code == 204
    assert not runtime.redis.exists(refusals_key(bots))
    problem(bot.get(ME), 401, "unknown_key")
    assert not runtime.redis.exists(refusals_key(bots)), "a revoked key stores nothing"
    assert ana.delete(ME, {"id": ana.id}).status_code == 204
    assert "p-own" not in repr(stored(runtime.redis))


def test_a_flood_of_rate_limited_requests_costs_and_shows_one(
    house: House, runtime: Runtime
) -> None:
    ana = house.player()
    key = own_id(ana)

    def round_trips(status: int, path: str) -> int:
        before = runtime.redis.info("commandstats")["cmdstat_evalsha"]["calls"]
        assert ana.get(path).status_code == status
        return int(runtime.redis.info("commandstats")["cmdstat_evalsha"]["calls"] - before)

    problem(ana.get("/v1/players/p-none"), 404, "unknown_player")  # so the scripts are loaded
    accepted, refusal = round_trips(200, ME), round_trips(404, "/v1/players/p-none")
    assert refusal == accepted + 1
    limit = int(ana.get(ME).headers["RateLimit-Limit"])
    (counted,) = runtime.redis.keys(f"lonja:{{rate}}:key:{ana.id}:*")
    runtime.redis.set(counted, limit, keepttl=True)
    assert round_trips(429, ME) == accepted + 1
    assert [round_trips(429, ME) for _ in range(3)] == [accepted] * 3
    runtime.redis.set(counted, 0, keepttl=True)
    assert codes(ana, key) == ["rate_limited", "unknown_player", "unknown_player"]


def test_a_store_that_is_nearly_full_gets_none(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player()
    with monkeypatch.context() as patched:
        patched.setattr(runtime.health, "nearly_full", lambda: "full")
        problem(ana.get("/v1/players/p-none"), 404, "unknown_player")
    assert codes(ana, own_id(ana)) == []
