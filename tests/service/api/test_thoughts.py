"""Thoughts that a program sends with its move: hidden until the end, then in the record."""

from typing import Any

import pytest

from service.runtime import Runtime
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.test_private_tables import finish, proves

SURE = {"sure": True, "tried": 12}


def table(house: House) -> tuple[Person, Person, str]:
    ana, bea = house.player("Ana", kind="bot"), house.player("Bea")
    return ana, bea, house.table(ana, bea)


def move(who: Person, url: str, thoughts: object, version: int | None = None) -> Any:
    at = data(who.get(f"{url}/state?seat=0"))["version"] if version is None else version
    body = {"seat": 0, "index": 0, "expected_version": at, "thoughts": thoughts}
    return who.post(f"{url}/moves", body, Idempotency_Key=f"thoughts-{at}")


def first_move(who: Person, url: str) -> Json:
    events = data(who.get(f"{url}/events"))["events"]
    found: Json = next(event for event in events if event["kind"] == "moved")
    return found


def test_nobody_sees_thoughts_before_the_game_is_over(house: House, runtime: Runtime) -> None:
    ana, bea, url = table(house)
    version = data(ana.get(f"{url}/state?seat=0"))["version"]
    played = move(ana, url, SURE)
    assert data(move(ana, url, SURE, version)) == data(played), "a retry gets the same answer"
    for who in (ana, bea, house.visitor):
        seen = first_move(who, url)
        assert seen["audiences"]["thoughts"] == "none"
        assert "thoughts" not in seen["body"]
    finish(runtime, url, {0: ana, 1: bea})
    assert first_move(house.visitor, url)["body"]["thoughts"] == SURE
    proves(runtime, url)


@pytest.mark.parametrize(
    ("thoughts", "told"),
    [
        ({"a": "x" * 2_000, "b": "x" * 2_082}, "they have 4097 bytes; at most 4096 are kept"),
        ({"sure": 0.5}, "has no canonical form"),
        ({"Sure": True}, "is not a key"),
        ("sure", "Not a valid mapping type"),
    ],
)
def test_thoughts_that_no_record_can_hold_are_refused(
    house: House, thoughts: object, told: str
) -> None:
    ana, _bea, url = table(house)
    (error,) = problem(move(ana, url, thoughts), 422, "invalid_body")["errors"]
    assert error["field"] == "thoughts"
    assert told in error["message"]
    assert move(ana, url, {"a": "x" * 2_000, "b": "x" * 2_081}).status_code == 201, (
        "it may still move"
    )
