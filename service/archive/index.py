"""The index of packs: the lists of the games in them, in SQLite.

It is made from packs and the files beside them alone, at any time, and each host has one of its
own. Processes share it: a pack is put in by one transaction, and readers wait for its commit alone.
A file that is damaged, or was written by another release, is made anew, and then has a new id.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED
from service.archive.beside import Beside
from service.archive.pack import GAME, Row
from service.ledger.lists import (
    EVER,
    ListedFacts,
    Listing,
    Span,
    entries,
    id_at,
    place_of,
    summary_of,
)
from service.ledger.origin import Origin
from service.ledger.terms import SETTLED, TERMS, TableTerms

INDEX = "archive.db"
"""The file of a host's index, in LONJA_DATA_DIR."""

_VERSION = 1
"""Version of the tables; a release that changes them raises it."""
_WAIT_SECONDS = 30.0
"""Maximum time that a writer waits for another one."""
_OWN_EYES_ONLY = 0o600
_AFTER_ALL = ";"
"""What sorts behind all places."""
_TABLES = """
CREATE TABLE about (id TEXT NOT NULL);
CREATE TABLE pack (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, beside TEXT NOT NULL);
CREATE TABLE game (
  number INTEGER PRIMARY KEY, pack INTEGER NOT NULL, id TEXT NOT NULL, head BLOB NOT NULL,
  place TEXT NOT NULL, summary BLOB NOT NULL
);
CREATE UNIQUE INDEX game_of_pack ON game (pack, id);
CREATE INDEX game_with_id ON game (id);
CREATE TABLE list (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE entry (
  list INTEGER NOT NULL, place TEXT NOT NULL, game INTEGER NOT NULL,
  PRIMARY KEY (list, place, game)
) WITHOUT ROWID;
CREATE INDEX entry_of_game ON entry (game);
"""


class IndexedGame(NamedTuple):
    """A game in a pack: its place in lists, the hash of its last event, and its summary."""

    place: str
    head: bytes
    summary: JsonObject

    @property
    def id(self) -> str:
        """The game's id."""
        return id_at(self.place)


class IndexedGames(NamedTuple):
    """Some games of the index with this ``id``."""

    id: str
    games: list[IndexedGame]


class IndexContents(NamedTuple):
    """The index's id, and for each pack in it, by name, the SHA-256 of the file beside it."""

    id: str
    packs: Mapping[str, str]


class PackedListing(NamedTuple):
    """How a game in a pack is listed; ``head`` is the hash of its last event."""

    id: str
    head: bytes
    listing: Listing


class PackIndex:
    """The index in one file. All methods raise OSError and sqlite3.Error."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def contents(self, names: Iterable[str] | None = None) -> IndexContents:
        """Return what the index is made from; with ``names``, which of these packs it has."""
        query = "SELECT name, beside FROM pack"
        with self._reading() as index:
            if names is None:
                return IndexContents(_id(index), dict(index.execute(query)))
            found = (index.execute(f"{query} WHERE name = ?", [name]) for name in names)
            return IndexContents(_id(index), dict(chain.from_iterable(found)))

    def put(
        self, name: str, beside: str, games: Iterable[PackedListing], *, again: bool = False
    ) -> bool:
        """Put the games of a pack in, instead of those that the index has of it.

        ``beside`` is the SHA-256 of the file beside it that ``games`` were made with. If the index
        has them already, ``games`` are not read, unless ``again``. Return whether they were.
        """
        with self._reading() as index, _writing(index):
            found = index.execute("SELECT number, beside FROM pack WHERE name = ?", [name])
            number, known = found.fetchone() or (None, None)
            if known == beside and not again:
                return False
            number = number or _new_pack(index, name)
            index.execute(
                "DELETE FROM entry WHERE game IN (SELECT number FROM game WHERE pack = ?)", [number]
            )
            index.execute("DELETE FROM game WHERE pack = ?", [number])
            for one in games:
                _add(index, number, one)
            index.execute("UPDATE pack SET beside = ? WHERE number = ?", [beside, number])
            return True

    def newest(
        self,
        names: Sequence[str],
        limit: int,
        after: str | None = None,
        span: Span = EVER,
    ) -> IndexedGames:
        """Return up to ``limit`` games of the lists ``names``, the newest first.

        The arguments are those of ``lists.newest``. A game that is in several packs is there as
        often.
        """
        top = _AFTER_ALL if span.until is None else f"{span.until:015d}"
        top = top if after is None else min(top, after)
        bottom = "" if span.since is None else f"{span.since:015d}"
        with self._reading() as index:
            found = [
                game
                for name in names
                for game in index.execute(
                    "SELECT entry.place, head, summary FROM list"
                    " JOIN entry ON entry.list = list.number JOIN game ON game.number = entry.game"
                    " WHERE list.name = ? AND entry.place < ? AND entry.place >= ?"
                    " ORDER BY entry.place DESC LIMIT ?",
                    [name, top, bottom, limit],
                )
            ]
            found.sort(key=lambda game: game[0], reverse=True)
            return IndexedGames(_id(index), [*map(_read, found[:limit])])

    def find(self, ids: Iterable[str]) -> IndexedGames:
        """Return the games with these ids, each as often as it is in packs."""
        with self._reading() as index:
            query = "SELECT place, head, summary FROM game WHERE id = ?"
            found = [game for id_ in ids for game in index.execute(query, [id_])]
            return IndexedGames(_id(index), [*map(_read, found)])

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Return the context of a connection; a file that is damaged is removed."""
        try:
            index = self._open()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            self._remove()
            index = self._open()
        with closing(index):
            try:
                yield index
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_CORRUPT:
                    self._remove()
                raise

    def _open(self) -> sqlite3.Connection:
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(_OWN_EYES_ONLY)
        index = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            if _version(index) != _VERSION:
                with _writing(index):
                    if _version(index) != _VERSION:
                        _make(index)
            # So readers do not wait while a pack is put in, but only while its end is written.
            index.execute("PRAGMA cache_spill = OFF")
        except BaseException:
            index.close()
            raise
        return index

    def _remove(self) -> None:
        for suffix in ("-journal", ""):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)


