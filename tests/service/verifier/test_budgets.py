"""Time-outs of seats that have a budget of time, as both verifiers see them."""

from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.proof.verdicts import FAILED, PROVED
from rules.kernel.record.batch import Batch
from rules.kernel.record.clocks import seat_deadline
from rules.kernel.record.instants import to_ms
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.test_forgeries import shift
from tests.service.cli.test_verify import nth
from tests.service.verifier.honest import ANA, BEA, HOST, Table
from tests.service.verifier.programs import codes, reports, text_of

CLOCK: JsonObject = {"budget_seconds": 30, "increment_seconds": 2, "grace_ms": 300}
NO_RULES = Registry(["tests.pig"])


class Hurried(Table):
    """A game in which a seat spends its budget after some moves, one of them taken back."""

    def create(self, batch: Batch) -> None:
        batch.create("sealed", 2, {}, HOST, clock=CLOCK, take_back=True)
        for seat, holder in by_seat(self.holders):
            batch.sit(seat, holder, HOST)

    def is_late(self, seat: Seat) -> bool:
        """Whether a move of the seat would come too late."""
        deadline = seat_deadline(self.game, seat)
        return deadline is not None and to_ms(self.now()) + 250 > deadline


@pytest.fixture(scope="module")
def honest() -> Record:
    table = Hurried("hurried", [ANA, BEA])
    table.does(table.create)
    for _ in range(4):
        table.plays()
    table.stand_still()
    while not table.game.points:
        table.plays()
    point = table.game.points[-1]
    table.does(lambda batch: batch.take_back(point.seat, point.to, {}))
    seat = min(table.game.asked)
    table.times_out(seat)
    while not table.game.over:
        late = [seat for seat in table.game.asked if table.is_late(seat)]
        if late:
            table.times_out(late[0])
        else:
            table.plays()
    return records.record_of(table)


def test_both_verifiers_follow_a_spent_budget(honest: Record, tmp_path: Path) -> None:
    (theirs,) = reports(tmp_path, [text_of(honest)])
    assert codes(theirs, "failure") == set()
    assert verify_game(honest, VerifyOptions(), records.REGISTRY).verdict == PROVED
    assert verify_game(honest, VerifyOptions(), NO_RULES).ok


@pytest.mark.parametrize(("early_ms", "noticed"), [(1, False), (20_000, True)])
def test_a_time_out_before_the_budget_was_spent_is_refused(
    honest: Record, tmp_path: Path, early_ms: int, *, noticed: bool
) -> None:
    """Without the rules, the time of the others may have been the seat's, too."""
    changed = records.alone(honest)
    shift(changed, nth(changed, "timed_out")["seq"], -early_ms)
    forged = records.forge(changed)
    (theirs,) = reports(tmp_path, [text_of(forged)])
    assert ("timed_out_early" in codes(theirs, "failure")) is noticed
    assert (verify_game(forged, VerifyOptions(), NO_RULES).verdict == FAILED) is noticed
    assert verify_game(forged, VerifyOptions(), records.REGISTRY).verdict == FAILED


@pytest.mark.parametrize(
    "clock",
    [
        {"budget_seconds": 30},
        {"budget_seconds": 0, "increment_seconds": 2},
        {"budget_seconds": 30, "increment_seconds": -1},
        {"increment_seconds": 2, "decision_seconds": 30},
        {"increment_seconds": 366 * 24 * 3600 + 1, "budget_seconds": 30},
        {"grace_ms": 300},
    ],
)
def test_a_clock_has_one_of_two_shapes(honest: Record, clock: JsonObject, tmp_path: Path) -> None:
    changed = records.alone(honest)
    nth(changed, "created")["body"]["game"]["clock"] = clock
    (theirs,) = reports(tmp_path, [text_of(changed)])
    assert "shape" in codes(theirs, "failure")
    ours = verify_game(changed, VerifyOptions(), records.REGISTRY)
    assert any(".clock" in failure for check in ours.checks for failure in check.failures)
