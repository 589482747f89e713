"""The promise of a receipt: what the public log must hold of its head (docs/format.md)."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.record.instants import from_ms, is_instant, to_ms
from service.records.leaves import REWOUND, ForkError, Leaf, follow, is_public_id
from service.records.receipts import RECEIPT

SECONDS = 120
"""Time within which the log has a head for which there is a receipt."""
KEPT, BROKEN, LOST = "kept", "broken", "lost"
NOT_YET, LATE, UNTOLD = "not_yet", "late", "untold"
VERDICTS = (KEPT, BROKEN, LOST, NOT_YET, LATE, UNTOLD)
HASHED = ("seq", "kind", "by", "at", "last", "parts", "state_proof")
"""The fields of an event that its hash covers."""


class NoPromiseError(ValueError):
    """It is no receipt of a game or tournament; the message says why."""


class UnservedError(Exception):
    """The headers that the promise needs are not there; ``verdict`` is what follows from that."""

    def __init__(self, verdict: str, why: str) -> None:
        super().__init__(why)
        self.verdict = verdict


class Promise(NamedTuple):
    """What a receipt promises: the log will hold the event ``seq`` of ``id``, or a later one."""

    id: str
    seq: int
    hash: str
    at: str

    @property
    def due_ms(self) -> int:
        """The time by which it must be kept, in ms since 1970."""
        return to_ms(self.at) + 1000 * SECONDS

    @classmethod
    def of(cls, receipt: JsonObject) -> "Promise":
        """Read a receipt, without its signature. Raises NoPromiseError."""
        if missing := sorted(RECEIPT - receipt.keys()):
            raise NoPromiseError(f"it has no {', '.join(missing)}")
        id_, seq, hash_, at = (receipt[name] for name in ("game_id", "seq", "hash", "at"))
        if type(id_) is not str or not is_public_id(id_):
            raise NoPromiseError(f"{shown(id_)} is no id of a game or tournament")
        if type(seq) is not int or seq < 1 or not is_digest(hash_) or not is_instant(at):
            raise NoPromiseError(f"it has the seq {shown(seq)}, {shown(hash_)}, {shown(at)}")
        return cls(id_, seq, hash_, at)


class LoggedLeaf(NamedTuple):
    """A leaf, and its number in the log, from 0."""

    number: int
    leaf: Leaf


class Judgement(NamedTuple):
    """A verdict with its reason, and what proves it.

    ``leaves`` are those that matter, ``headers`` lead from the first to the last of them. ``left``
    is the number of seconds until the promise is due, if it is not yet.
    """

    verdict: str
    why: str
    leaves: Sequence[LoggedLeaf] = ()
    headers: Sequence[JsonObject] = ()
    left: int | None = None


Headers = Callable[[int, int], Iterable[JsonObject]]
"""Yields the headers of the events after the first ``seq`` up to the second one.

