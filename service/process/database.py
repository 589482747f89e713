"""SQLite files of what is derived: made at any time, and anew if they are damaged."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from service.process.transactions import run_each, writing

_PRIMARY = 0xFF
"""The bits of SQLite's error codes that say the kind of error; the others say more about it."""
_DAMAGE = (
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_ERROR,  # a table is missing, or another one
)
_READER_SECONDS = 5.0
"""Maximum time that a reader waits for the end of a commit."""
_LOOK_SECONDS = 0.005
_MADE = 1
_OWN_EYES_ONLY = 0o600

T = TypeVar("T")


class DamagedDatabaseError(sqlite3.DatabaseError):
    """The file was damaged, and has been removed; it can be made anew."""


class Database:
    """One file, which is made when it is opened for the first time."""

    def __init__(self, path: Path, tables: str) -> None:
        """``tables`` are the statements that make it."""
        self._path = path
        self._tables = tables

    @contextmanager
    def opened(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """Return the context of a connection, which waits so long for others' transactions.

        Raises:
            DamagedDatabaseError: the file turned out to be damaged.
            sqlite3.Error, OSError: it cannot be used.
        """
        file = self._inode()
        try:
            with closing(self._open(seconds)) as database:
                yield database
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            if self._inode() == file:  # else another process has removed it
                self.remove()
            raise DamagedDatabaseError(f"it was damaged, and is made anew: {error}") from error

    def read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of ``ask`` in one read transaction. Raises the errors of ``opened``."""
        until = time.monotonic() + _READER_SECONDS
        while True:
            try:
                with self.opened(0) as database:
                    database.execute("BEGIN")
                    return ask(database)
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > until:
                    raise
            time.sleep(_LOOK_SECONDS)  # SQLite would not let other tasks of the process go on

    def _open(self, seconds: float) -> sqlite3.Connection:
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(_OWN_EYES_ONLY)
        database = sqlite3.connect(self._path, timeout=seconds, isolation_level=None)
        try:
            if not _is_made(database):
                with writing(database):
                    if not _is_made(database):
                        run_each(database, self._tables)
                        database.execute(f"PRAGMA user_version = {_MADE}")
            # So readers do not wait while much is written, but only while its end is.
            database.execute("PRAGMA cache_spill = OFF")
        except BaseException:
            database.close()
            raise
        return database

    def remove(self) -> None:
        """Remove the file, so that the next call makes it anew. Raises OSError."""
        for suffix in ("-journal", ""):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _inode(self) -> int | None:
        return self._path.stat().st_ino if self._path.exists() else None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process has kept a connection from what it was to do."""
    return _code(error) == sqlite3.SQLITE_BUSY


def _code(error: sqlite3.Error) -> int | None:
    """Return the kind of an error by its code in SQLite; None if it is not SQLite's."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether an error says that the file is damaged, or has other tables."""
    if isinstance(error, DamagedDatabaseError) or _code(error) in _DAMAGE:
        return True
    # Python has no code for a text that is none.
    return _code(error) is None and isinstance(error, sqlite3.OperationalError)


def _is_made(database: sqlite3.Connection) -> bool:
    return bool(database.execute("PRAGMA user_version").fetchone() == (_MADE,))
