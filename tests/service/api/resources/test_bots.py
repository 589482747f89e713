"""Bot accounts: what their key opens, what their owner may do, and what is left when they go."""

from typing import Any

import pytest

from service.administration.keys import AdminKeys
from service.players import bot_accounts as limits
from service.players.keys import DAY_MS
from service.redis.keys import meta_key
from service.runtime import Runtime
from tests.service.api.people import House, Person, data, play_on, problem
from tests.service.api.test_questions import ASKED, answer, asked
from tests.service.api.test_stream import streaming

BOTS = "/v1/players/me/bots"
TAKES = [{"ruleset": "sealed", "seats": [2, 3]}]
ROBBIE = {"name": "Robbie", "version": "1.0", "takes": TAKES}


def made(owner: Person, **more: Any) -> Person:
    bot = data(owner.post(BOTS, {**ROBBIE, **more}))
    return with_key(owner.house, bot["id"], bot["key"])


def with_key(house: House, id_: str, key: str) -> Person:
    return Person(house, {"Authorization": f"Bearer {key}"}, id_, key)


def test_an_account_says_what_its_owner_says(house: House) -> None:
    ana = house.player("Ana")
    page = "https://example.org/robbie"
    answered = ana.post(BOTS, {**ROBBIE, "author": "Bea", "page": page, "concurrency": 4})
    told = data(answered)
    assert answered.headers["Location"] == f"/v1/bots/{told['id']}"
    assert told.pop("key").startswith("lk_")
    seen = data(house.visitor.get(f"/v1/bots/{told['id']}"))
    assert seen.pop("versions") == [{"version": "1.0", "since": told["since"]}]
    assert seen.pop("record") == []
    assert seen == told
    assert {name: told[name] for name in ("name", "kind", "owner", "owner_name", "author")} == {
        "name": "Robbie", "kind": "bot", "owner": ana.id, "owner_name": "Ana", "author": "Bea",
    }  # fmt: skip
    assert (told["version_is"], told["page"], told["concurrency"]) == ("declared", page, 4)
    assert (told["takes"], told["present"]) == (TAKES, False)
    assert data(house.visitor.get(f"/v1/players/{told['id']}"))["kind"] == "bot"
    problem(house.visitor.get(f"/v1/bots/{ana.id}"), 404, "unknown_player")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"page": "javascript:alert(1)"}, "page"),
        ({"page": "https://example.org/a b"}, "page"),
        ({"takes": [{"ruleset": "sealed", "seats": [1]}]}, "takes.0.seats"),
        ({"takes": []}, "takes"),
        ({"concurrency": 0}, "concurrency"),
        ({"version": ""}, "version"),
    ],
)
def test_what_an_owner_says_is_checked(house: House, wrong: Any, field: str) -> None:
    found = problem(house.player("Ana").post(BOTS, {**ROBBIE, **wrong}), 422, "invalid_body")
    assert [error["field"] for error in found["errors"]] == [field]


def test_the_numbers_of_seats_are_the_rulesets(house: House) -> None:
    takes = [TAKES[0], {"ruleset": "sealed", "seats": [2, 9]}]
    found = problem(house.player("Ana").post(BOTS, {**ROBBIE, "takes": takes}), 422, "invalid_body")
    assert found["detail"] == "takes.1.seats: sealed has 2 to 4 seats, not 9"


@pytest.mark.usefixtures("following")
def test_its_key_plays_and_nothing_else(house: House) -> None:
    """test_authorization has every operation."""
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(bea)
    assert data(robbie.get("/v1/players/me"))["key"]["scope"] == "bot"
    url = house.table(ana, robbie, table={"visibility": "unlisted"})
    with streaming(robbie, ASKED) as stream:
        assert data(ana.move(url, 0))
        assert answer(robbie, asked(stream)["question"]).status_code == 201
    for refused in (
        robbie.post("/v1/games", {"ruleset": "sealed", "seats": [{"holder": "me"}] * 2}),
        robbie.post("/v1/players/me/keys", {"name": "more", "scope": "full"}),
        robbie.patch("/v1/players/me", {"name": "Free"}),
        robbie.delete("/v1/players/me", {"id": robbie.id}),
        robbie.get(BOTS),
        robbie.post(f"{url}/analysis"),
    ):
        assert problem(refused, 403, "insufficient_scope")["key_scope"] == "bot"
    assert data(robbie.post(f"{url}/resignations", {"seat": 1}))


