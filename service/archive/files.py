"""Where packs are, and the files beside them: one file, or a folder of them."""

import os
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path

from service.archive.pack import SUFFIX, digest_in
from service.process.disk import appearing

DRAFT = ".draft-"
"""How the names of packs begin that are being written in the folder."""
_BESIDE = "beside"
"""The folder of the files beside packs, in the packs' folder."""
_BESIDE_SUFFIX = ".beside"
_LEFT = "left"
"""The file in it that says which players' traces are gone from all of these files."""
_OWN_EYES_ONLY, _OWN_FOLDER = 0o600, 0o700
"""Modes: everybody may read packs, and nobody else what is beside them."""


class PackFile:
    """The bytes of a pack in a file, a ``Source``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def tail(self, length: int) -> tuple[int, bytes]:
        with self._path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            begin = max(size - length, 0)
            return size, os.pread(file.fileno(), size - begin, begin)

    def read(self, offset: int, length: int) -> bytes:
        with self._path.open("rb") as file:
            return os.pread(file.fileno(), length, offset)


class Folder:
    """A folder of packs, which are named by their digests. All methods raise OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> Iterator[str]:
        """Yield the names of the packs."""
        for found in sorted(self.path.glob(f"*{SUFFIX}")):
            if digest_in(found.name) is not None:
                yield found.name

    def source(self, name: str) -> PackFile:
        """Return a pack's bytes, which are read by ranges."""
        return PackFile(self.path / name)

    def digest(self, name: str) -> str:
        """Read a whole pack, and return its SHA-256 in hex."""
        with (self.path / name).open("rb") as file:
            return file_digest(file, "sha256").hexdigest()

    def put_aside(self, name: str) -> str:
        """Rename a damaged pack, so that it is none of the packs; return where it is now."""
        return str((self.path / name).rename(self.path / f"{name}.damaged"))

    def put(self, name: str, source: Path) -> bool:
        """Store the file ``source`` under ``name``, and return True, unless there is one.

        ``source`` is in this folder, on disk, and is gone afterwards.
        """
        try:
            os.link(source, self.path / name)
        except FileExistsError:
            return False
        finally:
            source.unlink()
        _sync(self.path)
        return True

    def clear_drafts(self) -> None:
        """Remove what writers that were killed have left. There must be no other writer."""
        for draft in [*self.path.glob(f"{DRAFT}*"), *(self.path / _BESIDE).glob(".*")]:
            draft.unlink()

    def has_beside(self, name: str) -> bool:
        """Whether there is a file beside a pack, which may be unreadable for this user."""
        return os.path.isfile(self._beside(name))  # noqa: PTH113 - is_file() raises without a right

    def beside(self, name: str) -> bytes | None:
        """Return the contents of the file beside a pack, None if there is none."""
        try:
            return self._beside(name).read_bytes()
        except FileNotFoundError:
            return None

    def beside_version(self, name: str) -> str:
        """Return the version of the file beside a pack; each write changes it. "" without one."""
        try:
            told = self._beside(name).stat()
        except FileNotFoundError:
            return ""
        return f"{told.st_mtime_ns}-{told.st_ino}-{told.st_size}"

    def put_beside(self, name: str, raw: bytes) -> None:
        """Write the file beside a pack, or replace it. There is always a whole one, or none."""
        self._put_own(self._beside(name), raw)

    def left(self) -> str:
        """Return the position that ``note_left`` stored last; "" before the first one."""
        try:
            return (self.path / _BESIDE / _LEFT).read_text().strip()
        except FileNotFoundError:
            return ""

    def note_left(self, until: str) -> None:
        """Store the position in the stream of departures up to which these files are cleared."""
        self._put_own(self.path / _BESIDE / _LEFT, f"{until}\n".encode())

    def _beside(self, name: str) -> Path:
        return self.path / _BESIDE / f"{name.removesuffix(SUFFIX)}{_BESIDE_SUFFIX}"

    def _put_own(self, path: Path, raw: bytes) -> None:
        path.parent.mkdir(_OWN_FOLDER, exist_ok=True)
        with appearing(path, _OWN_EYES_ONLY) as file:
            file.write(raw)
        _sync(path.parent)


def _sync(folder: Path) -> None:
    """Let the names in a folder be on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
