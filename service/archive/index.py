"""The index of packs: the lists of the games and tournaments in them, in SQLite.

It is made from packs and the files beside them alone, at any time, and each host has one of its
own. Processes share it: a pack is put in by one transaction, and readers wait for its commit alone.
A file that is damaged is removed and made anew, and then has a new id.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED
from service.archive.beside import Beside
from service.archive.pack import TOURNAMENT, Pack, Row
from service.ledger.lists import (
    EVER,
    ListedFacts,
    Listing,
    Span,
    entries,
    id_at,
    place_of,
    summary_of,
    tournament_listing,
)
from service.ledger.origin import Origin
from service.ledger.terms import SETTLED, TERMS, TableTerms
from service.process.database import DamagedDatabaseError, Database
from service.process.transactions import writing
from service.records.game_file import Record
from service.records.past_tournament import PastTournament

_VERSION = 3
"""Version of the tables; a release that changes them raises it."""
INDEX = f"archive-{_VERSION}.db"
"""The file of a host's index, in LONJA_DATA_DIR; releases with other tables have another one."""

_WRITER_SECONDS = 30.0
"""Maximum time that a writer waits for another one, and for readers."""
_READER_SECONDS = 5.0
"""Maximum time that a reader waits for the end of a commit."""
_LOOK_SECONDS = 0.005
_AFTER_ALL = ";"
"""What sorts behind all places."""
_TABLES = """
CREATE TABLE about (id TEXT NOT NULL);
INSERT INTO about VALUES (lower(hex(randomblob(8))));
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
CREATE INDEX entry_of_game ON entry (game)
"""

_PLACE = itemgetter(0)
"""The place in a row of the index."""

T = TypeVar("T")


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
    """Some games of the index with this ``id``.

    ``until`` is the last place of a list that was read; None if that was all of the list.
    """

    id: str
    games: list[IndexedGame]
    until: str | None = None


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
    """The index in one file.

    All methods raise OSError and sqlite3.Error, which is a DamagedDatabaseError if the next call
    finds a new index.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _TABLES)

    def contents(self, names: Iterable[str] | None = None) -> IndexContents:
        """Return what the index is made from; with ``names``, which of these packs it has."""
        query = "SELECT name, beside FROM pack"

        def ask(index: sqlite3.Connection) -> IndexContents:
            if names is None:
                return IndexContents(_id(index), dict(index.execute(query)))
            found = (index.execute(f"{query} WHERE name = ?", [name]) for name in names)
            return IndexContents(_id(index), dict(chain.from_iterable(found)))

        return self._database.read(ask)

    def put(
        self, name: str, beside: str, games: Iterable[PackedListing], *, again: bool = False
    ) -> bool:
        """Put the games of a pack in, instead of those that the index has of it.

        ``beside`` is the SHA-256 of the file beside it that ``games`` were made with. If the index
        has them already, ``games`` are not read, unless ``again``. Return whether they were.
        """
        with self._database.opened(_WRITER_SECONDS) as index, writing(index):
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
        """Return the games at up to ``limit`` places of the lists ``names``, the newest first.

        The arguments are those of ``lists.newest``. A game that is in several packs is there as
        often.
        """
        top = _AFTER_ALL if span.until is None else f"{span.until:015d}"
        top = top if after is None else min(top, after)
        bottom = "" if span.since is None else f"{span.since:015d}"
        query = (
            "SELECT entry.place, head, summary FROM list"
            " JOIN entry ON entry.list = list.number JOIN game ON game.number = entry.game"
            " WHERE list.name = ? AND entry.place < ? AND entry.place >= ?"
            " ORDER BY entry.place DESC"
        )

        def ask(index: sqlite3.Connection) -> IndexedGames:
            each = (index.execute(query, [name, top, bottom]) for name in names)
            return _first(index, merge(*each, key=_PLACE, reverse=True), limit)

        return self._database.read(ask)

    def oldest(self, name: str, after: str, until: str, limit: int) -> IndexedGames:
        """Return the games at up to ``limit`` places of a list, the oldest first.

        Their places are after the place ``after``, and before ``until``.
        """
        query = (
            "SELECT entry.place, head, summary FROM list"
            " JOIN entry ON entry.list = list.number JOIN game ON game.number = entry.game"
            " WHERE list.name = ? AND entry.place > ? AND entry.place < ? ORDER BY entry.place"
        )
        return self._database.read(
            lambda index: _first(index, index.execute(query, [name, after, until]), limit)
        )

    def size(self, name: str) -> int:
        """Return the number of entries of a list."""
        query = "SELECT count(*) FROM entry JOIN list ON list.number = entry.list WHERE name = ?"

        def ask(index: sqlite3.Connection) -> int:
            (size,) = index.execute(query, [name]).fetchone()
            found: int = size
            return found

        return self._database.read(ask)

    def find(self, ids: Iterable[str]) -> IndexedGames:
        """Return the games with these ids, each as often as it is in packs."""
        query = "SELECT place, head, summary FROM game WHERE id = ?"

        def ask(index: sqlite3.Connection) -> IndexedGames:
            found = chain.from_iterable(index.execute(query, [id_]) for id_ in ids)
            return IndexedGames(_id(index), [*map(_game, found)])

        return self._database.read(ask)


def listings(pack: Pack, beside: Mapping[str, Beside]) -> Iterator[PackedListing]:
    """Yield how what is in a pack is listed; ``beside`` is what is beside it, by id.

    Tournaments' games are in no list. Raises as ``listing_of``, and as ``Pack.record``.
    """
    for row in pack.rows:
        own = beside.get(row.id, Beside(row.id))
        if row.kind == TOURNAMENT:
            listing = tournament_listing_of(row, own, pack.record(row))
        elif row.facts["tournament"] is None:
            listing = listing_of(row, own)
        else:
            continue
        yield PackedListing(row.id, bytes.fromhex(row.facts["head"]), listing)


def tournament_listing_of(row: Row, own: Beside, record: Record) -> Listing:
    """Return the listing of a tournament in a pack, with the entries that the store would have.

    Its summary is that of ``PastTournament``, with its ``origin``. Raises as ``listing_of``.
    """
    origin = None if own.origin is None else Origin(**own.origin)
    where = tournament_listing(row.id, row.facts["created_at"], row.facts["created_by"], origin)
    last = record.copies[-1]
    past = PastTournament.of(record.header["report"], last["body"][last["kind"]])
    summary = {**past.to_json(), "origin": own.origin}
    return Listing(row.facts["version"], where.entries, summary)


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


def _first(index: sqlite3.Connection, rows: Iterable[Any], limit: int) -> IndexedGames:
    """Return the games at the first places of ``rows``, which are in order."""
    places = groupby(rows, key=_PLACE)
    found = [[*map(_game, each)] for _place, each in islice(places, limit)]
    until = found[-1][0].place if len(found) == limit else None
    return IndexedGames(_id(index), [*chain.from_iterable(found)], until)


def _game(row: tuple[Any, Any, Any]) -> IndexedGame:
    """Return a game of the index. Raises DamagedDatabaseError."""
    place, head, summary = row
    try:
        found = IndexedGame(place, head, orjson.loads(summary))
        is_whole = type(head) is bytes and found.id == found.summary["id"]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DamagedDatabaseError(f"{type(error).__name__} {error}") from None
    if not is_whole:
        raise DamagedDatabaseError(f"a row at {place!r:.80} is none of a game")
    return found


def _id(index: sqlite3.Connection) -> str:
    found = index.execute("SELECT id FROM about").fetchone()
    if found is None:
        raise DamagedDatabaseError("it has no id")
    id_: str = found[0]
    return id_
