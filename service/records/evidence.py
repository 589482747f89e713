"""Evidence against a service, which its public log gives (docs/format.md, "Evidence")."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.record.instants import from_ms
from service.records.leaves import CREATED, REWOUND, ForkError, Leaf, follow
from service.records.promises import (
    HASHED,
    Judgement,
    LoggedLeaf,
    NoPromiseError,
    Promise,
    heads_after,
)
from service.records.receipts import is_genuine
from service.tlog.checkpoints import OpenedCheckpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.merkle import leaf_hash, verify_consistency, verify_inclusion
from service.tlog.reading import LogReader

EVIDENCE = "lonja-evidence/1"
MAX_BYTES = 64 << 20
"""Maximum size of evidence: the headers of a long game take most of it."""


class NoEvidenceError(ValueError):
    """It is no evidence, or does not show what it says; the message says why."""


class Evidence(NamedTuple):
    """Evidence of which all signatures and paths are checked.

    ``promise`` and ``public_key`` (hex) are those of its receipt, if it has one. ``before`` is the
    hash from which the ``headers`` lead to the receipt, if they do not lead from leaf to leaf.
    """

    opened: OpenedCheckpoint
    leaves: Sequence[LoggedLeaf]
    headers: Sequence[JsonObject] = ()
    promise: Promise | None = None
    public_key: str | None = None
    before: str | None = None


class Proof(NamedTuple):
    """What evidence proves, in a sentence.

    If it is not ``is_whole``, others have to read the log themselves.
    """

    why: str
    is_whole: bool = True


def to_json(
    receipt: JsonObject,
    public_key: str,
    opened: OpenedCheckpoint,
    judged: Judgement,
    reader: LogReader,
) -> JsonObject:
    """Return the evidence for a judgement. ``public_key`` is in hex. Raises TlogError."""
    return {
        "export": EVIDENCE,
        "why": judged.why,
        "receipt": receipt,
        "public_key": public_key,
        "checkpoint": bytes(opened.note).decode(),
        "leaves": [
            {
                "index": one.number,
                "leaf": one.leaf.to_json(),
                "path": [hash_.hex() for hash_ in reader.proof(one.number)],
            }
            for one in judged.leaves
        ],
        "headers": [*map(header_json, judged.headers)],
    }


def header_json(header: JsonObject) -> JsonObject:
    """Return the members of an event's header that its hash is over, and the hash."""
    return {name: header[name] for name in (*HASHED, "hash") if name in header}


def opened_log(raw: bytes, keys: Collection[VerifierKey]) -> OpenedCheckpoint:
    """Open a checkpoint of a log with its keys, among them that of its time. Raises TlogError."""
    log = [key for key in keys if key.algorithm is Algorithm.ED25519]
    times = [key for key in keys if key.algorithm is Algorithm.COSIGNATURE_V1]
    return open_checkpoint(raw, log, times)


def check(found: JsonObject, keys: Collection[VerifierKey]) -> Evidence:
    """Check signatures and paths of evidence against the keys of the log.

    Raises:
        NoEvidenceError: one does not hold, or the evidence has not the form of one.
    """
    _expect_evidence(found)
    note, leaves, headers = (found.get(name) for name in ("checkpoint", "leaves", "headers"))
    headers = [] if headers is None and "receipt" not in found else headers
    if type(note) is not str:
        raise NoEvidenceError("it has no checkpoint")
    if type(leaves) is not list or type(headers) is not list:
        raise NoEvidenceError("it has no leaves and no headers")
    promise, key, before = _promised(found)
    names = () if promise is None else (promise.name, promise.id)
    try:
        opened = opened_log(note.encode(), keys)
        logged = [_logged(one, names, opened) for one in leaves]
    except TlogError as error:
        raise NoEvidenceError(str(error)) from None
    numbers = [one.number for one in logged]
    if numbers != sorted(set(numbers)):
        raise NoEvidenceError(f"its leaves have the numbers {shown(numbers)}, not in order")
    if len({one.leaf.id for one in logged}) > 1:
        raise NoEvidenceError("its leaves are of several ids")
    return Evidence(opened, logged, headers, promise, key, before)


def _expect_evidence(found: JsonObject) -> None:
    if found.get("export") != EVIDENCE:
        raise NoEvidenceError(f"it has the export {shown(found.get('export'))}, not {EVIDENCE}")


