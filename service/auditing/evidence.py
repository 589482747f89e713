"""Evidence that convinces others, who have the keys of the log (docs/format.md)."""

from collections.abc import Iterable, Sequence

from rules.kernel.canonical import JsonObject
from service.records.evidence import EVIDENCE, header_json
from service.records.leaves import Leaf


def two_checkpoints(
    why: str, notes: tuple[bytes, bytes], head: bytes | None = None, path: Sequence[bytes] = ()
) -> JsonObject:
    """Return two checkpoints of one log, the smaller one first, that contradict each other.

    ``path`` proves that the larger tree begins with a tree of the smaller one's size whose head is
    ``head`` (RFC 9162, 2.1.4): another one than the smaller checkpoint's. Without it, their times
    contradict each other.
    """
    shown = None if head is None else head.hex()
    return {
        "export": EVIDENCE,
        "why": why,
        "checkpoints": [note.decode() for note in notes],
        "head": shown,
        "path": [hash_.hex() for hash_ in path],
    }


def in_log(
    why: str, note: bytes, leaves: Iterable[tuple[int, Leaf, Sequence[bytes]]]
) -> JsonObject:
    """Return leaves of one id, by number, that lie on no common chain, with inclusion paths."""
    return {
        "export": EVIDENCE,
        "why": why,
        "checkpoint": note.decode(),
        "leaves": [
            {"index": index, "leaf": leaf.to_json(), "path": [hash_.hex() for hash_ in path]}
            for index, leaf, path in leaves
        ],
    }


def signed_elsewhere(
    shown: JsonObject,
    receipt: JsonObject,
    public_key: str,
    before: str,
    headers: Iterable[JsonObject],
) -> JsonObject:
    """Return leaves with a receipt that contradicts one of them.

    ``shown`` is what ``in_log`` returns. ``headers`` lead from the hash ``before`` to the head of
    the receipt; the leaf has another hash than ``before`` at that event.
    """
    kept = [*map(header_json, headers)]
    more = {"receipt": receipt, "public_key": public_key, "before": before, "headers": kept}
    return {**shown, **more}
