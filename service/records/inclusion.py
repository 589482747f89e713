"""The proof that travels with a record: a public log has its last event (docs/format.md)."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.verdicts import Check
from rules.kernel.record.instants import from_ms
from service.records.game_file import PROOF, Record
from service.records.leaves import ABORTED, CREATED, ENDED, HEAD, Leaf, pseudonym
from service.records.receipts import PSEUDONYM_KEY
from service.tlog.checkpoints import Checkpoint, OpenedCheckpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.merkle import leaf_hash, verify_inclusion
from service.tlog.notes import Note
from service.tlog.reading import LogReader

FIELDS = frozenset(("leaf", "index", "path", "checkpoint"))
_OVER = {"ended": ENDED, "aborted": ABORTED, "cancelled": ABORTED}
_HASH = re.compile(rb'"hash":"([0-9a-f]{64})"')


class NoInclusionError(ValueError):
    """The log does not have the last event of a record."""


class LastEvent(NamedTuple):
    """The last event of a record, as its leaf has it: the kind, and the id or the pseudonym.

    ``key`` opens the pseudonym of a game that is not public, in hex.
    """

    id: str
    name: str
    kind: str
    hash: str
    key: str | None

    @classmethod
    def of(cls, record: Record, key: str | None = None) -> Self:
        """Return that of the record of a game, or of a tournament's events (``as_stream``)."""
        last: str = record.copies[-1]["hash"]
        return cls(record.game_id, _name_of(record, key), _kind_of(record), last, key)


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


def proofs_of(
    lasts: Iterable[LastEvent], opened: OpenedCheckpoint, reader: LogReader
) -> dict[str, JsonObject]:
    """Return the proofs that a log has the last events of records, by id.

    The log is read once, the newest leaves first. Events that it does not have are left out.

    Raises:
        TlogError: the log is not whole.
    """
    wanted = {last.hash.encode(): last for last in lasts}
    note = bytes(opened.note).decode()
    found: dict[str, JsonObject] = {}
    for first, entries in reader.bundles():
        if not wanted:
            break
        for number, entry in enumerate(entries, first):
            hashed = _HASH.search(entry)
            last = wanted.get(hashed[1]) if hashed else None
            if last is None or (leaf := Leaf.parse(entry)) is None:
                continue
            if (leaf.id, leaf.kind, leaf.hash) == (last.name, last.kind, last.hash):
                opening = {} if last.key is None else {PSEUDONYM_KEY: last.key}
                found[last.id] = {
                    "leaf": leaf.to_json(),
                    "index": number,
                    "path": [hash_.hex() for hash_ in reader.proof(number)],
                    "checkpoint": note,
                    **opening,
                }
                del wanted[last.hash.encode()]
    return found


def proof_of(
    record: Record, opened: OpenedCheckpoint, reader: LogReader, key: str | None
) -> JsonObject:
    """Return the proof that a log has a record's last event.

    ``key`` opens the pseudonym of a game that is not public (hex).

    Raises:
        NoInclusionError: the log does not have it.
        TlogError: the log is not whole.
    """
    last = LastEvent.of(record, key)
    found = proofs_of([last], opened, reader).get(last.id)
    if found is None:
        raise NoInclusionError(
            f"the log has no leaf `{last.kind}` of {last.name} with the hash {last.hash}"
        )
    return found


def check_proof(header: Check, record: Record, keys: Collection[VerifierKey]) -> str:
    """Check a record's proof, and add what is wrong with it to the check of its ``header``.

    Return in a sentence who saw this history, and when. Without the ``keys`` of a log and its
    witnesses, nobody vouches for that.
    """
    try:
        return _said(record, record.header[PROOF], keys)
    except TlogError as error:
        header.failures.append(f"the proof of the public log does not hold: {error}")
        return ""


def _said(record: Record, proof: Any, keys: Collection[VerifierKey]) -> str:
    if type(proof) is not dict or not proof.keys() >= FIELDS:
        raise TlogError(f"{shown(proof)} has not {', '.join(sorted(FIELDS))}")
    members, number, path, text = (proof[name] for name in ("leaf", "index", "path", "checkpoint"))
    key = proof.get(PSEUDONYM_KEY)
    if type(members) is not dict or type(number) is not int or type(text) is not str:
        raise TlogError("its leaf, its index or its checkpoint is none")
    if type(path) is not list or not all(map(is_digest, path)):
        raise TlogError(f"{shown(path)} is no path")
    if key is not None and not is_digest(key):
        raise TlogError(f"{shown(key)} is no key of a pseudonym")
    leaf = Leaf.of_json(members)
    wanted = _name_of(record, key), _kind_of(record), record.copies[-1].get("hash")
    is_same = leaf is not None and (leaf.id, leaf.kind, leaf.hash) == wanted
    if leaf is None or not is_same or (key is None and leaf.seq != record.header["version"]):
        raise TlogError(f"{shown(members)} is not the leaf of the last event")
    raw = text.encode()
    note = Note.parse(raw)
    tree = Checkpoint.parse(note.text)
    hashes = [bytes.fromhex(hash_) for hash_ in path]
    verify_inclusion(leaf_hash(leaf.entry), number, tree.size, hashes, tree.root)
    own = tree.origin, f"{tree.origin}/time"
    if not keys:
        others = sorted({one.name for one in note.signatures} - {*own})
        seen = f"{', '.join(others)} saw it." if others else "Nobody but the operator saw it."
        return (
            f"The public log {tree.origin}, it says, has this history, among {tree.size} leaves."
            f" {seen} Nobody vouches for that here (--log-key)."
        )
    log = [one for one in keys if one.algorithm is Algorithm.ED25519]
    times = [one for one in keys if one.algorithm is Algorithm.COSIGNATURE_V1]
    opened = open_checkpoint(raw, log, times)
    at = "" if opened.seen_ms is None else f", first seen at {from_ms(opened.seen_ms)}"
    seen = "".join(
        f" {key.name} saw it at {from_ms(1000 * when)}."
        for key, when in opened.seen.items()
        if key.name not in own
    )
    return f"The public log {tree.origin} has this history, among {tree.size} leaves{at}." + (
        seen or " Nobody but the operator is known to have seen it."
    )
