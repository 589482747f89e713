"""A suspended game stands still, and its clocks continue later as if no time had passed."""

from collections.abc import Callable

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import CANCELLED, Batch, RefusedError
from rules.kernel.record.clocks import entropy_deadline, next_deadline
from rules.kernel.record.game import ABORTED, ENDED_BY_OPERATOR
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import entropy_commitment
from tests.contract.tables import REGISTRY
from tests.rules.kernel.record.test_batch import BOT, BY, Table

ADMIN: JsonObject = {"admin": "ana"}
ENTROPY = bytes(32)


def suspended(table: Table) -> Table:
    batch = table.batch()
    batch.suspend(ADMIN)
    (event,) = table.take(batch)
    assert (event.kind, event.by, dict(event.body)) == ("suspended", ADMIN, {})
    return table


def refused(table: Table, act: Callable[[Batch], None]) -> str:
    with pytest.raises(RefusedError) as error:
        act(table.batch())
    return error.value.code


def closed() -> Table:
    """Return a table at which both players have committed to entropy."""
    table = Table(None, None)
    for seat in (Seat(0), Seat(1)):
        batch = table.batch()
        batch.sit(seat, BY, BY, entropy_commitment(table.game.id, seat, ENTROPY).hex())
        table.take(batch)
    return table


@pytest.mark.parametrize(
    ("table", "act"),
    [
        (lambda: Table(BY, None), lambda batch: batch.sit(Seat(1), BY, BY)),
        (lambda: Table(BY, None), lambda batch: batch.stand(Seat(0), BY)),
        (lambda: Table(BY, None), lambda batch: batch.abort(CANCELLED, BY)),
        (closed, lambda batch: batch.reveal_entropy(Seat(0), ENTROPY, BY)),
        (lambda: Table(BY, BY), lambda batch: batch.move(Seat(0), {"type": "roll"}, {})),
        (lambda: Table(BY, BY), lambda batch: batch.resign(Seat(0), {})),
        (lambda: Table(BOT, BOT), lambda batch: batch.default(Seat(0), "bot_failed")),
        (lambda: Table(BY, BY), lambda batch: batch.time_out(Seat(0))),
        (lambda: Table(BY, BY), lambda batch: batch.suspend(ADMIN)),
    ],
)
def test_everything_has_to_wait(table: Callable[[], Table], act: Callable[[Batch], None]) -> None:
    still = suspended(table())
    assert refused(still, act) == "game_suspended"
    assert next_deadline(still.game) is None
    assert still.game.automatic_seats() == []


def test_nobodys_time_runs_meanwhile() -> None:
    table = Table(BY, BY)
    before, left = table.game, next_deadline(table.game)
    assert left is not None
    suspended(table)
    since = table.game.suspended_at
    again = snapshot.restore(table.game.id, snapshot.take(table.game), REGISTRY)
    assert again is not None
    assert again.suspended_at == since
    batch = table.batch()
    batch.resume(ADMIN)
    (event,) = table.take(batch)
    assert (table.game.asked, table.game.status) == (before.asked, before.status)
    assert next_deadline(table.game) == left + to_ms(event.at) - to_ms(since)
    assert refused(table, lambda batch: batch.resume(ADMIN)) == "not_suspended"


def test_nor_the_time_for_entropy() -> None:
    table = closed()
    before = entropy_deadline(table.game)
    assert before is not None
    suspended(table)
    assert entropy_deadline(table.game) is None
    batch = table.batch()
    batch.resume(ADMIN)
    table.take(batch)
    assert entropy_deadline(table.game) == before + 1_000


def test_an_operator_ends_it_all_the_same() -> None:
    table = suspended(Table(BY, BY))
    batch = table.batch()
    batch.abort(ENDED_BY_OPERATOR, ADMIN)
    aborted, revealed = table.take(batch)
    assert aborted.body["aborted"].value == {"reason": ENDED_BY_OPERATOR, "withheld_by": []}
    assert (table.game.status, table.game.suspended_at) == (ABORTED, "")
    assert revealed.kind == "chance_revealed"
    for act in (Batch.suspend, Batch.resume):
        assert refused(table, lambda batch, act=act: act(batch, ADMIN)) == "game_over"  # type: ignore[misc]


def test_a_tournaments_games_are_its_own() -> None:
    table = Table(BOT, BOT, scope="t00-cup/1")
    assert refused(table, lambda batch: batch.suspend(ADMIN)) == "tournament_game"
    assert refused(table, lambda b: b.abort(ENDED_BY_OPERATOR, ADMIN)) == "tournament_game"
