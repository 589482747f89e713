"""The proof that travels with a record: a public log has its last event (docs/format.md)."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.verdicts import Check
from rules.kernel.record.instants import from_ms
from service.records.closed import waiting_heads
from service.records.evidence import opened_log
from service.records.game_file import PROOF, Record
from service.records.leaves import ABORTED, CREATED, ENDED, HEAD, Leaf, pseudonym
from service.records.receipts import PSEUDONYM_KEY
from service.tlog.checkpoints import Checkpoint, OpenedCheckpoint
from service.tlog.closed import path_of as path_of_kept
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.merkle import leaf_hash, verify_inclusion
from service.tlog.notes import MOST_BYTES, Note
from service.tlog.reading import LogReader, ReadFile

CLOSED = "closed"
"""The further field of a proof of a game that waited for a beacon: that the log had it by then."""
FIELDS = frozenset(("leaf", "index", "path", "checkpoint"))
_OVER = {"ended": ENDED, "aborted": ABORTED, "cancelled": ABORTED}
_HIDDEN = (
    " It has the game under a pseudonym, and may have another history of it under another one:"
    " compare receipts with the others who sat there."
)
_HASH = re.compile(rb'"hash":"([0-9a-f]{64})"')


class NoInclusionError(ValueError):
    """The log does not have the last event of a record."""


class ProvedEvents(NamedTuple):
    """The events of a record of which a log has leaves, under a ``name``: its id or a pseudonym.

    ``last`` is the hash of the last event, and ``kind`` that of its leaf; ``first`` is that of the
    first event. ``waiting`` are those of the heads at which the game waited for a beacon. ``key``
    opens the pseudonym of a game that is not public, in hex.
    """

    id: str
    name: str
    kind: str
    last: str
    first: str
    waiting: Collection[str]
    key: str | None

    @classmethod
    def of(cls, record: Record, key: str | None = None) -> Self:
        """Return those of the record of a game, or of a tournament's events (``as_stream``)."""
        first, last = record.copies[0]["hash"], record.copies[-1]["hash"]
        name, kind, waiting = _name_of(record, key), _kind_of(record), waiting_heads(record.copies)
        return cls(record.game_id, name, kind, last, first, waiting, key)


class LogSource(NamedTuple):
    """A log whose newest checkpoint was opened with ``keys``; ``read`` reads its files."""

    opened: OpenedCheckpoint
    reader: LogReader
    read: ReadFile
    keys: Sequence[VerifierKey]


def as_stream(header: JsonObject, copies: Sequence[JsonObject]) -> Record:
    """Return a tournament's own events as a record, of which its id is that of the game."""
    return Record({**header, "game_id": header["tournament_id"]}, copies)


def _kind_of(record: Record) -> str:
    """Return the kind of the leaf of a record's last event."""
    if record.header["version"] == 1:
        return CREATED
    return _OVER.get(record.header["status"], HEAD)


def _name_of(record: Record, key: object) -> str:
    """Return the id of a record's game in the log; ``key`` opens its pseudonym, in hex, or None."""
    return record.game_id if key is None else pseudonym(bytes.fromhex(str(key)), record.game_id)


def proofs_of(each: Iterable[ProvedEvents], log: LogSource) -> dict[str, JsonObject]:
    """Return the proofs that a log has the last events of records, by id.

    The log is read once, the newest leaves first. Events that it does not have are left out. The
    record of a game that waited for a beacon also gets the proof of the first leaf of that time, if
    the log has kept the checkpoint that first had it.

    Raises:
        TlogError: the log is not whole.
    """
    search = _Search(each)
    found: dict[str, JsonObject] = {}
    for first, entries in log.reader.bundles():
        for number, entry in reversed([*enumerate(entries, first)]):
            last = search.take(number, entry)
            if last is not None:
                found[last.events.id] = _proved(last, log)
        if search.is_over:
            break
    for one in search.waiting.values():
        kept = _kept(one, log)
        if one.events.id in found and kept is not None:
            found[one.events.id][CLOSED] = kept
    return found


class _LoggedEvent(NamedTuple):
    """A leaf of one of these events, at its place in a log."""

    events: ProvedEvents
    number: int
    leaf: Leaf

    def members(self, path: Sequence[bytes], note: Note) -> JsonObject:
        """Return its proof in the tree of a checkpoint."""
        return {
            "leaf": self.leaf.to_json(),
            "index": self.number,
            "path": [hash_.hex() for hash_ in path],
            "checkpoint": bytes(note).decode(),
        }


