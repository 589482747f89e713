"""Entries of a stream that are not events are not read as events."""

from typing import Any

import orjson
import pytest

from rules.kernel.record.events import load, unreadable

RECORD = {"k": "moved", "b": {"seat": 0}, "t": "2026-01-01T00:00:00.000Z", "p": {"move": [[], {}]}}


def stored(**changed: Any) -> bytes:
    return orjson.dumps({**RECORD, **changed})


def test_what_was_dumped_is_read() -> None:
    event = load(7, stored(), bytes(64))
    assert (event.seq, event.kind, event.last) == (7, "moved", 7)


def test_what_cannot_be_read_keeps_its_proofs() -> None:
    """So the next event is still compared with its hash."""
    read, lost = load(7, stored(), bytes(range(64))), unreadable(7, bytes(range(64)))
    assert (lost.seq, lost.last, lost.body) == (7, 7, {})
    assert (lost.state_proof, lost.hash) == (read.state_proof, read.hash)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"p": {"move": [[]]}}, r"the part move is \[\[\]\]"),
        ({"p": {"move": [[], {}, 0]}}, "the part move is"),
        ({"l": "8"}, "the last event of the batch is '8'"),
    ],
)
def test_a_strange_event_is_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        load(7, stored(**changed), bytes(64))
