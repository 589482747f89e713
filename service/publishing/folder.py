"""The folder of the public log: what everybody may read, what is not signed yet, and its keys.

- ``public/`` has the files that are served below ``/log/``: ``checkpoint`` and ``tile/…``
  (c2sp.org/tlog-tiles). A file of a tile never changes; a full tile replaces its partial ones.
  ``public_keys`` has the public keys, ``rotations/…`` what binds them to earlier ones, and
  ``closed/…`` co-signed checkpoints that are kept (``service.publishing.kept``).
- ``pending/`` has the tiles of a tree that may not be signed yet. They are on disk before it is.
  ``closed`` there has the leaves for which its checkpoint is to be kept.
- ``keys`` has the private keys, ``keys.next`` those of a rotation that was begun.
- ``private`` says which leaves are of which games that are not public.
- ``server`` names the server of the store that the log was built from last.
- ``lock`` is held by the process that builds.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from service.process.disk import appearing
from service.publishing.errors import UnfitError
from service.publishing.kept import KeptCheckpoints
from service.publishing.keys import LogKeys
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.merkle import HASH_BYTES
from service.tlog.rotations import MOST, Rotation, path_of
from service.tlog.tiles import WIDTH, Tile, bundle, entries_of

CHECKPOINT, PUBLIC_KEYS = "checkpoint", "public_keys"
_KEYS, _NEXT_KEYS, _CLOSED = "keys", "keys.next", "closed"
_SERVER = "server"
_PRIVATE = re.compile(r"^([0-9]+) (g[0-9]{2}-[a-z2-7]{20}) ([0-9]+)$", re.MULTILINE | re.ASCII)


class FolderBusyError(Exception):
    """Another process builds the log in this folder."""


Server = tuple[str, str]
"""The names of a server's process, and of the history that it replicates."""


class KnownServer(NamedTuple):
    """The server of the store that the log was built from last.

    It may lack what came after ``lacking_ms`` (ms since 1970), and the log has not said so yet;
    None: it lacks nothing.
    """

    server: Server
    lacking_ms: int | None = None


class PrivateLeaf(NamedTuple):
    """The game of a leaf with a pseudonym, and the event ``seq`` that the leaf stands for."""

    game_id: str
    seq: int


class LogFiles:
    """The files of a log, which another process may build meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.public, self._pending = path / "public", path / "pending"

    def keys(self) -> LogKeys:
        """Return the keys of the log.

        Raises:
            FileNotFoundError: it has none yet.
            UnfitError: they cannot be read.
        """
        try:
            return LogKeys.parse((self.path / _KEYS).read_text())
        except ValueError as error:
            raise UnfitError(f"{self.path / _KEYS} cannot be read: {error}.") from None

    def verifiers(self) -> tuple[VerifierKey, ...]:
        """Return the public keys of the log, and those that it had before.

        Raises:
            UnfitError: its keys, or what binds them to earlier ones, cannot be read.
        """
        earlier = (key for rotation in self.rotations() for key in rotation.old)
        return (*self.keys().verifiers, *earlier)

    def rotations(self) -> list[Rotation]:
        """Return the rotations of the log's keys, the first one first. Raises UnfitError."""
        found: list[Rotation] = []
        for number in range(1, MOST + 1):
            try:
                found.append(Rotation.parse(self.file(path_of(number))))
            except FileNotFoundError:
                break
            except TlogError as error:
                path = self.public / path_of(number)
                raise UnfitError(f"{path} cannot be read: {error}.") from None
        return found

    @property
    def has_pending(self) -> bool:
        """Whether there are tiles of a tree that is not published."""
        return self._pending.exists()

    def checkpoint(self) -> bytes | None:
        """Return the published checkpoint, None if there is none yet."""
        try:
            return (self.public / CHECKPOINT).read_bytes()
        except FileNotFoundError:
            return None

    def file(self, name: str) -> bytes:
        """Return a published file by its path. Raises OSError: there is none."""
        return (self.public / name).read_bytes()

    def tile(self, tile: Tile) -> bytes:
        """Return the hashes of a tile, published or pending; empty if they are missing.

        The partial tiles that a full one replaced are cut from it.
        """
        whole = Tile(tile.level, tile.index)
        return self._read(tile.path) or self._read(whole.path)[: HASH_BYTES * tile.width]

    def bundle(self, tile: Tile) -> bytes:
        """Return the bundle of a tile of level 0, published or pending; empty if it is missing.

        The partial bundles that a full one replaced are cut from it.

        Raises:
            TlogError: the full one is damaged.
        """
        found = self._read(tile.entries_path)
        if found or tile.width == WIDTH:
            return found
        whole = self._read(Tile(0, tile.index).entries_path)
        return bundle(entries_of(whole, WIDTH)[: tile.width]) if whole else b""

    def _read(self, name: str) -> bytes:
        # Once more in public: it may be published between the first two looks.
        for folder in (self.public, self._pending, self.public):
            with suppress(FileNotFoundError):
                return (folder / name).read_bytes()
        return b""

    def private_leaves(self) -> dict[int, PrivateLeaf]:
        """Return the games of leaves with pseudonyms, by the index of the leaf."""
        try:
            text = (self.path / "private").read_text()
        except FileNotFoundError:
            return {}
        # The last of several lines of one index is right; a kill may leave part of a line.
        found = _PRIVATE.findall(text)
        return {int(index): PrivateLeaf(game_id, int(seq)) for index, game_id, seq in found}


