"""Files that commands read: by their names, from pipes, or from the standard input (``-``)."""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from service.archive.files import BESIDE
from service.archive.pack import PRIVATE_SUFFIX, SUFFIX, digest_in

STDIN = "-"
RECORDS = (".ndjson", ".ndjson.gz")
"""The suffixes of records; a folder stands for all files in it that have one of them."""
PACKS = (SUFFIX, PRIVATE_SUFFIX)
"""The suffixes of packs. A folder stands for those named by a SHA-256: git has packs, too."""


@contextmanager
def as_path(file: str | Path) -> Iterator[Path]:
    """Yield the path of a file; the content of a pipe is copied to a temporary file.

    Raises:
        OSError: the pipe cannot be read.
    """
    if not is_piped(file):
        yield Path(file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        with path.open("wb") as copy, _pipe(file) as pipe:
            shutil.copyfileobj(pipe, copy)
        yield path


def is_piped(file: str | Path) -> bool:
    """Whether a file can be read only once."""
    return str(file) == STDIN or Path(file).is_fifo()


def file_exists(text: str) -> bool:
    """Whether ``text`` names a file to read rather than a game."""
    return is_piped(text) or Path(text).is_file()


def find_files(paths: Sequence[str], suffixes: tuple[str, ...] = RECORDS) -> list[str]:
    """Return the files that ``paths`` name, and those in folders among them, sorted by name.

    Of a folder, these are the files that have one of the ``suffixes``: those of records.

    A broken link is included, and a folder that cannot be read: they are reported as unreadable.
    """
    found: list[str] = []
    for path in paths:
        if path != STDIN and Path(path).is_dir():
            found += sorted(_files_in(path, suffixes))
        else:
            found.append(path)
    return [*dict.fromkeys(found)]


def _files_in(folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    unreadable: list[str] = []
    for parent, _folders, names in os.walk(folder, onerror=lambda e: unreadable.append(e.filename)):
        for name in names:
            if name.endswith(suffixes) and (not name.endswith(PACKS) or digest_in(name)):
                file = Path(parent, name)
                if file.is_file() or not file.exists():
                    yield str(file)
    # What is beside packs is for the service's eyes alone.
    yield from (path for path in unreadable if Path(path).name != BESIDE)


@contextmanager
def _pipe(file: str | Path) -> Iterator[IO[bytes]]:
    """Open a pipe or the standard input. Raises OSError."""
    if str(file) != STDIN:
        with Path(file).open("rb") as pipe:
            yield pipe
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    else:
        yield sys.stdin.buffer