def listings(rows: Iterable[Row], beside: Mapping[str, Beside]) -> Iterator[PackedListing]:
    """Yield how the games of a pack are listed; ``beside`` is what is beside them, by id.

    Tournaments' games are in no list, and tournaments do not leave the store.
    """
    for row in rows:
        if row.kind == GAME and row.facts["tournament"] is None:
            listing = listing_of(row, beside.get(row.id, Beside(row.id)))
            yield PackedListing(row.id, bytes.fromhex(row.facts["head"]), listing)


def listing_of(row: Row, own: Beside) -> Listing:
    """Return how a game in a pack is listed, as ``lists.game_listing`` lists it in the store.

    Raises KeyError, TypeError, ValueError: the pack or the file beside it has something else.
    """
    facts = row.facts
    terms, rule = own.table.get(TERMS), own.table.get(SETTLED)
    origin = None if own.origin is None else Origin(**own.origin)
    summary = summary_of(
        ListedFacts(
            row.id,
            facts["ruleset"],
            facts["rules_version"],
            facts["status"],
            facts["created_at"],
            facts["created_by"].get("player"),
            facts["at"],
            facts["holders"],
            facts["result"],
            facts["entropy"],
        ),
        origin,
        TableTerms.load(
            None if terms is None else terms.encode(), None if rule is None else rule.encode()
        ),
    )
    where = entries(
        summary,
        is_foreign=origin is not None and not origin.is_own,
        never_started=facts["status"] == ABORTED and not facts["started"],
    )
    return Listing(facts["version"], where, summary)


def _version(index: sqlite3.Connection) -> int:
    (found,) = index.execute("PRAGMA user_version").fetchone()
    version: int = found
    return version


def _make(index: sqlite3.Connection) -> None:
    """Make the tables, in a transaction that has begun."""
    known = index.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in known:
        index.execute(f"DROP TABLE {name}")
    for statement in filter(str.strip, _TABLES.split(";")):
        index.execute(statement)
    index.execute("INSERT INTO about VALUES (?)", [secrets.token_hex(8)])
    index.execute(f"PRAGMA user_version = {_VERSION}")


@contextmanager
def _writing(index: sqlite3.Connection) -> Iterator[None]:
    """Return the context of a transaction; no other process writes meanwhile."""
    index.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        index.execute("ROLLBACK")
        raise
    index.execute("COMMIT")


def _new_pack(index: sqlite3.Connection, name: str) -> int:
    index.execute("INSERT INTO pack (name, beside) VALUES (?, '')", [name])
    (number,) = index.execute("SELECT number FROM pack WHERE name = ?", [name]).fetchone()
    found: int = number
    return found


def _add(index: sqlite3.Connection, pack: int, one: PackedListing) -> None:
    summary = one.listing.summary or {}
    place = place_of(summary["created_at"], one.id)
    added = index.execute(
        "INSERT INTO game (pack, id, head, place, summary) VALUES (?, ?, ?, ?, ?)",
        [pack, one.id, one.head, place, orjson.dumps(summary)],
    )
    for entry in one.listing.entries:
        # Entries of the same game may have other places: rated games are listed by their end.
        name, at, id_ = entry.rsplit(":", 2)
        index.execute("INSERT OR IGNORE INTO list (name) VALUES (?)", [name])
        index.execute(
            "INSERT INTO entry SELECT number, ?, ? FROM list WHERE name = ?",
            [f"{at}:{id_}", added.lastrowid, name],
        )


def _read(found: tuple[str, bytes, bytes]) -> IndexedGame:
    place, head, summary = found
    return IndexedGame(place, head, orjson.loads(summary))


def _id(index: sqlite3.Connection) -> str:
    (found,) = index.execute("SELECT id FROM about").fetchone()
    id_: str = found
    return id_
