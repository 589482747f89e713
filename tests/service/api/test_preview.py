"""A preview shows the effects of a move before it is played, and appends nothing."""

import random
from typing import Any

import pytest
from redis import Redis

from tests.service.api.people import House, Json, Person, asked, data, play_on, problem


def table(house: House, ruleset: str) -> tuple[str, list[Person]]:
    people = [house.player(), house.player()]
    return house.table(*people, ruleset=ruleset), people


def previewed(person: Person, url: str, seat: int, move: Json, version: int) -> Json:
    body = {"seat": seat, "move": move, "expected_version": version}
    return data(person.post(f"{url}/preview", body))


@pytest.mark.parametrize("ruleset", ["ragusa", "santiago_de_cuba", "sealed"])
def test_what_is_previewed_is_what_the_move_does(house: House, ruleset: str) -> None:
    url, people = table(house, ruleset)
    rng, met = random.Random(ruleset), set[str | None]()
    while len(met) < 2:
        seat = rng.choice(asked(url, house.visitor))
        listed = people[seat].legal(url, seat)
        move = rng.choice(listed["moves"])
        told = previewed(people[seat], url, seat, move, listed["version"])
        done = data(people[seat].move(url, seat, move))
        met.add(told["stops_at"])
        assert told["move"] == move
        own = [effect for effect in done["effects"] if effect["seq"] == listed["version"] + 1]
        if told["stops_at"] in ("reveal", "end"):
            assert told["effects"] == own[: len(told["effects"])]
            assert told["state"] is told["next"] is told["draw"] is None
            continue
        assert told["effects"] == own
        at = f"{url}/state?seat={seat}&at={listed['version'] + 1}"
        assert told["state"] == data(people[seat].get(at))["state"]
        if told["stops_at"] is None:
            named = {"name", "label"}
            decisions = done["decisions"]
            assert {n: told["next"][n] for n in named} == {n: decisions[0][n] for n in named}
            assert told["next"]["seats"] == [decision["seat"] for decision in decisions]
        else:
            draw = done["events"][1]["body"]["draw"]
            assert {**draw, "audience": told["draw"]["audience"]} == told["draw"]
            assert told["next"] is None
    assert met == {None, "reveal" if ruleset == "sealed" else "draw"}


def test_what_is_sealed_is_named_and_not_told(house: House) -> None:
    url, people = table(house, "sealed")
    people[0].move(url, 0)
    people[0].move(url, 0, {"type": "bid", "amount": 3})
    listed = people[1].legal(url, 1)
    told = previewed(people[1], url, 1, {"type": "bid", "amount": 2}, listed["version"])
    assert told["stops_at"] == "reveal"
    assert told["reveals"] == [{"part": "move", "type": "bid", "seat": seat} for seat in (0, 1)]
    assert told["effects"] == []


def test_nothing_is_appended(house: House, redis_client: Redis) -> None:
    url, people = table(house, "ragusa")
    listed = people[0].legal(url, 0)
    before = data(people[0].get(f"{url}/events"))
    bodies = [
        {"seat": 0, "move": move, "expected_version": listed["version"]} for move in listed["moves"]
    ]
    answers = [people[0].post(f"{url}/preview", body) for body in bodies]
    assert {answer.status_code for answer in answers} == {200}
    assert data(people[0].get(f"{url}/events")) == before
    assert data(people[0].post(f"{url}/preview", bodies[0])) == data(answers[0])
    assert answers[0].headers["Cache-Control"] == "no-store"


def test_it_is_refused_as_the_move_is(house: House) -> None:
    url, people = table(house, "ragusa")
    version = people[0].legal(url, 0)["version"]
    move = people[0].legal(url, 0)["moves"][0]
    cases = [
        (house.visitor, {}, 401, "key_required"),
        (people[1], {}, 403, "not_your_seat"),
        (people[0], {"seat": 7}, 404, "unknown_seat"),
        (people[0], {"expected_version": version - 1}, 409, "stale_version"),
        (people[0], {"move": {"type": "build_wall", "wall_id": "w01"}}, 422, "illegal_move"),
        (people[0], {"move": {"type": 1}}, 422, "illegal_move"),
        (people[0], {"expected_head": "0" * 64}, 422, "unknown_head"),
        (people[0], {"more": 1}, 422, "invalid_body"),
    ]
    for person, change, status, code in cases:
        body = {"seat": 0, "move": move, "expected_version": version, **change}
        found = problem(person.post(f"{url}/preview", body), status, code)
        again = problem(person.post(f"{url}/moves", body), status, code)
        assert {**found, "request_id": ""} == {**again, "request_id": ""}
    people[0].move(url, 0)
    version = people[0].legal(url, 0)["version"]
    if 0 not in asked(url, house.visitor):
        body = {"seat": 0, "move": move, "expected_version": version}
        problem(people[0].post(f"{url}/preview", body), 409, "not_your_turn")
    play_on(url, people)
    body = {"seat": 0, "move": move, "expected_version": version}
    problem(people[0].post(f"{url}/preview", body), 409, "game_over")


def test_an_earlier_move_is_tried_on_what_its_seat_knew_then(house: House) -> None:
    """During the game only the seat may preview its earlier moves, afterwards everybody."""
    url, people = table(house, "sealed")
    rng, forms = random.Random("earlier"), list[tuple[int, Json, Json]]()
    for _ in range(6):
        seat = rng.choice(asked(url, house.visitor))
        listed = people[seat].legal(url, seat)
        move = rng.choice(listed["moves"])
        told = previewed(people[seat], url, seat, move, listed["version"])
        forms.append((seat, listed, {"move": move, "told": told}))
        people[seat].move(url, seat, rng.choice(listed["moves"]))
    tried = [
        (seat, {"seat": seat, "move": then["move"], "expected_version": listed["version"]}, then)
        for seat, listed, then in forms
    ]
    before = data(house.visitor.get(f"{url}/events"))
    for seat, body, then in tried:
        at = f"{url}/preview?at={body['expected_version']}"
        assert data(people[seat].post(at, body)) == then["told"]
        problem(people[1 - seat].post(at, body), 403, "not_your_seat")
        problem(house.visitor.post(at, body), 401, "key_required")
    assert data(house.visitor.get(f"{url}/events")) == before
    play_on(url, people)
    anybody = house.player()
    for _seat, body, then in tried:
        assert (
            data(anybody.post(f"{url}/preview?at={body['expected_version']}", body)) == then["told"]
        )


def test_an_earlier_move_is_refused_with_what_is_wrong(house: House) -> None:
    url, people = table(house, "ragusa")
    listed = people[0].legal(url, 0)
    at, move = listed["version"], listed["moves"][0]
    people[0].move(url, 0)
    newest = data(people[0].get(url))["version"]
    good: Json = {"seat": 0, "move": move, "expected_version": at}
    assert people[0].post(f"{url}/preview?at={at}", good).status_code == 200
    cases: list[tuple[Any, Json, int, str]] = [
        (newest + 1, {}, 404, "unknown_version"),
        (0, {}, 404, "unknown_version"),
        (1, {}, 409, "not_your_turn"),
        (at, {"seat": 7}, 404, "unknown_seat"),
        (at, {"expected_version": 1}, 409, "stale_version"),
        (at, {"move": {"type": "build_wall", "wall_id": "w01"}}, 422, "illegal_move"),
        (at, {"expected_head": "0" * 64}, 422, "unknown_head"),
        ("x", {}, 422, "invalid_query"),
    ]
    for version, change, status, code in cases:
        problem(people[0].post(f"{url}/preview?at={version}", {**good, **change}), status, code)
