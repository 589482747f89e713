"""People and programs: declaring the kind, showing it, and seats at rated tables."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch
from service.api.app import create_app
from service.ledger.kinds import Participation, Participations, kind_key
from service.ledger.store import ClockMismatch, Obligations
from service.people.profile import Profiles
from service.runtime import Runtime
from tests.service.api.people import House, Json, Person, data, play_on, problem

RATED: Any = {"table": {"rated": True}}
ME, OPEN = {"holder": "me"}, {"holder": "open"}
MYSELF, BOT = "/v1/players/me", {"kind": "bot"}


@pytest.fixture
def ana(house: House) -> Person:
    return house.player("Ana")


@pytest.fixture
def robot(house: House) -> Person:
    return house.player("Robot", kind="bot")


def kind(person: Person) -> str:
    found = data(person.house.visitor.get(f"/v1/players/{person.id}"))["kind"]
    assert data(person.get(MYSELF))["kind"] == found
    return str(found)


def rated_table(person: Person, seats: int = 2, **table: Any) -> str:
    """Open a rated table at which this player sits, and return its URL."""
    body = {"ruleset": "sealed", "seats": [ME, *[OPEN] * (seats - 1)]}
    answer = person.post("/v1/games", {**body, "table": {"rated": True, **table}})
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


# Declaring the kind


def test_everybody_is_a_person_until_he_says_otherwise_and_then_for_good(
    house: House, ana: Person
) -> None:
    assert kind(ana) == "person"
    assert data(ana.patch(MYSELF, {"kind": "person"}))["kind"] == "person"
    changed = data(ana.patch(MYSELF, {"name": "Ana's", "kind": "bot"}))
    assert (changed["name"], changed["kind"]) == ("Ana's", "bot")
    other = create_app(house.app.extensions["lonja"].runtime)
    assert kind(Person(House(other), ana.headers, ana.id)) == kind(ana) == "bot"
    assert data(ana.patch(MYSELF, BOT))["kind"] == "bot"
    problem(ana.patch(MYSELF, {"name": "Ben", "kind": "person"}), 409, "bot_for_good")
    told = data(ana.patch(MYSELF, {"name": "Eve"}))
    assert (told["name"], told["kind"]) == ("Eve", "bot")
    for wrong in ("human", None, 1):
        found = problem(ana.patch(MYSELF, {"kind": wrong}), 422, "invalid_body")
        assert [error["field"] for error in found["errors"]] == ["kind"]
    assert data(ana.get(f"{MYSELF}/export"))["player"]["kind"] == "bot"


def test_a_program_signs_up_as_one_and_its_record_is_as_it_was(
    runtime: Runtime, robot: Person
) -> None:
    """The previous release reads players' records, and fails at unknown fields."""
    assert kind(robot) == "bot"
    record: Any = runtime.redis.get(f"lonja:{{meta}}:player:{robot.id}")
    assert sorted(orjson.loads(record)) == ["created_at", "id", "name"]


def test_only_a_key_with_all_rights_says_so(ana: Person) -> None:
    made = data(ana.post(f"{MYSELF}/keys", {"name": "bot", "scope": "host"}))
    playing = Person(ana.house, {"Authorization": f"Bearer {made['key']}"}, ana.id)
    problem(playing.patch(MYSELF, BOT), 403, "insufficient_scope")


# Showing the kind


def test_a_kind_is_shown_wherever_a_name_is(house: House, ana: Person, robot: Person) -> None:
    url = house.table(robot, ana)
    ids = {robot.id: "bot", ana.id: "person"}

    def shown(where: str) -> Json:
        told = data(house.visitor.get(where))
        assert told["player_kinds"].keys() == told["players"].keys(), where
        assert ids.items() >= told["player_kinds"].items(), where
        assert told["player_kinds"], where
        return told

    (listed,) = shown("/v1/games")["games"]
    for game in (shown(url), listed):
        assert [seat["kind"] for seat in game["seats"]] == ["bot", "person"]
    shown(f"{url}/events")
    cup = {
        "ruleset": "sealed", "seats": 2, "entries": [{"bot": "random"}, {"bot": "random"}],
        "format": {"type": "round_robin", "games": 2},
    }  # fmt: skip
    held = robot.post("/v1/tournaments", cup).headers["Location"]
    shown(held)
    shown(f"{held}/events")
    (listed,) = data(house.visitor.get("/v1/tournaments"))["tournaments"]
    assert listed["player_kinds"] == {robot.id: "bot"}


