"""The proofs beside a pack: a public log has the last events of its records (docs/format.md).

A pack is immutable, and written before the log has all that it holds, or has more co-signatures:
so they are in a file of their own, beside it, which is made at any time, and anew.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from service.archive.pack import Pack
from service.records import game_file
from service.records.game_file import PROOF, RecordError, RecordLines
from service.records.inclusion import ProvedEvents, as_stream
from service.records.tournament_file import EXPORT as TOURNAMENTS

EXPORT = "lonja-proofs/1"
SUFFIX = ".proofs"
_CHECKPOINT = "checkpoint"


class PackProofs(NamedTuple):
    """The proofs of the records of one pack, by id, and what is wrong with their file, in words."""

    of: Mapping[str, JsonObject]
    wrong: str = ""

    def added(self, header: JsonObject, id_: str) -> JsonObject:
        """Return the header of a record with its proof, if there is one."""
        proof = self.of.get(id_)
        return header if proof is None else {**header, PROOF: proof}


def file_beside(pack: Path) -> Path:
    """Return the path of the file of proofs beside a pack."""
    return pack.with_suffix(SUFFIX)


def proved_events(pack: Pack) -> Iterator[ProvedEvents]:
    """Yield the events to prove of each record. Raises RecordError: one is damaged."""
    for row in pack.rows:
        header, copies, *_flaws = pack.record(row)
        is_game = header.get("export") != TOURNAMENTS
        yield ProvedEvents.of(
            game_file.Record(header, copies) if is_game else as_stream(header, copies)
        )


def lines(digest: str, checkpoint: str, proofs: Mapping[str, JsonObject]) -> Iterator[JsonObject]:
    """Yield the lines of a file of proofs of the pack with this SHA-256, by one ``checkpoint``."""
    yield {"export": EXPORT, "pack": digest, _CHECKPOINT: checkpoint}
    for id_, proof in proofs.items():
        yield {"id": id_, **{name: proof[name] for name in proof if name != _CHECKPOINT}}


def read(pack: Path, digest: str) -> PackProofs:
    """Read the proofs beside the pack with this SHA-256; there may be none."""
    file = file_beside(pack)
    if not file.is_file():
        return PackProofs({})
    try:
        with game_file.opened(file) as opened:
            found = RecordLines(opened, game_file.most_bytes(file))
            note = {_CHECKPOINT: _checkpoint_in(found.next(), digest)}
            proofs = {_id_of(line): {**_proof_in(line), **note} for line in found}
    except (RecordError, OSError) as error:
        return PackProofs({}, f"the proofs beside it, {file.name}, cannot be used: {error}")
    return PackProofs(proofs)


def _checkpoint_in(head: JsonObject, digest: str) -> object:
    """Return the checkpoint in the first line. Raises RecordError: it is of another pack."""
    if head.get("export") != EXPORT:
        raise RecordError(f"it has the export {shown(head.get('export'))}, not {EXPORT}")
    if head.get("pack") != digest:
        raise RecordError(f"they are of the pack {shown(head.get('pack'))}")
    return head.get(_CHECKPOINT)


def _id_of(line: JsonObject) -> str:
    id_: Any = line.get("id")
    if type(id_) is not str:
        raise RecordError(f"{shown(id_)} is no id")
    return id_


def _proof_in(line: JsonObject) -> JsonObject:
    return {name: line[name] for name in line if name != "id"}
