"""Checks of a record's header and receipts against its events."""

import time
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject, NotCanonicalError
from rules.kernel.contract.effects import can_see
from rules.kernel.contract.errors import shown
from rules.kernel.proof.damage import is_lost
from rules.kernel.proof.newer import UnknownParts, is_name
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.shapes import MOST_IN_BATCH, MOST_SEATS, is_known, pinned_by
from rules.kernel.proof.verify import Check, status_of
from rules.kernel.record.events import from_copy
from rules.kernel.record.game import ABORTED, ENDED, STATUSES
from rules.kernel.record.instants import is_instant, to_ms
from rules.kernel.record.requests import request_digest
from service.records.game_file import HEADER, PROOF, Record
from service.records.inclusion import CLOSED
from service.records.inclusion import FIELDS as PROOF_FIELDS
from service.records.receipts import PSEUDONYM_KEY, RECEIPT, is_genuine, key_id_of

_UNWITNESSED = (
    "Nobody but the operator of the service saw this: the record has no co-signature of a witness,"
    " so somebody else may have been shown another history."
)
AHEAD_MS = 120_000
"""Maximum difference between well-set clocks."""

_OVER = (ENDED, ABORTED)


def check_lines(record: Record) -> Check:
    """Check every byte of the file: this program would write the same bytes for this record."""
    check = Check("lines", 1 + len(record.copies))
    check.failures += record.flaws
    return check


def check_header(record: Record, newer: UnknownParts) -> Check:
    """Check that the header agrees with the events.

    Unknown parts of the header or of its receipt are added to ``newer``.
    """
    check = Check("header")
    header, copies = record.header, record.copies
    check_header_fields(check, header, HEADER, newer)
    pinned = pinned_by(copies[0])
    for name in ("ruleset", "rules_version"):
        check.expect(
            header[name] == pinned.get(name, header[name]),
            f"the header says {name} {header[name]!r}",
        )
    check.expect(
        header["version"] == len(copies),
        f"the header tells of {header['version']} events, and there are {len(copies)}",
    )
    viewer, seats = header["viewer"], pinned.get("seats", MOST_SEATS)
    check.expect(
        viewer is None or 0 <= viewer < seats, f"the header says that seat {viewer} looked on"
    )
    if is_unknown_status(header["status"], STATUSES, newer) or newer.since:
        check.skipped = newer.why()
    else:
        wanted = status_of(copies)
        check.expect(
            header["status"] == wanted,
            f"the header says {header['status']!r}, the events {wanted!r}",
        )
        check.expect(
            viewer is None or wanted not in _OVER,
            "the game is over, so its record is the same for every seat: the header's viewer is"
            " null",
        )
    receipt = header["receipt"]
    check_receipt(check, record, receipt, header["public_key"], newer)
    check.expect(
        receipt.get("seq") == header["version"], "the header's receipt is not for the last event"
    )
    answers = receipt.get("request"), receipt.get("idempotency_key")
    check.expect(answers == (None, None), "the header's receipt is a head, and answers no request")
    return check


def check_header_fields(
    check: Check, header: JsonObject, known: Collection[str], newer: UnknownParts
) -> None:
    """Check that a header has no unknown fields, nor the proof that it may have."""
    check_fields(check, header, {*known, PROOF}, newer)
    if type(header.get(PROOF)) is dict:
        own = {*PROOF_FIELDS, PSEUDONYM_KEY, CLOSED}
        check_fields(check, header[PROOF], own, newer, f"$.{PROOF}")
        if type(waiting := header[PROOF].get(CLOSED)) is dict:
            check_fields(check, waiting, PROOF_FIELDS, newer, f"$.{PROOF}.{CLOSED}")


def check_fields(
    check: Check, header: JsonObject, known: Collection[str], newer: UnknownParts, path: str = "$"
) -> None:
    """Add unknown fields to ``newer`` if a later release could have written them.

    The check fails if an unknown field has a name that no release would use.
    """
    more = sorted(header.keys() - set(known))
    strange = [name for name in more if not is_name(name)]
    check.expect(not strange, f"there is no field {', '.join(map(shown, strange))}")
    for name in more:
        newer.note(None, f"{path}.{name}", name)


def is_unknown_status(found: str, known: Collection[str], newer: UnknownParts) -> bool:
    """Whether a header has the status of a later release; if so, note it in ``newer``."""
    unknown = found not in known and is_name(found)
    if unknown:
        newer.note(None, "$.status", found)
    return unknown


def check_signatures(
    record: Record, receipt: JsonObject | None, public_key: str | None, newer: UnknownParts
) -> Check:
    """Check the caller's ``receipt``, and the ``public_key`` (hex) that the caller trusts.

    If a key is given, it must have made every signature, including the one in the file's header.
    """
    check = Check("receipt")
    header = record.header
    key = header["public_key"] if public_key is None else public_key
    if public_key is not None:
        check.expect(
            header["public_key"] == public_key,
            f"the file is signed with the key {header['public_key']!r}, not with the one you trust",
        )
        check_receipt(check, record, header["receipt"], public_key, newer)
    if receipt is not None:
        check_receipt(check, record, receipt, key, newer)
    return check


