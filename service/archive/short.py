"""Records without what a reader can compute again (docs/format.md, "Packs").

When a game is over, its salt is in its record, so nonces, commitments and hashes follow from the
rest. They make three quarters of a compressed record.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.record.events import event_hash, genesis
from rules.kernel.record.secrets import part_commitment, part_nonce
from service.process.fair_queue import paced
from service.records.game_file import RecordError


def shortened(stream_id: str, copies: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield the events of a record, each without the fields that ``completed`` computes.

    Raises:
        RecordError: an event lacks what its kind must have.
    """
    for copy, computed in _computed(stream_id, copies):
        yield {
            name: value
            for name, value in copy.items()
            if name not in computed or computed[name] != value
        }


def completed(stream_id: str, lines: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield the events of which ``shortened`` made ``lines``.

    A field that a line has is taken as it is: whether it is right is for the checks of the record.

    Raises:
        RecordError: an event lacks what its kind must have.
    """
    for line, computed in _computed(stream_id, lines):
        yield {**computed, **line}


def _computed(
    stream_id: str, lines: Sequence[JsonObject]
) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield each line with the fields that follow from its other fields and the lines before."""
    seq = 0
    try:
        head, salt = genesis(stream_id), _salt(lines)
        for seq, line in enumerate(paced(lines), 1):
            computed = _fields(line, seq, head, salt)
            yield line, computed
            head = bytes.fromhex({**computed, **line}["hash"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(
            f"event {seq} of {stream_id!r:.80} is none: {type(error).__name__} {error!s:.200}"
        ) from None


def _fields(line: JsonObject, seq: int, head: bytes, salt: bytes | None) -> JsonObject:
    body: dict[str, Any] = line["body"]
    made = {} if salt is None else {n: part_nonce(salt, seq, n, head).hex() for n in body}
    nonces: dict[str, str] = line.get("nonces", made)
    commitments = {
        name: part_commitment(bytes.fromhex(nonces[name]), value).hex()
        for name, value in body.items()
    }
    last, parts = line.get("last", seq), line.get("parts", commitments)
    proof = bytes.fromhex(line["state_proof"])
    hash_ = event_hash(head, seq, line["kind"], line["by"], line["at"], last, parts, proof)
    return {
        "seq": seq,
        "last": seq,
        "audiences": dict.fromkeys(body, PUBLIC),
        "nonces": made,
        "parts": commitments,
        "hash": hash_.hex(),
    }


def _salt(lines: Sequence[JsonObject]) -> bytes | None:
    """Return the salt that the record opens, None if it opens none."""
    for line in reversed(lines):
        if "salt" in line["body"]:
            return bytes.fromhex(line["body"]["salt"]["salt_secret"])
    return None