def test_a_rated_table_is_not_for_it(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    seats = [{"holder": "me"}, {"holder": "open"}]
    opening = {"ruleset": "sealed", "seats": seats, "table": {"rated": True}}
    url = ana.post("/v1/games", opening).headers["Location"]
    problem(robbie.put(f"{url}/seats/1"), 409, "rated_table")


def test_its_owner_replaces_and_revokes_its_key(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    robbie = made(ana)
    path = f"{BOTS}/{robbie.id}/key"
    for method in (eve.post, eve.delete):
        problem(method(path), 404, "no_such_bot")
    fresh = with_key(house, robbie.id, data(ana.post(path, Idempotency_Key="again"))["key"])
    problem(ana.post(path, Idempotency_Key="again"), 409, "already_answered")
    problem(robbie.get("/v1/players/me"), 401, "unknown_key")
    assert data(fresh.get("/v1/players/me"))["id"] == robbie.id
    (listed,) = data(ana.get(BOTS))["bots"]
    assert listed["has_key"]
    assert listed["last_used_on"] is not None
    assert ana.delete(path).status_code == 204
    assert ana.delete(path).status_code == 204, "without a key nothing changes"
    problem(fresh.get("/v1/players/me"), 401, "unknown_key")
    (listed,) = data(ana.get(BOTS))["bots"]
    assert (listed["has_key"], listed["last_used_on"]) == (False, None)
    assert data(ana.post(path))["scope"] == "bot"


def test_a_stream_of_a_revoked_key_ends(house: House) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    with streaming(robbie, ASKED) as stream:
        stream.message()
        assert ana.delete(f"{BOTS}/{robbie.id}/key").status_code == 204
        house.app.extensions["lonja"].invalidations.look_again()
        while "event: revoked" not in (told := stream.message()):
            assert told


def test_two_new_versions_a_day_and_the_old_ones_stay(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    url = f"{BOTS}/{made(ana).id}"
    for version in ("1.0", "1.1", "1.1", "1.2"):
        assert data(ana.patch(url, {"version": version}))["version"] == version
    refused = ana.patch(url, {"version": "1.3", "name": "Robbie II"})
    assert problem(refused, 429, "too_many_versions")["limit"] == limits.NEW_VERSIONS_PER_DAY
    assert 86_000 < int(refused.headers["Retry-After"]) <= 86_400
    told = data(house.visitor.get(f"/v1/bots/{url.rpartition('/')[2]}"))
    assert [one["version"] for one in told["versions"]] == ["1.2", "1.1", "1.0"]
    assert (told["name"], told["since"]) == ("Robbie", told["versions"][0]["since"])
    clock = house.app.extensions["lonja"].runtime.ledger.store.clock
    later = clock.now_ms() + DAY_MS
    bots = house.app.extensions["lonja"].bots
    monkeypatch.setattr(bots, "_now_ms", lambda: later)
    assert data(ana.patch(url, {"version": "1.3"}))["version"] == "1.3"


def test_its_record_counts_games_by_version(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(ana, concurrency=4)
    hidden = house.table(bea, robbie, table={"visibility": "unlisted"})
    urls = [hidden, house.table(bea, robbie), house.table(bea, robbie)]
    data(ana.patch(f"{BOTS}/{robbie.id}", {"version": "2.0"}))
    urls.append(house.table(bea, robbie))
    won = []
    for url in urls:
        holders = [seat["player"] for seat in data(bea.get(url))["seats"]]
        people = {bea.id: bea, robbie.id: robbie}
        play_on(url, [people[holder] for holder in holders])
        first = [s["side"] for s in data(bea.get(url))["result"]["standings"] if s["rank"] == 1]
        won.append(f"seat:{holders.index(robbie.id)}" in first)
    told = data(house.visitor.get(f"/v1/bots/{robbie.id}"))
    assert told["record"] == [
        {"version": "1.0", "ruleset": "sealed", "seats": 2, "games": 2, "won": sum(won[1:3])},
        {"version": "2.0", "ruleset": "sealed", "seats": 2, "games": 1, "won": int(won[3])},
    ]


def test_only_so_many_bots(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BOTS", 2)
    ana = house.player("Ana")
    robbie, _other = made(ana), made(ana)
    assert problem(ana.post(BOTS, ROBBIE), 409, "too_many_bots")["limit"] == 2
    gone = {"id": robbie.id}
    assert ana.delete(f"{BOTS}/{robbie.id}", gone).status_code == 204
    assert made(ana).id


def test_a_repeated_request_makes_one_bot(house: House) -> None:
    ana = house.player("Ana")
    first = data(ana.post(BOTS, ROBBIE, Idempotency_Key="one"))
    again = problem(ana.post(BOTS, ROBBIE, Idempotency_Key="one"), 409, "already_answered")
    assert again["id"] == first["id"]
    other = {**ROBBIE, "name": "Gort"}
    problem(ana.post(BOTS, other, Idempotency_Key="one"), 422, "idempotency_key_reused")
    url, change = f"{BOTS}/{first['id']}", {"version": "2"}
    changed = ana.patch(url, change, Idempotency_Key="two")
    replayed = ana.patch(url, change, Idempotency_Key="two")
    assert replayed.headers["Idempotent-Replayed"] == "true"
    assert data(replayed) == data(changed)
    assert [bot["id"] for bot in data(ana.get(BOTS))["bots"]] == [first["id"]]


def test_who_listens_for_questions_is_present(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    robbie, _absent = made(ana), made(ana)

    def present(query: str = "") -> list[str]:
        return [bot["id"] for bot in data(house.visitor.get(f"/v1/bots{query}"))["bots"]]

    assert present() == []
    with streaming(robbie, "/v1/players/me/stream") as stream:
        stream.message()
        stream.message()
        assert present() == [], "this stream has no questions"
    with streaming(robbie, ASKED) as stream:
        stream.message()
        stream.message()
    assert present() == present("?ruleset=sealed&seats=3") == [robbie.id]
    assert present("?seats=4") == present("?ruleset=ragusa") == []
    assert data(house.visitor.get(f"/v1/bots/{robbie.id}"))["present"]
    bots = house.app.extensions["lonja"].bots
    later = bots._now_ms() + limits.PRESENT_MS
    monkeypatch.setattr(bots, "_now_ms", lambda: later)
    assert present() == []


def test_a_banned_owners_bots_are_banned(house: House, runtime: Runtime) -> None:
    now = runtime.ledger.store.clock.now_ms
    _made, key = AdminKeys(runtime.redis, now).make("ada", 1)
    admin = with_key(house, "", key)
    ana = house.player("Ana")
    robbie = made(ana)
    why = {"reason": "because"}
    data(admin.post(f"/v1/admin/players/{ana.id}/ban", why))
    house.app.extensions["lonja"].bans.look_again()
    problem(robbie.get("/v1/players/me"), 403, "banned")
    data(admin.post(f"/v1/admin/players/{ana.id}/unban", why))
    data(admin.post(f"/v1/admin/players/{robbie.id}/ban", why))
    house.app.extensions["lonja"].bans.look_again()
    problem(robbie.get("/v1/players/me"), 403, "banned")
    assert data(ana.get("/v1/players/me"))


def test_an_erased_bot_has_no_words_of_its_owner(house: House, runtime: Runtime) -> None:
    now = runtime.ledger.store.clock.now_ms
    _made, key = AdminKeys(runtime.redis, now).make("ada", 1)
    ana = house.player("Ana")
    robbie = made(ana, author="Bea", page="https://example.org")
    path = f"/v1/admin/players/{robbie.id}/erase_name"
    data(with_key(house, "", key).post(path, {"reason": "because"}))
    told = data(house.visitor.get(f"/v1/bots/{robbie.id}"))
    assert (told["name"], told["author"], told["page"]) == ("", None, None)


def test_a_deleted_bot_is_gone_and_its_games_stay(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(ana)
    url = house.table(bea, robbie)
    one = f"{BOTS}/{robbie.id}"
    problem(ana.delete(one, {"id": ana.id}), 422, "invalid_body")
    problem(bea.delete(one, {"id": robbie.id}), 404, "no_such_bot")
    refused = problem(ana.delete(one, {"id": robbie.id}), 409, "still_playing")
    assert refused["games"] == [url.rpartition("/")[2]]
    gone = {"id": robbie.id, "resign": True}
    assert ana.delete(one, gone, Idempotency_Key="gone").status_code == 204
    again = ana.delete(one, gone, Idempotency_Key="gone")
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (204, "true")
    problem(robbie.get("/v1/players/me"), 401, "unknown_key")
    problem(house.visitor.get(f"/v1/bots/{robbie.id}"), 404, "unknown_player")
    assert data(ana.get(BOTS))["bots"] == []
    game = data(bea.get(url))
    assert game["seats"][1]["resigned"]
    assert game["seats"][1]["player"] == robbie.id
    assert game["seats"][1]["name"] == ""


def test_an_owner_who_leaves_takes_the_bots_along(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(ana, author="Ana herself")
    url = house.table(bea, robbie)
    problem(ana.delete("/v1/players/me", {"id": ana.id}), 409, "still_playing")
    assert ana.delete("/v1/players/me", {"id": ana.id, "resign": True}).status_code == 204
    for gone in (ana, robbie):
        problem(gone.get("/v1/players/me"), 401, "unknown_key")
    assert data(bea.get(url))["seats"][1]["resigned"]
    left = [
        (name, runtime.redis.dump(name))
        for name in runtime.redis.scan_iter(match=meta_key("bot*"))
        if name != limits.PRESENT.encode()
    ]
    assert left == []


def test_the_export_has_the_bots(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(ana, author="Ana")
    url = house.table(bea, robbie)
    play_on(url, [bea, robbie])
    problem(robbie.post(BOTS, ROBBIE), 403, "insufficient_scope")
    found = data(ana.get("/v1/players/me/export"))
    (bot,) = found["bots"]
    assert (bot["id"], bot["name"], bot["author"]) == (robbie.id, "Robbie", "Ana")
    assert [one["version"] for one in bot["versions"]] == ["1.0"]
    assert [key["scope"] for key in bot["keys"]] == ["bot"]
    assert [one["path"] for one in bot["refused_requests"]] == [BOTS]
    assert [game["id"] for game in found["games_of_bots"]] == [url.rpartition("/")[2]]
    assert found["games"] == []
    assert robbie.key not in str(found)
