"""The catalogue of a place: which records its packs have, in SQLite.

Who writes packs asks it what is in one already. It is made from the indexes of packs, each of which
is read once, and follows the names of the packs that are there: so a run costs what is new.
"""

from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self

from service.archive.files import Files
from service.archive.pack import Pack, PackError, Row
from service.process.database import DamagedDatabaseError, Database
from service.process.transactions import writing

_VERSION = 2
"""Version of the tables; a release that changes them raises it."""
_WAIT_SECONDS = 30.0
_TABLES = """
CREATE TABLE pack (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE record (
  id TEXT NOT NULL, pack INTEGER NOT NULL, version INTEGER NOT NULL, head BLOB NOT NULL,
  tournament TEXT,
  PRIMARY KEY (id, pack)
) WITHOUT ROWID;
CREATE INDEX record_of_tournament ON record (tournament) WHERE tournament IS NOT NULL
"""


class PackedRecord(NamedTuple):
    """A record in the pack ``name``, and its last event."""

    name: str
    version: int
    head: str


class Catalogue:
    """The catalogue of one place, in a file. One process uses it at a time.

    All methods raise OSError and sqlite3.Error.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _TABLES)

    @classmethod
    def of(cls, files: Files, data_dir: Path) -> Self:
        """Return the catalogue of a place, in LONJA_DATA_DIR."""
        place = sha256(files.place.encode()).hexdigest()[:16]
        return cls(data_dir / f"packed-{place}-{_VERSION}.db")

    def catch_up(self, files: Files) -> None:
        """Take in the packs that it lacks, and forget those that are gone.

        Private ones are left for a process that has keys.

        Raises:
            PackError: a pack is damaged; the message names it.
        """
        names = {*files.names()}
        try:
            known = self._names()
        except DamagedDatabaseError:
            known = self._names()  # of a new one
        for name in sorted(known - names):
            self._forget(name)
        for name in sorted(filter(files.can_open, names - known)):
            try:
                self.put(name, Pack(files.opened(name)).rows)
            except PackError as error:
                raise PackError(f"{files.path_of(name)} is no whole pack: {error}") from None

    def put(self, name: str, rows: Sequence[Row]) -> None:
        """Take in a pack, unless it has it."""
        with self._database.opened(_WAIT_SECONDS) as database, writing(database):
            added = database.execute("INSERT OR IGNORE INTO pack (name) VALUES (?)", [name])
            if not added.rowcount:
                return
            number = added.lastrowid
            database.executemany(
                "INSERT INTO record VALUES (?, ?, ?, ?, ?)",
                (
                    [
                        row.id, number, row.facts["version"], bytes.fromhex(row.facts["head"]),
                        row.facts.get("tournament"),
                    ]
                    for row in rows
                ),
            )  # fmt: skip

    def find(self, ids: Sequence[str]) -> dict[str, list[PackedRecord]]:
        """Return the records of games and tournaments, by id; those in no pack are left out."""
        found = defaultdict(list)
        query = "SELECT name, version, head FROM record JOIN pack ON number = pack WHERE id = ?"
        with self._database.opened(_WAIT_SECONDS) as database:
            for id_ in ids:
                for name, version, head in database.execute(query, [id_]):
                    found[id_].append(PackedRecord(name, version, head.hex()))
        return found

    def disputed(self) -> set[str]:
        """Return the ids of which packs have different histories."""
        query = "SELECT id FROM record GROUP BY id HAVING count(DISTINCT head) > 1"
        with self._database.opened(_WAIT_SECONDS) as database:
            return {id_ for (id_,) in database.execute(query)}

    def games_of(self, tournament_id: str) -> set[str]:
        """Return the ids of the games of a tournament that are in packs."""
        query = "SELECT DISTINCT id FROM record WHERE tournament = ?"
        with self._database.opened(_WAIT_SECONDS) as database:
            return {id_ for (id_,) in database.execute(query, [tournament_id])}

    def _names(self) -> set[str]:
        with self._database.opened(_WAIT_SECONDS) as database:
            return {name for (name,) in database.execute("SELECT name FROM pack")}

    def _forget(self, name: str) -> None:
        with self._database.opened(_WAIT_SECONDS) as database, writing(database):
            database.execute(
                "DELETE FROM record WHERE pack IN (SELECT number FROM pack WHERE name = ?)", [name]
            )
            database.execute("DELETE FROM pack WHERE name = ?", [name])
