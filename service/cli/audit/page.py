"""The page with which an audit ends, in words for everybody and as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import NEWER, NOT_WHOLLY, PROVED
from rules.kernel.record.instants import from_ms
from service.auditing import fates
from service.auditing.book import Book, BookEntry
from service.auditing.chains import losses, restarts
from service.auditing.findings import MEANINGS
from service.auditing.follow import LogStatus
from service.auditing.state import State
from service.auditing.tree import Tree
from service.auditing.witnesses import seen_by, witnessed
from service.cli.witnessed import WitnessReport
from service.records.leaves import ABORTED, ENDED
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy

CLEAN, WRONG, NOT_ALL = "clean", "wrong", "not_all"
EXIT_CODES = {CLEAN: 0, WRONG: 1, NOT_ALL: 3}
STALE_SECONDS = 7_200
"""Age of a checkpoint from which on the log stands still: an idle one is signed once an hour."""
_SHOWN = 10
_NAMES = {"g": "games", "t": "tournaments", "~": "private"}
_VERDICTS = {
    CLEAN: "ALL IS WELL. Nothing shows that this service keeps two histories, or hides one.",
    WRONG: "SOMETHING IS WRONG. An honest service does not do this:",
    NOT_ALL: "NOTHING IS WRONG so far, but not everything could be looked at.",
}


class RunSummary(NamedTuple):
    """What a run has to say beyond the memory.

    ``unseen`` are sentences on what could not be looked at. ``is_asked`` says whether a service was
    asked, ``now`` is in seconds since 1970. ``policy`` says whose co-signatures the checkpoints
    must have.
    """

    followed: LogStatus | None
    unseen: list[str]
    now: int
    is_asked: bool
    policy: TrustPolicy | None = None


def told(state: State, book: Book, run: RunSummary) -> JsonObject:
    """Return the page as JSON."""
    entries = book.entries()
    witnesses = _witnesses(state, run.policy)
    unseen = [*run.unseen, *_unwitnessed(witnesses), *_unverified(state)]
    verdict = WRONG if entries else NOT_ALL if unseen else CLEAN
    followed, tree = run.followed, Tree(state)
    read = int(state.known("read", 0))
    new = read - (followed.new if followed else 0)
    note = tree.note.decode() if tree.is_begun else None
    return {
        "verdict": verdict,
        "audited_at": from_ms(1000 * run.now),
        "log": {
            "origin": state.known("origin"),
            "size": tree.size,
            "read": read,
            "new": followed.new if followed else 0,
            "at": from_ms(1000 * followed.at) if followed and followed.at is not None else None,
            "checkpoint": note,
        },
        "witnesses": witnesses,
        "ids": _ids(state, is_asked=run.is_asked),
        "records": _records(state) if run.is_asked else None,
        "losses": [
            {"id": loss.id, "seq": loss.seq, "to": loss.to, "leaf": loss.number,
             "is_new": loss.number >= new}
            for loss in losses(state)
        ],
        "restarts": [
            {"at": from_ms(one.at), "until": from_ms(one.until), "is_new": one.number >= new}
            for one in restarts(state)
        ],
        "findings": [_finding(entry) for entry in entries],
        "unseen": unseen,
    }  # fmt: skip


def lines(page: JsonObject) -> Iterator[str]:
    """Yield the page in words."""
    log, ids, records = page["log"], page["ids"], page["records"]
    yield f"Audit of the public log {log['origin']}, at {page['audited_at']}"
    yield ""
    yield _VERDICTS[page["verdict"]]
    yield from _findings(page["findings"])
    for sentence in page["unseen"]:
        yield f"  - Not looked at: {sentence}"
    yield ""
    yield "What was looked at"
    signed = "" if log["at"] is None else f", signed at {log['at']}"
    since = log["read"] - log["new"]
    grown = f"; the first {since} are the same as before" if since else ""
    yield f"  The log: {log['read']} entries{signed}{grown}."
    yield from _saw(page["witnesses"])
    for name in ("games", "tournaments"):
        yield from _fates(name, ids[name], is_asked=records is not None)
    private = ids["private"]["all"]
    if private:
        yield (
            f"  Private games: {private}. Strangers see no more than their hashes in the log;"
            " whoever sat there can check more with a receipt (`lonja verify --log`)."
        )
    yield from _verified(records)
    yield from _lost(page["losses"])
    yield from _restarted(page["restarts"])
    yield ""
    yield "What this cannot show"
    yield (
        "  Whether the service shows others another log: compare the checkpoint with theirs"
        " (--seen). What was never in the log, as games that the operator made and gave up within a"
        " minute: only a player's receipt shows that. Who plays under a name: the operator may hold"
        " a seat himself, see what is hidden, and foresee luck."
    )


def summary(page: JsonObject) -> str:
    """Return the page in a sentence or two."""
    wrong = " ".join(dict.fromkeys(MEANINGS[one["code"]] for one in page["findings"]))
    lost = sum(loss["is_new"] for loss in page["losses"])
    told = [f"Audit of {page['log']['origin']}: {_VERDICTS[page['verdict']]}", wrong]
    if lost:
        told.append(f"By its own word the service has newly lost moves of {lost} games.")
    return " ".join(filter(None, told))


def _saw(found: JsonObject | None) -> Iterator[str]:
    if found is None:
        yield (
            "  Witnesses: none was asked for (--policy, --witness-key). As far as this audit knows,"
            " nobody but the operator saw this log: others may be shown another one."
        )
        return
    many, covered = found["checkpoints"], found["covered"]
    quorum = f"{many['enough']} of the {many['seen']} checkpoints that you saw have the quorum"
    if covered is None:
        yield f"  Witnesses: {quorum}. Nobody but the operator saw this log."
        return
    who = ", ".join(f"{one['name']} at {one['at']}" for one in found["seen"])
    newest = f"; the newest one was seen by {who}" if who else ""
    yield (
        f"  Witnesses: {quorum}{newest}. By {covered['at']} they had seen the first"
        f" {covered['size']} entries: who asks for the same witnesses is shown no others."
    )


def _findings(found: list[JsonObject]) -> Iterator[str]:
    known = list(MEANINGS)
    counts = Counter(one["code"] for one in found)
    for code in sorted(counts, key=known.index):
        own = [one for one in found if one["code"] == code]
        yield f"  {MEANINGS[code]}"
        for one in own[:_SHOWN]:
            yield f"    {one['why']}"
            if one["evidence"] is not None:
                yield f"    {one['evidence']} convinces others."
        if len(own) > _SHOWN:
            yield f"    And {len(own) - _SHOWN} more."


def _fates(name: str, found: Mapping[str, int], *, is_asked: bool) -> Iterator[str]:
    if not found["all"]:
        return
    shown = "in play and shown by the service" if is_asked else "not over"
    parts = [
        (found["ended"], "ended"),
        (found["aborted"], "called off"),
        (found["open"], shown),
        (found["sealed"], "in play, hidden until others with the same luck are over"),
        (found["damaged"], "damaged, as the service says itself"),
        (found["lost"], "lost wholly, as the log says itself"),
        (found["unknown"], "not shown by the service, or not asked for"),
    ]
    told = ", ".join(f"{many} {what}" for many, what in parts if many)
    yield f"  {name.capitalize()}: {found['all']} ({told})."


def _verified(records: Mapping[str, int] | None) -> Iterator[str]:
    if records is None or not sum(records.values()):
        return
    proved, others = records["proved"], records["newer"] + records["not_wholly"]
    yield (
        f"  Records that were verified: {proved}. Every move in them was legal, every die and card"
        " followed from what was committed to, and all is as the log has it."
        + (f" Verified only in part: {others}." if others else "")
        + (f" Not to be had yet: {records['none']}." if records["none"] else "")
    )


def _lost(found: list[JsonObject]) -> Iterator[str]:
    if not found:
        return
    ids = {loss["id"] for loss in found}
    fresh = sum(loss["is_new"] for loss in found)
    yield ""
    yield "Lost by the operator's own word"
    yield (
        f"  The log itself says that the service has lost moves of {len(ids)} games or tournaments"
        f" ({len(found)} losses, {fresh} of them new). Receipts of these moves stay evidence."
    )
    for loss in found[-_SHOWN:]:
        yield f"    {loss['id']}: what came after {loss['to']}, up to {loss['seq']}"


def _restarted(found: list[JsonObject]) -> Iterator[str]:
    if not found:
        return
    fresh = sum(one["is_new"] for one in found)
    yield ""
    yield "Restarts by the operator's own word"
    yield (
        f"  The log itself says that its store was restarted, or replaced by another server"
        f" ({len(found)} in all, {fresh} of them new), as it has to after each restart. What came"
        " then and is not in the log may be lost, and receipts of it stay evidence. Compare them"
        " with the restarts of which the operator told."
    )
    for one in found[-_SHOWN:]:
        yield f"    between {one['at']} and {one['until']}"


def _ids(state: State, *, is_asked: bool) -> JsonObject:
    empty = ("all", "ended", "aborted", "open", "sealed", "damaged", "lost", "unknown")
    found = {name: dict.fromkeys(empty, 0) for name in _NAMES.values()}
    for (kind, leaf, fate, _record), many in fates.summary(state).items():
        counts = found[_NAMES[kind]]
        counts["all"] += many
        counts[_fate_of(leaf, fate, is_told=is_asked and kind != "~")] += many
    return found


def _fate_of(leaf: str, fate: str | None, *, is_told: bool) -> str:
    if leaf in (ENDED, ABORTED):
        return leaf
    if not leaf:
        return "lost"
    if not is_told or fate == fates.OPEN:
        return "open"
    return fate if fate in (fates.SEALED, fates.SUSPENDED) else "unknown"


def _records(state: State) -> JsonObject:
    found = dict.fromkeys(("proved", "newer", "not_wholly", "none"), 0)
    names = {PROVED: "proved", NEWER: "newer", NOT_WHOLLY: "not_wholly"}
    for (kind, leaf, _fate, record), many in fates.summary(state).items():
        if kind != "~" and leaf in (ENDED, ABORTED):
            found[names.get(record or "", "none")] += many
    return found


def _witnesses(state: State, policy: TrustPolicy | None) -> JsonObject | None:
    """Return who has seen the newest checkpoint, and which ones have the quorum."""
    tree = Tree(state)
    if policy is None or policy.quorum is None or not tree.is_begun:
        return None
    found = witnessed(state, policy)
    covered = None
    if found.at is not None:
        covered = {"size": found.size, "root": found.root.hex(), "at": from_ms(1000 * found.at)}
    return {
        **(WitnessReport(policy, seen_by(Note.parse(tree.note), policy), ()).to_json() or {}),
        "checkpoints": {"seen": found.seen, "enough": found.enough},
        "covered": covered,
    }


def _unwitnessed(found: JsonObject | None) -> Iterator[str]:
    """Yield a sentence if too few witnesses have seen the newest checkpoint."""
    if found is None or found["enough"]:
        return
    covered = found["covered"]
    since = "this log" if covered is None else f"what the log has after entry {covered['size']}"
    missing = ", ".join(found["missing"])
    yield f"whether others are shown the same: nobody but the operator saw {since}, not {missing}."


def _unverified(state: State) -> Iterator[str]:
    """Yield why some things were not told, most frequent reasons first."""
    for why, many in fates.reasons(state):
        yield f"{many} games or tournaments: {why}"


def _finding(entry: BookEntry) -> JsonObject:
    return {
        "code": entry.code,
        "id": entry.id,
        "why": entry.why,
        "evidence": None if entry.evidence is None else str(entry.evidence),
        "found_at": from_ms(1000 * entry.at),
        "is_new": entry.is_new,
    }