class _Search:
    """Finds leaves of events in entries of a log, which come newest first.

    Of the heads at which a game waited, it finds the first one: nothing of a game comes before its
    creation.
    """

    def __init__(self, each: Iterable[ProvedEvents]) -> None:
        self.waiting: dict[str, _LoggedEvent] = {}
        """The first known head at which each game waited, by id."""
        self._lasts: dict[bytes, ProvedEvents] = {}
        self._heads: dict[bytes, ProvedEvents] = {}
        self._firsts: dict[bytes, ProvedEvents] = {}
        for one in each:
            self._lasts[one.last.encode()] = one
            if one.waiting:
                self._heads.update({hash_.encode(): one for hash_ in one.waiting})
                self._firsts[one.first.encode()] = one

    @property
    def is_over(self) -> bool:
        """Whether older entries have nothing that is wanted."""
        return not self._lasts and not self._firsts

    def take(self, number: int, entry: bytes) -> _LoggedEvent | None:
        """Look at an entry; return it if it is the leaf of a last event."""
        hashed = _HASH.search(entry)
        hash_ = hashed[1] if hashed else b""
        of = [known.get(hash_) for known in (self._lasts, self._heads, self._firsts)]
        leaf = Leaf.parse(entry) if any(of) else None
        if leaf is None:
            return None
        last, head, first = (one if one and one.name == leaf.id else None for one in of)
        if first is not None and leaf.kind == CREATED:
            del self._firsts[hash_]
        if head is not None and leaf.kind == HEAD:
            self.waiting[head.id] = _LoggedEvent(head, number, leaf)
        if last is None or leaf.kind != last.kind:
            return None
        del self._lasts[hash_]
        return _LoggedEvent(last, number, leaf)


def _proved(last: _LoggedEvent, log: LogSource) -> JsonObject:
    key = last.events.key
    opening = {} if key is None else {PSEUDONYM_KEY: key}
    return {**last.members(log.reader.proof(last.number), log.opened.note), **opening}


def _kept(one: _LoggedEvent, log: LogSource) -> JsonObject | None:
    """Return the proof of a leaf in the checkpoint that the log has kept for it, if it has one.

    A checkpoint of keys that are not known here, which the log had earlier, counts as none.
    """
    raw = log.read(path_of_kept(one.number), MOST_BYTES)
    signers = () if raw is None else Note.parse(raw).signatures
    known = {(key.name, key.id) for key in log.keys if key.algorithm is Algorithm.ED25519}
    if raw is None or not known & {(each.name, each.key_id) for each in signers}:
        return None
    opened = opened_log(raw, log.keys)
    hash_ = leaf_hash(one.leaf.entry)
    return one.members(log.reader.earlier_proof(one.number, hash_, opened.checkpoint), opened.note)


def proof_of(record: Record, log: LogSource, key: str | None) -> JsonObject:
    """Return the proof that a log has a record's last event.

    ``key`` opens the pseudonym of a game that is not public (hex).

    Raises:
        NoInclusionError: the log does not have it.
        TlogError: the log is not whole.
    """
    events = ProvedEvents.of(record, key)
    found = proofs_of([events], log).get(events.id)
    if found is None:
        raise NoInclusionError(
            f"the log has no leaf `{events.kind}` of {events.name} with the hash {events.last}"
        )
    return found


class ProofReport(NamedTuple):
    """The result of the check of a record's proof: a sentence, and who saw the history when.

    ``seen`` has the trusted witnesses, with the times (s since 1970) at which they had seen it, and
    ``waiting_seen`` those at which they had seen that the game waited for its beacon. Both are
    empty without their keys.
    """

    said: str
    seen: Mapping[VerifierKey, int]
    waiting_seen: Mapping[VerifierKey, int]


def check_proof(header: Check, record: Record, keys: Collection[VerifierKey]) -> ProofReport:
    """Check a record's proof, and add what is wrong with it to the check of its ``header``.

    Without the ``keys`` of a log and its witnesses, nobody vouches for what it says.
    """
    proof = record.header[PROOF]
    try:
        said, seen = _said(record, proof, keys)
        waiting = _waiting_seen(record, proof, keys) if CLOSED in proof else {}
    except TlogError as error:
        header.failures.append(f"the proof of the public log does not hold: {error}")
        return ProofReport("", {}, {})
    return ProofReport(said, seen, waiting)