def _promised(found: JsonObject) -> tuple[Promise | None, str | None, str | None]:
    """Return the promise of the receipt, the key that signed it, and ``before``."""
    if "receipt" not in found:
        return None, None, None
    receipt, key, before = (found.get(name) for name in ("receipt", "public_key", "before"))
    if type(receipt) is not dict:
        raise NoEvidenceError("it has no receipt")
    try:
        promise = Promise.of(receipt)
    except NoPromiseError as error:
        raise NoEvidenceError(f"its receipt promises nothing: {error}") from None
    if type(key) is not str or not _is_signed(receipt, key):
        raise NoEvidenceError(f"its receipt is not signed with the key {shown(key)}")
    if before is not None and not is_digest(before):
        raise NoEvidenceError(f"{shown(before)} is no hash")
    return promise, key, before


def two_trees(found: JsonObject, keys: Collection[VerifierKey]) -> Proof | None:
    """Say what evidence of two checkpoints proves; None if it is of another kind.

    Raises:
        NoEvidenceError: it proves nothing of what it says.
    """
    if "checkpoints" not in found:
        return None
    _expect_evidence(found)
    notes, head, path = (found.get(name) for name in ("checkpoints", "head", "path"))
    if type(notes) is not list or len(notes) != 2 or type(path) is not list:
        raise NoEvidenceError("it has not two checkpoints and a path")
    try:
        old, new = (opened_log(str(note).encode(), keys) for note in notes)
        first, last = old.checkpoint, new.checkpoint
        if first.origin != last.origin:
            raise NoEvidenceError("its checkpoints are of two logs")
        what = f"The log {first.origin} signed a tree of {first.size} leaves"
        if head is None:
            is_back = first.size < last.size and (old.seen_ms or 0) > (new.seen_ms or 0) > 0
            if not is_back:
                raise NoEvidenceError("its smaller checkpoint is not later than the larger one")
            return Proof(f"{what} after one of {last.size}: it went back.")
        if not is_digest(head) or head == first.root.hex():
            raise NoEvidenceError(f"{shown(head)} is no other head than that of the smaller tree")
        if not all(map(is_digest, path)):
            raise NoEvidenceError(f"{shown(path)} is no path")
        hashes = [bytes.fromhex(hash_) for hash_ in path]
        verify_consistency(first.size, last.size, hashes, bytes.fromhex(head), last.root)
    except TlogError as error:
        raise NoEvidenceError(str(error)) from None
    return Proof(f"{what} that its tree of {last.size} leaves does not contain: two histories.")


def _is_signed(receipt: JsonObject, public_key: str) -> bool:
    return is_digest(public_key) and is_genuine(receipt, bytes.fromhex(public_key))


def _logged(one: object, names: Sequence[str], opened: OpenedCheckpoint) -> LoggedLeaf:
    """Return a leaf whose path leads to the checkpoint. Raises NoEvidenceError, TlogError.

    It must be of one of the ids ``names``, if there are any.
    """
    if type(one) is not dict:
        raise NoEvidenceError(f"{shown(one)} is no leaf")
    number, said, path = (one.get(name) for name in ("index", "leaf", "path"))
    if type(number) is not int or type(said) is not dict or type(path) is not list:
        raise NoEvidenceError(f"{shown(one)} has no index, no leaf and no path")
    if not all(map(is_digest, path)):
        raise NoEvidenceError(f"{shown(path)} is no path")
    leaf = Leaf.of_json(said)
    if leaf is None or (names and leaf.id not in names):
        raise NoEvidenceError(f"the leaf {number} is none of {names[0]}, or is newer")
    hashes = [bytes.fromhex(hash_) for hash_ in path]
    checkpoint = opened.checkpoint
    verify_inclusion(leaf_hash(leaf.entry), number, checkpoint.size, hashes, checkpoint.root)
    return LoggedLeaf(number, leaf)


def weigh(evidence: Evidence) -> Proof:
    """Say what checked evidence proves.

    Raises:
        NoEvidenceError: it proves nothing of what it says.
    """
    promise, leaves = evidence.promise, evidence.leaves
    if promise is None or evidence.public_key is None:
        if why := fork_of(leaves):
            return Proof(f"The log shows two histories by itself. {why}.")
        raise NoEvidenceError("its leaves are on one chain")
    signed = f"The key {evidence.public_key[:16]}… signed event {promise.seq} of {promise.id} as"
    signed += f" {promise.hash}, and the log {evidence.opened.checkpoint.origin} has"
    if not promise.is_public and leaves and leaves[0].leaf.id == promise.id:
        return Proof(
            f"The key {evidence.public_key[:16]}… signed that {promise.id} stands under a pseudonym"
            f" in the log {evidence.opened.checkpoint.origin}, and leaf {leaves[0].number} has it"
            " under its own id, too: the log has the game twice."
        )
    if evidence.before is not None:
        seq, other = _elsewhere(evidence, promise, evidence.before)
        return Proof(f"{signed} another history: event {seq} is {other} there.")
    if leaves and (other := _other_head(promise, leaves[-1].leaf)):
        return Proof(f"{signed} {other} there, in leaf {leaves[-1].number}.")
    if len(leaves) == 2 and evidence.headers:
        return Proof(f"{signed} {_between(evidence, promise)} there, between two of its leaves.")
    if len(leaves) > 1 and (why := fork_of(leaves)):
        return Proof(f"The log shows two histories by itself. {why}.")
    if evidence.headers:
        raise NoEvidenceError("its headers lead from no leaf to another")
    return _lacking(evidence, promise)


