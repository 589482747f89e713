"""Reports to the operator that Redis truncated the append-only file when it loaded it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

FOLDER = "appendonlydir"
"""The server's folder for append-only files; it moves the file of an older Redis there."""

_KEPT = 1 << 20
_NAMED = 5
_CUT = re.compile(r"Truncating the AOF (?P<name>\S+) at offset (?P<offset>\d+)")
_STREAM = re.compile(rb":([gt]\d\d-[a-z2-7]{20}):")


class Tail(NamedTuple):
    """A file's length, and its last bytes."""

    size: int
    end: bytes


def tails(data_dir: Path) -> dict[Path, Tail]:
    """Return the tails of the files that a server is about to load. Raises OSError."""
    found = (*data_dir.glob("*.aof"), *data_dir.glob(f"{FOLDER}/*.aof"))
    return {path: _tail(path) for path in found}


def _tail(path: Path) -> Tail:
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _KEPT))
        return Tail(size, file.read())


def what_was_cut(before: dict[Path, Tail], log: Iterable[str]) -> str | None:
    """Return a message about files that are shorter than ``before``, from the server's ``log``."""
    for line in log:
        if found := _CUT.search(line):
            for path, tail in before.items():
                if path.name == found["name"]:
                    return _sentence(path, tail, int(found["offset"]))
    return None


def _sentence(path: Path, tail: Tail, offset: int) -> str:
    lost = tail.size - offset
    moved = path.parent / FOLDER / path.name
    where = moved if moved.exists() else path
    ids = dict.fromkeys(
        stream.decode() for stream in _STREAM.findall(tail.end[max(0, len(tail.end) - lost) :])
    )
    named = ", ".join(list(ids)[:_NAMED]) + (" and others" if len(ids) > _NAMED else "")
    return (
        f"Redis cut the last {lost} bytes of {where}, the rest of a write that was broken off."
        f" {f'They were of {named}.' if named else 'They name no game.'}"
        " What was acknowledged with LONJA_APPENDFSYNC=always is missing only if the disk lost it;"
        " with everysec, about a second of events may be. Run `lonja ledger check`."
    )
