"""The seats whose time runs, and their deadlines."""

import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.clocks import is_late, next_deadline, seat_deadline
from rules.kernel.record.instants import from_ms
from tests.rules.kernel.record.test_batch import BOT, BY, Table

DEADLINE = 1_767_225_660_000


@pytest.mark.parametrize(("after", "late"), [(-1, False), (0, False), (1, True)])
def test_one_is_in_time_up_to_the_deadline_itself(after: int, *, late: bool) -> None:
    assert is_late(from_ms(DEADLINE + after), DEADLINE) is late
    assert not is_late(from_ms(DEADLINE + after), None)


def test_a_move_is_taken_at_the_deadline_and_a_time_out_only_after_it() -> None:
    table = Table(BY, BY)
    (seat,) = table.game.asked
    move = table.game.ruleset.legal_moves(table.game.state, seat)[0].to_json()
    deadline = seat_deadline(table.game, seat)
    assert deadline is not None
    with pytest.raises(RefusedError, match="no time is up"):
        table.batch(at=deadline).time_out(seat)
    with pytest.raises(RefusedError, match="ran out"):
        table.batch(at=deadline + 1).move(seat, move, {"seat": seat})
    table.batch(at=deadline + 1).time_out(seat)
    table.batch(at=deadline).move(seat, move, {"seat": seat})


def test_a_bot_has_no_clock() -> None:
    """Four seats have decisions at once; time runs for the two players among them."""
    table = Table(BY, BOT, BY, BOT, ruleset="sealed")
    for _mover, _before, _events in table.moves():
        game = table.game
        for seat in game.asked:
            assert (seat_deadline(game, seat) is None) is (seat in (Seat(1), Seat(3)))
        people = [seat for seat in game.asked if seat in (Seat(0), Seat(2))]
        assert (next_deadline(game) is None) is (not people)
