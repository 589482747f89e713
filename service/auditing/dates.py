"""Finds events that are dated back.

Their time is before that of a checkpoint that was seen, and in its tree they are not: a log has
each event a minute after its time, or says itself that it is behind.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from sqlite3 import Connection
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import is_instant, to_ms
from service.records.leaves import REWOUND
from service.records.statements import BEGUN, BEHIND

LATE_SECONDS = 600
"""Time after which an event is missing in a log that was signed since."""
_LEAVES = """
SELECT leaves.seq, leaves.leaf FROM leaves JOIN ids ON ids.number = leaves.id
WHERE ids.id = ? AND leaves.standing >= 0 AND leaves.kind != ? ORDER BY leaves.leaf
"""
_SIGNED_WITHOUT = """
SELECT at FROM checkpoints WHERE size <= ? AND at IS NOT NULL ORDER BY size DESC, at DESC LIMIT 1
"""


class BackDatedEvent(NamedTuple):
    """An event, its time, and when a log was signed without it (seconds since 1970)."""

    seq: int
    at: str
    signed: int


def is_left_out(at: str, signed: int, now: int) -> bool:
    """Whether a log that was signed at ``signed`` had to have an event of the time ``at``.

    An event of a time that is still to come at ``now`` has no right to wait for it: otherwise a
    service could date ahead whatever no log shall ever have. All are in seconds since 1970.
    """
    ms = to_ms(at)
    is_late = ms <= 1000 * (signed - LATE_SECONDS)
    return is_late or ms > 1000 * (max(signed, now) + LATE_SECONDS)


def dated_back(sql: Connection, id_: str, headers: Iterable[JsonObject]) -> BackDatedEvent | None:
    """Return the first of these events of ``id_`` that is dated back; None if there is none.

    ``sql`` is the memory of an auditor (``service.auditing.state``).
    """
    leaves = sql.execute(_LEAVES, (id_, REWOUND)).fetchall()
    # What was taken back counts: its log had the events before it, too.
    reached = [*accumulate((seq for seq, _leaf in leaves), max)]
    said = sql.execute("SELECT kind, at, until FROM said").fetchall()
    begun = max((at for kind, at, _until in said if kind == BEGUN), default=0)
    lags = [(at, until) for kind, at, until in said if kind == BEHIND]

    @cache
    def signed_without(leaf: int) -> int | None:
        """Return when the largest log that was seen without a leaf was signed."""
        (at,) = sql.execute(_SIGNED_WITHOUT, (leaf,)).fetchone() or (None,)
        return at

    for header in headers:
        seq, at = header["seq"], header["at"]
        place = bisect_left(reached, seq)
        if place == len(leaves) or not is_instant(at) or to_ms(at) < begun:
            continue
        _seq, leaf = leaves[place]
        signed = signed_without(leaf)
        if signed is None or to_ms(at) >= 1000 * (signed - LATE_SECONDS):
            continue
        if not any(since <= to_ms(at) and 1000 * signed <= until for since, until in lags):
            return BackDatedEvent(seq, at, signed)
    return None
