"""Makes packs in memory and in folders, and damages them."""

from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path

from rules.kernel.canonical import JsonObject
from service.archive import pack
from service.archive.archive import Archive
from service.archive.catalogue import Catalogue
from service.archive.files import Files
from service.archive.pack import Pack, PackWriter
from service.records import game_file, tournament_file
from service.records.game_file import Record
from tests.running import ROOT
from tests.service.cli import records

KEPT = ROOT / "tests/upgrades/kept"
CUP = KEPT / "79008f59-cup-swiss.ndjson.gz"


class Bytes:
    """A pack in memory; ``reads`` counts how often it was read."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.reads = 0

    def tail(self, length: int) -> tuple[int, bytes]:
        self.reads += 1
        return len(self.raw), self.raw[-length:]

    def read(self, offset: int, length: int) -> bytes:
        self.reads += 1
        return self.raw[offset : offset + length]


def packed(found: Sequence[Record]) -> tuple[str, bytes]:
    """Return the name and the bytes of a pack with these records."""
    file = BytesIO()
    writer = PackWriter(file)
    for record in found:
        writer.add(record.header, record.copies)
    return writer.finish(), file.getvalue()


@cache
def kept_games() -> tuple[Record, ...]:
    """Return the records of three finished games, the same in each run."""
    with tournament_file.reading(KEPT / "79008f59-cup-compare.ndjson.gz") as found:
        return tuple(islice(found.games, 3))


@cache
def games() -> tuple[Record, ...]:
    """Return the records of three finished games; the first of them has a player, and all that can
    happen.
    """
    return records.finished("sealed"), *kept_games()[:2]


@cache
def cup() -> tuple[Record, ...]:
    """Return a tournament's record as its own events, and then its games."""
    with tournament_file.reading(CUP) as found:
        return Record(found.header, found.copies), *found.games


def keep_games(files: Files, catalogue: Path) -> int:
    """Write those of ``kept_games`` that a place lacks; return how many records were written."""
    written = 0
    with Archive.at_work(files, Catalogue(catalogue)) as archive:
        for record in kept_games():
            last = record.copies[-1]
            if not archive.has(record.game_id, last["seq"], last["hash"]):
                archive.add(record)
                written += 1
        archive.finish()
    return written


def put(folder: Path, found: Sequence[Record], name: str | None = None) -> Path:
    """Write a pack to a folder, under its name or another."""
    own, raw = packed(found)
    path = folder / (name or own)
    path.write_bytes(raw)
    return path


def with_rows(raw: bytes, change: Callable[[list[JsonObject]], list[JsonObject]]) -> bytes:
    """Return a pack whose index is another: ``change`` gets and returns its lines."""
    found = Pack(Bytes(raw))
    offset, _length = found.index
    lines = change([row.to_json() for row in found.rows])
    index = pack._packed(lines)
    return raw[:offset] + index + pack._trailer(offset, len(index))


def lines_of(record: Record) -> bytes:
    """Return the bytes of a record's file."""
    return b"".join(map(game_file.written, (record.header, *record.copies)))