def test_a_page_that_was_read_before_is_another_once_a_player_says_what_he_is(
    house: House, ana: Person
) -> None:
    url = house.table(ana, house.player("Bob"))
    before = house.visitor.get(url)
    data(ana.patch(MYSELF, BOT))
    after = house.visitor.get(url, If_None_Match=before.headers["ETag"])
    assert data(after)["seats"][0]["kind"] == "bot"


# Rated tables


@pytest.mark.parametrize("seating", ["fixed", "random"])
def test_a_rated_table_is_not_for_programs(
    house: House, ana: Person, robot: Person, seating: str
) -> None:
    url = rated_table(ana, 3, seating=seating)
    for seat in (1, 2):
        told = problem(robot.put(f"{url}/seats/{seat}"), 409, "rated_table")
        assert "program" in told["detail"]
    data(house.player("Bob").put(f"{url}/seats/1"))
    before = data(ana.get(url))
    problem(robot.put(f"{url}/seats/2"), 409, "rated_table")
    assert data(ana.get(url)) == before  # no drawing of seats moves other players
    body: Json = {"ruleset": "sealed", "seats": [ME, OPEN], **RATED}
    problem(robot.post("/v1/games", body, Idempotency_Key="a"), 409, "rated_table")
    problem(robot.post("/v1/games", {**body, "seats": [OPEN, OPEN]}), 409, "rated_table")
    problem(robot.post("/v1/games", body, Idempotency_Key="a"), 409, "rated_table")
    assert data(robot.get("/v1/games?player=me"))["games"] == []
    body["table"] = {"rated": False}
    assert robot.post("/v1/games", body).status_code == 201
    assert data(house.player("Eve").put(f"{url}/seats/2"))["status"] == "running"


def test_who_sits_at_a_rated_table_leaves_it_before_he_is_a_program(
    house: House, ana: Person
) -> None:
    url = rated_table(house.player("Bob"), 3)
    data(ana.put(f"{url}/seats/1"))
    told = problem(ana.patch(MYSELF, {"name": "Robot", "kind": "bot"}), 409, "rated_person")
    assert told["games"] == [url.rpartition("/")[2]]
    assert data(ana.get(MYSELF))["name"] == "Ana"
    data(ana.delete(f"{url}/seats/1"))
    assert data(ana.patch(MYSELF, BOT))["kind"] == "bot"
    problem(ana.put(f"{url}/seats/1"), 409, "rated_table")


def test_who_has_played_rated_stays_a_person(house: House, ana: Person) -> None:
    bob = house.player("Bob")
    play_on(house.table(ana, bob), [ana, bob])  # this table is not rated
    url = house.table(ana, bob, **RATED)
    told = problem(ana.patch(MYSELF, BOT), 409, "rated_person")
    assert "games" not in told, "to leave the table would not help"
    play_on(url, [ana, bob])
    problem(ana.patch(MYSELF, BOT), 409, "rated_person")  # before a worker has counted the game
    assert data(ana.patch(MYSELF, {"kind": "person"}))["kind"] == "person"


@pytest.mark.parametrize("leaves", [False, True])
def test_to_sit_down_while_one_becomes_a_program_is_seen(
    house: House, ana: Person, monkeypatch: pytest.MonkeyPatch, *, leaves: bool
) -> None:
    """The kind is checked again in the step that takes the seat."""
    url = rated_table(house.player("Bob"), 3)
    if leaves:
        data(ana.put(f"{url}/seats/1"))
        data(ana.delete(f"{url}/seats/1"))
    looked: list[int] = []
    judge = Profiles._need_unrated

    def meanwhile(profiles: Profiles, player_id: str, mark: bytes) -> None:
        judge(profiles, player_id, mark)
        looked.append(ana.put(f"{url}/seats/1").status_code)

    monkeypatch.setattr(Profiles, "_need_unrated", meanwhile)
    told = problem(ana.patch(MYSELF, BOT), 409, "rated_person")
    assert (told["games"], looked) == ([url.rpartition("/")[2]], [200])
    assert kind(ana) == "person"


