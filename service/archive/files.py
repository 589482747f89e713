"""Places of packs and of the files beside them, and the first of them: a folder."""

import fcntl
import os
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

from service.archive import private
from service.archive.pack import Source, digest_in, is_private
from service.archive.private import DecryptedSource, Keys
from service.process.disk import appearing

_DRAFT = ".draft-"
"""How the names of packs begin that are being written in a folder."""
_LOCK = ".lock"
BESIDE = "beside"
"""The folder of the files beside packs, in the packs' folder."""
_BESIDE_SUFFIX = ".beside"
_LEFT = f"{BESIDE}/left"
"""The file that says which players' traces are gone from all of the files beside packs."""
_POSITION = re.compile(rb"([0-9]{1,20}-[0-9]{1,20})\n")
_FOR_ALL, _OWN_EYES_ONLY, _OWN_FOLDER = 0o644, 0o600, 0o700
"""Modes: everybody may read packs, and nobody else private ones, and what is beside them."""
_AT_ONCE = 8 * 1024 * 1024
"""Bytes of a file that are read at once."""


class BusyError(RuntimeError):
    """Another process writes packs; the message says where."""


class PlaceError(OSError):
    """A place does not do what is asked of it; the message names it, says why, has no secret."""


class ChangedError(PlaceError):
    """Another process has replaced the file meanwhile; the message names it."""


class PackFile(NamedTuple):
    """The bytes of a pack in a place, a ``Source``; other files than packs may be read, too."""

    files: "Files"
    name: str

    def tail(self, length: int) -> tuple[int, bytes]:
        return self.files.tail(self.name, length)

    def read(self, offset: int, length: int) -> bytes:
        return self.files.read(self.name, offset, length)

    def parts(self) -> Iterator[bytes]:
        """Yield all of its bytes. Raises OSError."""
        offset = 0
        while part := self.files.read(self.name, offset, _AT_ONCE):
            yield part
            offset += len(part)


class Files(ABC):
    """A place of packs, which are named by their digests, and of the files beside them.

    Names of files have their folder in them, within the place. All methods raise OSError; for a
    file that is not there, FileNotFoundError.
    """

    def __init__(self, place: str, keys: Keys = ()) -> None:
        """``keys`` are those of private packs, and of the files beside them."""
        self.place = place
        """The path or the URL of the place."""
        self.keys = keys
        self._decrypted: dict[str, DecryptedSource] = {}

    # What each kind of place does in its own way

    @abstractmethod
    def at_work(self) -> AbstractContextManager[None]:
        """Be the only one who writes here; remove what writers that were killed have left.

        Raises BusyError, when it is entered.
        """

    @abstractmethod
    def names(self) -> Iterator[str]:
        """Yield the names of the packs, sorted."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Return the size of a file in bytes."""

    @abstractmethod
    def read(self, name: str, offset: int, length: int) -> bytes:
        """Return bytes of a file, fewer where it ends."""

    def tail(self, name: str, length: int) -> tuple[int, bytes]:
        """Return the size of a file, and its last ``length`` bytes."""
        size = self.size(name)
        begin = max(size - length, 0)
        return size, self.read(name, begin, size - begin)

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether there is a file, which may be unreadable for this user."""

    @abstractmethod
    def version(self, name: str) -> str:
        """Return the version of a file; each write changes it. "" if there is none."""

    @abstractmethod
    def get(self, name: str) -> bytes | None:
        """Return the contents of a file, None if there is none."""

    @abstractmethod
    def draft(self) -> IO[bytes]:
        """Return a new temporary file, which is gone when it is closed."""

    @abstractmethod
    def put(self, name: str, draft: IO[bytes]) -> bool:
        """Store a ``draft`` of this place, and return True, unless there is a file ``name``."""

    @abstractmethod
    def replace(self, name: str, raw: bytes, before: bytes | None) -> None:
        """Write a file that nobody else may read, in place of the contents ``before``.

        There is always a whole file, or none.

        Raises:
            ChangedError: it has other contents than ``before``, which is None for no file.
        """

    @abstractmethod
    def rename(self, name: str, other: str) -> None:
        """Rename a file, also if there is one with the other name."""

    # Packs

    def path_of(self, name: str) -> str:
        """Return how a file is called outside of this place."""
        return f"{self.place.removesuffix('/')}/{name}"

    def present(self, known: Collection[str]) -> set[str]:
        """Return the names of the packs that are here; there should be some if any are ``known``.

        Raises:
            PlaceError: the place cannot be read, or is empty although there should be packs: its
                disk may not be mounted.
        """
        try:
            here = {*self.names()}
        except FileNotFoundError:
            here = set()
        except PlaceError:
            raise
        except OSError as error:
            raise PlaceError(f"{self.place} cannot be read: {error.strerror or error}") from None
        if known and not here and not any(map(self.has_beside, known)):
            raise PlaceError(
                f"{self.place} is empty, or not there, and the Redis knows {len(known)} packs:"
                " look whether it is the right place, and is mounted"
            )
        return here

    def source(self, name: str) -> PackFile:
        """Return the bytes of a pack's file."""
        return PackFile(self, name)

    def opened(self, name: str) -> Source:
        """Return a pack's bytes, which are read by ranges, and decrypted if it is private.

        They raise PrivateKeyError if a key is missing.
        """
        if not is_private(name):
            return self.source(name)
        if name not in self._decrypted:
            self._decrypted[name] = DecryptedSource(self.source(name), self.keys)
        return self._decrypted[name]

    def can_open(self, name: str) -> bool:
        """Whether a pack is for everybody, or there are keys, perhaps others."""
        return bool(self.keys) or not is_private(name)

    def digest(self, name: str) -> str:
        """Read a whole pack, and return its SHA-256 in hex."""
        made = sha256()
        for part in self.source(name).parts():
            made.update(part)
        return made.hexdigest()

    def put_aside(self, name: str) -> str:
        """Rename a damaged pack, so that it is none of the packs; return where it is now."""
        aside = f"{name}.damaged"
        self.rename(name, aside)
        return self.path_of(aside)

    # The files beside them

    def has_beside(self, name: str) -> bool:
        """Whether there is a file beside a pack, which may be unreadable for this user."""
        return self.has(_beside(name))

    def beside(self, name: str) -> bytes | None:
        """Return the contents of the file beside a pack, None if there is none.

        Raises PackError if it is private, and cannot be decrypted.
        """
        raw = self.get(_beside(name))
        return raw if raw is None or not is_private(name) else private.decrypted(raw, self.keys)

    def beside_version(self, name: str) -> str:
        """Return the version of the file beside a pack; each write changes it. "" without one."""
        return self.version(_beside(name))

    def put_beside(self, name: str, raw: bytes, before: bytes | None = None) -> None:
        """Write the file beside a pack, or replace one with the contents ``before``.

        Raises ChangedError: see ``replace``; PackError: see ``beside``.
        """
        path = _beside(name)
        if not is_private(name):
            self.replace(path, raw, before)
            return
        stored = self.get(path)
        if (None if stored is None else private.decrypted(stored, self.keys)) != before:
            raise ChangedError(f"{self.path_of(path)} is another one than was read")
        self.replace(path, private.encrypted(raw, self.keys), stored)

    def left(self) -> str:
        """Return the position that ``note_left`` stored last.

        It is "" before the first one, and if the file is damaged: then all is looked at again.
        """
        found = _POSITION.fullmatch(self.get(_LEFT) or b"")
        return found[1].decode() if found else ""

    def note_left(self, until: str) -> None:
        """Store the position in the stream of departures up to which these files are cleared."""
        self.replace(_LEFT, f"{until}\n".encode(), self.get(_LEFT))


