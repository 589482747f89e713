"""Events that are dated back are found by whoever saw the log meanwhile; late ones are not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.kernel.record.instants import from_ms
from service.auditing import state
from service.auditing.dates import LATE_SECONDS, BackDatedEvent, dated_back, is_left_out
from service.auditing.state import State
from service.records.statements import BEGUN, BEHIND, Statement
from tests.service.auditing.made import AT, MadeLog, created, game_id, head, rewound
from tests.service.auditing.test_follow import Auditor

HOUR = 3600
ONE = game_id(1)


class Observer:
    """Sees a log every hour, of which each checkpoint has some entries."""

    def __init__(self, folder: Path, memory: State) -> None:
        self.memory = memory
        self.log = MadeLog(folder)
        self.audit = Auditor(memory)
        self.hour = 0

    def sees(self, *entries: bytes) -> None:
        self.log.add(entries)
        self.log.sign(AT + self.hour * HOUR)
        self.audit(self.log)
        assert self.audit.found == []
        self.hour += 1

    def finds(self, seq: int, seconds: int) -> BackDatedEvent | None:
        """Ask for an event of the time ``seconds`` after the first checkpoint."""
        return dated_back(self.memory.sql, ONE, [{"seq": seq, "at": at(seconds)}])


def at(seconds: int) -> str:
    return from_ms(1000 * (AT + seconds))


@pytest.fixture
def observer(tmp_path: Path) -> Iterator[Observer]:
    (tmp_path / "log").mkdir()
    with state.opened(tmp_path / "memory") as memory:
        yield Observer(tmp_path / "log", memory)


def test_an_event_that_a_log_did_not_have_at_its_time(observer: Observer) -> None:
    observer.sees(created(ONE).entry)
    observer.sees(created(game_id(2)).entry)
    observer.sees(head(ONE, 5).entry)  # of the last hour, or it was made later
    late = HOUR - LATE_SECONDS
    assert observer.finds(3, late) is None
    assert observer.finds(3, late - 1) == BackDatedEvent(3, at(late - 1), AT + HOUR)
    assert observer.finds(5, -HOUR) == BackDatedEvent(5, at(-HOUR), AT + HOUR)
    # The creation stands in the first checkpoint, and what no leaf has yet is another matter.
    assert observer.finds(1, -HOUR) is None
    assert observer.finds(6, -HOUR) is None


def test_what_the_log_says_of_itself_explains_what_is_late(observer: Observer) -> None:
    begun = Statement(BEGUN, at(0))
    one, two = (Statement(BEHIND, at(HOUR // 2), at(hour * HOUR)) for hour in (1, 2))
    observer.sees(begun.entry)
    observer.sees(one.entry, created(game_id(2)).entry)
    observer.sees(two.entry, created(game_id(3)).entry)
    observer.sees(created(ONE).entry)
    observer.sees(head(ONE, 2).entry)
    assert observer.finds(1, -1) is None  # older than the log
    assert observer.finds(1, HOUR) is None  # the log said that it was behind
    assert observer.finds(1, HOUR // 4) is not None  # not so far
    assert observer.finds(2, HOUR) is not None  # nor any more


def test_events_that_were_lost_and_found_are_no_later_ones(observer: Observer) -> None:
    """The store lost the newest event, and the leaf goes back to an earlier one."""
    first, later = created(ONE), head(ONE, 9)
    observer.sees(first.entry)
    observer.sees(later.entry)
    observer.sees(created(game_id(2)).entry)
    observer.sees(rewound(later, first).entry, head(ONE, 7).entry)
    assert observer.finds(7, HOUR // 2) is None


def test_an_event_is_left_out_once_it_is_late_or_if_it_is_dated_ahead() -> None:
    now = AT + HOUR
    for seconds, is_out in (
        (-LATE_SECONDS, True), (1 - LATE_SECONDS, False), (HOUR, False),
        (HOUR + LATE_SECONDS, False), (HOUR + LATE_SECONDS + 1, True),
    ):  # fmt: skip
        assert is_left_out(at(seconds), AT, now) == is_out
    # The clock here may be behind that of the service, which dates its log, too.
    assert not is_left_out(at(LATE_SECONDS), AT, AT - HOUR)
