"""A key for one seat: it reads and moves as this seat until the game is over, and nothing else."""

import pytest
from werkzeug.test import TestResponse

from service.live import streams
from service.live.frames import INCLUDED
from service.players import keys as limits
from service.runtime import Runtime
from tests.service.api.people import House, Json, Person, data, play_on, problem, seat_key
from tests.service.api.stored import stored
from tests.service.api.test_stream import streaming

KEYS = "/v1/players/me/keys"
ALL = ",".join(INCLUDED)
LOOKS = (
    "", "/head", "/state?seat={seat}", "/state?seat={seat}&at=3", "/legal_moves?seat={seat}",
    "/refusal?element=place:x&seat={seat}",
    f"/events?seat={{seat}}&include={ALL}", "/events?seat={seat}&format=ndjson",
    "/log?seat={seat}", "/record?seat={seat}",
)  # fmt: skip


def bound(house: House, of: Person, url: str, seat: int = 0) -> Person:
    key = seat_key(of, url, seat)
    return Person(house, {"Authorization": f"Bearer {key}"}, of.id, key)


def told(answer: TestResponse) -> tuple[int, bytes, str | None]:
    return answer.status_code, answer.data, answer.headers.get("ETag")


def test_it_sees_what_its_seat_sees_to_the_byte(house: House) -> None:
    """Its player also holds another seat and hosts the table, which the key does not reveal."""
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}, {"holder": "me"}]
    opened = {"ruleset": "sealed", "seats": seats, "table": {"visibility": "private"}}
    url = ana.post("/v1/games", opened).headers["Location"]
    token = data(ana.post(f"{url}/invitations", {"uses": 2}))["token"]
    data(bob.put(f"{url}/seats/1", {"invitation": token}))
    for seat, who in ((0, ana), (1, bob)):
        data(who.move(url, seat))
    page, other = bound(house, ana, url), bound(house, ana, url, 2)
    for path in LOOKS:
        own = told(ana.get(f"{url}{path.format(seat=0)}"))
        seen = told(page.get(f"{url}{path.format(seat=0)}"))
        if path:
            assert seen == own, path
        if "{seat}" not in path:
            continue
        by_default = told(page.get(f"{url}{path.replace('seat={seat}', '')}"))
        assert by_default == own, path
        assert told(other.get(f"{url}{path.format(seat=2)}")) != own, path
        for seat in (1, 2):
            problem(page.get(f"{url}{path.format(seat=seat)}"), 403, "not_your_seat")
    game, shown = data(ana.get(url)), data(page.get(url))
    assert game["table"].pop("invitations")
    assert not shown["table"].pop("invitations", [])
    assert shown == game == {**data(bob.get(url)), "table": game["table"]}
    assert told(page.get(f"{url}/state?seat=spectator"))[1] != told(page.get(f"{url}/state"))[1]
    own_key = data(page.get("/v1/players/me"))["key"]
    assert (own_key["game_id"], own_key["seat"]) == (url.rpartition("/")[2], 0)


