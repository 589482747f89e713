"""A damaged game over HTTP: read with a warning, and changed by nobody."""

from service.ledger.keys import game_key
from service.runtime import Runtime
from tests.service.api.people import House, data, problem


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
    for refused in (
        people[0].move(url, 0),
        people[0].post(f"{url}/resignations", {"seat": 0}),
        people[0].delete(url),
        people[0].get(f"{url}/head"),
        people[0].put(f"{url}/seats/0"),
    ):
        assert problem(refused, 409, "game_damaged")["damaged"] == warning
    etag = people[0].get(url).headers["ETag"]
    assert people[0].get(url, If_None_Match=etag).status_code == 304


def test_a_game_whose_beginning_is_lost(house: House, runtime: Runtime) -> None:
    url = house.table(house.player(), house.player())
    runtime.redis.xdel(game_key(url.rpartition("/")[2], "events"), "1-0")
    runtime.ledger._cache.clear()
    for path in ("", "/state", "/events", "/log", "/head", "/stream"):
        problem(house.visitor.get(url + path), 409, "game_damaged")
