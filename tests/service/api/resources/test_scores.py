"""The scores in the course of a game: what each side would have had at an earlier end."""

from itertools import pairwise
from typing import Any

from tests.service.api.people import House, Json, Person, data, play_on, problem


def table(house: House, **more: Any) -> tuple[str, list[Person]]:
    people = [house.player("Ana"), house.player("Bea")]
    options = {"turn_limit": 12, "holdings_visibility": "open"}
    return house.table(*people, ruleset="santiago_de_cuba", options=options, **more), people


def course(house: House, url: str, query: str = "limit=1000") -> Json:
    return data(house.visitor.get(f"{url}/scores?{query}"))


def test_each_event_that_changes_a_score_has_an_entry(house: House) -> None:
    url, people = table(house)
    problem(house.visitor.get(f"{url}/scores"), 409, "not_ended")
    play_on(url, people)
    found, game = course(house, url), data(house.visitor.get(url))
    assert found["sides"] == ["seat:0", "seat:1"]
    assert (found["version"], found["next_after"]) == (game["version"], None)
    for entry in found["scores"]:
        state = data(house.visitor.get(f"{url}/state?at={entry['seq']}"))["state"]
        assert entry["scores"] == [
            player["vp"] + sum(player["goods"].values()) // 3 for player in state["players"]
        ]
    rows = [entry["scores"] for entry in found["scores"]]
    assert all(one != other for one, other in pairwise(rows))
    assert rows[-1] == [standing["score"] for standing in game["result"]["standings"]]


def test_pages_have_together_what_one_has(house: House) -> None:
    url, people = table(house)
    play_on(url, people)
    whole, pages = course(house, url), []
    after: int | None = 0
    while after is not None:
        page = course(house, url, f"after={after}&limit=7")
        pages += page["scores"]
        after = page["next_after"]
    assert [entry for entry in pages if entry in whole["scores"]] == whole["scores"]
    assert course(house, url, f"after={whole['version']}")["scores"] == []


def test_moves_that_were_taken_back_have_no_entry(house: House) -> None:
    url, people = table(house, take_back=True)
    while True:
        version = data(house.visitor.get(url))["version"]
        seat = data(house.visitor.get(url))["decisions"][0]["seat"]
        data(people[seat].move(url, seat))
        ways = data(people[seat].get(f"{url}/state?seat={seat}"))["ways_back"]
        if ways:
            break
    data(people[seat].post(f"{url}/take_backs", {"seat": seat, "to": ways[-1]}))
    play_on(url, people)
    assert version + 1 not in [entry["seq"] for entry in course(house, url)["scores"]]


def test_a_game_whose_ruleset_cannot_tell_has_none(house: House) -> None:
    people = [house.player("Ana"), house.player("Bea")]
    url = house.table(*people)
    play_on(url, people)
    assert course(house, url)["scores"] == []


def test_an_unchanged_answer_is_not_sent_again(house: House) -> None:
    url, people = table(house)
    play_on(url, people)
    tag = house.visitor.get(f"{url}/scores").headers["ETag"]
    assert house.visitor.get(f"{url}/scores", If_None_Match=tag).status_code == 304