class _Included(NamedTuple):
    """A leaf, and its path to the head of a checkpoint; nothing is known yet of its signatures."""

    leaf: Leaf
    number: int
    path: Sequence[bytes]
    raw: bytes
    note: Note
    tree: Checkpoint

    @classmethod
    def of(cls, proof: Any) -> Self:
        """Read what a proof says; ``check_path`` checks it. Raises TlogError."""
        if type(proof) is not dict or not proof.keys() >= FIELDS:
            raise TlogError(f"{shown(proof)} has not {', '.join(sorted(FIELDS))}")
        members, number, path, text = (
            proof[name] for name in ("leaf", "index", "path", "checkpoint")
        )
        if type(members) is not dict or type(number) is not int or type(text) is not str:
            raise TlogError("its leaf, its index or its checkpoint is none")
        if type(path) is not list or not all(map(is_digest, path)):
            raise TlogError(f"{shown(path)} is no path")
        leaf = Leaf.of_json(members)
        if leaf is None:
            raise TlogError(f"{shown(members)} is a leaf of a later release")
        raw = text.encode()
        note = Note.parse(raw)
        tree = Checkpoint.parse(note.text)
        return cls(leaf, number, [*map(bytes.fromhex, path)], raw, note, tree)

    def check_path(self) -> None:
        """Raise TlogError if the path does not lead from the leaf to the head."""
        hash_, tree = leaf_hash(self.leaf.entry), self.tree
        verify_inclusion(hash_, self.number, tree.size, self.path, tree.root)

    @property
    def own(self) -> tuple[str, str]:
        """The names of the log's own keys."""
        return self.tree.origin, f"{self.tree.origin}/time"


def _opening(proof: JsonObject) -> object:
    key = proof.get(PSEUDONYM_KEY)
    if key is not None and not is_digest(key):
        raise TlogError(f"{shown(key)} is no key of a pseudonym")
    return key


def _said(
    record: Record, proof: Any, keys: Collection[VerifierKey]
) -> tuple[str, Mapping[VerifierKey, int]]:
    found = _Included.of(proof)
    key, leaf, tree = _opening(proof), found.leaf, found.tree
    wanted = _name_of(record, key), _kind_of(record), record.copies[-1].get("hash")
    is_same = (leaf.id, leaf.kind, leaf.hash) == wanted
    if not is_same or (key is None and leaf.seq != record.header["version"]):
        raise TlogError(f"{shown(leaf.to_json())} is not the leaf of the last event")
    found.check_path()
    hidden = "" if key is None else _HIDDEN
    if not keys:
        others = sorted({one.name for one in found.note.signatures} - {*found.own})
        seen = f"{', '.join(others)} saw it." if others else "Nobody but the operator saw it."
        return (
            f"The public log {tree.origin}, it says, has this history, among {tree.size} leaves."
            f" {seen} Nobody vouches for that here (--log-key).{hidden}"
        ), {}
    opened = opened_log(found.raw, keys)
    at = "" if opened.seen_ms is None else f", first seen at {from_ms(opened.seen_ms)}"
    times = _strangers(found, opened)
    seen = "".join(f" {key.name} saw it at {from_ms(1000 * when)}." for key, when in times.items())
    said = f"The public log {tree.origin} has this history, among {tree.size} leaves{at}."
    return said + (seen or " Nobody but the operator is known to have seen it.") + hidden, times


def _waiting_seen(
    record: Record, proof: JsonObject, keys: Collection[VerifierKey]
) -> Mapping[VerifierKey, int]:
    """Return when trusted witnesses had seen that a game waited for its beacon.

    Raises:
        TlogError: the proof does not hold, or is of another event.
    """
    found = _Included.of(proof[CLOSED])
    leaf, name = found.leaf, _name_of(record, _opening(proof))
    heads = waiting_heads(record.copies)
    if (leaf.id, leaf.kind) != (name, HEAD) or leaf.hash not in heads:
        raise TlogError(f"{shown(leaf.to_json())} is not a head at which the game waited")
    if leaf.id == record.game_id and leaf.seq != heads[leaf.hash]:
        raise TlogError(f"{shown(leaf.to_json())} has another number than its event")
    found.check_path()
    return _strangers(found, opened_log(found.raw, keys)) if keys else {}


def _strangers(found: _Included, opened: OpenedCheckpoint) -> dict[VerifierKey, int]:
    """Return the times (s) at which others than the log itself had seen it."""
    return {key: at for key, at in opened.seen.items() if key.name not in found.own}