Raises UnservedError.
"""


def judge(
    promise: Promise,
    leaves: Sequence[LoggedLeaf],
    headers: Headers,
    signed_ms: int | None,
    now_ms: int,
) -> Judgement:
    """Say whether a log keeps a promise.

    ``leaves`` are all of the promise's id from a ``created`` on, the oldest first. ``signed_ms`` is
    the time at which the log's checkpoint was its newest, in ms since 1970; None if nothing says
    so.
    """
    standing: list[LoggedLeaf] = []
    by_seq: dict[int, Leaf] = {}
    taken_back: list[LoggedLeaf] = []
    after: Leaf | None = None
    for one in leaves:
        try:
            after = follow(after, one.leaf, by_seq.get)
        except ForkError as error:
            return Judgement(BROKEN, f"The log shows two histories. {error}", leaves)
        if one.leaf.kind == REWOUND:
            taken_back.append(one)
            standing = [kept for kept in standing if kept.leaf.seq <= one.leaf.more["to"]]
            by_seq = {kept.leaf.seq: kept.leaf for kept in standing}
        else:
            standing.append(one)
            by_seq[one.leaf.seq] = one.leaf
    found = _among(promise, standing, headers)
    if found is not None and found.verdict != BROKEN:
        return found
    for one in taken_back:
        if one.leaf.more["to"] < promise.seq <= one.leaf.seq:
            return Judgement(
                LOST,
                f"Lost, by the operator's own word: the log says that the service has lost what"
                f" came after event {one.leaf.more['to']}, up to event {one.leaf.seq}. The receipt"
                " stays evidence of what was there.",
                [one],
            )
    return found or _due(promise, standing, signed_ms, now_ms)


def _among(promise: Promise, standing: Sequence[LoggedLeaf], headers: Headers) -> Judgement | None:
    """Compare the promise with the leaves of one chain; None if they do not reach it."""
    place = next((n for n, one in enumerate(standing) if one.leaf.seq >= promise.seq), None)
    if place is None:
        return None
    later = standing[place]
    leaf = later.leaf
    if leaf.seq == promise.seq:
        if leaf.hash == promise.hash:
            return Judgement(KEPT, f"Leaf {later.number} has the head of the receipt.", [later])
        return Judgement(
            BROKEN,
            f"Leaf {later.number} has another head at event {leaf.seq} than the receipt:"
            f" {leaf.hash}, not {promise.hash}. The service keeps two histories.",
            [later],
        )
    before = standing[place - 1]  # there is one: the first leaf is of event 1
    try:
        found = [*headers(before.leaf.seq, leaf.seq)]
    except UnservedError as error:
        return Judgement(error.verdict, str(error), [before, later])
    own = found[promise.seq - before.leaf.seq :]
    if _leads(promise.hash, promise.seq, own, leaf):
        return Judgement(
            KEPT,
            f"Leaf {later.number} has a later head, of event {leaf.seq}, and the headers lead there"
            " from the head of the receipt.",
            [later],
            own,
        )
    if _leads(before.leaf.hash, before.leaf.seq, found, leaf):
        return Judgement(
            BROKEN,
            f"The headers lead from leaf {before.number} to leaf {later.number}, and event"
            f" {promise.seq} has another hash there than in the receipt. The service keeps two"
            " histories.",
            [before, later],
            found,
        )
    return Judgement(
        BROKEN,
        f"The headers lead neither from the head of the receipt nor from leaf {before.number} to"
        f" leaf {later.number}. The log is of another history than the headers.",
        [before, later],
        found,
    )


def _leads(hash_: str, seq: int, headers: Sequence[JsonObject], leaf: Leaf) -> bool:
    """Whether headers lead from the event ``seq`` with this hash to the one of a leaf."""
    before = bytes.fromhex(hash_)
    for number, header in enumerate(headers, seq + 1):
        try:
            if header["seq"] != number:
                return False
            before = digest(before + encode({name: header[name] for name in HASHED}))
        except (KeyError, TypeError, NotCanonicalError):
            return False
    return seq + len(headers) == leaf.seq and before.hex() == leaf.hash


def _due(
    promise: Promise, standing: Sequence[LoggedLeaf], signed_ms: int | None, now_ms: int
) -> Judgement:
    """Return the judgement of a promise of which the log has nothing yet."""
    has = f"event {standing[-1].leaf.seq}" if standing else f"nothing of {promise.id}"
    due = from_ms(promise.due_ms)
    if signed_ms is not None and signed_ms >= promise.due_ms:
        why = f"By {due} the log had to have event {promise.seq}. At {from_ms(signed_ms)} it was"
        why += f" signed anew and had {has}."
        if not standing:
            why += " (A receipt that is older than the log promises nothing.)"
        return Judgement(BROKEN, why, standing[-1:])
    if now_ms < promise.due_ms:
        left = -(-(promise.due_ms - now_ms) // 1000)
        why = f"The log has {has}; it has {left} s left, until {due}."
        return Judgement(NOT_YET, why, left=left)
    signed = "at an unknown time" if signed_ms is None else f"at {from_ms(signed_ms)}"
    return Judgement(
        LATE,
        f"By {due} the log had to have event {promise.seq}. The checkpoint that you see has {has},"
        f" but it was signed {signed}. This proves nothing to others: ask them for a newer one.",
    )
