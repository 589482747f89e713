"""What a record's header and a receipt prove about its events."""

from typing import Any

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest
from rules.kernel.effects import can_see
from rules.kernel.game import ABORTED, ENDED
from rules.kernel.verify import Check
from service.receipts import KEY_ID_LENGTH, is_genuine
from service.record import Record

_OVER = {"ended": ENDED, "aborted": ABORTED}


def check_header(record: Record) -> Check:
    """Check that the header says of the events what they say of themselves."""
    check = Check("header")
    header, copies = record
    pinned = copies[0]["body"]["game"]
    for name in ("ruleset", "rules_version"):
        check.expect(header[name] == pinned[name], f"the header says {name} {header[name]!r}")
    wanted = status(copies)
    check.expect(
        header["status"] == wanted, f"the header says {header['status']!r}, the events {wanted!r}"
    )
    check.expect(
        header["viewer"] in (None, *range(pinned["seats"])),
        f"the header says that seat {header['viewer']} looked on",
    )
    check.expect(
        header["viewer"] is None or wanted not in _OVER.values(),
        "the game is over, so its record is the same for every seat: the header's viewer is null",
    )
    check_receipt(check, record, header["receipt"], header["public_key"])
    check.expect(
        header["receipt"].get("seq") == header["version"],
        "the header's receipt is not for the last event",
    )
    return check


def check_receipt(check: Check, record: Record, receipt: JsonObject, public_key: str) -> None:
    """Check that ``public_key`` (hex) signed ``receipt`` and that the record agrees with it."""
    try:
        key = bytes.fromhex(public_key)
        genuine = is_genuine(receipt, key)
    except (ValueError, NotCanonicalError):
        key, genuine = b"", False
    if not check.expect(genuine, "the receipt was not signed with this public key"):
        return
    check.expect(
        receipt["key_id"] == digest(key).hex()[:KEY_ID_LENGTH],
        f"the receipt names another key: {receipt['key_id']!r}",
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
    copy = record.copies[seq - 1]
    check.expect(copy["hash"] == receipt["hash"], f"the receipt has another hash for event {seq}")
    check.expect(copy["at"] == receipt["at"], f"the receipt has another time for event {seq}")


def check_viewer(record: Record) -> Check:
    """Check that the record shows its viewer all that it may see of every event, and no more."""
    check = Check("viewer")
    viewer = record.header["viewer"]
    over = status(record.copies) in _OVER.values()
    opened = {
        (opening["seq"], opening["part"])
        for copy in record.copies
        for opening in copy["body"].get("opens", [])
    }
    for copy in record.copies:
        for name in copy["parts"]:
            allowed = (
                over or can_see(viewer, copy["audiences"][name]) or (copy["seq"], name) in opened
            )
            check.expect(
                (name in copy["body"]) == allowed,
                f"event {copy['seq']}: {name} is {'left out' if allowed else 'shown'},"
                f" though it is for {copy['audiences'][name]}",
            )
    return check


def status(copies: list[JsonObject]) -> str:
    """Return the status that the events lead to."""
    found: dict[Any, str] = {
        "created": "lobby", "closed": "closed", "started": "running", **_OVER,
    }  # fmt: skip
    now = ""
    for copy in copies:
        now = found.get(copy["kind"], now)
    return now
