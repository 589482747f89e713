"""What the public log says of itself."""

import pytest

from rules.kernel.record.instants import to_ms
from service.records.leaves import Leaf
from service.records.statements import BEGUN, BEHIND, Statement, Statements
from service.tlog.errors import TlogError

AT, LATER = "2026-11-20T21:29:00.123Z", "2026-11-20T21:31:00.000Z"
SAID = Statement(BEGUN, AT), Statement(BEHIND, AT, LATER)


def test_a_statement_is_an_entry_that_is_no_leaf() -> None:
    assert [one.entry for one in SAID] == [
        b'["lonja/2","leaf",{"at":"%s","kind":"begun"}]' % AT.encode(),
        b'["lonja/2","leaf",{"at":"%s","kind":"behind","until":"%s"}]'
        % (AT.encode(), LATER.encode()),
    ]
    for one in SAID:
        assert Statement.parse(one.entry) == one
        assert Leaf.parse(one.entry) is None


def test_what_is_something_else_is_none() -> None:
    leaf = Leaf("head", "g07-" + "a" * 20, 2, "0" * 64)
    for entry in (leaf.entry, b"", b"[]", b"[1.5]", SAID[0].entry + b" ", b'["lonja/2","leaf",1]'):
        assert Statement.parse(entry) is None


def test_a_statement_has_the_times_of_its_kind() -> None:
    for entry in (SAID[0]._replace(at="now").entry, SAID[1]._replace(until=None).entry):
        with pytest.raises(TlogError, match="times"):
            Statement.parse(entry)


def test_a_log_begins_once_and_may_be_behind_more_often() -> None:
    log = Statements()
    assert not log.is_before(0)
    for number, one in enumerate((SAID[0], SAID[1], SAID[0]._replace(at=LATER))):
        log.take(number, one.entry)
    begun, end = to_ms(AT), to_ms(LATER)
    assert (log.is_before(begun - 1), log.is_before(begun)) == (True, False)
    assert (log.lacks_since(end), log.lacks_since(end + 1)) == (begun, None)
