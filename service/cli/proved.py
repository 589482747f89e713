"""``lonja log prove``: records with the proof of a public log, and proofs beside packs."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from rules.kernel.canonical import JsonObject
from service.archive import proofs
from service.archive.pack import FORMATS, Pack, is_private
from service.archive.places import pack_at
from service.cli import common
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.cli.kept import read_record
from service.records import game_file, tournament_file
from service.records.game_file import PROOF, Record, RecordError, RecordLines
from service.records.inclusion import (
    LogSource,
    NoInclusionError,
    ProvedEvents,
    as_stream,
    proof_of,
    proofs_of,
)


def write_proved(file: str, log: LogSource, key: str | None, output: Path) -> str:
    """Write the record ``file`` with its proof, or the proofs of a pack; return a sentence on it.

    ``key`` opens the pseudonym of a game that is not public (hex).

    Raises:
        NoInclusionError: the log does not have the record's last event, or nothing of the pack.
        TlogError: the log is not whole.
        Failure: the file cannot be read, or the output cannot be written.
    """
    try:
        with as_path(file) as path:
            if is_private(path.name):
                raise Failure(
                    f"{file} is a private pack, whose proofs would name its games: take a record"
                    " out (`lonja archive export`), and prove that."
                )
            if _is_pack(path):
                return _write_of_pack(path, log, output)
            if tournament_file.is_one(path):
                return _write_tournament(path, log, output)
    except RecordError as error:
        raise Failure(f"{file} cannot be read: {error}.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror or error}.") from None
    record = read_record(file)
    proof = proof_of(record, log, key)
    first = {**record.header, PROOF: proof}
    common.write_record(output, chain((first,), record.copies))
    return f"{output} has the proof: leaf {proof['index']} of {log.opened.checkpoint.size}."


def _is_pack(path: Path) -> bool:
    with game_file.opened(path) as lines:
        header = RecordLines(lines, game_file.most_bytes(path)).next()
    return str(header.get("export")).startswith(FORMATS)


def _write_of_pack(path: Path, log: LogSource, output: Path) -> str:
    files, name = pack_at(str(path))
    pack = Pack(files.opened(name))
    found = proofs_of(proofs.proved_events(pack), log)
    if not found:
        raise NoInclusionError("the log has none of the last events in the pack")
    note = bytes(log.opened.note).decode()
    common.write_record(output, proofs.lines(files.digest(name), note, found))
    return f"{output} has the proofs of {len(found)} of the {len(pack.rows)} records in the pack."


def _write_tournament(path: Path, log: LogSource, output: Path) -> str:
    with tournament_file.reading(path) as read:
        stream = as_stream(read.header, read.copies)
        events = [ProvedEvents.of(stream), *map(ProvedEvents.of, read.games)]
    found = proofs_of(events, log)
    if stream.game_id not in found:
        raise NoInclusionError(f"the log has no leaf of the last event of {stream.game_id}")
    with tournament_file.reading(path) as read:
        own = ({**read.header, PROOF: found[stream.game_id]}, *read.copies)
        common.write_record(output, chain(own, _with_proofs(read.games, found)))
    games = len(events) - 1
    return f"{output} has the proof, and those of {len(found) - 1} of its {games} games."


def _with_proofs(games: Iterator[Record], found: dict[str, JsonObject]) -> Iterator[JsonObject]:
    for game in games:
        proof = found.get(game.game_id)
        yield game.header if proof is None else {**game.header, PROOF: proof}
        yield from game.copies