def check_receipt(
    check: Check, record: Record, receipt: JsonObject, public_key: str, newer: UnknownParts
) -> None:
    """Check that ``public_key`` (hex) signed ``receipt``, and that the record agrees with it."""
    if not check.expect(
        is_digest(public_key), f"the public key {shown(public_key)} is not 64 hexadecimal digits"
    ):
        return
    if not check.expect(
        receipt.keys() >= RECEIPT, f"the receipt has not the fields of one: {shown(receipt)}"
    ):
        return
    check_fields(check, receipt, {*RECEIPT, PSEUDONYM_KEY}, newer, "$.receipt")
    key = bytes.fromhex(public_key)
    if not check.expect(
        is_genuine(receipt, key), "the receipt was not signed with this public key"
    ):
        return
    check.expect(
        receipt["key_id"] == key_id_of(key), f"the receipt names another key: {receipt['key_id']!r}"
    )
    check.expect(
        receipt["game_id"] == record.game_id,
        f"the receipt is for game {receipt['game_id']!r}, the record of {record.game_id!r}",
    )
    seq = receipt["seq"]
    if not check.expect(
        type(seq) is int and 1 <= seq <= len(record.copies),
        f"the receipt is for event {seq!r}, the record ends at {len(record.copies)}",
    ):
        return
    if is_lost(record.copies, seq):
        check.skipped = f"the receipt for event {seq}, which is damaged"
        return
    copy = record.copies[seq - 1]
    check.expect(copy["hash"] == receipt["hash"], f"the receipt has another hash for event {seq}")
    check.expect(copy["at"] == receipt["at"], f"the receipt has another time for event {seq}")
    batch = _batch_to(record.copies, seq)
    if receipt["request"] is not None and 0 < newer.since <= seq and _is_newer(record, batch):
        check.skipped = f"what the receipt was given for, {newer.why()}"
        return
    _check_request(check, batch, receipt)


def _is_newer(record: Record, batch: Sequence[JsonObject]) -> bool:
    """Whether a batch has kinds or parts that this program does not know."""
    seats = pinned_by(record.copies[0]).get("seats", MOST_SEATS)
    return not all(is_known(copy, seats) for copy in batch)


def _batch_to(copies: Sequence[JsonObject], seq: int) -> list[JsonObject]:
    """Return the events of the batch that ends with the event ``seq``.

    If the record lacks the beginning of the batch, the result has only the events that are there.
    """
    batch: list[JsonObject] = []
    while len(batch) < min(seq, MOST_IN_BATCH) and copies[seq - 1 - len(batch)]["last"] == seq:
        batch.insert(0, copies[seq - 1 - len(batch)])
    return batch


def _check_request(check: Check, batch: Sequence[JsonObject], receipt: JsonObject) -> None:
    """Check that a receipt answers the request that ``batch`` records."""
    if receipt["request"] is None:
        check.expect(receipt["idempotency_key"] is None, "a head answers no request with a key")
        return
    seq = receipt["seq"]
    if not check.expect(
        bool(batch) and batch[-1]["seq"] == seq, f"no request is answered by event {seq}"
    ):
        return
    first = batch[0]
    if first["kind"] == "moved" and "move" not in first["body"]:
        check.skipped = f"the move of event {first['seq']}, which this viewer was not shown"
        return
    try:
        asked = request_digest([from_copy(copy) for copy in batch], receipt["idempotency_key"])
    except (KeyError, NotCanonicalError):
        check.fail(f"event {first['seq']} is no request, and the receipt answers one")
        return
    check.expect(
        receipt["request"] == asked.hex(),
        f"the receipt is for another request than the one of event {first['seq']}",
    )


def unwitnessed(header: JsonObject) -> list[str]:
    """Return what has to be said of a record that has no proof of a public log."""
    return [] if "proof" in header else [_UNWITNESSED]


def future(copies: Sequence[JsonObject]) -> Iterator[str]:
    """Yield a note if the last event is in the future by this machine's clock."""
    at: Any = copies[-1].get("at")
    if is_instant(at) and to_ms(at) > time.time() * 1000 + AHEAD_MS:
        yield f"Its last event is of {at}, which is in the future by the clock of this machine."


def signed_by(header: JsonObject, public_key: str | None) -> JsonObject:
    """Return the key that a file names as its signer, and whether the caller trusts it."""
    key = header["public_key"]
    return {
        "public_key": key,
        "key_id": key_id_of(bytes.fromhex(key)) if is_digest(key) else None,
        "trusted": key == public_key,
    }


def check_viewer(record: Record, newer: UnknownParts) -> Check:
    """Check that the record holds exactly the parts that its viewer may see of every event.

    With unknown events one cannot know when the game ended and everything became visible.
    """
    check = Check("viewer", skipped=newer.why())
    if newer.since:
        return check
    viewer = record.header["viewer"]
    over = status_of(record.copies) in _OVER
    opened = set() if over else _opened(record.copies)
    for copy in record.copies:
        body, audiences = copy["body"], copy["audiences"]
        check.checked += len(audiences)
        if over and audiences.keys() <= body.keys():
            continue
        for name, audience in audiences.items():
            allowed = over or can_see(viewer, audience) or (copy["seq"], name) in opened
            if (name in body) != allowed:
                check.failures.append(
                    f"event {copy['seq']}: {name} is {'left out' if allowed else 'shown'},"
                    f" though it is for {audience}"
                )
    return check


def _opened(copies: Sequence[JsonObject]) -> set[tuple[int, str]]:
    """Return the sealed parts, as (seq, name), that later events open while the game still runs."""
    return {
        (opening["seq"], opening["part"])
        for copy in copies
        for opening in copy["body"].get("opens", [])
    }
