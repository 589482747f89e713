"""The promise of a receipt: what the public log must hold of its head (docs/format.md)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from rules.kernel.canonical import FORMAT, JsonObject, NotCanonicalError, digest, encode
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.record.instants import from_ms, is_instant, to_ms
from service.records.leaves import (
    CREATED,
    REWOUND,
    ForkError,
    Leaf,
    follow,
    is_public_id,
    next_due,
    pseudonym,
)
from service.records.receipts import PSEUDONYM_KEY, RECEIPT
from service.records.statements import Statements, is_ahead

SECONDS = 120
"""Time within which the log has a head for which there is a receipt; of a game that is not public,
the time after the next leaf of its pseudonym is due.
"""
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
    """What a receipt promises: the log will hold the event ``seq`` of ``id``, or a later one.

    ``name`` is the id that stands in the log: of a game that is not public, its pseudonym.
    """

    id: str
    seq: int
    hash: str
    at: str
    name: str

    @property
    def is_public(self) -> bool:
        """Whether the id itself stands in the log."""
        return self.name == self.id

    @property
    def at_ms(self) -> int:
        """The time of the event, in ms since 1970."""
        return to_ms(self.at)

    @property
    def logged_ms(self) -> int:
        """The time from which the event has to be in the next checkpoint, in ms since 1970."""
        return self.at_ms if self.is_public else next_due(self.name, self.at_ms)

    @property
    def due_ms(self) -> int:
        """The time by which it must be kept, in ms since 1970."""
        return self.logged_ms + 1000 * SECONDS

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
        key = receipt.get(PSEUDONYM_KEY)
        if key is not None and not is_digest(key):
            raise NoPromiseError(f"it has the key {shown(key)} of a pseudonym")
        name = id_ if key is None else pseudonym(bytes.fromhex(key), id_)
        return cls(id_, seq, hash_, at, name)


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


class Headers(Protocol):
    """The headers of a game or tournament.

    ``lacking`` says why there may be later ones; "" if these are all.
    """

    lacking: str

    def __call__(self, after: int, until: int | None) -> Sequence[JsonObject]:
        """Return those of the events after ``after``, up to ``until``; None: to the end.

        Raises:
            UnservedError: there are none.
        """
        ...


_Head = tuple[int, str]
"""The ``seq`` and the hash of an event."""


class LogView(NamedTuple):
    """What a reader has of a log.

    ``leaves`` are all of one id from a ``created`` on, the oldest first. ``signed_ms`` is the time
    at which the checkpoint was the newest one, in ms since 1970; None if nothing says so.
    """

    leaves: Sequence[LoggedLeaf]
    statements: Statements
    signed_ms: int | None


class _Placed(NamedTuple):
    """A leaf, and the event that it stands for; None: the headers have no such event."""

    one: LoggedLeaf
    seq: int | None


def judge(promise: Promise, log: LogView, headers: Headers, now_ms: int) -> Judgement:
    """Say whether a log keeps a promise, at the time ``now_ms`` (ms since 1970)."""
    standing: list[LoggedLeaf] = []
    by_seq: dict[int, Leaf] = {}
    taken_back: list[LoggedLeaf] = []
    after: Leaf | None = None
    for one in log.leaves:
        try:
            after = follow(after, one.leaf, by_seq.get)
        except ForkError as error:
            return Judgement(BROKEN, f"The log shows two histories. {error}", log.leaves)
        if one.leaf.kind == REWOUND:
            taken_back.append(one)
            standing = [kept for kept in standing if kept.leaf.seq <= one.leaf.more["to"]]
            by_seq = {kept.leaf.seq: kept.leaf for kept in standing}
        else:
            standing.append(one)
            by_seq[one.leaf.seq] = one.leaf
    for one in standing:
        is_there = one.leaf.seq == promise.seq or not promise.is_public
        if is_there and one.leaf.hash == promise.hash:
            return Judgement(KEPT, f"Leaf {one.number} has the head of the receipt.", [one])
    seqs = _Seqs(promise, headers)
    try:
        placed = [_Placed(one, seqs.of(one.leaf)) for one in standing]
        found = _among(promise, placed, headers, log.statements)
    except UnservedError as error:
        found = Judgement(error.verdict, str(error), standing)
    if found is None or found.verdict == BROKEN:
        found = _confessed(promise, taken_back, seqs, log.signed_ms) or found
    return found or _due(promise, standing, log, now_ms)


def named_twice(leaf: LoggedLeaf) -> Judgement:
    """Return the judgement on a promise under a pseudonym, if the log has the game's own id, too.

    Otherwise each of two people could be shown another history of a game, and find it in the log.
    """
    return Judgement(
        BROKEN,
        f"By the receipt the table is not public, and leaf {leaf.number} has it under its own id:"
        " the log has the game twice.",
        [leaf],
    )


class _Seqs:
    """The events for which leaves stand: the leaves of a pseudonym do not tell them."""

    def __init__(self, promise: Promise, headers: Headers) -> None:
        self._promise = promise
        self._headers = headers
        self._known: dict[str, int] | None = None

    def of(self, leaf: Leaf) -> int | None:
        """Return the ``seq`` of a leaf's event; None if the headers have no such event.

        Raises:
            UnservedError: there are no headers.
        """
        promise = self._promise
        if promise.is_public:
            return leaf.seq
        if leaf.kind == CREATED:
            return 1
        if self._known is None:
            genesis = digest(encode([FORMAT, "genesis", promise.id])).hex()
            heads = heads_after((0, genesis), self._headers(0, None))
            self._known = {hash_: seq for seq, hash_ in heads}
        return self._known.get(leaf.hash)

    def left_by(self, rewound: Leaf) -> int:
        """Return the event from which an id goes on after a ``rewound``, or an earlier one."""
        to: int = rewound.more["to"]
        if self._promise.is_public or not to:
            return to
        return (self._known or {}).get(rewound.more["to_hash"], min(to, 1))


def _among(
    promise: Promise, standing: Sequence[_Placed], headers: Headers, statements: Statements
) -> Judgement | None:
    """Compare the promise with the leaves of one chain; None if they do not reach it."""
    places = (n for n, one in enumerate(standing) if one.seq is None or one.seq >= promise.seq)
    place = next(places, None)
    if place is None:
        return None
    later, seq = standing[place]
    leaf = later.leaf
    if seq is None:
        why = f"Leaf {later.number} has the head {leaf.hash}, which is that of no event in the"
        why += f" headers. {headers.lacking or 'The log is of another history than the headers.'}"
        verdict = UNTOLD if headers.lacking else BROKEN
        return Judgement(verdict, why, [one for one, _seq in standing[: place + 1]])
    if seq == promise.seq and (promise.is_public or seq == 1):
        return _lost_in_restart(promise, statements, later) or Judgement(
            BROKEN,
            f"Leaf {later.number} has another head at event {seq} than the receipt:"
            f" {leaf.hash}, not {promise.hash}. The service keeps two histories.",
            [later],
        )
    before, since = standing[place - 1]  # there is one: the first leaf is of event 1
    since = since or 0
    try:
        found = headers(since, seq)
    except UnservedError as error:
        return Judgement(error.verdict, str(error), [before, later])
    own = found[promise.seq - since :]
    if _leads((promise.seq, promise.hash), own, (seq, leaf.hash)):
        return Judgement(
            KEPT,
            f"Leaf {later.number} has a later head, of event {seq}, and the headers lead there"
            " from the head of the receipt.",
            [later],
            own,
        )
    if _leads((since, before.leaf.hash), found, (seq, leaf.hash)):
        return _lost_in_restart(promise, statements, later) or Judgement(
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


def _leads(first: _Head, headers: Sequence[JsonObject], last: _Head) -> bool:
    """Whether headers lead from one head to another."""
    heads = [first, *heads_after(first, headers)]
    return len(heads) == len(headers) + 1 and heads[-1] == last


def heads_after(first: _Head, headers: Iterable[JsonObject]) -> Iterator[_Head]:
    """Yield the heads of the events that follow on one, up to the first header that does not."""
    seq, hash_ = first
    for header in headers:
        seq += 1
        try:
            if header["seq"] != seq:
                return
            known = encode({name: header[name] for name in HASHED})
        except (KeyError, TypeError, NotCanonicalError):
            return
        hash_ = digest(bytes.fromhex(hash_) + known).hex()
        yield seq, hash_


def _confessed(
    promise: Promise, taken_back: Sequence[LoggedLeaf], seqs: _Seqs, signed_ms: int | None
) -> Judgement | None:
    """Return the judgement if the log says itself that the event is lost."""
    for one in taken_back:
        found_at = one.leaf.more.get("at")
        if found_at is not None and is_ahead(found_at, signed_ms):
            continue
        is_covered = one.leaf.seq >= promise.seq if found_at is None else promise.at <= found_at
        kept = seqs.left_by(one.leaf)
        if is_covered and kept < promise.seq:
            since = "" if found_at is None else f" before {found_at}"
            return Judgement(
                LOST,
                f"Lost, by the operator's own word: the log says that the service has lost what"
                f" came after event {kept}{since}. The receipt stays evidence of what was there.",
                [one],
            )
    return None


def _lost_in_restart(
    promise: Promise, statements: Statements, later: LoggedLeaf | None = None
) -> Judgement | None:
    """Return the judgement if the log says that the event may have been lost in a restart.

    ``later`` is the leaf that contradicts the receipt; None: there is none. What the log had before
    it told of the restart was not lost in it.
    """
    restart = statements.restart(promise.at_ms, None if later is None else later.number)
    if restart is None:
        return None
    return Judgement(
        LOST,
        f"Lost, by the operator's own word: the log says that between {from_ms(restart.at)} and"
        f" {from_ms(restart.until)} the store was restarted, or another server took its place, and"
        " that what came in between may be lost. The receipt stays evidence of what was there.",
        [] if later is None else [later],
    )


def _due(promise: Promise, standing: Sequence[LoggedLeaf], log: LogView, now_ms: int) -> Judgement:
    """Return the judgement of a promise of which the log has nothing yet."""
    has = f"{len(standing)} of its leaves" if standing else f"nothing of {promise.id}"
    if standing and promise.is_public:
        has = f"event {standing[-1].leaf.seq}"
    due, signed_ms = from_ms(promise.due_ms), log.signed_ms
    if log.statements.is_before(promise.at_ms):
        return Judgement(
            UNTOLD,
            f"The log has {has}. The receipt is older than the log, which says when it began.",
        )
    if signed_ms is not None and signed_ms >= promise.due_ms:
        behind = log.statements.lacks_since(signed_ms)
        if behind is not None and promise.logged_ms >= behind:
            return Judgement(
                LATE,
                f"By {due} the log had to have event {promise.seq}. It has {has}, and says itself"
                f" that it may lack what came since {from_ms(behind)}: ask again later.",
            )
        if (lost := _lost_in_restart(promise, log.statements)) is not None:
            return lost
        why = f"By {due} the log had to have event {promise.seq}. At {from_ms(signed_ms)} it was"
        why += f" signed anew and had {has}."
        return Judgement(BROKEN, why, standing[-1:])
    if now_ms < promise.due_ms:
        left = -(-(promise.due_ms - now_ms) // 1000)
        why = f"The log has {has}; it has {left} s left, until {due}."
        if is_ahead(promise.at, now_ms):
            why += f" The receipt is dated ahead, at {promise.at}, or the clock here is wrong: no"
            why += " honest service puts its promise off so."
        return Judgement(NOT_YET, why, left=left)
    signed = "at an unknown time" if signed_ms is None else f"at {from_ms(signed_ms)}"
    return Judgement(
        LATE,
        f"By {due} the log had to have event {promise.seq}. The checkpoint that you see has {has},"
        f" but it was signed {signed}. This proves nothing to others: ask them for a newer one.",
    )