class LogFolder(LogFiles):
    """The folder of a log, held by this process until ``close``."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        """Open the folder; make it, with new keys for a log called ``name``, if it is new.

        Raises:
            FolderBusyError: another process holds it.
            UnfitError: it holds the log of another name, or its keys cannot be read.
            OSError: it cannot be read or written.
        """
        super().__init__(path)
        self.public.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(path / "lock")
        try:
            self._sweep()
            self._kept = KeptCheckpoints(self.public)
            self.signer = self._signer(name)
            self._tell_keys()
        except BaseException:
            self.close()
            raise

    def _sweep(self) -> None:
        """Remove what processes left that were killed while they wrote or removed a file."""
        names = CHECKPOINT, PUBLIC_KEYS
        drafts = [draft for name in names for draft in self.public.glob(f".{name}.*")]
        drafts += [*self.path.glob(f".{_KEYS}.*"), *self.path.glob(f".{_SERVER}.*")]
        for draft in drafts:
            draft.unlink()
        for folder in [*self.public.glob("tile/**/*.p")]:
            if folder.with_suffix("").exists():
                shutil.rmtree(folder)
            elif not any(folder.iterdir()):
                folder.rmdir()

    def _signer(self, name: str | None) -> LogKeys:
        try:
            keys = self.keys()
        except FileNotFoundError:
            if self.checkpoint() is not None:
                raise UnfitError(
                    f"{self.path / _KEYS}, the keys of the public log, are missing: restore them."
                ) from None
            keys = LogKeys.generate(name)
            with appearing(self.path / _KEYS, 0o600) as file:
                file.write(keys.dump().encode())
            _sync(self.path)
        if name is not None and name != keys.origin:
            raise UnfitError(
                f"{self.path} has the public log {keys.origin}, not {name}: name it so in"
                " LONJA_PUBLIC_LOG_NAME, or give the new log a new folder in LONJA_PUBLIC_LOG."
            )
        return keys

    def _tell_keys(self) -> None:
        """Publish the public keys; who checks the log should have them by another way, too."""
        lines = "".join(f"{key}\n" for key in self.signer.verifiers).encode()
        path = self.public / PUBLIC_KEYS
        if not path.exists() or path.read_bytes() != lines:
            with appearing(path) as file:
                file.write(lines)

    # Rotation of the keys

    def next_keys(self) -> LogKeys:
        """Return the keys of the next rotation, which are on disk. Raises UnfitError, OSError."""
        path = self.path / _NEXT_KEYS
        try:
            return LogKeys.parse(path.read_text())
        except FileNotFoundError:
            made = LogKeys.generate(self.signer.origin)
        except ValueError as error:
            raise UnfitError(f"{path} cannot be read: {error}.") from None
        with appearing(path, 0o600) as file:
            file.write(made.dump().encode())
        _sync(self.path)
        return made

    def add_rotation(self, note: bytes) -> None:
        """Publish a rotation; one to the same keys, which was not finished, is replaced."""
        done = self.rotations()
        number = len(done) + (not done or done[-1].new != Rotation.parse(note).new)
        if number > MOST:
            raise UnfitError(f"The log has {MOST} rotations, and there cannot be more.")
        path = self.public / path_of(number)
        path.parent.mkdir(exist_ok=True)
        with appearing(path) as file:
            file.write(note)
        _sync(path.parent)
        _sync(self.public)

    def take_next_keys(self) -> None:
        """Let the next keys be those of the log."""
        (self.path / _NEXT_KEYS).replace(self.path / _KEYS)
        _sync(self.path)
        self.signer = self.keys()
        self._tell_keys()

    # The server of the store

    def server(self) -> KnownServer | None:
        """Return the server of the store that the log was built from last; None if unknown."""
        try:
            process, history, lacking = (self.path / _SERVER).read_text().split()
        except (FileNotFoundError, ValueError):  # a file that was damaged counts as none
            return None
        return KnownServer((process, history), int(lacking) if lacking.isdecimal() else None)

    def note_server(self, known: KnownServer) -> None:
        """Note the server of the store; it is then on disk. Raises OSError."""
        lacking = "-" if known.lacking_ms is None else str(known.lacking_ms)
        with appearing(self.path / _SERVER, 0o600) as file:
            file.write(f"{' '.join(known.server)} {lacking}\n".encode())
        _sync(self.path)

    def close(self) -> None:
        """Let another process hold the folder."""
        self._lock.close()

    # Writing

    def write_pending(
        self,
        files: Mapping[str, bytes],
        private: Mapping[int, PrivateLeaf],
        closed: Iterable[int] = (),
    ) -> None:
        """Write the tiles of a tree that is not signed, by their paths; they are then on disk.

        The tree's checkpoint will be kept for the leaves ``closed``.
        """
        self.clear_pending()
        folders: set[Path] = set()
        lines = "".join(f"{index}\n" for index in closed).encode()
        for name, content in {**files, **({_CLOSED: lines} if lines else {})}.items():
            path = self._pending / name
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(_folders(path, self.path))
            _write(path, content)
        for folder in folders:
            _sync(folder)
        if private:
            self._add_private(private)

    def _add_private(self, private: Mapping[int, PrivateLeaf]) -> None:
        path = self.path / "private"
        with path.open("ab+") as file:
            path.chmod(0o600)
            # a process that was killed may have left half a line
            end = file.tell()
            whole = b"\n" if end and os.pread(file.fileno(), 1, end - 1) != b"\n" else b""
            lines = (f"{index} {one.game_id} {one.seq}\n" for index, one in private.items())
            file.write(whole + "".join(lines).encode())
            file.flush()
            os.fsync(file.fileno())

    def clear_pending(self) -> None:
        """Remove the tiles of a tree that was never signed."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self._pending)

    def publish(self, tiles: Iterable[Tile], note: bytes) -> None:
        """Publish the pending tiles, then the checkpoint that signs them. May be repeated."""
        tiles = [*tiles]
        folders: set[Path] = set()
        for name in _names(tiles):
            path = self.public / name
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(_folders(path, self.path))
            with suppress(FileNotFoundError):  # published before
                (self._pending / name).replace(path)
        for folder in folders:
            _sync(folder)
        self._kept.keep(self._pending_closed(), note)
        with appearing(self.public / CHECKPOINT) as file:
            file.write(note)
        _sync(self.public)
        self.clear_pending()
        for tile in tiles:
            if tile.width == WIDTH:
                self._remove_partial(tile)

    def _pending_closed(self) -> list[int]:
        try:
            return [*map(int, (self._pending / _CLOSED).read_bytes().split())]
        except FileNotFoundError:
            return []

    def _remove_partial(self, tile: Tile) -> None:
        """Remove the partial tiles that a full one replaces."""
        for name in _names([tile]):
            path = self.public / name
            with suppress(FileNotFoundError):
                shutil.rmtree(path.with_name(f"{path.name}.p"))


def _names(tiles: Iterable[Tile]) -> Iterator[str]:
    """Yield the paths of these tiles and of their bundles."""
    for tile in tiles:
        yield tile.path
        if tile.level == 0:
            yield tile.entries_path


def _locked(path: Path) -> IO[bytes]:
    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise FolderBusyError(f"another process builds the public log in {path.parent}") from None
    except BaseException:
        file.close()
        raise
    return file


def _folders(path: Path, top: Path) -> Iterator[Path]:
    """Yield the folders of a file below ``top``, and ``top``."""
    for folder in path.parents:
        yield folder
        if folder == top:
            return


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
