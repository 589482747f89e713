"""A tournament's record as a file: NDJSON, plain or compressed (.gz).

The file has a header, the tournament's events, and then every game with its own header and events
in the form of ``service.records.game_file``. The header is ``{"export": "lonja-tournament/2",
"tournament_id", "version", "status", "games", "receipt", "public_key", "report"}``; ``report`` is
the published report. Each line is canonical JSON, except that numbers of the report may be
fractions.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service.records import game_file
from service.records.game_file import Record, RecordError, RecordLines

_EXPORTS = "lonja-tournament/"
EXPORT, _ENDED = f"{_EXPORTS}2", f"{_EXPORTS}1"
FIELDS: dict[str, type] = {
    "export": str, "tournament_id": str, "version": int, "status": str, "games": int,
    "receipt": dict, "public_key": str, "report": dict,
}  # fmt: skip
"""The fields of the header, with their types; further fields are left to ``checks``."""


class TournamentRecord(NamedTuple):
    """A record that is being read; ``games`` yields its games one by one."""

    header: JsonObject
    copies: Sequence[JsonObject]
    games: Iterator[Record]
    flaws: tuple[str, ...] = ()


def write(path: Path, lines: Iterable[JsonObject]) -> None:
    """Write a record; raises as ``game_file.write_lines``."""
    game_file.write_lines(path, lines)


def is_one(path: Path) -> bool:
    """Whether a file's first line is the header of a tournament's record."""
    try:
        with game_file.opened(path) as file:
            export = RecordLines(file, game_file.most_bytes(path)).next().get("export")
    except (OSError, RecordError):
        return False
    return isinstance(export, str) and export.startswith(_EXPORTS)


@contextmanager
def reading(path: Path) -> Iterator[TournamentRecord]:
    """Read a record; consume ``games`` within the context.

    Raises:
        RecordError: it is not a record, or it is cut off.
        OSError: it cannot be read.
    """
    with game_file.opened(path) as file:
        lines = game_file.RecordLines(file, game_file.most_bytes(path))
        header = lines.next()
        check_header(header)
        copies = game_file.copies_in(lines, header["version"])
        flaws = tuple(lines.flaws)
        yield TournamentRecord(header, copies, _games(lines, header["games"]), flaws)


def check_header(header: JsonObject) -> None:
    """Raise RecordError unless a line is the header of a tournament's record."""
    if header.get("export") == _ENDED:
        raise RecordError(f"it is {_ENDED}: this format ended before the first release")
    if header.get("export") != EXPORT:
        raise RecordError(f'the first line is no header of a tournament ("export": "{EXPORT}")')
    if wrong := [name for name, kind in FIELDS.items() if type(header.get(name)) is not kind]:
        raise RecordError(f"the header lacks {', '.join(wrong)}")
    if header["version"] < 1:
        raise RecordError(f"the header's version cannot be {header['version']}")


def _games(lines: RecordLines, count: int) -> Iterator[Record]:
    for _ in range(count):
        lines.flaws = []
        header = lines.next()
        game_file.check_header(header)
        copies = game_file.copies_in(lines, header["version"])
        yield Record(header, copies, tuple(lines.flaws))
    if lines.next_if_any() is not None:
        raise RecordError("there is more after the last game")