class Folder(Files):
    """A folder of packs."""

    def __init__(self, path: Path, keys: Keys = ()) -> None:
        super().__init__(str(path), keys)
        self.path = path

    @contextmanager
    def at_work(self) -> Iterator[None]:
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / _LOCK).open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BusyError(f"another process writes packs to {self.place}") from None
            drafts = (f"{_DRAFT}*", f"{BESIDE}/.*{_BESIDE_SUFFIX}.*", f"{BESIDE}/.left.*")
            for draft in chain.from_iterable(map(self.path.glob, drafts)):
                draft.unlink()
            yield

    def names(self) -> Iterator[str]:
        # In contrast to a pattern, this raises OSError if the folder cannot be read.
        found = [path.name for path in self.path.iterdir()]
        yield from sorted(name for name in found if digest_in(name) is not None)

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def read(self, name: str, offset: int, length: int) -> bytes:
        with (self.path / name).open("rb") as file:
            return os.pread(file.fileno(), length, offset)

    def has(self, name: str) -> bool:
        return os.path.isfile(self.path / name)  # noqa: PTH113 - is_file() raises without a right

    def version(self, name: str) -> str:
        try:
            told = (self.path / name).stat()
        except FileNotFoundError:
            return ""
        return f"{told.st_mtime_ns}-{told.st_ino}-{told.st_size}"

    def get(self, name: str) -> bytes | None:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def draft(self) -> IO[bytes]:
        draft: IO[bytes] = tempfile.NamedTemporaryFile(prefix=_DRAFT, dir=self.path)  # noqa: SIM115 - who asks closes it
        return draft

    def put(self, name: str, draft: IO[bytes]) -> bool:
        draft.flush()
        os.fchmod(draft.fileno(), _OWN_EYES_ONLY if is_private(name) else _FOR_ALL)
        os.fsync(draft.fileno())
        try:
            os.link(draft.name, self.path / name)
        except FileExistsError:
            return False
        _sync(self.path)
        return True

    def replace(self, name: str, raw: bytes, before: bytes | None) -> None:
        path = self.path / name
        path.parent.mkdir(_OWN_FOLDER, exist_ok=True)
        if self.get(name) != before:
            raise ChangedError(f"{path} is another one than was read")
        with appearing(path, _OWN_EYES_ONLY) as file:
            file.write(raw)
        _sync(path.parent)

    def rename(self, name: str, other: str) -> None:
        (self.path / name).rename(self.path / other)


def _beside(name: str) -> str:
    return f"{BESIDE}/{name.rpartition('.')[0]}{_BESIDE_SUFFIX}"


def _sync(folder: Path) -> None:
    """Let the names in a folder be on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
