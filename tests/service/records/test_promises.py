"""The promise of a receipt, judged by leaves and headers."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.record.instants import to_ms
from service.records.leaves import ABORTED, CREATED, HEAD, REWOUND, Leaf
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
    NoPromiseError,
    Promise,
    UnservedError,
    judge,
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
    return Promise(GAME, seq, of[seq - 1]["hash"], AT)


def leaf(kind: str, seq: int, of: Sequence[JsonObject] = TRUE, **more: Any) -> Leaf:
    return Leaf(kind, GAME, seq, of[seq - 1]["hash"], more)


def rewound(seq: int, to: int) -> Leaf:
    return leaf(REWOUND, seq, to=to, **({"to_hash": TRUE[to - 1]["hash"]} if to else {}))


CREATION = leaf(CREATED, 1, commitment="0" * 64)


def judged(
    asked: Promise,
    *leaves: Leaf,
    served: Sequence[JsonObject] = TRUE,
    signed: int | None = NOW,
    now: int = NOW,
) -> Judgement:
    def headers(after: int, until: int) -> Iterable[JsonObject]:
        return served[after:until]

    logged = [LoggedLeaf(index, one) for index, one in enumerate(leaves)]
    return judge(asked, logged, headers, signed, now)


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


def test_headers_that_are_not_served_leave_it_open_or_break_it() -> None:
    for verdict in (UNTOLD, BROKEN):

        def headers(_after: int, _until: int, verdict: str = verdict) -> Iterable[JsonObject]:
            raise UnservedError(verdict, "there are none")

        logged = [LoggedLeaf(0, CREATION), LoggedLeaf(1, leaf(HEAD, 11))]
        found = judge(promise(9), logged, headers, NOW, NOW)
        assert (found.verdict, found.why) == (verdict, "there are none")


def test_a_receipt_has_what_a_promise_needs() -> None:
    receipt = {
        "game_id": GAME, "seq": 9, "hash": "0" * 64, "at": AT, "request": None,
        "idempotency_key": None, "key_id": "0" * 16, "sig": "0" * 128,
    }  # fmt: skip
    assert Promise.of(receipt) == Promise(GAME, 9, "0" * 64, AT)
    assert Promise.of(receipt).due_ms == DUE
    wrong = {"game_id": "~" + "0" * 64, "seq": 0, "hash": "x", "at": "now"}
    for name, value in wrong.items():
        with pytest.raises(NoPromiseError):
            Promise.of({**receipt, name: value})
        with pytest.raises(NoPromiseError, match=name):
            Promise.of({key: one for key, one in receipt.items() if key != name})
