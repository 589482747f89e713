"""The promise of a receipt, judged by leaves and headers."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.record.instants import from_ms, to_ms
from service.records.leaves import (
    ABORTED,
    CREATED,
    HEAD,
    REWOUND,
    Leaf,
    next_due,
    pseudonym,
)
from service.records.promises import (
    BROKEN,
    HASHED,
    KEPT,
    LATE,
    LOST,
    NOT_YET,
    UNTOLD,
    Judgement,
    LoggedLeaf,
    LogView,
    NoPromiseError,
    Promise,
    UnservedError,
    judge,
)
from service.records.statements import (
    AHEAD_MS,
    BEGUN,
    BEHIND,
    RESTARTED,
    Statement,
    Statements,
)

GAME = "g07-" + "a" * 20
AT = "2026-11-20T21:29:00.123Z"
NOW = to_ms(AT)
DUE = NOW + 120_000


def chain(count: int, what: str, since: Sequence[JsonObject] = ()) -> list[JsonObject]:
    """Return headers of ``count`` events, of which the first are given."""
    found = [*since]
    before = (
        found[-1]["hash"] if found else sha256(encode(["lonja/2", "genesis", GAME])).hexdigest()
    )
    for seq in range(len(found) + 1, count + 1):
        header: JsonObject = {
            "seq": seq, "kind": what, "by": {"seat": 0}, "at": AT, "last": seq, "parts": {},
            "state_proof": "0" * 64,
        }  # fmt: skip
        assert header.keys() == {*HASHED}
        before = sha256(bytes.fromhex(before) + encode(header)).hexdigest()
        found.append({**header, "hash": before})
    return found


TRUE = chain(12, "moved")
OTHER = chain(12, "resigned", TRUE[:8])


def promise(seq: int, of: Sequence[JsonObject] = TRUE) -> Promise:
    return Promise(GAME, seq, of[seq - 1]["hash"], AT, GAME)


def leaf(kind: str, seq: int, of: Sequence[JsonObject] = TRUE, **more: Any) -> Leaf:
    return Leaf(kind, GAME, seq, of[seq - 1]["hash"], more)


def rewound(seq: int, to: int) -> Leaf:
    return leaf(REWOUND, seq, to=to, **({"to_hash": TRUE[to - 1]["hash"]} if to else {}))


CREATION = leaf(CREATED, 1, commitment="0" * 64)


class Served:
    """Headers that a service serves, or the reason why it serves none."""

    def __init__(self, served: Sequence[JsonObject] | UnservedError, lacking: str = "") -> None:
        self._served = served
        self.lacking = lacking

    def __call__(self, after: int, until: int | None) -> Sequence[JsonObject]:
        if isinstance(self._served, UnservedError):
            raise self._served
        return self._served[after:until]


def judged(
    asked: Promise,
    *leaves: Leaf,
    served: Sequence[JsonObject] | UnservedError = TRUE,
    signed: int | None = NOW,
    now: int = NOW,
    said: Sequence[Statement] = (),
    lacking: str = "",
) -> Judgement:
    logged = [LoggedLeaf(index, one) for index, one in enumerate(leaves)]
    statements = Statements(signed)
    for number, one in enumerate(said):
        statements.take(number, one.entry)
    return judge(asked, LogView(logged, statements, signed), Served(served, lacking), now)


def test_a_head_or_a_later_one_keeps_the_promise() -> None:
    assert judged(promise(9), CREATION, leaf(HEAD, 9)).verdict == KEPT
    assert judged(promise(1), CREATION, leaf(HEAD, 9)).verdict == KEPT
    found = judged(promise(9), CREATION, leaf(HEAD, 7), leaf(HEAD, 11), leaf(HEAD, 12))
    assert (found.verdict, found.leaves[0].number) == (KEPT, 2)
    assert [header["seq"] for header in found.headers] == [10, 11]


def test_two_histories_break_it() -> None:
    same = judged(promise(10), CREATION, leaf(HEAD, 10, OTHER))
    assert (same.verdict, "two histories" in same.why) == (BROKEN, True)
    later = judged(promise(10), CREATION, leaf(HEAD, 7), leaf(HEAD, 11, OTHER), served=OTHER)
    assert (later.verdict, "another hash" in later.why) == (BROKEN, True)
    assert [one.number for one in later.leaves] == [1, 2]
    assert [header["seq"] for header in later.headers] == [8, 9, 10, 11]
    forked = judged(promise(10), CREATION, leaf(HEAD, 12), leaf(HEAD, 11))
    assert (forked.verdict, "goes back" in forked.why) == (BROKEN, True)
    strange = judged(promise(10), CREATION, leaf(HEAD, 7), leaf(HEAD, 11), served=OTHER)
    assert (strange.verdict, "neither" in strange.why) == (BROKEN, True)


@pytest.mark.parametrize("field", HASHED)
def test_headers_that_were_changed_lead_nowhere(field: str) -> None:
    for changed in ({**TRUE[10], field: 1.5}, {k: v for k, v in TRUE[10].items() if k != field}):
        served = [*TRUE[:10], changed, TRUE[11]]
        found = judged(promise(10), CREATION, leaf(HEAD, 12), served=served)
        assert found.verdict == BROKEN
    assert judged(promise(10), CREATION, leaf(HEAD, 12), served=TRUE[:11]).verdict == BROKEN


def test_what_the_log_lacks_is_awaited_until_it_is_due() -> None:
    for leaves in ((), (CREATION, leaf(HEAD, 8))):
        waits = judged(promise(9), *leaves, now=NOW + 20_500)
        assert (waits.verdict, "100 s left" in waits.why) == (NOT_YET, True)
        assert judged(promise(9), *leaves, signed=DUE - 1, now=DUE).verdict == LATE
        assert judged(promise(9), *leaves, signed=None, now=DUE).verdict == LATE
        assert judged(promise(9), *leaves, signed=DUE, now=DUE).verdict == BROKEN
    cut = judged(promise(9), CREATION, leaf(ABORTED, 8), signed=DUE, now=DUE)
    assert cut.verdict == BROKEN


def test_a_confessed_loss_is_none() -> None:
    lost = CREATION, leaf(HEAD, 8), leaf(HEAD, 11), rewound(11, 8)
    for seq in (9, 11):
        for more in ((), (leaf(HEAD, 10, OTHER), leaf(HEAD, 12, OTHER))):
            found = judged(promise(seq), *lost, *more, served=OTHER, signed=DUE, now=DUE)
            assert (found.verdict, found.leaves[0].number) == (LOST, 3)
    assert judged(promise(8), *lost).verdict == KEPT
    assert judged(promise(10, OTHER), *lost, leaf(HEAD, 10, OTHER)).verdict == KEPT
    assert judged(promise(12), *lost, signed=DUE, now=DUE).verdict == BROKEN
    emptied = judged(promise(9), CREATION, leaf(HEAD, 11), rewound(11, 0), signed=DUE, now=DUE)
    assert emptied.verdict == LOST


def test_a_loss_is_confessed_of_what_came_before_it_was_found() -> None:
    confession = rewound(11, 8)
    dated = confession._replace(more={**confession.more, "at": AT})
    lost = CREATION, leaf(HEAD, 8), leaf(HEAD, 11), dated
    more = leaf(HEAD, 10, OTHER), leaf(HEAD, 12, OTHER)
    for seq in (9, 10, 12):
        for leaves in (lost, (*lost, *more)):
            found = judged(promise(seq), *leaves, served=OTHER, signed=DUE, now=DUE)
            assert (found.verdict, found.leaves[0].number) == (LOST, 3)
            assert AT in found.why
    late = promise(10)._replace(at=from_ms(NOW + 1))
    forked = judged(late, *lost, *more, served=OTHER, signed=DUE + 1, now=DUE + 1)
    assert forked.verdict == BROKEN
    assert judged(promise(8), *lost).verdict == KEPT


def test_a_log_promises_nothing_of_before_it_began() -> None:
    later, earlier = (Statement(BEGUN, from_ms(NOW + ms)) for ms in (1, 0))
    for leaves in ((), (CREATION, leaf(HEAD, 8))):
        found = judged(promise(9), *leaves, signed=DUE, now=DUE, said=[later])
        assert (found.verdict, "older than the log" in found.why) == (UNTOLD, True)
        assert judged(promise(9), *leaves, signed=DUE, now=DUE, said=[earlier]).verdict == BROKEN
        # A log begins once.
        said = [earlier, later]
        assert judged(promise(9), *leaves, signed=DUE, now=DUE, said=said).verdict == BROKEN
    assert judged(promise(9), CREATION, leaf(HEAD, 9), said=[later]).verdict == KEPT


def test_a_log_that_says_that_it_is_behind_is_late() -> None:
    behind = Statement(BEHIND, from_ms(NOW), from_ms(DUE + 5_000))
    for leaves in ((), (CREATION, leaf(HEAD, 8))):
        found = judged(promise(9), *leaves, signed=DUE + 5_000, now=DUE, said=[behind])
        assert (found.verdict, "says itself" in found.why) == (LATE, True)
        # It has caught up by its next checkpoint, and had what came before.
        assert judged(promise(9), *leaves, signed=DUE + 5_001, said=[behind]).verdict == BROKEN
        since = behind._replace(at=from_ms(NOW + 1))
        assert judged(promise(9), *leaves, signed=DUE, said=[since]).verdict == BROKEN
    forked = judged(promise(10), CREATION, leaf(HEAD, 10, OTHER), signed=DUE, said=[behind])
    assert forked.verdict == BROKEN


def test_what_was_lost_in_a_restart_is_no_second_history() -> None:
    restarted = Statement(RESTARTED, from_ms(NOW - 1), from_ms(NOW))
    before, after = [restarted], [Statement(BEGUN, from_ms(0)), *[restarted] * 2]
    for leaves in ((), (CREATION, leaf(HEAD, 8))):
        for said in (before, after):
            found = judged(promise(9), *leaves, signed=DUE, now=DUE, said=said)
            assert (found.verdict, "restarted" in found.why) == (LOST, True)
        assert judged(promise(9), *leaves, said=before).verdict == NOT_YET
        for at, until in ((NOW + 1, DUE), (NOW - 2, NOW - 1)):
            other = [Statement(RESTARTED, from_ms(at), from_ms(until))]
            assert judged(promise(9), *leaves, signed=DUE, now=DUE, said=other).verdict == BROKEN
    # Leaf 2 is the first that the log has of what came after.
    more = leaf(HEAD, 10, OTHER), leaf(HEAD, 12, OTHER)
    for seq in (10, 11):
        found = judged(promise(seq), CREATION, leaf(HEAD, 8), *more, served=OTHER, said=before)
        assert (found.verdict, found.leaves[0].leaf.seq) == (LOST, 10 if seq == 10 else 12)
    assert judged(promise(8), CREATION, leaf(HEAD, 8), *more, said=before).verdict == KEPT
    # What the log had already is another matter, and so are headers of no history that it has.
    had = judged(promise(10), leaf(CREATED, 1), leaf(HEAD, 10, OTHER), said=after)
    assert had.verdict == BROKEN
    strange = judged(promise(11), CREATION, leaf(HEAD, 8), *more, served=TRUE, said=before)
    assert (strange.verdict, "neither" in strange.why) == (BROKEN, True)
    forked = judged(promise(10), CREATION, leaf(HEAD, 12), leaf(HEAD, 11), said=before)
    assert forked.verdict == BROKEN


def test_no_log_excuses_what_comes_after_it_was_signed() -> None:
    """A word of a time that was not yet would explain whatever the operator does until then."""
    never, ahead = "9999-12-31T23:59:59.999Z", from_ms(DUE + AHEAD_MS + 1)
    confession = rewound(11, 8)
    for at in (never, ahead):
        for said in (
            Statement(BEGUN, at), Statement(BEHIND, from_ms(0), at),
            Statement(RESTARTED, from_ms(0), at),
        ):  # fmt: skip
            found = judged(promise(9), CREATION, leaf(HEAD, 8), signed=DUE, now=DUE, said=[said])
            assert found.verdict == BROKEN
        dated = confession._replace(more={**confession.more, "at": at})
        lost = CREATION, leaf(HEAD, 8), leaf(HEAD, 11), dated
        assert judged(promise(9), *lost, served=OTHER, signed=DUE, now=DUE).verdict == BROKEN
        # Where nothing says when the log was signed, nothing says that it is ahead.
        assert judged(promise(9), *lost, served=OTHER, signed=None, now=DUE).verdict == LOST


def test_a_receipt_that_is_dated_ahead_is_named() -> None:
    for ahead, is_named in ((AHEAD_MS, False), (AHEAD_MS + 1, True)):
        found = judged(promise(9)._replace(at=from_ms(NOW + ahead)))
        assert (found.verdict, "dated ahead" in found.why) == (NOT_YET, is_named)


def test_headers_that_are_not_served_leave_it_open_or_break_it() -> None:
    for verdict in (UNTOLD, BROKEN):
        error = UnservedError(verdict, "there are none")
        found = judged(promise(9), CREATION, leaf(HEAD, 11), served=error)
        assert (found.verdict, found.why) == (verdict, "there are none")


KEY = "7" * 64
NAME = pseudonym(bytes.fromhex(KEY), GAME)
HOURLY = next_due(NAME, NOW)
"""When the leaf of a private game is due that was moved at AT."""
DUE_OF_PRIVATE = HOURLY + 120_000


def private(seq: int, of: Sequence[JsonObject] = TRUE) -> Promise:
    return promise(seq, of)._replace(name=NAME)


def counted(*leaves: Leaf) -> list[Leaf]:
    return [one._replace(id=NAME, seq=count) for count, one in enumerate(leaves, 1)]


def test_a_private_game_keeps_its_promise_by_the_next_leaf_of_its_pseudonym() -> None:
    leaves = counted(CREATION, leaf(HEAD, 7), leaf(HEAD, 11))
    for seq, number in ((1, 0), (2, 1), (7, 1), (8, 2), (11, 2)):
        found = judged(private(seq), *leaves)
        assert (found.verdict, found.leaves[-1].number) == (KEPT, number)
    assert [header["seq"] for header in judged(private(8), *leaves).headers] == [9, 10, 11]
    waits = judged(private(12), *leaves, signed=DUE, now=DUE)
    assert (waits.verdict, waits.left) == (NOT_YET, -(-(DUE_OF_PRIVATE - DUE) // 1000))
    for given in (leaves, ()):
        cut = judged(private(12), *given, signed=DUE_OF_PRIVATE, now=DUE_OF_PRIVATE)
        assert cut.verdict == BROKEN
        behind = Statement(BEHIND, from_ms(HOURLY), from_ms(DUE_OF_PRIVATE))
        at = DUE_OF_PRIVATE
        assert judged(private(12), *given, signed=at, now=at, said=[behind]).verdict == LATE


def test_a_second_history_of_a_private_game_breaks_its_promise() -> None:
    leaves = counted(CREATION, leaf(HEAD, 7), leaf(HEAD, 11, OTHER))
    found = judged(private(10), *leaves, served=OTHER)
    assert (found.verdict, "another hash" in found.why) == (BROKEN, True)
    assert [one.number for one in found.leaves] == [1, 2]
    strange = judged(private(10), *leaves)
    assert (strange.verdict, "no event" in strange.why) == (BROKEN, True)
    old = judged(private(10), *leaves, lacking="Save it again.")
    assert (old.verdict, "Save it again." in old.why) == (UNTOLD, True)
    for verdict in (UNTOLD, BROKEN):
        error = UnservedError(verdict, "there are none")
        assert judged(private(10), *leaves, served=error).verdict == verdict
    own = judged(private(11, OTHER), *leaves, served=UnservedError(BROKEN, ""))
    assert own.verdict == KEPT  # its head is in the log, whatever is served


def test_a_confessed_loss_of_a_private_game_is_none() -> None:
    chain_ = counted(CREATION, leaf(HEAD, 8), leaf(HEAD, 11))
    more = {"to": 2, "to_hash": TRUE[7]["hash"], "at": AT}
    lost = [*chain_, Leaf(REWOUND, NAME, 3, TRUE[10]["hash"], more)]
    end = DUE_OF_PRIVATE
    for seq in (9, 12):
        found = judged(private(seq), *lost, served=OTHER, signed=end, now=end)
        assert (found.verdict, "after event 8" in found.why) == (LOST, True)
    assert judged(private(8), *lost).verdict == KEPT
    gone = [*chain_, Leaf(REWOUND, NAME, 3, TRUE[10]["hash"], {"to": 0, "at": AT})]
    found = judged(private(9), *gone, served=UnservedError(BROKEN, ""), signed=end, now=end)
    assert (found.verdict, "after event 0" in found.why) == (LOST, True)


def test_a_receipt_has_what_a_promise_needs() -> None:
    receipt = {
        "game_id": GAME, "seq": 9, "hash": "0" * 64, "at": AT, "request": None,
        "idempotency_key": None, "key_id": "0" * 16, "sig": "0" * 128,
    }  # fmt: skip
    assert Promise.of(receipt) == Promise(GAME, 9, "0" * 64, AT, GAME)
    assert Promise.of({**receipt, "pseudonym_key": KEY}).name == NAME
    with pytest.raises(NoPromiseError, match="pseudonym"):
        Promise.of({**receipt, "pseudonym_key": "x"})
    assert Promise.of(receipt).due_ms == DUE
    wrong = {"game_id": "~" + "0" * 64, "seq": 0, "hash": "x", "at": "now"}
    for name, value in wrong.items():
        with pytest.raises(NoPromiseError):
            Promise.of({**receipt, name: value})
        with pytest.raises(NoPromiseError, match=name):
            Promise.of({key: one for key, one in receipt.items() if key != name})
