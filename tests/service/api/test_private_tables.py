"""Private tables: their viewers, invitations, hosts, drawn seats."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import chance_key, draw, shuffle_sizes, shuffled
from rules.kernel.proof.verify import verify
from rules.kernel.record.batch import RefusedError
from service import ids
from service.games import guests
from service.ledger.ledger import Ledger
from service.redis.format import FORMAT_KEY, LEVELS, NEWEST
from service.runtime import Runtime
from tests.running import copies
from tests.service.api.people import House, Json, Person, data, play_on, problem
from tests.service.api.test_stream import streaming
from workers.turns import Turns

PRIVATE = {"visibility": "private", "title": "Tea  at five", "tags": ["casual"]}


def opened(host: Person, seats: int = 2, ruleset: str = "sealed", **table: Any) -> str:
    holders = [{"holder": "me"}, *({"holder": "open"} for _ in range(seats - 1))]
    asked = {"ruleset": ruleset, "seats": holders, "table": {**PRIVATE, **table}}
    answer = host.post("/v1/games", asked)
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


def invited(host: Person, url: str, **asked: Any) -> Json:
    return data(host.post(f"{url}/invitations", asked))


def sits(person: Person, url: str, seat: int, token: str | None = None) -> Any:
    return person.put(f"{url}/seats/{seat}", {} if token is None else {"invitation": token})


def without(answer: Any, game_id: str) -> tuple[int, str]:
    text = answer.text.replace(game_id, "GAME")
    return answer.status_code, re.sub(r'"request_id":"[^"]*"', "", text)


def test_a_private_table_is_in_the_lists_of_its_own_people_alone(house: House) -> None:
    ana, bob, eve = house.player("Ana"), house.player("Bob"), house.player("Eve")
    url = opened(ana)
    token = invited(ana, url)["token"]
    assert data(sits(bob, url, 1, token))["status"] == "running"
    play_on(url, [ana, bob])
    assert data(ana.get(url))["status"] == "ended"
    for path in ("", "/state", "/events", "/log", "/head"):
        assert ana.get(url + path).status_code == bob.get(url + path).status_code == 200
    for person, query in ((eve, ""), (house.visitor, ""), (eve, f"&player={ana.id}")):
        for status in ("lobby", "running", "ended"):
            assert data(person.get(f"/v1/games?status={status}{query}"))["games"] == []
    assert data(eve.get("/v1/games?tag=casual"))["games"] == []
    (own,) = data(bob.get("/v1/games?player=me&status=ended"))["games"]
    game_id = url.rpartition("/")[2]
    assert (own["id"], own["title"], own["visibility"]) == (game_id, "Tea at five", "private")


def test_a_ticket_opens_a_private_table_to_whom_it_is_there_for(house: House) -> None:
    house.app.extensions["lonja"].hub.heartbeat = 0.1
    ana, eve = house.player("Ana"), house.player("Eve")
    url = opened(ana)
    tickets = [data(person.post("/v1/stream_tickets"))["ticket"] for person in (ana, eve)]
    query = "seat=0&include=state,legal_moves&ticket="
    with streaming(house.visitor, f"{url}/stream?{query}{tickets[0]}") as stream:
        assert stream.event()["state"]["seat"] == 0
    for asked in ("ticket=", "include=state&ticket="):
        problem(house.visitor.get(f"{url}/stream?{asked}{tickets[1]}"), 404, "unknown_game")


def test_a_guest_who_has_not_sat_down_follows_until_the_invitation_opens_nothing_more(
    house: House,
) -> None:
    house.app.extensions["lonja"].hub.heartbeat = 0.1
    ana, bob, cleo = house.player("Ana"), house.player("Bob"), house.player("Cleo")
    url = opened(ana)
    told = invited(ana, url)
    header = {"Invitation": told["token"]}
    for guest in (house.visitor, bob):
        with streaming(guest, f"{url}/stream?include=words", **header) as stream:
            assert stream.event()["kind"] == "created"
    with streaming(cleo, f"{url}/stream", **header) as stream:
        assert stream.event()["kind"] == "created"
        assert ana.delete(f"{url}/invitations/{told['id']}").status_code == 200
        for _comment in iter(stream.message, None):
            pass  # until the game ends


def test_what_is_asked_besides_opens_no_private_table(house: House) -> None:
    ana, eve = house.player("Ana"), house.player("Eve")
    url = opened(ana)
    for path in ("legal_moves?seat=0&group=true", "events?include=state,words", "events?last=1"):
        answer = eve.get(f"{url}/{path}")
        assert answer.status_code in {404, 422}, path
        nowhere = eve.get(f"/v1/games/g07-mfrggzdfmztwq2lknnwg/{path}")
        assert without(answer, url.rpartition("/")[2]) == without(
            nowhere, "g07-mfrggzdfmztwq2lknnwg"
        )


def test_a_token_opens_reading_and_sitting_and_is_told_once(house: House, runtime: Runtime) -> None:
    ana, bob, eve = house.player("Ana"), house.player("Bob"), house.player("Eve")
    url = opened(ana, 3)
    made = invited(ana, url, seat=2)
    token = made["token"]
    shown = {**made, "token": None}
    (listed,) = data(ana.get(url))["table"]["invitations"]
    assert listed == {name: value for name, value in shown.items() if name != "token"}
    secret = token.partition(".")[2].encode()
    assert all(secret not in (runtime.redis.dump(key) or b"") for key in runtime.redis.scan_iter())
    for reader in (eve, house.visitor):
        assert data(reader.get(url, Invitation=token))["table"]["invitations"] == []
        problem(reader.get(url, Invitation=token[:-1] + "?"), 404, "unknown_game")
        problem(reader.get(url), 404, "unknown_game")
    problem(sits(bob, url, 1, token), 403, "invitation_refused")
    assert data(sits(bob, url, 2, token))["seats"][2]["player"] == bob.id
    assert data(sits(bob, url, 2, token))["seats"][2]["player"] == bob.id, "again, nothing"
    problem(sits(eve, url, 1, token), 403, "invitation_refused")
    problem(eve.get(url, Invitation=token), 404, "unknown_game")
    assert data(ana.get(url))["table"]["invitations"][0]["used"] == 1


def test_an_invitation_is_made_once_for_a_key_and_can_be_revoked(house: House) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = opened(ana, 3)
    first = ana.post(f"{url}/invitations", {"uses": 5}, Idempotency_Key="k")
    again = problem(
        ana.post(f"{url}/invitations", {"uses": 5}, Idempotency_Key="k"), 409, "already_answered"
    )
    made = data(first)
    assert again["id"] == made["id"]
    data(sits(bob, url, 1, made["token"]))
    assert bob.delete(f"{url}/seats/1").status_code == 200
    assert bob.get(url).status_code == 200, "a guest still"
    problem(bob.delete(f"{url}/invitations/{made['id']}"), 403, "not_your_table")
    left = data(ana.delete(f"{url}/invitations/{made['id']}"))
    assert left["table"]["invitations"] == []
    problem(bob.get(url), 404, "unknown_game")
    problem(sits(bob, url, 1, made["token"]), 404, "unknown_game")
    problem(ana.post(f"{url}/invitations", {"seat": 3}), 404, "unknown_seat")
    problem(ana.post(f"{url}/invitations", {"uses": 0}), 422, "invalid_body")


def test_whom_the_host_sends_away_comes_back_by_an_invitation_alone(house: House) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    url = opened(ana, 3, visibility="public")
    old = invited(ana, url, uses=9)["token"]
    assert sits(bob, url, 1, old).status_code == 200
    problem(bob.delete(f"{url}/seats/0"), 403, "not_your_seat")
    assert data(ana.delete(f"{url}/seats/1"))["seats"][1]["holder"] == "open"
    problem(sits(bob, url, 1), 403, "removed_by_host")
    problem(sits(bob, url, 1, old), 403, "invitation_refused")
    token = invited(ana, url)["token"]
    assert sits(bob, url, 1, token).status_code == 200


def test_a_table_is_handed_over_and_its_record_is_proved(house: House, runtime: Runtime) -> None:
    ana, bob, eve = house.player("Ana"), house.player("Bob"), house.player("Eve")
    url = opened(ana, 3)
    assert sits(bob, url, 1, invited(ana, url)["token"]).status_code == 200
    problem(bob.put(f"{url}/host", {"seat": 1}), 403, "not_your_table")
    problem(bob.put(f"{url}/host", {"seat": 0}), 403, "not_your_table")
    problem(ana.put(f"{url}/host", {"seat": 2}), 409, "no_player_there")
    problem(ana.put(f"{url}/host", {"seat": 9}), 404, "unknown_seat")
    for _ in range(2):
        assert data(ana.put(f"{url}/host", {"seat": 1}))["table"]["host"] == bob.id
    assert data(bob.put(f"{url}/host", {"seat": 1}))["table"]["host"] == bob.id
    problem(
        eve.put(f"{url}/host", {"seat": 1}, Invitation=invited(bob, url)["token"]),
        403,
        "not_your_table",
    )
    problem(ana.post(f"{url}/invitations", {}), 403, "not_your_table")
    problem(ana.delete(url), 403, "not_your_table")
    assert data(bob.delete(f"{url}/seats/0"))["seats"][0]["holder"] == "open"
    problem(ana.get(url), 404, "unknown_game")
    assert data(ana.get("/v1/games?player=me"))["games"] == []
    assert len(data(bob.get("/v1/games?player=me"))["games"]) == 1
    assert data(bob.put(f"{url}/seats/0", {"holder": "bot", "bot": "random"}))["status"] == "lobby"
    token = invited(bob, url, seat=2)["token"]
    assert data(sits(eve, url, 2, token))["status"] == "running"
    finish(runtime, url, {1: bob, 2: eve})
    proves(runtime, url)


@pytest.mark.parametrize("_again", range(3))
def test_of_many_at_once_one_hands_a_table_over(house: House, _again: int) -> None:
    ana, *others = [house.player(f"P{n}") for n in range(4)]
    url = opened(ana, 4, visibility="public")
    for seat, person in enumerate(others[:2], 1):
        assert sits(person, url, seat).status_code == 200
    asked = [{"seat": 1 + n % 2} for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = [*pool.map(partial(ana.put, f"{url}/host"), asked)]
    host = data(ana.get(url))["table"]["host"]
    given = {asked[n]["seat"] for n, answer in enumerate(answers) if answer.status_code == 200}
    assert [others[seat - 1].id for seat in given] == [host], [a.text for a in answers]
    for answer in answers:
        if answer.status_code != 200:
            problem(answer, 403, "not_your_table")


@pytest.mark.parametrize("_again", range(3))
def test_many_at_once_make_no_more_invitations_than_there_may_be(
    house: House, _again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "INVITATIONS_PER_TABLE", 3)
    ana = house.player("Ana")
    url = opened(ana)
    asked = [{"uses": n} for n in range(1, 9)]
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(partial(ana.post, f"{url}/invitations"), asked)]
    made = sorted(answer.status_code for answer in answers)
    assert made == [201] * 3 + [409] * 5, [answer.text for answer in answers]
    assert len(data(ana.get(url))["table"]["invitations"]) == 3


def test_nobody_becomes_a_guest_of_a_game_that_has_just_begun(
    house: House, runtime: Runtime
) -> None:
    ana, bob, eve = house.player("Ana"), house.player("Bob"), house.player("Eve")
    url = opened(ana)
    token = invited(ana, url, uses=5)["token"]
    game_id = url.rpartition("/")[2]
    lobby = runtime.ledger.table(game_id).game  # the state that a slightly late request has read
    assert data(sits(bob, url, 1, token))["status"] == "running"
    with pytest.raises(RefusedError, match="not in the lobby"):
        runtime.tables.guests.enter(lobby, eve.id, token)
    problem(eve.get(url), 404, "unknown_game")


def test_nobody_can_compute_the_id_of_what_somebody_made(house: House, runtime: Runtime) -> None:
    """Nor the id of a rematch, because the id gives access to an unlisted table."""
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}]
    body = {"ruleset": "sealed", "seats": seats, "table": {"visibility": "unlisted"}}
    made = ana.post("/v1/games", body, Idempotency_Key="1").headers["Location"]
    assert not made.endswith(ids.game_id_for(ana.id, "1"))
    assert ana.post("/v1/games", body, Idempotency_Key="1").headers["Location"] == made
    data(bob.put(f"{made}/seats/1"))
    finish(runtime, made, {0: ana, 1: bob})
    game_id = made.rpartition("/")[2]
    again = data(ana.post(f"{made}/rematch"))["id"]
    assert again != ids.rematch_id(game_id, 0)
    assert data(bob.post(f"{made}/rematch"))["id"] == again
    entries = [{"bot": "random"}, {"bot": "random"}]
    cup = {"ruleset": "sealed", "seats": 2, "entries": entries}
    asked = {**cup, "format": {"type": "round_robin", "games": 2}}
    held = data(ana.post("/v1/tournaments", asked, Idempotency_Key="2"))["id"]
    assert held != ids.tournament_id_for(ana.id, "2")


def test_what_an_older_release_made_keeps_its_id(house: House, runtime: Runtime) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    seats = [{"holder": "me"}, {"holder": "open"}]
    body = {"ruleset": "sealed", "seats": seats}
    runtime.redis.set(FORMAT_KEY, LEVELS[0])  # as long as an older release may use the store
    made = ana.post("/v1/games", body, Idempotency_Key="1").headers["Location"]
    assert made.endswith(ids.game_id_for(ana.id, "1"))
    runtime.redis.set(FORMAT_KEY, NEWEST)
    again = ana.post("/v1/games", body, Idempotency_Key="1")
    assert (again.headers["Location"], again.headers["Idempotent-Replayed"]) == (made, "true")
    data(bob.put(f"{made}/seats/1"))
    finish(runtime, made, {0: ana, 1: bob})
    old = ids.rematch_id(made.rpartition("/")[2], 0)
    runtime.tables.create(ana.id, "sealed", {}, [None, {"player": bob.id}], new_id=old)
    assert data(ana.post(f"{made}/rematch"))["id"] == old


def test_seats_are_drawn_by_the_games_own_chance(house: House, runtime: Runtime) -> None:
    """Everybody can check the drawing when the seed is revealed; the record is proved as usual."""
    orders = set()
    for _ in range(20):
        people = [house.player(name) for name in ("Ana", "Bob", "Eve")]
        url = opened(people[0], 3, visibility="unlisted", seating="random")
        for seat, person in enumerate(people[1:], 1):
            answer = sits(person, url, seat)
            assert answer.status_code == 200, answer.text
            assert sits(person, url, seat).status_code == 200, "sitting again changes nothing"
        game_id = url.rpartition("/")[2]
        game, secrets = runtime.ledger.table(game_id)[:2]
        assert game.status == "running"
        holders = [held.holder for held in game.seats if held.holder]
        key = chance_key(secrets.chance_seed, game.scope, [None] * 3)
        picks = draw(key, "lonja:seating", 1, shuffle_sizes(3))
        assert holders == shuffled(sorted(holders, key=encode), picks)
        by_id = {person.id: person for person in people}
        seated = [by_id[holder["player"]] for holder in holders]
        orders.add(tuple(people.index(person) for person in seated))
        finish(runtime, url, dict(enumerate(seated)))
        proves(runtime, url)
        if len(orders) > 1:
            break
    assert len(orders) > 1


def test_a_rematch_is_one_table_for_all_who_ask(house: House, runtime: Runtime) -> None:
    ana, bob, eve = house.player("Ana"), house.player("Bob"), house.player("Eve")
    holders = [{"holder": "me"}, {"holder": "bot", "bot": "random"}, {"holder": "open"}]
    asked = {"ruleset": "sealed", "seats": holders, "table": PRIVATE, "options": {"rounds": 2}}
    url = ana.post("/v1/games", asked).headers["Location"]
    assert sits(bob, url, 2, invited(ana, url)["token"]).status_code == 200
    problem(ana.post(f"{url}/rematch"), 409, "not_ended")
    finish(runtime, url, {0: ana, 2: bob})
    problem(eve.post(f"{url}/rematch"), 404, "unknown_game")
    first = data(bob.post(f"{url}/rematch"))
    assert first["id"] == data(bob.post(f"{url}/rematch"))["id"]
    assert [seat.get("player", seat.get("bot", "open")) for seat in first["seats"]] == [
        bob.id, "open", "random",
    ]  # fmt: skip
    assert first["table"]["reserved"] == [bob.id, ana.id, None]
    assert first["table"]["rematch_of"] == url.rpartition("/")[2]
    assert first["options"] == {"rounds": 2}
    new = f"/v1/games/{first['id']}"
    problem(eve.get(new), 404, "unknown_game")
    assert ana.get(new).status_code == 200, "a seat is kept for her"
    both = data(ana.post(f"{url}/rematch"))
    assert (both["id"], both["status"]) == (first["id"], "running")
    assert data(ana.get(url))["table"]["rematch"] == first["id"]


def test_all_who_want_a_rematch_at_once_get_the_same(house: House, runtime: Runtime) -> None:
    people = [house.player(name) for name in ("Ana", "Bob", "Eve")]
    url = house.table(*people, table={"seating": "random"})
    seats = [seat["player"] for seat in data(people[0].get(url))["seats"]]
    finish(runtime, url, {seats.index(person.id): person for person in people})
    with ThreadPoolExecutor(3) as pool:
        answers = [*pool.map(lambda person: person.post(f"{url}/rematch"), people * 2)]
    assert {answer.status_code for answer in answers} <= {201, 503}, [a.text for a in answers]
    (last, *_) = reversed([data(person.post(f"{url}/rematch")) for person in people])
    assert {answer.json["id"] for answer in answers if answer.status_code == 201} == {last["id"]}
    assert last["status"] == "running"
    assert sorted(seat["player"] for seat in last["seats"]) == sorted(seats)


def test_a_seat_is_left_for_each_who_has_not_asked_yet(house: House, runtime: Runtime) -> None:
    people = [house.player(name) for name in ("Ana", "Bob", "Eve")]
    ana, bob, eve = people
    url = house.table(*people, table={"seating": "random"})
    seats = [seat["player"] for seat in data(ana.get(url))["seats"]]
    finish(runtime, url, {seats.index(person.id): person for person in people})
    data(ana.post(f"{url}/rematch"))
    both = data(bob.post(f"{url}/rematch"))
    (last,) = [n for n, seat in enumerate(both["seats"]) if seat["holder"] == "open"]
    problem(bob.put(f"/v1/games/{both['id']}/seats/{last}"), 409, "seat_reserved")
    assert data(eve.post(f"{url}/rematch"))["status"] == "running"


@pytest.mark.parametrize("number", range(4))
def test_nobody_gets_a_second_seat_who_asks_while_seats_are_drawn(
    number: int, house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [house.player(f"{name} {number}") for name in ("Ana", "Bob", "Eve")]
    ana, bob, eve = people
    url = house.table(*people, table={"seating": "random"})
    seats = [seat["player"] for seat in data(ana.get(url))["seats"]]
    finish(runtime, url, {seats.index(person.id): person for person in people})
    data(ana.post(f"{url}/rematch"))
    data(bob.post(f"{url}/rematch"))
    make_room = Ledger.change_in_turn
    asked: list[Person] = []

    def and_others_ask_again(ledger: Ledger, game_id: str, acts: Any) -> None:
        make_room(ledger, game_id, acts)
        if not asked:
            asked.extend([ana, bob])
            for person in (ana, bob):
                assert data(person.post(f"{url}/rematch"))["status"] == "lobby"

    monkeypatch.setattr(Ledger, "change_in_turn", and_others_ask_again)
    new = data(eve.post(f"{url}/rematch"))
    assert new["status"] == "running"
    assert sorted(seat["player"] for seat in new["seats"]) == sorted(seats)


def proves(runtime: Runtime, url: str) -> None:
    game_id = url.rpartition("/")[2]
    report = verify(game_id, copies(runtime, game_id), runtime.registry)
    assert report.ok, report.to_json()


def finish(runtime: Runtime, url: str, people: dict[int, Person]) -> None:
    """End a game: all players resign, and bots and default moves do the rest."""
    for seat, person in people.items():
        assert person.post(f"{url}/resignations", {"seat": seat}).status_code == 201
    turns = Turns(runtime)
    while turns.play(url.rpartition("/")[2]):
        pass
