"""Budgets of time: what decisions take from them, and the deadlines that follow."""

import random
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.clocks import next_deadline, seat_deadline
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from tests.contract.tables import REGISTRY
from tests.rules.kernel.record.test_batch import BOT, BY, Table

CLOCK: JsonObject = {"budget_seconds": 10, "increment_seconds": 2}
GRACE: JsonObject = {**CLOCK, "grace_ms": 500}


def asked_at(table: Table, seat: Seat) -> int:
    return to_ms(table.game.asked_at[seat])


def deciding(table: Table) -> Seat:
    (seat,) = table.game.asked
    return seat


def moves_after(table: Table, ms: int) -> Seat:
    """Have the seat that is asked move ``ms`` after it was asked."""
    seat = deciding(table)
    batch = table.batch(at=asked_at(table, seat) + ms)
    batch.move(seat, table.game.ruleset.legal_moves(table.game.state, seat)[-1].to_json(), {})
    table.take(batch)
    return seat


def times_out(table: Table) -> Seat:
    seat = deciding(table)
    deadline = seat_deadline(table.game, seat)
    assert deadline is not None
    with pytest.raises(RefusedError, match="no time is up"):
        table.batch(at=deadline).time_out(seat)
    batch = table.batch(at=deadline + 1)
    batch.time_out(seat)
    table.take(batch)
    return seat


def left(table: Table, seat: Seat) -> int | None:
    return table.game.budgets.get(seat)


@pytest.mark.parametrize(
    ("clock", "ms", "budget"),
    [
        (CLOCK, 3_000, 10_000 - 3_000 + 2_000),
        (CLOCK, 10_000, 2_000),
        (CLOCK, 0, 12_000),
        (GRACE, 3_000, 10_000 - 2_500 + 2_000),
        (GRACE, 400, 12_000),
        (GRACE, 10_500, 2_000),
    ],
)
def test_an_answer_takes_its_time_less_the_grace_and_adds_the_increment(
    clock: JsonObject, ms: int, budget: int
) -> None:
    table = Table(BY, BY, clock=clock)
    first = deciding(table)
    assert dict(table.game.budgets) == {Seat(0): 10_000, Seat(1): 10_000}
    moved = moves_after(table, ms)
    assert moved == first
    assert left(table, moved) == budget
    assert left(table, Seat(1 - moved)) == 10_000
    seat = deciding(table)
    grace = clock.get("grace_ms", 0)
    assert (
        seat_deadline(table.game, seat) == asked_at(table, seat) + (left(table, seat) or 0) + grace
    )


def test_a_spent_budget_stays_spent_and_the_rules_answer_without_increment() -> None:
    table = Table(BY, BY, clock=CLOCK)
    seat = times_out(table)
    assert left(table, seat) == 0
    while seat not in table.game.asked:
        moves_after(table, 0)
    assert seat_deadline(table.game, seat) == asked_at(table, seat)
    assert times_out(table) == seat
    assert left(table, seat) == 0
    while seat not in table.game.asked:
        moves_after(table, 0)
    with pytest.raises(RefusedError, match="ran out"):
        moves_after(table, 1)


def test_a_time_for_each_decision_ends_it_earlier_and_the_budget_later() -> None:
    table = Table(BY, BY, clock={**CLOCK, "decision_seconds": 6})
    seat = times_out(table)
    assert left(table, seat) == 10_000 - 6_001
    while seat not in table.game.asked:
        moves_after(table, 0)
    assert seat_deadline(table.game, seat) == asked_at(table, seat) + 3_999


def test_bots_have_no_budget() -> None:
    table = Table(BY, BOT, BY, BOT, ruleset="sealed", clock=CLOCK)
    assert set(table.game.budgets) == {Seat(0), Seat(2)}


def test_each_of_several_seats_that_are_asked_pays_its_own_time() -> None:
    table = Table(BY, BY, BY, BY, ruleset="sealed", clock=CLOCK)
    while len(table.game.asked) < 2:
        moves_after(table, 0)
    before = table.game
    began = {seat: asked_at(table, seat) for seat in before.asked}
    for number, (seat, at) in enumerate(began.items()):
        batch = table.batch(at=at + 1_000 * number)
        move = table.game.ruleset.legal_moves(table.game.state, seat)[0].to_json()
        batch.move(seat, move, {})
        table.take(batch)
        assert left(table, seat) == before.budgets[seat] - 1_000 * number + 2_000


def test_suspended_time_costs_nothing() -> None:
    table = Table(BY, BY, clock=CLOCK)
    seat, before = deciding(table), next_deadline(table.game)
    assert before is not None
    batch = table.batch(at=asked_at(table, seat) + 1_000)
    batch.suspend({"admin": "ana"})
    table.take(batch)
    assert next_deadline(table.game) is None
    batch = table.batch(at=asked_at(table, seat) + 3_601_000)
    batch.resume({"admin": "ana"})
    table.take(batch)
    assert next_deadline(table.game) == before + 3_600_000
    assert left(table, moves_after(table, 3_000)) == 9_000


def test_after_taking_back_the_budget_is_that_after_the_event_and_no_time_is_won() -> None:
    table = Table(BY, BY, ruleset="santiago_de_cuba", clock=CLOCK, take_back=True)
    before = table.game
    for _ in range(60):
        before = table.game
        moves_after(table, 1_500)
        if table.game.points and table.game.points[0].to == before.counts:
            break
    point = table.game.points[0]
    assert left(table, point.seat) != before.budgets[point.seat]
    batch = table.batch()
    batch.take_back(point.seat, point.to, {})
    table.take(batch)
    assert dict(table.game.budgets) == dict(before.budgets)
    assert seat_deadline(table.game, point.seat) == seat_deadline(before, point.seat)


def test_a_fold_and_a_snapshot_give_the_same_budgets() -> None:
    table, rng = (
        Table(BY, BY, ruleset="santiago_de_cuba", clock=GRACE, take_back=True),
        random.Random(1),
    )
    folded = Game(table.game.id, REGISTRY)
    for number in range(120):
        seat = deciding(table)
        way = table.game.ways_back(seat)
        if way and rng.random() < 0.3:
            batch = table.batch()
            try:
                batch.take_back(seat, way[0], {})
            except RefusedError:
                continue
            table.take(batch)
        elif number % 17 == 16:
            times_out(table)
        else:
            moves_after(table, rng.randrange(min(4_000, 1 + (left(table, seat) or 0))))
        for event in table.events[folded.version :]:
            folded.apply(event)
        data: Any = snapshot.take(table.game)
        again = snapshot.restore(table.game.id, data, REGISTRY)
        assert again is not None
        for game in (folded, again):
            assert dict(game.budgets) == dict(table.game.budgets)
            assert next_deadline(game) == next_deadline(table.game)
            assert [p.budgets for p in game.points] == [p.budgets for p in table.game.points]
    assert any(event.kind == "undone" for event in table.events)
