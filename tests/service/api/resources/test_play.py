"""Whole games over HTTP by clients that know no rules, and the answer to each step."""

import pytest

from rules.kernel.canonical import digest, encode
from service.records.receipts import is_genuine
from tests.service.api.people import House, Json, asked, data, play_on, problem


@pytest.mark.parametrize("ruleset", ["santiago_de_cuba", "sealed"])
def test_a_whole_game_by_clients_that_know_no_rule(house: House, ruleset: str) -> None:
    people = [house.player("Ana"), house.player("Bob")]
    url = house.table(*people, ruleset=ruleset)
    assert play_on(url, people) > 5
    game = data(people[0].get(url))
    assert game["status"] == "ended"
    assert {row["side"] for row in game["result"]["standings"]} >= {"seat:0", "seat:1"}
    assert game["decisions"] == []


def test_a_client_may_say_null_where_a_move_takes_nothing(house: House) -> None:
    """Generated clients do so, because they send all fields of all uses of a building."""
    people = [house.player("Ana"), house.player("Bob")]
    url = house.table(*people, ruleset="santiago_de_cuba")
    while True:
        (seat,) = asked(url, people[0])
        moves = people[seat].legal(url, seat)["moves"]
        uses = [move for move in moves if move["type"] == "use_building" and "citizen" not in move]
        if uses:
            break
        people[seat].move(url, seat)
    answer = people[seat].move(url, seat, {**uses[0], "citizen": None})
    assert answer.status_code == 201, answer.text


def test_words_come_in_the_language_that_the_query_names(house: House) -> None:
    """In lists and in answers to changes; the query takes precedence over the header."""
    ana = house.player("Ana")
    url = house.table(ana, house.player("Bob"), ruleset="ragusa")
    for path in ("/v1/rulesets", "/v1/rulesets/ragusa", url):
        en, es = (data(ana.get(path, Accept_Language=lang)) for lang in ("en", "es"))
        assert data(ana.get(f"{path}?lang=es", Accept_Language="en")) == es != en, path
        (error,) = problem(ana.get(f"{path}?lang=de"), 422, "invalid_query")["errors"]
        assert (error["field"], error["value"]) == ("lang", "de")
        (error,) = problem(ana.get(f"{path}?langs=es"), 422, "invalid_query")["errors"]
        assert error["field"] == "langs"
    version = data(ana.get(url))["version"]
    move = ana.legal(url, 0)["moves"][0]
    body = {"seat": 0, "expected_version": version}
    wrong = ana.post(f"{url}/moves?lang=es", {**body, "move": {**move, "type": "fly"}})
    played = data(ana.post(f"{url}/moves?lang=es", {**body, "move": move}))
    log = data(ana.get(f"{url}/log?after={version}&lang=es"))["effects"]
    assert played["effects"] == log
    label = problem(wrong, 422, "illegal_move")["label"]
    assert label == "No existe esa jugada."
    over = data(ana.post(f"{url}/resignations?lang=es", {"seat": 0}, Accept_Language="en"))
    again = data(ana.get(f"{url}?lang=es"))
    assert over["decisions"] == again["decisions"] != data(ana.get(url))["decisions"]


def test_the_document_of_a_new_game(house: House) -> None:
    ana = house.player("Ana")
    seats = [{"holder": "me"}, {"holder": "open"}, {"holder": "bot", "bot": "greedy"}]
    body = {
        "ruleset": "santiago_de_cuba",
        "options": {"turn_limit": 12},
        "seats": seats,
        "clock": {"decision_seconds": 60},
    }
    opened = ana.post("/v1/games", body)
    game = data(opened)
    assert opened.status_code == 201
    assert opened.headers["Location"] == f"/v1/games/{game['id']}"
    assert (game["status"], game["options"]["turn_limit"]) == ("lobby", 12)
    assert [seat["holder"] for seat in game["seats"]] == ["player", "open", "bot"]
    assert game["seats"][0]["name"] == "Ana"
    assert (game["seats"][2]["bot"], game["seats"][2]["version"]) == ("greedy", "2")
    receipt = game.pop("receipt")
    assert (receipt["seq"], receipt["hash"]) == (game["version"], game["head"])
    assert data(house.visitor.get(f"/v1/games/{game['id']}")) == game


def test_decisions_have_ids_words_and_deadlines(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people, clock={"decision_seconds": 90})
    (decision,) = data(people[0].get(f"{url}/state", Accept_Language="es"))["decisions"]
    assert decision["name"] == "store"
    assert decision["label"] == "Guarda la carta o ponla bajo el mazo"
    assert decision["asked_at"] < decision["deadline"]
    assert 1 < decision["id"] <= data(people[0].get(url))["version"]


