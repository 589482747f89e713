"""The service was away: clocks stood still, and the record says from when to when."""

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.record import snapshot
from rules.kernel.record.batch import SERVICE_FAULT, RefusedError
from rules.kernel.record.clocks import next_deadline
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms, to_ms
from tests.contract.tables import REGISTRY
from tests.rules.kernel.record.test_batch import BY, Table
from tests.rules.kernel.record.test_budgets import CLOCK, asked_at, deciding, left, moves_after

ADMIN: JsonObject = {"admin": "ana"}
CUP: JsonObject = {"tournament": "t00-cup"}


def interrupt(table: Table, since: int, until: int, at: int | None = None) -> None:
    batch = table.batch(at=until if at is None else at)
    batch.interrupt(from_ms(since), from_ms(until))
    table.take(batch)


def deadline(table: Table) -> int:
    found = next_deadline(table.game)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("since", "until", "later"),
    [(1_000, 4_000, 3_000), (-9_000, 4_000, 4_000), (-9_000, -1, 0), (0, 90_000, 90_000)],
)
def test_a_deadline_is_later_by_what_was_lost_of_its_time(
    since: int, until: int, later: int
) -> None:
    table = Table(BY, BY, clock=CLOCK)
    asked, before = asked_at(table, deciding(table)), deadline(table)
    interrupt(table, asked + since, asked + until, at=asked + max(until, 0))
    assert deadline(table) == before + later
    seat = moves_after(table, 3_000)  # after the time that the decision has now
    assert left(table, seat) == 10_000 - 3_000 + 2_000


def test_no_time_is_given_back_twice() -> None:
    table = Table(BY, BY, clock=CLOCK)
    asked, before = asked_at(table, deciding(table)), deadline(table)
    interrupt(table, asked + 1_000, asked + 3_000)
    interrupt(table, asked + 3_000, asked + 4_000)
    assert deadline(table) == before + 3_000
    for since, until, at in (
        (3_999, 5_000, 5_000),  # it was given back
        (5_000, 5_000, 6_000),  # no time
        (6_000, 5_000, 6_000),
        (5_000, 7_000, 6_000),  # it is not over
    ):
        with pytest.raises(RefusedError, match="no clock stood still"):
            interrupt(table, asked + since, asked + until, at=asked + at)


def test_suspended_time_is_given_back_once() -> None:
    table = Table(BY, BY, clock=CLOCK)
    asked, before = asked_at(table, deciding(table)), deadline(table)
    batch = table.batch(at=asked + 1_000)
    batch.suspend(ADMIN)
    table.take(batch)
    with pytest.raises(RefusedError, match="suspended"):
        interrupt(table, asked + 1_000, asked + 2_000)
    batch = table.batch(at=asked + 5_000)
    batch.resume(ADMIN)
    table.take(batch)
    with pytest.raises(RefusedError, match="no clock stood still"):
        interrupt(table, asked + 4_000, asked + 6_000)
    interrupt(table, asked + 5_000, asked + 6_000)
    assert deadline(table) == before + 5_000


def test_without_a_clock_nothing_stands_still() -> None:
    table = Table(BY, None)
    with pytest.raises(RefusedError, match="lobby"):
        interrupt(table, 0, 1, at=to_ms(table.game.at))
    table = Table(BY, BY)
    table.game.created["clock"] = None
    with pytest.raises(RefusedError, match="no clock stood still"):
        interrupt(table, to_ms(table.game.at), to_ms(table.game.at) + 1)


def test_a_fold_and_a_snapshot_know_it() -> None:
    table = Table(BY, BY, clock=CLOCK)
    asked = asked_at(table, deciding(table))
    interrupt(table, asked + 1_000, asked + 3_000)
    folded = Game(table.game.id, REGISTRY)
    for event in table.events:
        folded.apply(event)
    restored = snapshot.restore(table.game.id, snapshot.take(table.game), REGISTRY)
    assert restored is not None
    for game in (folded, restored):
        assert next_deadline(game) == deadline(table)
        assert game.stood_still_until == table.game.stood_still_until


def test_a_time_out_that_is_the_services_fault_ends_the_game_without_an_answer() -> None:
    table = Table(BY, BY, clock=CLOCK, scope="t00-cup/1")
    table.game.created_by = CUP
    seat, decision = next(iter(table.game.asked.items()))
    batch = table.batch(at=deadline(table) + 1)
    batch.time_out(seat, SERVICE_FAULT)
    out, aborted = table.take(batch)
    told = {"seat": seat, "decision": decision, "fault": "service"}
    assert out.body["time_out"].value == told
    assert (aborted.kind, aborted.by) == ("aborted", CUP)
    assert aborted.body["aborted"].value["reason"] == "block_abandoned"
    assert table.game.over
    assert not table.game.asked
