"""The proof that travels with a record: a public log has its last event (docs/format.md)."""

from collections.abc import Collection
from typing import Any

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
_OVER = {"ended": ENDED, "aborted": ABORTED}


class NoInclusionError(ValueError):
    """The log does not have the last event of a record."""


def kind_of(record: Record) -> str:
    """Return the kind of the leaf of a record's last event."""
    if record.header["version"] == 1:
        return CREATED
    return _OVER.get(record.header["status"], HEAD)


def name_of(record: Record, key: object) -> str:
    """Return the id of a record's game in the log; ``key`` opens its pseudonym, in hex, or None."""
    return record.game_id if key is None else pseudonym(bytes.fromhex(str(key)), record.game_id)


def proof_of(
    record: Record, opened: OpenedCheckpoint, reader: LogReader, key: str | None
) -> JsonObject:
    """Return the proof that a log has a record's last event.

    ``key`` opens the pseudonym of a game that is not public (hex).

    Raises:
        NoInclusionError: the log does not have it.
        TlogError: the log is not whole.
    """
    name, kind = name_of(record, key), kind_of(record)
    last: str = record.copies[-1]["hash"]
    for first, entries in reader.bundles():
        for number, entry in enumerate(entries, first):
            if last.encode() not in entry or (leaf := Leaf.parse(entry)) is None:
                continue
            if (leaf.id, leaf.kind, leaf.hash) == (name, kind, last):
                path = [hash_.hex() for hash_ in reader.proof(number)]
                note = bytes(opened.note).decode()
                opening = {} if key is None else {PSEUDONYM_KEY: key}
                return {
                    "leaf": leaf.to_json(),
                    "index": number,
                    "path": path,
                    "checkpoint": note,
                    **opening,
                }
    raise NoInclusionError(f"the log has no leaf `{kind}` of {name} with the hash {last}")


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
    wanted = name_of(record, key), kind_of(record), record.copies[-1].get("hash")
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
