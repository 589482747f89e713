"""Clocks with budgets of time, through the API: what is left, and what happens when it is spent."""

from typing import Any

import pytest

from rules.kernel.record import snapshot
from rules.kernel.record.clocks import next_deadline
from rules.kernel.record.instants import to_ms
from service.ledger.ledger import Ledger, obligations
from service.runtime import Runtime
from tests.running import wait_for
from tests.service.api.people import House, Person, data, problem
from tests.service.api.resources.test_seeks import seek
from tests.service.api.test_notices import lows, sweep
from tests.service.api.test_questions import ASKED, asked
from tests.service.api.test_stream import streaming
from workers.sweeper import Sweeper

__all__ = ["sweep"]
CLOCK: Any = {"budget_seconds": 600, "increment_seconds": 5}


@pytest.fixture
def ana(house: House) -> Person:
    return house.player("Ana")


def left(found: Any, seat: int) -> int:
    (found_ms,) = [int(one["left_ms"]) for one in found["budgets"] if one["seat"] == seat]
    return found_ms


def test_a_move_and_a_state_say_what_is_left_and_since_when_it_falls(
    house: House, runtime: Runtime, ana: Person
) -> None:
    url = house.table(ana, ana, clock={"budget_seconds": 600, "grace_ms": 1500})
    game = data(ana.get(url))
    assert game["clock"] == {"budget_seconds": 600, "increment_seconds": 0, "grace_ms": 1500}
    (decision,) = game["decisions"]
    falls = next(one for one in game["budgets"] if one["falls_since"] is not None)
    assert (falls["seat"], falls["left_ms"]) == (decision["seat"], 600_000)
    assert to_ms(falls["falls_since"]) == to_ms(decision["asked_at"]) + 1_500
    assert to_ms(decision["deadline"]) == to_ms(falls["falls_since"]) + falls["left_ms"]
    assert [to_ms(decision["deadline"]) - 120_000 - 1_500] == [*lows(runtime).values()]
    state = data(ana.get(f"{url}/state?seat=0"))
    assert state["budgets"] == game["budgets"]


def test_a_retried_move_costs_once_and_every_process_knows_the_same(
    house: House, runtime: Runtime, ana: Person
) -> None:
    url = house.table(ana, ana, clock=CLOCK)
    game_id = url.rpartition("/")[2]
    for number in range(6):
        (decision, *_) = data(ana.get(url))["decisions"]
        seat = decision["seat"]
        body = {
            "seat": seat,
            "move": ana.legal(url, seat)["moves"][0],
            "expected_version": decision["id"],
        }
        first = ana.post(f"{url}/moves", body, Idempotency_Key=f"k{number}")
        again = ana.post(f"{url}/moves", body, Idempotency_Key=f"k{number}")
        assert (first.status_code, first.data) == (201, again.data)
        moved = data(first)
        state = data(ana.get(f"{url}/state?seat={seat}"))
        past = data(ana.get(f"{url}/state?seat={seat}&at={moved['version']}"))
        assert moved["budgets"] == state["budgets"] == past["budgets"]
        assert 600_000 < left(moved, seat) <= 605_000 + 5_000 * number
    here = runtime.ledger.table(game_id).game
    anew = Ledger(runtime.ledger.store, runtime.registry)
    folded = anew.table(game_id).game
    assert folded.budgets == here.budgets
    assert obligations(folded).deadline == next_deadline(here)
    restored = snapshot.restore(game_id, snapshot.take(here), runtime.registry)
    assert restored is not None
    assert restored.budgets == here.budgets


@pytest.mark.usefixtures("following")
def test_a_question_says_how_much_is_left(house: House, ana: Person) -> None:
    url = house.table(ana, ana, clock={**CLOCK, "budget_seconds": 100, "decision_seconds": 200})
    with streaming(ana, ASKED) as stream:
        question = asked(stream)["question"]
    assert f"/v1/games/{question['game']}" == url
    assert 0 < question["limit"]["wall_ms"] <= 100_000


def test_once_a_budget_is_spent_the_rules_answer_at_once(
    house: House, runtime: Runtime, ana: Person, sweep: Sweeper
) -> None:
    url = house.table(ana, ana, clock={"budget_seconds": 1, "decision_seconds": 1000})
    game_id = url.rpartition("/")[2]

    def is_over() -> bool:
        sweep.sweep()
        return runtime.ledger.table(game_id).game.over

    wait_for(is_over, 60)
    events = data(ana.get(f"{url}/events"))["events"]
    kinds = [event["kind"] for event in events]
    assert kinds[-2:] == ["ended", "chance_revealed"]
    assert kinds.count("timed_out") == kinds.count("defaulted") > 2
    assert {one["left_ms"] for one in data(ana.get(url))["budgets"]} == {0}


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock.decision_seconds"),
        ({"grace_ms": 100}, "clock.decision_seconds"),
        ({"decision_seconds": 60, "increment_seconds": 5}, "clock.increment_seconds"),
        ({"budget_seconds": 0}, "clock.budget_seconds"),
        ({"budget_seconds": 60, "increment_seconds": -1}, "clock.increment_seconds"),
        ({"budget_seconds": 30 * 24 * 3600 + 1}, "clock.budget_seconds"),
    ],
)
def test_a_clock_that_is_none_is_refused(ana: Person, clock: Any, field: str) -> None:
    body = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "me"}], "clock": clock}
    refused = problem(ana.post("/v1/games", body), 422, "invalid_body")
    assert [error["field"] for error in refused["errors"]] == [field]


def test_who_seeks_a_budget_finds_who_seeks_the_same(house: House, ana: Person) -> None:
    bob = house.player("Bob")
    first = seek(ana, clock=CLOCK)
    assert first["clock"] == CLOCK
    assert seek(bob, clock={**CLOCK, "increment_seconds": 6})["status"] == "waiting"
    found = seek(house.player("Eve"), clock=CLOCK)
    assert data(ana.get(f"/v1/games/{found['game']}"))["clock"] == CLOCK
