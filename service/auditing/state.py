"""What an auditor remembers of one log, in a SQLite file."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from service.process.transactions import run_each, writing

_FORM = 1
_OWN_EYES_ONLY = 0o600
_CACHE_KIB = 65_536
_TABLES = """
CREATE TABLE known (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE checkpoints (
    size INTEGER, root BLOB, at INTEGER, note BLOB, PRIMARY KEY (size, root)
) WITHOUT ROWID;
CREATE TABLE bundles (number INTEGER PRIMARY KEY, hash BLOB, row BLOB);
CREATE TABLE ids (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE,
    kind TEXT, seq INTEGER, hash BLOB, leaf INTEGER
);
CREATE TABLE leaves (
    id INTEGER, leaf INTEGER, kind TEXT, seq INTEGER, hash BLOB, more TEXT, standing INTEGER,
    PRIMARY KEY (id, leaf)
) WITHOUT ROWID;
CREATE TABLE said (leaf INTEGER PRIMARY KEY, kind TEXT, at INTEGER, until INTEGER);
CREATE TABLE asked (
    id INTEGER PRIMARY KEY, seq INTEGER, hash BLOB, fate TEXT, record TEXT, why TEXT
);
CREATE TABLE findings (
    code TEXT, id TEXT, why TEXT, evidence TEXT, lasting INTEGER, at INTEGER, seen INTEGER,
    PRIMARY KEY (code, id)
) WITHOUT ROWID;
"""
"""The tables.

- ``known``: single values by name: ``size`` of the largest tree that was seen; ``read``, the number
  of leaves that were read; ``tiles``, the size of the tree whose higher tiles were compared;
  ``runs``, the number of runs.
- ``checkpoints``: those that the log was seen with, ``at`` in seconds since 1970.
- ``bundles``: the hash over each full bundle, and the hashes of the leaves of each bundle.
- ``ids``: each id, with its newest leaf that stands (no kind: everything was taken back).
- ``leaves``: all leaves of each id, by the number of the leaf; ``more`` is JSON, null if there is
  nothing more.
- ``said``: what the log says of itself, times in ms since 1970.
- ``asked``: what the service said of an id: the newest leaf to which its events led, its fate, the
  verdict on its record if it is over, and why it has none.
- ``findings``: what was found, the file of its evidence, whether it stays true, when it was
  found first (seconds since 1970), and the number of the run that has found it last.
"""


class StateError(Exception):
    """The folder cannot be used; the message says why."""


class State:
    """The memory of one auditor, in use by this process alone."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self.sql = database
        self.folder = folder

    def known(self, name: str, default: Any = None) -> Any:
        """Return a single value."""
        row = self.sql.execute("SELECT value FROM known WHERE name = ?", (name,)).fetchone()
        return default if row is None else row[0]

    def know(self, **values: Any) -> None:
        """Set single values."""
        self.sql.executemany("INSERT OR REPLACE INTO known VALUES (?, ?)", values.items())

    def writing(self) -> AbstractContextManager[None]:
        """Return the context of a transaction."""
        return writing(self.sql)


@contextmanager
def opened(folder: Path) -> Iterator[State]:
    """Open the memory in ``folder``, which is made if there is none.

    Raises:
        StateError: another process uses it, or it is no such memory.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StateError(f"Another audit uses {folder}.") from None
        file = folder / "state.sqlite"
        try:
            with closing(_connected(file)) as database:
                yield State(database, folder)
        except sqlite3.DatabaseError as error:
            raise StateError(f"{file} cannot be used: {error}.") from error


def _connected(file: Path) -> sqlite3.Connection:
    if not file.exists():
        file.touch(_OWN_EYES_ONLY)
    database = sqlite3.connect(file, isolation_level=None)
    try:
        database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        _make(database, file)
    except BaseException:
        database.close()
        raise
    return database


def _make(database: sqlite3.Connection, file: Path) -> None:
    """Make the tables of a new file. Raises StateError: it has those of a newer release."""
    (form,) = database.execute("PRAGMA user_version").fetchone()
    if form not in (0, _FORM):
        raise StateError(f"{file} is of a newer release of Lonja.")
    if not form:
        with writing(database):
            run_each(database, _TABLES)
            database.execute(f"PRAGMA user_version = {_FORM}")
