"""Which of the checkpoints that were seen have the quorum of a policy."""

from collections.abc import Mapping
from typing import NamedTuple

from service.auditing.state import State
from service.auditing.tree import Tree
from service.tlog.checkpoints import OpenedCheckpoint
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.notes import MOST_SIGNATURES, Note
from service.tlog.policies import TrustPolicy


class WitnessedLog(NamedTuple):
    """How many checkpoints were seen, and how many of them have the quorum.

    ``size`` and ``root`` are those of the largest of these, 0 and empty if there is none; its
    entries are those that witnesses saw. ``at`` is the time by which the quorum had seen it
    (seconds since 1970).
    """

    seen: int
    enough: int
    size: int = 0
    root: bytes = b""
    at: int | None = None


def add_cosignatures(state: State, opened: OpenedCheckpoint, policy: TrustPolicy) -> None:
    """Add the policy's co-signatures of a checkpoint to it, if it was seen: they may come later."""
    tree = opened.checkpoint
    place = tree.size, tree.root
    row = state.sql.execute("SELECT note FROM checkpoints WHERE size = ? AND root = ?", place)
    found = row.fetchone()
    if found is None:
        return
    note = Note.parse(bytes(found[0]))
    signed = {(key.name, key.id) for key in seen_by(opened.note, policy)}
    known = {(key.name, key.id) for key in seen_by(note, policy)}
    new = signed - known
    more = [one for one in opened.note.signatures if (one.name, one.key_id) in new]
    kept = [one for one in note.signatures if (one.name, one.key_id) not in new]
    if more and len(kept) + len(more) <= MOST_SIGNATURES:
        whole = bytes(Note(note.text, (*kept, *more)))
        update = "UPDATE checkpoints SET note = ? WHERE size = ? AND root = ?"
        state.sql.execute(update, (whole, *place))


def witnessed(state: State, policy: TrustPolicy) -> WitnessedLog:
    """Judge all checkpoints that were seen by a policy."""
    seen = enough = 0
    newest = WitnessedLog(0, 0)
    for size, root, raw in state.sql.execute("SELECT size, root, note FROM checkpoints"):
        seen += 1
        times = seen_by(Note.parse(bytes(raw)), policy)
        at = policy.met_at(times)
        if at is None:
            continue
        enough += 1
        if size >= newest.size:
            newest = WitnessedLog(0, 0, size, bytes(root), at)
    return newest._replace(seen=seen, enough=enough)


def is_witnessed(tree: Tree, policy: TrustPolicy) -> bool:
    """Whether the largest checkpoint that was seen has the policy's quorum."""
    return policy.met_at(seen_by(Note.parse(tree.note), policy)) is not None


def seen_by(note: Note, policy: TrustPolicy) -> Mapping[VerifierKey, int]:
    """Return when the policy's witnesses saw a note, those that have signed it rightly."""
    found: dict[VerifierKey, int] = {}
    for key in policy.witnesses.values():
        try:
            at = note.verify([key])[key]
        except TlogError:
            continue
        if at is not None:
            found[key] = at
    return found
