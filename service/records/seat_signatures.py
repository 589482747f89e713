"""Checks what the players of a game have signed (docs/format.md, "Signatures of seats")."""

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.damage import is_lost
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.shapes import pinned_by
from rules.kernel.proof.verify import Check
from rules.kernel.record.events import genesis
from rules.kernel.record.game import UNDONE
from rules.kernel.record.signatures import (
    KEY,
    KEY_CHANGED,
    SIGNATURE,
    SIGNATURES,
    key_to_sign,
    move_to_sign,
)
from service.records.game_file import Record
from service.tlog.signatures import is_signed

_WORTH = (
    "Players signed their moves, each with the key of the seat. If the page of the service made a"
    " player's key, the service could have signed with it: a key is worth what the program is that"
    " holds it."
)


def check_seats(record: Record, newer: UnknownParts) -> Check:
    """Check the signatures of all moves and keys that the record shows.

    Events with unknown parts, and those after them, are not checked. If nothing in the record is
    signed, nothing is checked.
    """
    check = Check("signatures")
    if SIGNATURES not in pinned_by(record.copies[0]) or newer.since == 1:
        return check
    keys: dict[int, str] = {}
    undone: dict[int, int] = {}
    """By seat, the number of the event by which it took back moves for the last time."""
    seen: dict[str, int] = {}
    """The numbers of the events so far, by their hashes."""
    head = genesis(record.game_id).hex()
    for number, copy in enumerate(record.copies, 1):
        if number == newer.since:
            check.skipped = newer.why()
            break
        if is_lost(record.copies, number):
            continue
        body = copy["body"]
        if copy["kind"] == "seated":
            keys[body["seat"]["seat"]] = body["seat"].get(KEY, "")
        elif copy["kind"] == KEY_CHANGED:
            _check_key(check, record.game_id, copy, keys, head)
        elif copy["kind"] == UNDONE:
            undone[copy["by"]["seat"]] = number
        elif SIGNATURE in body and "move" in body:
            _check_move(check, record.game_id, copy, keys)
            _check_fresh(check, copy, seen, undone)
        head = copy["hash"]
        seen[head] = number
    if check.begun:
        check.notes.insert(0, _WORTH)
    return check


def _check_move(check: Check, game_id: str, copy: JsonObject, keys: dict[int, str]) -> None:
    seat, body = copy["by"]["seat"], copy["body"]
    told, head = body[SIGNATURE], body["client"]["expected_head"]
    message = move_to_sign(game_id, seat, told["decision"], head, body["move"])
    check.expect(
        _is_by(keys.get(seat, ""), message, told["sig"]),
        f"event {copy['seq']}: seat {seat} did not sign this move with its key",
    )


def _check_fresh(
    check: Check, copy: JsonObject, seen: dict[str, int], undone: dict[int, int]
) -> None:
    """Check that a decision that is open once more is not answered by what was signed before."""
    seat, body = copy["by"]["seat"], copy["body"]
    back = undone.get(seat, 0)
    opened_again = body[SIGNATURE]["decision"] < back
    check.expect(
        not opened_again or seen.get(body["client"]["expected_head"], back) >= back,
        f"event {copy['seq']}: seat {seat} has taken back moves since the head that it signed",
    )


def _check_key(
    check: Check, game_id: str, copy: JsonObject, keys: dict[int, str], head: str
) -> None:
    """Check that a seat's key before signed the key that an event binds; note it if none did."""
    value = copy["body"][KEY]
    seat = value["seat"]
    if value["sig"] is None:
        check.checked += 1
        check.notes.append(
            f"From event {copy['seq']} on, the service alone says who seat {seat} is: its key was"
            " changed, and the key before did not sign that."
        )
    else:
        message = key_to_sign(game_id, seat, head, value[KEY])
        check.expect(
            _is_by(keys.get(seat, ""), message, value["sig"]),
            f"event {copy['seq']}: the key that seat {seat} had did not sign its new one",
        )
    keys[seat] = value[KEY]


def _is_by(key: str, message: bytes, sig: str) -> bool:
    return is_signed(message, bytes.fromhex(sig), bytes.fromhex(key))