def test_a_move_answers_receipt_events_effects_and_view(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    listed = people[0].legal(url, 0)
    head = data(people[0].get(f"{url}/head"))
    body = {
        "seat": 0,
        "move": listed["moves"][1],
        "expected_version": listed["version"],
        "expected_head": head["hash"],
    }
    answered = people[0].post(f"{url}/moves", body, Idempotency_Key="first")
    moved = data(answered)
    assert answered.status_code == 201
    assert [event["seq"] for event in moved["events"]] == [listed["version"] + 1]
    assert moved["events"][0]["body"]["client"] == {"expected_head": head["hash"]}
    assert moved["version"] == moved["receipt"]["seq"] == listed["version"] + 1
    assert moved["receipt"]["hash"] == moved["events"][-1]["hash"]
    request = {
        "kind": "move", "seat": 0, "move": body["move"], "expected_head": head["hash"],
        "idempotency_key": "first",
    }  # fmt: skip
    assert moved["receipt"]["request"] == digest(encode(request)).hex()
    (key,) = data(house.visitor.get("/v1/signing_keys"))["keys"]
    assert is_genuine(moved["receipt"], bytes.fromhex(key["public_key"]))
    assert moved["effects"][0]["text"] == "Seat 0 lays the card under the pile: yes"
    seen = data(people[0].get(f"{url}/state"))
    assert (seen["state"], seen["decisions"]) == (moved["state"], moved["decisions"])


def test_a_repeated_move_gets_the_same_answer(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    body = {
        "seat": 0,
        "move": people[0].legal(url, 0)["moves"][0],
        "expected_version": data(people[0].get(url))["version"],
    }
    first = people[0].post(f"{url}/moves", body, Idempotency_Key="k")
    for seat in (0, 1):
        assert people[seat].move(url, seat).status_code == 201
    again = people[0].post(f"{url}/moves", body, Idempotency_Key="k")
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.data) == (201, first.data)


def test_a_repeated_creation_gets_the_same_game(house: House) -> None:
    ana, bob = house.player(), house.player()
    body = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
    first = ana.post("/v1/games", body, Idempotency_Key="k")
    bob.put(f"{first.headers['Location']}/seats/1")
    again = ana.post("/v1/games", body, Idempotency_Key="k")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    others = bob.post("/v1/games", body, Idempotency_Key="k")
    assert data(others)["id"] != data(first)["id"], "keys are the caller's own"


def test_sealed_bids_do_not_make_each_other_stale(house: House) -> None:
    people = [house.player(), house.player(), house.player()]
    url = house.table(*people)
    assert people[0].move(url, 0).status_code == 201
    version = data(people[0].get(url))["version"]
    for seat in (2, 0, 1):
        body = {
            "seat": seat,
            "move": {"type": "bid", "amount": seat},
            "expected_version": version,
        }
        assert people[seat].post(f"{url}/moves", body).status_code == 201


def test_a_stale_move_is_told_what_it_missed(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    before = data(people[0].get(url))["version"]
    store = people[0].legal(url, 0)["moves"][0]
    for seat in (0, 0, 1):
        assert people[seat].move(url, seat).status_code == 201
    body = {"seat": 0, "move": store, "expected_version": before}
    told = problem(people[0].post(f"{url}/moves", body), 409, "stale_version")
    assert told["version"] == data(people[0].get(url))["version"]
    assert [event["seq"] for event in told["events"]] == [*range(before + 1, told["version"] + 1)]
    future = {**body, "expected_version": told["version"] + 5}
    problem(people[0].post(f"{url}/moves", future), 409, "stale_version")


def test_legal_moves_are_empty_for_a_seat_that_is_not_asked(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    assert people[1].legal(url, 1)["moves"] == []
    listed = data(people[0].get(f"{url}/legal_moves", Accept_Language="es"))
    assert len(listed["labels"]) == len(listed["moves"]) == 2
    assert listed["labels"][1] != people[0].legal(url, 0)["labels"][1]


def test_time_travel_and_the_eyes_of_others_once_it_is_over(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    problem(people[0].get(f"{url}/state?seat=1"), 403, "not_your_seat")
    early = data(people[0].get(f"{url}/state"))
    play_on(url, people)
    assert data(people[0].get(f"{url}/state?at={early['version']}")) == early
    assert data(house.visitor.get(f"{url}/state?seat=1"))["seat"] == 1
    shown = data(people[0].get(f"{url}/state?at=1&spectator=true"))
    assert (shown["seat"], shown["state"]) == (None, None)
    old = people[0].get(f"{url}/state?at=1&seat=spectator")
    assert data(old) == shown, "clients of before say it so"
    both = people[0].get(f"{url}/state?at=1&seat=0&spectator=true")
    assert data(both) == shown, "the seat is overruled"
    for wrong in (0, 10_000):
        problem(people[0].get(f"{url}/state?at={wrong}"), 404, "unknown_version")


def test_one_player_may_hold_several_seats(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "me"}]
    url = ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}).headers["Location"]
    assert data(ana.get(f"{url}/state"))["seat"] is None
    assert data(ana.get(f"{url}/state?seat=1"))["seat"] == 1
    problem(ana.get(f"{url}/legal_moves"), 422, "invalid_query")
    assert play_on(url, [ana, ana]) > 0


def test_resignation_ranks_last_and_may_still_look(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    resigned = people[0].post(f"{url}/resignations", {"seat": 0})
    assert (resigned.status_code, data(resigned)["seats"][0]["resigned"]) == (201, True)
    assert data(people[0].get(f"{url}/state"))["seat"] == 0
    assert people[0].legal(url, 0)["moves"] == []
    problem(people[0].post(f"{url}/resignations", {"seat": 0}), 409, "already_resigned")
    body = {
        "seat": 0,
        "move": {"type": "store", "under": False},
        "expected_version": data(resigned)["version"],
    }
    problem(people[0].post(f"{url}/moves", body), 409, "seat_resigned")


def test_etags_tell_versions_viewers_and_languages_apart(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    for path in ("", "/state", "/events", "/log"):
        first = people[0].get(url + path)
        etag = first.headers["ETag"]
        same = people[0].get(url + path, If_None_Match=etag)
        assert (same.status_code, same.data) == (304, b"")
        assert same.headers["ETag"] == etag
        assert "Authorization" in first.headers["Vary"]
        if path:
            assert people[1].get(url + path).headers["ETag"] != etag
        if path in ("/state", "/log"):
            assert people[0].get(url + path, Accept_Language="es").headers["ETag"] != etag
    etag = people[0].get(f"{url}/state").headers["ETag"]
    people[0].move(url, 0)
    assert people[0].get(f"{url}/state", If_None_Match=etag).status_code == 200


def test_events_as_json_and_one_a_line(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    play_on(url, people, at_most=4)
    whole = data(people[0].get(f"{url}/events"))
    assert [event["seq"] for event in whole["events"]] == [*range(1, whole["version"] + 1)]
    assert whole["next_after"] is None
    paged: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = data(people[0].get(f"{url}/events?after={after}&limit=3"))
        paged += page["events"]
        after = page["next_after"]
    assert paged == whole["events"]
    for query, accept in (("?format=ndjson", "*/*"), ("", "application/x-ndjson")):
        lines = people[0].get(f"{url}/events{query}", Accept=accept)
        assert lines.mimetype == "application/x-ndjson"
        assert [house.app.json.loads(line) for line in lines.data.splitlines()] == whole["events"]


def test_the_log_in_two_languages(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0, {"type": "store", "under": True})
    english = data(people[0].get(f"{url}/log"))["effects"][-1]["text"]
    spanish = data(people[0].get(f"{url}/log", Accept_Language="es-MX"))["effects"][-1]["text"]
    assert english == "Seat 0 lays the card under the pile: yes"
    assert spanish
    assert spanish != english
    assert asked(url, people[0])


def test_a_head_that_this_game_never_had_is_refused(house: House) -> None:
    """Such a head would prove another history, so no move may be based on it."""
    people = [house.player(), house.player()]
    url = house.table(*people)
    heads = [event["hash"] for event in data(people[0].get(f"{url}/events"))["events"]]
    listed = people[0].legal(url, 0)
    body = {"seat": 0, "move": listed["moves"][0], "expected_version": listed["version"]}
    strange = people[0].post(f"{url}/moves", {**body, "expected_head": "ab" * 32})
    told = problem(strange, 422, "unknown_head")
    assert told["expected_head"] == "ab" * 32
    assert data(people[0].get(f"{url}/head"))["seq"] == listed["version"]
    moved = people[0].post(f"{url}/moves", {**body, "expected_head": heads[1]})
    assert moved.status_code == 201, "an older event of this history is as good"
