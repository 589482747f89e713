"""Writes packs: each once, and read back before it counts."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import IO, NamedTuple, Self

from service.archive.catalogue import Catalogue, PackedRecord
from service.archive.files import Files
from service.archive.pack import Pack, PackWriter, Row, digest_in, record_lines
from service.archive.private import EncryptedFile, key_of
from service.records.game_file import Record, RecordError, written


class OtherHistoryError(RuntimeError):
    """A pack has another history of the game or tournament; the message names the pack."""


class ReadBackError(RuntimeError):
    """A pack was written, and something else was read; the message names its file."""


class WrittenPack(NamedTuple):
    """A pack that was written and read back, with its ``size`` in bytes."""

    name: str
    size: int
    rows: list[Row]


class _Draft(NamedTuple):
    """A pack that is being written, and the SHA-256 of each record in it, by id."""

    file: IO[bytes]
    encrypted: EncryptedFile | None
    writer: PackWriter
    digests: dict[str, bytes]

    def finish(self) -> str:
        """Write the end of the pack, and return its name. Raises OSError."""
        name = self.writer.finish()
        return name if self.encrypted is None else self.encrypted.name


class Archive:
    """The packs of a place, and the one that is being written."""

    def __init__(self, files: Files, catalogue: Catalogue) -> None:
        """Read the indexes of the packs that the ``catalogue`` of the place lacks.

        Raises:
            PackError: one of them is damaged; the message names it.
            OSError, sqlite3.Error: one of them, or the catalogue, cannot be read.
        """
        self._files = files
        self._catalogue = catalogue
        self._drafts: dict[bool, _Draft] = {}
        """The packs that are being written: the private one, and that for everybody."""
        catalogue.catch_up(files)

    @classmethod
    @contextmanager
    def at_work(cls, files: Files, catalogue: Catalogue) -> Iterator[Self]:
        """Be the only one who writes there; a draft that is not finished is removed.

        Raises:
            BusyError: another process writes to it; and the errors of the constructor.
        """
        with files.at_work():
            archive = cls(files, catalogue)
            try:
                yield archive
            finally:
                archive._drop()

    def has(self, id_: str, version: int, head: str) -> bool:
        """Whether a pack has the game or tournament, which ends with this event.

        Raises:
            OtherHistoryError: packs have other histories of it alone.
        """
        return self._find(id_, version, head) is not None

    def has_whole(
        self, tournament_id: str, version: int, head: str, game_ids: Iterable[str]
    ) -> bool:
        """Whether packs have a tournament, which ends with this event, and these games of it.

        Raises OtherHistoryError.
        """
        found = self._find(tournament_id, version, head)
        return found is not None and self._catalogue.games_of(tournament_id).issuperset(game_ids)

    def disputed(self) -> set[str]:
        """Return the ids of which packs have different histories."""
        return self._catalogue.disputed()

    def _find(self, id_: str, version: int, head: str) -> PackedRecord | None:
        known = self._catalogue.find([id_]).get(id_, [])
        same = [one for one in known if (one.version, one.head) == (version, head)]
        if known and not same:
            other = known[0]
            raise OtherHistoryError(
                f"{other.name} has {other.version} events of it up to the hash {other.head},"
                f" and the store has {version} up to {head}"
            )
        return same[0] if same else None

    @property
    def takes_private(self) -> bool:
        """Whether there is a key for records that are not for everybody."""
        return bool(self._files.keys)

    def add(self, record: Record, *, private: bool = False) -> WrittenPack | None:
        """Add the record of a game, or of a tournament without its games; return a full pack.

        A ``private`` one goes into a pack that is encrypted.

        Raises:
            RecordError: it is not one for a pack, or it is private, and there is no key.
            ReadBackError: the full pack is not what was written; OSError: it cannot be written.
        """
        if private not in self._drafts:
            self._drafts[private] = self._begin(private=private)
        draft = self._drafts[private]
        draft.writer.add(record.header, record.copies)
        draft.digests[draft.writer.rows[-1].id] = _digest(record)
        return self.finish(private=private) if draft.writer.full else None

    def finish(self, *, private: bool = False) -> WrittenPack | None:
        """Finish the pack that is being written, put it into its place, and read it back.

        Return None if none is being written. Raises as ``add``.
        """
        draft = self._drafts.pop(private, None)
        if draft is None:
            return None
        with draft.file:
            name = draft.finish()
            self._files.put(name, draft.file)
        self._read_back(name, draft.digests)
        self._catalogue.put(name, draft.writer.rows)
        return WrittenPack(name, draft.writer.size, draft.writer.rows)

    def _begin(self, *, private: bool) -> _Draft:
        key = key_of(self._files.keys) if private else None
        file = self._files.draft()
        encrypted = None if key is None else EncryptedFile(file, key)
        return _Draft(file, encrypted, PackWriter(encrypted or file), {})

    def _read_back(self, name: str, digests: dict[str, bytes]) -> None:
        """Compare a stored pack with what was to be written; put a wrong one aside."""
        wrong = None
        if self._files.digest(name) != digest_in(name):
            wrong = "its bytes are not those that were written"
        else:
            try:
                pack = Pack(self._files.opened(name))
                found = {row.id: _digest(pack.record(row)) for row in pack.rows}
                wrong = None if found == digests else "it has other records than were written"
            except RecordError as error:
                wrong = str(error)
        if wrong is not None:
            aside = self._files.put_aside(name)
            raise ReadBackError(f"{aside} was read back, and {wrong}")

    def _drop(self) -> None:
        for draft in self._drafts.values():
            draft.file.close()
        self._drafts.clear()


def _digest(record: Record) -> bytes:
    made = sha256()
    for line in record_lines([record]):
        made.update(written(line))
    return made.digest()