def test_it_plays_to_the_end_of_the_game_and_no_further(house: House) -> None:
    people = [house.player("Ana"), house.player("Bob")]
    url = house.table(*people)
    pages = [bound(house, who, url, seat) for seat, who in enumerate(people)]
    last: Json = {}
    once, answer = "", pages[0].get(url)
    while decisions := data(people[0].get(url))["decisions"]:
        seat = decisions[0]["seat"]
        listed = pages[seat].legal(url, seat)
        last = {"seat": seat, "move": listed["moves"][0], "expected_version": listed["version"]}
        other = {**last, "seat": 1 - seat}
        for path in ("moves", "preview"):
            problem(pages[seat].post(f"{url}/{path}", other), 403, "not_your_seat")
        data(pages[seat].post(f"{url}/preview", last))
        once = f"{seat}-{listed['version']}"
        answer = pages[seat].post(f"{url}/moves", last, Idempotency_Key=once)
        assert data(answer)["receipt"]["idempotency_key"] == once
    again = pages[last["seat"]].post(f"{url}/moves", last, Idempotency_Key=once)
    assert (again.status_code, again.data) == (201, answer.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    for path in (url, f"{url}/state", "/v1/players/me", f"{url}/stream"):
        over = pages[0].get(path)
        problem(over, 401, "seat_key_over")
        assert over.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    problem(pages[last["seat"]].post(f"{url}/moves", last), 401, "seat_key_over")
    problem(people[0].post(f"{url}/seats/0/keys", {"name": "late"}), 409, "game_over")


def test_it_ends_with_the_seat_and_its_stream_with_it(house: House) -> None:
    people = [house.player(), house.player(), house.player()]
    url = house.table(*people)
    page = bound(house, people[0], url)
    after = data(page.get(url))["version"]
    ticket = data(page.post("/v1/stream_tickets"))["ticket"]
    with (
        streaming(page, f"{url}/stream?after={after}") as own,
        streaming(house.visitor, f"{url}/stream?after={after}&ticket={ticket}") as lent,
        streaming(people[0], f"{url}/stream?after={after}") as seated,
    ):
        for stream in (own, lent, seated):
            stream.message()
        data(people[0].post(f"{url}/resignations", {"seat": 0}))
        for stream in (own, lent):
            assert stream.event()["kind"] == "resigned"
            while "event: revoked" not in (message := stream.message()):
                assert message.startswith("id:")
            with pytest.raises(StopIteration):
                stream.message()
        assert seated.event()["kind"] == "resigned"
    problem(page.get(f"{url}/state"), 401, "seat_key_over")
    assert people[0].get(f"{url}/state?seat=0").status_code == 200
    problem(people[0].post(f"{url}/seats/0/keys", {"name": "late"}), 409, "seat_resigned")


def test_its_stream_ends_after_the_event_that_ends_it_however_far_behind_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else shows a seat of a private game its last events."""
    people = [house.player(), house.player(), house.player()]
    url = house.table(*people)
    page = bound(house, people[0], url)
    monkeypatch.setattr(streams, "_LARGE_PAGE", 3)
    play_on(url, people, at_most=4)
    with streaming(page, f"{url}/stream?include=state") as own:
        resigned = data(people[0].post(f"{url}/resignations", {"seat": 0}))["version"]
        seen = [own.event() for _ in range(resigned)]
        assert [event["seq"] for event in seen] == [*range(1, resigned + 1)]
        assert resigned > 3 * streams._LARGE_PAGE


def test_it_is_listed_rotated_and_revoked_with_the_keys_of_the_account(
    house: House, runtime: Runtime
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    made = data(ana.post(f"{url}/seats/0/keys", {"name": "my page", "days": 7}))
    text = made.pop("key")
    page = Person(house, {"Authorization": f"Bearer {text}"})
    data(page.get(f"{url}/state"))
    _first, listed = data(ana.get(KEYS))["keys"]
    assert {
        **made, "last_used_on": made["created_at"][:10], "last_refused_at": None
    } == listed  # fmt: skip
    assert data(ana.get("/v1/players/me/export"))["keys"][1] == listed
    for name, value in stored(runtime.redis):
        assert text not in value, name
    rotated = data(ana.post(f"{KEYS}/{made['id']}/rotate"))
    problem(page.get(f"{url}/state"), 401, "unknown_key")
    page = Person(house, {"Authorization": f"Bearer {rotated.pop('key')}"})
    assert {name: rotated[name] for name in ("id", "game_id", "seat")} == {
        name: made[name] for name in ("id", "game_id", "seat")
    }
    with streaming(page, f"{url}/stream?after={data(page.get(url))['version']}") as stream:
        stream.message()
        assert ana.delete(f"{KEYS}/{made['id']}").status_code == 204
        house.app.extensions["lonja"].invalidations.look_again()  # as the process does regularly
        assert "event: revoked" in stream.message()
    problem(page.get(f"{url}/state"), 401, "unknown_key")
    last = bound(house, ana, url)
    left = ana.delete("/v1/players/me", {"id": ana.id, "resign": True})
    assert left.status_code == 204
    problem(last.get(f"{url}/state"), 401, "unknown_key")
    assert "my page" not in repr(stored(runtime.redis))


def test_a_seat_has_few_and_what_is_over_makes_room(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    monkeypatch.setattr(limits, "MAX_KEYS_OF_A_SEAT", 3)
    monkeypatch.setattr(limits, "MAX_SEAT_KEYS", 4)
    made = [data(ana.post(f"{url}/seats/0/keys", {"name": "page"})) for _ in range(3)]
    refused = ana.post(f"{url}/seats/0/keys", {"name": "page"})
    assert problem(refused, 409, "too_many_keys")["limit"] == 3
    assert ana.delete(f"{KEYS}/{made[0]['id']}").status_code == 204
    seat_key(ana, url, 0)
    other = house.table(ana, bob)
    seat_key(ana, other, 0)
    refused = ana.post(f"{other}/seats/0/keys", {"name": "page"})
    assert problem(refused, 409, "too_many_keys")["limit"] == 4
    for _ in range(limits.MAX_KEYS - 1):
        data(ana.post(KEYS, {"name": "bot", "scope": "read"}))  # counted separately
    problem(ana.post(KEYS, {"name": "bot", "scope": "read"}), 409, "too_many_keys")
    play_on(url, [ana, bob])
    seat_key(ana, other, 0)
    seats = [key["seat"] for key in data(ana.get(KEYS))["keys"] if key["scope"] == "seat"]
    assert seats == [0, 0]


def test_it_is_made_for_a_seat_that_one_plays(house: House) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    form = {"name": "page"}
    problem(ana.post(f"{url}/seats/0/keys", form), 409, "not_running")
    data(bob.put(f"{url}/seats/1"))
    problem(ana.post(f"{url}/seats/1/keys", form), 403, "not_your_seat")
    problem(ana.post(f"{url}/seats/2/keys", form), 404, "unknown_seat")
    problem(ana.post(f"{url}/seats/0/keys", {"name": "page", "days": 0}), 422, "invalid_body")
    problem(ana.post(f"{url}/seats/0/keys", {"name": "page", "scope": "full"}), 422, "invalid_body")
    problem(ana.post(KEYS, {"name": "page", "scope": "seat"}), 422, "invalid_body")
    narrow = data(ana.post(KEYS, {"name": "bot", "scope": "host"}))["key"]
    bot = Person(house, {"Authorization": f"Bearer {narrow}"})
    problem(bot.post(f"{url}/seats/0/keys", form), 403, "insufficient_scope")


def test_whoever_has_it_uses_up_no_idempotency_key_of_the_player(house: House) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    page = bound(house, ana, url)
    first = page.post("/v1/stream_tickets", Idempotency_Key="1")
    assert data(first) != data(ana.post("/v1/stream_tickets", Idempotency_Key="1"))
    problem(page.post("/v1/stream_tickets", Idempotency_Key="1"), 409, "already_answered")


def test_a_page_of_another_origin_may_send_it(house: House) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = house.table(ana, bob)
    page = bound(house, ana, url)
    there = {"Origin": "https://blog.example"}
    asked = {
        **there,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    preflight = house.client.options(f"{url}/moves", headers=asked)
    assert preflight.status_code == 200
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    allowed = preflight.headers["Access-Control-Allow-Headers"].lower()
    assert {"authorization", "content-type", "idempotency-key"} <= set(allowed.split(", "))
    for answer in (page.get(f"{url}/state", **there), page.get(KEYS, **there)):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
