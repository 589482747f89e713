"""A tournament's record as a file: NDJSON, plain or compressed (.gz).

A header, the tournament's events, and then every game: each with a header and its events, as
``service.record`` has them. The header: ``{"export": "lonja-tournament/1", "tournament_id",
"version", "status", "games", "receipt", "public_key", "report"}``; the last is what was published.
"""

import gzip
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from service import record
from service.record import MAX_EVENTS, MAX_LINE_BYTES, Record, RecordError

EXPORT = "lonja-tournament/1"
_FIELDS: dict[str, type] = {
    "export": str, "tournament_id": str, "version": int, "status": str, "games": int,
    "receipt": dict, "public_key": str, "report": dict,
}  # fmt: skip


class TournamentRecord(NamedTuple):
    """A record that is being read: the tournament at once, its games one by one."""

    header: JsonObject
    copies: list[JsonObject]
    games: Iterator[Record]


def write(path: Path, lines: Iterable[JsonObject]) -> None:
    """Write lines; the file appears under its name when it is complete, or not at all.

    Raises:
        OSError: it cannot be written.

    """
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        with _open(path, Path(draft), "wb") as file:
            for line in lines:
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        with Path(draft).open("rb") as written:
            os.fsync(written.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def is_one(path: Path) -> bool:
    """Whether a file's first line says that it is the record of a tournament."""
    try:
        with _open(path, path, "rb") as file:
            return file.readline(MAX_LINE_BYTES)[:60].startswith(b'{"export":"' + EXPORT.encode())
    except (OSError, EOFError):
        return False


@contextmanager
def reading(path: Path) -> Iterator[TournamentRecord]:
    """Read a record; ``games`` must be used up within.

    Raises:
        RecordError: it is none, or it is cut.
        OSError: it cannot be read.

    """
    with _open(path, path, "rb") as file:
        header = record.line(file.readline(MAX_LINE_BYTES + 1), 1)
        if wrong := [name for name, kind in _FIELDS.items() if type(header.get(name)) is not kind]:
            raise RecordError(f"the header lacks {', '.join(wrong)}")
        if not 0 < header["version"] <= MAX_EVENTS:
            raise RecordError(f"the header's version cannot be {header['version']}")
        lines = _Lines(file)
        copies = [lines.next() for _ in range(header["version"])]
        yield TournamentRecord(header, copies, _games(lines, header["games"]))


def _games(lines: "_Lines", count: int) -> Iterator[Record]:
    for _ in range(count):
        header = lines.next()
        record.check_header(header)
        if header["version"] > MAX_EVENTS:
            raise RecordError(f"a game has more than {MAX_EVENTS} events")
        yield Record(header, [lines.next() for _ in range(header["version"])])
    lines.end()


class _Lines:
    """The lines of a file after its first one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._number = 1

    def next(self) -> JsonObject:
        """Return the next line. Raises RecordError."""
        self._number += 1
        return record.line(self._file.readline(MAX_LINE_BYTES + 1), self._number)

    def end(self) -> None:
        """Raise RecordError if there are more lines."""
        if self._file.readline(1):
            raise RecordError(f"there is more after line {self._number}")


@contextmanager
def _open(named: Path, path: Path, mode: str) -> Iterator[IO[bytes]]:
    """Open ``path``, compressed if the file is named so."""
    if named.suffix == ".gz":
        with gzip.open(path, mode) as packed:
            yield packed  # type: ignore[misc]  # a GzipFile is an IO[bytes]
    else:
        with path.open(mode) as plain:
            yield plain