def test_of_two_at_once_one_sits_down_or_becomes_a_program(house: House, runtime: Runtime) -> None:
    others = House(create_app(runtime))
    for _ in range(12):
        ana, host = house.player("Ana"), house.player("Bob")
        url = rated_table(host, 3)
        elsewhere = Person(others, ana.headers, ana.id)
        answers: list[int] = []

        def at_once(act: Callable[[], Any], answers: list[int] = answers) -> threading.Thread:
            return threading.Thread(target=lambda: answers.append(act().status_code))

        both = (
            at_once(partial(ana.put, f"{url}/seats/1")),
            at_once(partial(elsewhere.patch, MYSELF, BOT)),
        )
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert sorted(answers) == [200, 409]
        sits = data(host.get(url))["seats"][1].get("player") == ana.id
        assert kind(ana) == ("person" if sits else "bot")


def test_nobody_becomes_a_program_while_a_seat_is_being_taken(
    house: House, runtime: Runtime, ana: Person
) -> None:
    """A process may die or hang between the claim and the append."""
    part = Participation(ana.id, "seated g07-aaaaaaaaaaaaaaaaaaaa 2")
    claim = Participations(runtime.redis).claim([part])
    problem(ana.patch(MYSELF, BOT), 409, "rated_person")
    runtime.redis.set(kind_key(ana.id), f"claimed {claim.at - 60_000} {part.mark}")
    assert data(ana.patch(MYSELF, BOT))["kind"] == "bot"
    Participations(runtime.redis).settle(claim)
    assert kind(ana) == "bot"
    url = rated_table(house.player("Bob"), 3)
    game = runtime.ledger.table(url.rpartition("/")[2]).game
    batch = Batch(game, runtime.ledger.secrets(game.id), runtime.ledger.store.clock.now())
    batch.sit(Seat(1), {"player": ana.id}, {"player": ana.id})
    late = runtime.ledger.store.append(
        game.id, game.version, game.head, batch.seal(), Obligations(None, None), until=claim.at
    )
    assert isinstance(late, ClockMismatch)


def test_no_rated_game_starts_with_a_program(house: House, runtime: Runtime, ana: Person) -> None:
    """Even if the data are inconsistent, for example after the restore of a backup."""
    url = rated_table(ana)
    runtime.redis.set(f"lonja:{{meta}}:kind:{ana.id}", "bot")
    bob = house.player("Bob")
    with house.at("192.0.2.9"):
        problem(bob.put(f"{url}/seats/1"), 409, "rated_table")
    assert data(ana.delete(f"{url}/seats/0"))["seats"][0]["holder"] == "open"


# Repeated requests


def test_a_request_that_is_sent_again_knows_itself(house: House, ana: Person) -> None:
    first = ana.patch(MYSELF, BOT, Idempotency_Key="k")
    again = ana.patch(MYSELF, BOT, Idempotency_Key="k")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert data(again) == data(first)
    problem(
        ana.patch(MYSELF, {"kind": "person"}, Idempotency_Key="k"), 422, "idempotency_key_reused"
    )
    made = house.visitor.post("/v1/players", {"name": "R", "kind": "bot"}, Idempotency_Key="s")
    told = problem(
        house.visitor.post("/v1/players", {"name": "R", "kind": "bot"}, Idempotency_Key="s"),
        409, "already_answered",
    )  # fmt: skip
    assert told["id"] == data(made)["id"]
    problem(
        house.visitor.post("/v1/players", {"name": "R"}, Idempotency_Key="s"),
        422, "idempotency_key_reused",
    )  # fmt: skip
