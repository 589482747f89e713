"""The state of a witness: its newest co-signature of each log, on disk before it answers."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

from service.process.transactions import run_each, writing
from service.tlog.keys import VerifierKey
from service.witnessing.errors import UnusableError

MOST_REFUSED = 100
"""Maximum number of refused checkpoints of a log that are kept."""
_OWN_EYES_ONLY = 0o600
_SECONDS = 10.0
"""Time limit for a transaction of another process."""
_TABLES = """
CREATE TABLE witness (key TEXT NOT NULL);
CREATE TABLE logs (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, at INTEGER NOT NULL,
    note BLOB NOT NULL
);
CREATE TABLE refused (
    origin TEXT NOT NULL, note BLOB NOT NULL, at INTEGER NOT NULL, why TEXT NOT NULL,
    PRIMARY KEY (origin, note)
);
"""


class CosignedHead(NamedTuple):
    """The newest checkpoint of a log that was co-signed, at ``at`` (seconds since 1970).

    ``note`` has its text, and the signatures of the log and of this witness.
    """

    size: int
    root: bytes
    at: int
    note: bytes


class RefusedNote(NamedTuple):
    """A checkpoint that its log has signed and that does not fit to those before, and why."""

    origin: str
    note: bytes
    at: int
    why: str


class StateFile:
    """The state of the witness with the key ``key``."""

    def __init__(self, path: Path, key: VerifierKey) -> None:
        """Raises UnusableError: the file is damaged, or of another witness."""
        self._lock = Lock()
        try:
            self._database = _opened(path, "rw")
            row = self._database.execute("SELECT key FROM witness").fetchone()
        except sqlite3.Error as error:
            raise UnusableError(
                f"{path} cannot be read: {error}. Bring the newest one back."
            ) from None
        if row is None or row[0] != str(key):
            raise UnusableError(f"{path} is the state of another witness, {row and row[0]}.")

    @classmethod
    def make(cls, path: Path, key: VerifierKey) -> Self:
        """Make the state of a key that has co-signed nothing yet. Raises OSError."""
        path.touch(_OWN_EYES_ONLY, exist_ok=False)
        database = _opened(path, "rw")
        with writing(database):
            run_each(database, _TABLES)
            database.execute("INSERT INTO witness VALUES (?)", (str(key),))
        database.close()
        return cls(path, key)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def seen(self, origin: str) -> CosignedHead | None:
        """Return what was co-signed of a log; None if nothing was. Raises sqlite3.Error."""
        command = "SELECT size, root, at, note FROM logs WHERE origin = ?"
        with self._lock:
            row = self._database.execute(command, (origin,)).fetchone()
        return None if row is None else CosignedHead(*row)

    def all_seen(self) -> dict[str, CosignedHead]:
        """Return what was co-signed of each log, by origin. Raises sqlite3.Error."""
        command = "SELECT origin, size, root, at, note FROM logs ORDER BY origin"
        with self._lock:
            return {row[0]: CosignedHead(*row[1:]) for row in self._database.execute(command)}

    @contextmanager
    def deciding(self, origin: str) -> Iterator["Decision"]:
        """Return the context in which nobody else co-signs; what it noted is then on disk.

        Raises:
            sqlite3.Error: it cannot be written, and nothing may be answered.
        """
        with self._lock, writing(self._database):
            yield Decision(self._database, origin)

    def refused(self) -> list[RefusedNote]:
        """Return the checkpoints that were refused, the first one first. Raises sqlite3.Error."""
        command = "SELECT origin, note, at, why FROM refused ORDER BY at, origin"
        with self._lock:
            return [RefusedNote(*row) for row in self._database.execute(command)]


class Decision:
    """The state of one log while it is decided what to co-sign."""

    def __init__(self, database: sqlite3.Connection, origin: str) -> None:
        self._database = database
        self._origin = origin

    @property
    def seen(self) -> CosignedHead | None:
        """What was co-signed before."""
        command = "SELECT size, root, at, note FROM logs WHERE origin = ?"
        row = self._database.execute(command, (self._origin,)).fetchone()
        return None if row is None else CosignedHead(*row)

    def cosigned(self, new: CosignedHead) -> None:
        """Note what will be answered."""
        values = (self._origin, *new)
        self._database.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?, ?)", values)

    def refuse(self, note: bytes, at: int, why: str) -> None:
        """Keep a checkpoint that does not fit, which may convince others."""
        command = "SELECT count(*) FROM refused WHERE origin = ?"
        (count,) = self._database.execute(command, (self._origin,)).fetchone()
        if count < MOST_REFUSED:
            values = self._origin, note, at, why
            self._database.execute("INSERT OR IGNORE INTO refused VALUES (?, ?, ?, ?)", values)


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # one thread at a time: the lock
    )
    # A transaction is on disk when it ends, and so is the end of its journal.
    database.execute("PRAGMA synchronous = EXTRA")
    return database
