"""Where packs are: one file, or a folder of them."""

import os
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path

from service.archive.pack import SUFFIX, digest_in


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
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return True
