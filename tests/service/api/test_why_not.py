"""A seat with a decision may ask which rule refuses what it cannot choose; nothing is appended."""

from typing import Any

import pytest

from tests.service.api.people import House, Json, Person, asked, data, play_on, problem


def table(house: House, ruleset: str = "ragusa") -> tuple[str, list[Person]]:
    people = [house.player(), house.player()]
    return house.table(*people, ruleset=ruleset), people


def why(person: Person, url: str, seat: int, element: str, **headers: Any) -> Json:
    return data(person.get(f"{url}/refusal?seat={seat}&element={element}", **headers))


def test_the_rule_is_told_in_words(house: House) -> None:
    url, people = table(house)
    before = data(people[0].get(f"{url}/events"))
    told = why(people[0], url, 0, "place:r01")
    assert told == {
        "game_id": url.rpartition("/")[2],
        "version": before["version"],
        "seat": 0,
        "element": "place:r01",
        "answer": "refused",
        "label": "That action is not available in this phase.",
        "move": {"type": "place_house", "space_id": "r01"},
        "what": "Place a house",
        "reason": "wrong_phase",
        "details": {"type": "place_house"},
        "rules": "move-place_house",
    }
    spanish = why(people[0], url, 0, "place:r01", Accept_Language="es")
    assert spanish["label"] == "Esa acción no se puede hacer en esta fase."
    assert spanish["what"] != told["what"]
    assert data(people[0].get(f"{url}/events")) == before


def test_other_answers_are_sentences_too(house: House) -> None:
    url, people = table(house)
    card = people[0].legal(url, 0)["moves"][0]["card_id"]
    nothing: Json = {"move": None, "what": None, "reason": None, "details": {}, "rules": None}
    for element, answer, label in (
        (f"piece:bonus_card:{card}", "playable", "A move that you can play names it."),
        ("place:nowhere", "unrelated", "No move is about it."),
    ):
        told = why(people[0], url, 0, element)
        assert (told["answer"], told["label"]) == (answer, label)
        assert {name: told[name] for name in nothing} == nothing


def test_a_move_that_has_no_label_is_told_by_its_kind(house: House) -> None:
    url, people = table(house, "santiago_de_cuba")
    seat = asked(url, house.visitor)[0]
    told = why(people[seat], url, seat, "piece:citizen:alonso")
    assert (told["answer"], told["what"]) == ("refused", "Use a building of your own")


def test_a_reason_has_the_values_that_cause_it(house: House) -> None:
    url, people = table(house, "santiago_de_cuba")
    seat = asked(url, house.visitor)[0]
    while data(house.visitor.get(f"{url}/state"))["decisions"][0]["name"] != "drive_car":
        people[seat].move(url, seat)
        seat = asked(url, house.visitor)[0]
    found = [why(people[seat], url, seat, f"place:stop_{stop}") for stop in range(10)]
    poor = next(told for told in found if told["reason"] == "insufficient_pesos")
    body = {"seat": seat, "move": poor["move"], "expected_version": poor["version"]}
    refused = problem(people[seat].post(f"{url}/moves", body), 422, "illegal_move")
    assert (refused["reason"], refused["label"]) == (poor["reason"], poor["label"])
    assert refused["details"] == poor["details"] != {}


def test_it_is_kept_until_the_game_goes_on(house: House) -> None:
    url, people = table(house)
    path = f"{url}/refusal?seat=0&element=place:r01"
    etag = people[0].get(path).headers["ETag"]
    assert people[0].get(path, If_None_Match=etag).status_code == 304
    assert people[0].get(path, If_None_Match=etag, Accept_Language="es").status_code == 200
    other = path.replace("r01", "r02")
    assert people[0].get(other, If_None_Match=etag).status_code == 200


@pytest.mark.parametrize("element", ["", "x" * 201])
def test_an_element_has_a_name(house: House, element: str) -> None:
    url, people = table(house)
    found = people[0].get(f"{url}/refusal?seat=0&element={element}")
    (error,) = problem(found, 422, "invalid_query")["errors"]
    assert error["field"] == "element"


def test_only_who_is_asked_may_ask(house: House) -> None:
    url, people = table(house)
    for person, query, status, code in (
        (house.visitor, "seat=0&element=place:r01", 401, "key_required"),
        (people[1], "seat=0&element=place:r01", 403, "not_your_seat"),
        (people[0], "seat=7&element=place:r01", 404, "unknown_seat"),
        (people[0], "seat=0", 422, "invalid_query"),
    ):
        problem(person.get(f"{url}/refusal?{query}"), status, code)
    while len(seats := asked(url, house.visitor)) > 1:
        people[seats[0]].move(url, seats[0])
    waits = 1 - seats[0]
    path = f"{url}/refusal?element=place:r01&seat={waits}"
    problem(people[waits].get(path), 409, "not_your_turn")
    play_on(url, people)
    problem(people[0].get(f"{url}/refusal?element=place:r01&seat=0"), 409, "game_over")