def _elsewhere(evidence: Evidence, promise: Promise, before: str) -> tuple[int, str]:
    """Return the event at which a leaf contradicts the headers up to the receipt, and its hash."""
    headers = evidence.headers
    first = promise.seq + 1
    if headers:
        first = headers[0].get("seq", 0) if type(headers[0]) is dict else 0
    if type(first) is not int:
        raise NoEvidenceError("its first header has no number")
    heads = [(first - 1, before), *heads_after((first - 1, before), headers)]
    if len(heads) != len(headers) + 1 or heads[-1] != (promise.seq, promise.hash):
        raise NoEvidenceError("its headers do not lead to the receipt")
    for one in evidence.leaves:
        leaf = one.leaf
        is_there = promise.is_public and leaf.kind != REWOUND and leaf.seq == first - 1
        if is_there and leaf.hash != before:
            return leaf.seq, leaf.hash
    raise NoEvidenceError(f"none of its leaves has another hash at event {first - 1}")


def _other_head(promise: Promise, leaf: Leaf) -> str:
    """Return the head that a leaf has for the event of the receipt; "" if it is of another one."""
    if leaf.kind == REWOUND:
        return ""
    # The leaves of a pseudonym count, but the first one is of event 1.
    is_same = leaf.seq == promise.seq and (promise.is_public or leaf.kind == CREATED)
    if is_same and leaf.hash == promise.hash:
        raise NoEvidenceError("its last leaf has the head of the receipt: the promise is kept")
    return leaf.hash if is_same else ""


def _between(evidence: Evidence, promise: Promise) -> str:
    """Return the head that headers between two leaves have at the event of the receipt."""
    headers = evidence.headers
    before, later = (one.leaf for one in evidence.leaves)
    first = headers[0].get("seq") if type(headers[0]) is dict else None
    if type(first) is not int:
        raise NoEvidenceError("its first header has no number")
    heads = dict(heads_after((first - 1, before.hash), headers))
    newest = first - 1 + len(headers)
    if len(heads) != len(headers) or heads[newest] != later.hash:
        raise NoEvidenceError("its headers do not lead from the first leaf to the last one")
    if promise.is_public and (before.seq, later.seq) != (first - 1, newest):
        raise NoEvidenceError("its leaves are not of the events that the headers lead to")
    if promise.seq not in heads:
        raise NoEvidenceError(f"its headers have no event {promise.seq}")
    if heads[promise.seq] == promise.hash:
        raise NoEvidenceError("its headers have the head of the receipt: the promise is kept")
    return heads[promise.seq]


def fork_of(leaves: Sequence[LoggedLeaf]) -> str:
    """Return why these leaves, one after another, are on no one chain; "" if they are on one."""
    if not leaves:
        return ""
    after, by_seq = leaves[0].leaf, {leaves[0].leaf.seq: leaves[0].leaf}
    for one in leaves[1:]:
        try:
            following = follow(after, one.leaf, by_seq.get)
        except ForkError as error:
            return str(error)
        if following is None:
            return ""
        after = following
        by_seq[after.seq] = after
    return ""


def _lacking(evidence: Evidence, promise: Promise) -> Proof:
    """Return what evidence proves of a log that lacks something."""
    signed_ms = evidence.opened.seen_ms
    checkpoint = evidence.opened.checkpoint
    if signed_ms is None or signed_ms < promise.due_ms:
        raise NoEvidenceError(
            f"the promise was due at {from_ms(promise.due_ms)}, and the checkpoint is not later"
        )
    return Proof(
        f"The service promised that by {from_ms(promise.due_ms)} the log would have event"
        f" {promise.seq} of {promise.id}. That the log {checkpoint.origin} of {checkpoint.size}"
        f" leaves, signed at {from_ms(signed_ms)}, has none, or that the service does not serve the"
        " headers, shows whoever reads the log (--log).",
        is_whole=False,
    )
