"""The request that a batch records (docs/format.md, "Receipts").

A receipt signs the digest of the request, so a kept receipt proves both the request and the
recorded result. ``verify`` computes the same digest from the record.
"""

from collections.abc import Callable, Sequence

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.record.batch import REVEAL
from rules.kernel.record.bots import without_form
from rules.kernel.record.events import Event
from rules.kernel.record.game import HINTS, TAKE_BACK
from rules.kernel.record.signatures import KEY, KEY_CHANGED, SIGNATURE, SIGNATURES


def request_digest(
    batch: Sequence[Event],
    idempotency_key: str | None,
    write: Callable[[object], bytes] = encode,
) -> bytes:
    """Return the digest, for a receipt, of the request that ``batch`` records: 32 bytes.

    Raises:
        KeyError: the batch records no request, or parts of the request are hidden.
    """
    return digest(write({**_asked(batch), "idempotency_key": idempotency_key}))


def _asked(batch: Sequence[Event]) -> JsonObject:
    first = batch[0]
    value = {name: part.value for name, part in first.body.items()}
    match first.kind:
        case "created":
            return {"kind": "create", **_table(batch)}
        case "seated":
            return {"kind": "sit", **without_form(value["seat"])}
        case "left":
            return {"kind": "stand", **value["seat"]}
        case "entropy_revealed":
            return {"kind": "reveal", **value["entropy"]}
        case "moved":
            head = value["client"]["expected_head"] if "client" in value else None
            more = {SIGNATURE: value[SIGNATURE]} if SIGNATURE in first.body else {}
            return {
                "kind": "move", "seat": first.by["seat"], "move": value["move"],
                "expected_head": head, **more,
            }  # fmt: skip
        case "resigned":
            return {"kind": "resign", "seat": first.by["seat"]}
        case "undone":
            return {"kind": "undo", "seat": first.by["seat"], "to": value["undo"]["to"]}
        case "hinted":
            return {"kind": "hint", "seat": first.by["seat"], **value["hint"]}
        case kind if kind == KEY_CHANGED:
            return {"kind": "change_key", **value[KEY]}
        case "aborted":
            return {"kind": "cancel"}
    raise KeyError(first.kind)


def _table(batch: Sequence[Event]) -> JsonObject:
    game = batch[0].body["game"].value
    seats: list[JsonObject | None] = [None] * game["seats"]
    for event in batch:
        if event.kind == "seated":
            seat = event.body["seat"].value
            seats[seat["seat"]] = {
                name: seat[name] for name in ("holder", "entropy_commitment", KEY) if name in seat
            }
    more = {} if game["entropy"]["mode"] == REVEAL else {"entropy": game["entropy"]}
    more |= {name: game[name] for name in (TAKE_BACK, HINTS, SIGNATURES) if name in game}
    return {
        "ruleset": game["ruleset"], "options": game["options"], "seats": seats,
        "clock": game["clock"], **more,
    }  # fmt: skip
