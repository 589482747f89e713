"""A damaged game over HTTP: reads have a warning, and changes are refused."""

from typing import Any

import pytest

from service.redis.keys import game_key
from service.runtime import Runtime
from service.upkeep.maintenance import end_damaged
from tests.service.api.people import House, data, problem
from tests.service.api.test_stream import streaming


def test_a_damaged_game_is_read_with_a_warning_and_changed_by_nobody(
    house: House, runtime: Runtime
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    game_id = url.rpartition("/")[2]
    before = data(people[0].get(url))
    assert before["damaged"] is None
    assert data(people[0].get(f"{url}/state"))["damaged"] is None
    next_id = before["version"] + 1
    runtime.redis.xadd(game_key(game_id, "events"), {"x": "y"}, id=f"{next_id}-0")
    warning = {
        "problem": "not_applicable",
        "seq": next_id,
        "sound": {"seq": before["version"], "hash": before["head"]},
    }
    game = data(people[0].get(url))
    assert game == {**before, "damaged": warning}
    assert data(people[1].get(f"{url}/state"))["damaged"] == warning
    assert data(people[0].get(f"{url}/events"))["version"] == before["version"]
    told = data(people[0].get(f"{url}/events?include=effects,state,legal_moves"))["events"]
    states = [data(people[0].get(f"{url}/state?at={event['seq']}")) for event in told]
    assert [event["state"] for event in told] == states
    assert states[-1]["damaged"] == warning
    move = people[0].legal(url, 0)["moves"][0]
    form = {"seat": 0, "move": move, "expected_version": before["version"]}
    for refused in (
        people[0].post(f"{url}/preview", form),
        people[0].move(url, 0),
        people[0].post(f"{url}/resignations", {"seat": 0}),
        people[0].delete(url),
        people[0].get(f"{url}/head"),
        people[0].put(f"{url}/seats/0"),
    ):
        assert problem(refused, 409, "game_damaged")["damaged"] == warning
    etag = people[0].get(url).headers["ETag"]
    assert people[0].get(url, If_None_Match=etag).status_code == 304


def test_what_comes_with_the_events_of_a_game_that_was_ended_as_damaged(
    house: House, runtime: Runtime
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    game_id = url.rpartition("/")[2]
    sound = data(people[0].get(url))["version"]
    query = "include=effects,state"
    with streaming(house.visitor, f"{url}/stream?after={sound - 1}&{query}") as stream:
        assert stream.event()["seq"] == sound
        bad: Any = {"e": b"x", "p": bytes(64)}
        runtime.redis.xadd(game_key(game_id, "events"), bad, id=f"{sound + 1}-0")
        data(people[0].get(url))
        end_damaged(runtime.ledger.store, runtime.registry, game_id, {"admin": "ops"})
        page = data(house.visitor.get(f"{url}/events?{query}"))["events"]
        states = [data(house.visitor.get(f"{url}/state?at={event['seq']}")) for event in page]
        assert [event["state"] for event in page] == states
        assert [event["effects"] for event in page[sound:]] == [[]] * (len(page) - sound)
        assert [stream.event() for _ in page[sound:]] == page[sound:]


def test_a_game_whose_beginning_is_lost(house: House, runtime: Runtime) -> None:
    url = house.table(house.player(), house.player())
    runtime.redis.xdel(game_key(url.rpartition("/")[2], "events"), "1-0")
    runtime.ledger._cache.clear()
    for path in ("", "/state", "/events", "/log", "/head", "/stream"):
        problem(house.visitor.get(url + path), 409, "game_damaged")


READ = ("", "/state", "/events", "/events?include=words,state", "/log")


@pytest.mark.parametrize("known", [True, False], ids=["folded before", "not folded"])
def test_a_game_whose_newest_event_was_removed(
    house: House, runtime: Runtime, *, known: bool
) -> None:
    ana, bea = house.player(), house.player()
    url, other = house.table(ana, bea), house.table(ana, bea)
    ana.move(url, 0)
    version = data(ana.get(url))["version"]
    runtime.redis.xdel(game_key(url.rpartition("/")[2], "events"), f"{version}-0")
    if not known:
        runtime.ledger._cache.clear()
    refused = bea.post(f"{url}/resignations", {"seat": 1})
    told = problem(refused, 409, "game_damaged")["damaged"]
    assert (told["problem"], told["seq"]) == ("not_applicable", version)
    assert told["sound"]["seq"] < version
    assert problem(ana.get(f"{url}/head"), 409, "game_damaged")["damaged"] == told
    for path in READ:
        assert data(house.visitor.get(url + path))["version"] == told["sound"]["seq"]
    assert data(ana.get(url))["damaged"] == told
    assert ana.move(other, 0).status_code == 201


@pytest.mark.parametrize("known", [True, False], ids=["folded before", "not folded"])
def test_a_game_with_something_else_in_the_place_of_its_stream(
    house: House, runtime: Runtime, *, known: bool
) -> None:
    ana, bea = house.player(), house.player()
    url, other = house.table(ana, bea), house.table(ana, bea)
    key = game_key(url.rpartition("/")[2], "events")
    runtime.redis.delete(key)
    runtime.redis.set(key, "x")
    if not known:
        runtime.ledger._cache.clear()
    problem(ana.post(f"{url}/resignations", {"seat": 0}), 409, "game_damaged")
    for path in (*READ, "/head", "/stream"):
        problem(house.visitor.get(url + path), 409, "game_damaged")
    assert ana.move(other, 0).status_code == 201


@pytest.mark.parametrize("rubbish", ["", "{", "5", "[]", '{"problem":"gap","seq":1}', "\xff"])
def test_a_game_suspended_by_a_finding_that_cannot_be_read(
    house: House, runtime: Runtime, rubbish: str
) -> None:
    ana, bea = house.player(), house.player()
    url, other = house.table(ana, bea), house.table(ana, bea)
    before = data(ana.get(url))
    runtime.redis.set(game_key(url.rpartition("/")[2], "damage"), rubbish)
    warning = {
        "problem": "unknown_damage",
        "seq": before["version"] + 1,
        "sound": {"seq": before["version"], "hash": before["head"]},
    }
    assert problem(ana.move(url, 0), 409, "game_damaged")["damaged"] == warning
    assert data(ana.get(url)) == {**before, "damaged": warning}
    for path in READ:
        assert data(house.visitor.get(url + path))["version"] == before["version"]
    assert ana.move(other, 0).status_code == 201
