"""Checks whether the store still has all acknowledged events, by means of their receipts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from service.ids import GAME_ID, TOURNAMENT_ID
from service.ledger.store import Store
from service.records.receipts import is_genuine

MAX_SEQ = 2**53


class BadReceiptsError(ValueError):
    """The file contains something that is not a receipt; the message says where."""


class ReceiptFinding(NamedTuple):
    """A receipt, and whether its event is stored.

    ``missing`` describes what the store lacks; None if it has the event. ``signed_here``: whether
    this installation's key signed the receipt.
    """

    game_id: str
    seq: int
    missing: str | None
    signed_here: bool

    def to_json(self) -> JsonObject:
        """Return the finding as a JSON object."""
        return self._asdict()


def read_receipts(path: Path) -> list[JsonObject]:
    """Read receipts, or answers that have a ``receipt``: a JSON array, or one on each line.

    Raises:
        BadReceiptsError: a value is not a receipt.
        OSError: the file cannot be read.
    """
    raw = path.read_bytes()
    return [_receipt(value, where) for where, value in _values(raw)]


def _values(raw: bytes) -> Iterator[tuple[str, Any]]:
    if raw.lstrip().startswith(b"["):
        for number, value in enumerate(_json(raw, "the file"), 1):
            yield f"item {number}", value
        return
    for number, line in enumerate(raw.splitlines(), 1):
        if line.strip():
            yield f"line {number}", _json(line, f"line {number}")


def _json(raw: bytes, where: str) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadReceiptsError(f"{where} is not JSON: {error}") from None


def _receipt(value: Any, where: str) -> JsonObject:
    receipt = value.get("receipt", value) if isinstance(value, dict) else value
    if not isinstance(receipt, dict):
        raise BadReceiptsError(f"{where} is no receipt: {value!r:.80}")
    game_id, seq, hash_ = (receipt.get(name) for name in ("game_id", "seq", "hash"))
    if not isinstance(game_id, str) or not (GAME_ID.match(game_id) or TOURNAMENT_ID.match(game_id)):
        raise BadReceiptsError(f"{where}: game_id cannot be {game_id!r:.80}")
    if type(seq) is not int or not 0 < seq < MAX_SEQ:
        raise BadReceiptsError(f"{where}: seq cannot be {seq!r:.80}")
    if not isinstance(hash_, str):
        raise BadReceiptsError(f"{where}: hash cannot be {hash_!r:.80}")
    return receipt


def look_for(store: Store, public_key: bytes, receipt: JsonObject) -> ReceiptFinding:
    """Look for a receipt's event."""
    game_id, seq = receipt["game_id"], receipt["seq"]
    genuine = is_genuine(receipt, public_key)
    return ReceiptFinding(game_id, seq, _missing(store, game_id, seq, receipt["hash"]), genuine)


def _missing(store: Store, game_id: str, seq: int, hash_: str) -> str | None:
    found = store.read(game_id, seq - 1, 1)
    if found and found[0].event.seq == seq:
        same = found[0].event.hash.hex() == hash_
        return None if same else f"event {seq} is another one"
    newest = store.newest(game_id)
    return f"it has {newest} events" if newest else "there is no such game"
