"""Rows of rated games in a file of each host, for installations that have an archive.

Ratings are a fold of games in an order that the store's list and the index of packs always have
together. So a host folds them itself, from the first game up to the one that the store says has
counted last. No row has to be kept in the store or sent, or put into packs, which are never changed
and could not follow when all games are counted again. The file is made from nothing else at any
time, and may be lost.

Each computation has a file of its own. While all games are counted again, the file of the old one
is shown as it is; when the new ratings are shown, it is removed. The store tells how many games it
has counted up to which place: a host that comes to another number has folded other games (the store
has lost its last writes, for example), so it begins again. Rows are only shown up to that place.

A request folds what has counted since the last one, AT_ONCE games at most. If there are more,
because the file is new, the host is behind until its process that keeps the index has folded them.
"""

import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson
import structlog
from redis import Redis

from service.ledger.unlisting import ArchiveBehindError, PastLists
from service.process.database import DamagedDatabaseError, Database
from service.process.threads import in_thread
from service.process.transactions import writing
from service.skill import rated_games, repeats
from service.skill.fold import CountedGame, Skill, Skills, count
from service.skill.progress import CountKeys, RatingState, name_store
from service.skill.rated_games import RatedGame
from service.skill.repeats import Ends
from service.skill.rows import CountedPage, SeatRow, rows_of
from service.skill.weng_lin import FORMULA, Rating

log = structlog.get_logger(__name__)

AT_ONCE = 200
"""Games folded in one transaction, and the most that a request folds."""

_VERSION = 1
"""Version of the tables; a release that changes them raises it."""
_NAME = f"ratings-{FORMULA}.{_VERSION}"
_ATTEMPTS = 8
"""Maximum number of times that rows are read because others have counted by now."""
_WRITER_SECONDS = 5.0
"""Maximum time that a writer waits for another one, and for readers."""
_OVERTAKEN_SECONDS = 0.2
"""Time for which a process lets another one of its host fold alone."""
_TABLES = """
CREATE TABLE position (games INTEGER NOT NULL, place TEXT NOT NULL);
INSERT INTO position VALUES (0, '');
CREATE TABLE game (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ruleset TEXT NOT NULL,
  nth INTEGER NOT NULL, told BLOB NOT NULL
);
CREATE UNIQUE INDEX game_of_ruleset ON game (ruleset, nth);
CREATE TABLE seat (
  ruleset TEXT NOT NULL, player TEXT NOT NULL, nth INTEGER NOT NULL, game INTEGER NOT NULL,
  seat INTEGER NOT NULL, PRIMARY KEY (ruleset, player, nth)
) WITHOUT ROWID;
CREATE TABLE ends (name TEXT PRIMARY KEY, told BLOB NOT NULL) WITHOUT ROWID
"""

T = TypeVar("T")


class FoldPosition(NamedTuple):
    """How many games are folded, and the place of the last of them."""

    games: int = 0
    place: str = ""


class HostRows:
    """The rows of one store's rated games on this host; processes share them."""

    def __init__(self, redis: Redis, past: PastLists, folder: Path) -> None:
        """``past`` are the lists of the games that have left the store's."""
        self._redis = redis
        self._past = past
        self._folder = folder
        self._kept = ""
        """The file beside which there is none of an older computation."""

    # Folding

    def catch_up(self, seconds: float = math.inf) -> bool:
        """Fold the games that have counted; return whether all are folded.

        They are not if ``seconds`` did not suffice. Processes of a host share the work.

        Raises:
            ArchiveBehindError: the index of packs here lacks some of the games; or the games are
                not those that have counted, and the store will count again.
        """
        until = time.monotonic() + seconds
        with _readable():
            while True:
                state = RatingState.of(self._redis)
                if not state.progress.number:
                    return True
                file = self._file(state, state.progress.number)
                if _read(file, _position) == _end(state):
                    self._keep_only(state)
                    return True
                if not self._fold(file, state):
                    time.sleep(_OVERTAKEN_SECONDS)
                if time.monotonic() > until:
                    return False

    def _fold(self, file: Database, state: RatingState, most: float = math.inf) -> bool:
        """Fold the next games of the newest computation; return False if others did so meanwhile.

        Raises ArchiveBehindError, also if more than ``most`` games are left.
        """
        begin, end = _read(file, _position), _end(state)
        if end.games - begin.games > most:
            raise ArchiveBehindError(f"{end.games - begin.games} rated games are not folded yet")
        until = rated_games.behind(end.place)
        found = rated_games.between(self._redis, begin.place, until, AT_ONCE, self._past)
        last = found.places[-1] if found.places else end.place
        then = FoldPosition(begin.games + len(found.places), last)
        if then != end and (then.games >= end.games or last == end.place):
            if state != RatingState.of(self._redis):
                return False
            log.warning("rated_games_differ", counted=end.games, folded=then.games)
            file.remove()  # so the next time begins with the first game
            raise ArchiveBehindError("the rated games are not those that have counted")
        return in_thread(partial(_put, file, begin, then, found.games))

    def _keep_only(self, state: RatingState) -> None:
        """Remove the files of other computations, unless one of them is still shown."""
        kept = self._name(state, state.progress.number)
        if state.shown == state.progress.number and kept != self._kept:
            for path in self._folder.glob(f"{_NAME}-*"):
                if not path.name.startswith(kept):
                    path.unlink(missing_ok=True)
            self._kept = kept

    def _name(self, state: RatingState, number: int) -> str:
        return f"{_NAME}-{state.store or name_store(self._redis)}-{number}.db"

    def _file(self, state: RatingState, number: int) -> Database:
        return Database(self._folder / self._name(state, number), _TABLES)

    # Reading

    def history(self, ruleset: str, player: str, after: int, limit: int) -> list[SeatRow]:
        query = (
            "SELECT told, seat FROM seat JOIN game ON game.number = seat.game"
            " WHERE seat.ruleset = ? AND player = ? AND seat.nth > ? ORDER BY seat.nth LIMIT ?"
        )

        def ask(rows: sqlite3.Connection) -> list[SeatRow]:
            found = rows.execute(query, [ruleset, player, after, limit])
            return [_row(told, seat) for told, seat in found]

        return self._ask(ask, [])

    def of_game(self, game_id: str) -> bytes | None:
        def ask(rows: sqlite3.Connection) -> bytes | None:
            found = rows.execute("SELECT told FROM game WHERE id = ?", [game_id]).fetchone()
            return None if found is None else found[0]

        return self._ask(ask, None)

    def counted(self, ruleset: str, after: int, limit: int) -> CountedPage:
        query = "SELECT told FROM game WHERE ruleset = ? AND nth > ? ORDER BY nth LIMIT ?"

        def ask(rows: sqlite3.Connection) -> CountedPage:
            found = rows.execute(query, [ruleset, after, limit])
            return CountedPage([told for (told,) in found], _games_of(rows, ruleset))

        return self._ask(ask, CountedPage([], 0))

    def contents(self, keys: CountKeys) -> dict[str, Any]:
        """Return all rows of the newest computation, as the store would have them in its keys.

        Raises ArchiveBehindError.
        """
        games = "SELECT id, ruleset, told FROM game ORDER BY nth"
        seats = (
            "SELECT seat.ruleset, player, told, seat FROM seat"
            " JOIN game ON game.number = seat.game ORDER BY seat.nth"
        )

        def ask(rows: sqlite3.Connection) -> dict[str, Any]:
            found: dict[str, Any] = {}
            for id_, ruleset, told in rows.execute(games):
                found.setdefault(keys.games, {})[id_.encode()] = told
                found.setdefault(keys.counted(ruleset), []).append(id_.encode())
            for ruleset, player, told, seat in rows.execute(seats):
                row = orjson.dumps(_row(told, seat))
                found.setdefault(keys.history(ruleset, player), []).append(row)
            return found

        self.catch_up()
        state = RatingState.of(self._redis)
        with _readable():
            return _read(self._file(state, keys.number), ask) if keys.number else {}

    def _ask(self, ask: Callable[[sqlite3.Connection], T], empty: T) -> T:
        """Return a query's result from the rows of the shown computation; ``empty`` without one.

        Raises ArchiveBehindError.
        """
        with _readable():
            for _ in range(_ATTEMPTS):
                state = RatingState.of(self._redis)
                if not state.shown:
                    return empty
                file, is_old = self._file(state, state.shown), state.shown != state.progress.number
                at, found = _read(file, lambda rows: (_position(rows), ask(rows)))
                if at == _end(state) or (is_old and at.games):
                    return found
                if is_old:
                    raise ArchiveBehindError("all rated games are counted again")
                self._fold(file, state, AT_ONCE)
        raise ArchiveBehindError("rated games are counted all the time")


def _end(state: RatingState) -> FoldPosition:
    return FoldPosition(state.progress.games, state.progress.place)


def _read(file: Database, ask: Callable[[sqlite3.Connection], T]) -> T:
    def ask_rows(rows: sqlite3.Connection) -> T:
        with _intact():
            return ask(rows)

    return file.read(ask_rows)


@contextmanager
def _intact() -> Iterator[None]:
    """Return the context of work on rows of a file: wrong ones are damage, too."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise DamagedDatabaseError(f"{type(error).__name__} {error}") from None


def _put(
    file: Database, begin: FoldPosition, then: FoldPosition, games: Sequence[RatedGame]
) -> bool:
    """Fold games on from a position to another one; return False if it is another by now."""
    with file.opened(_WRITER_SECONDS) as rows, _intact(), writing(rows):
        if _position(rows) != begin:
            return False
        known: Skills = {}
        ends: Ends = {}
        for game in games:
            _take_in(rows, game, known, ends)
            _add(rows, count(game, known, ends))
        told = [(name, repeats.dump(times)) for name, times in ends.items()]
        rows.executemany("INSERT OR REPLACE INTO ends VALUES (?, ?)", told)
        rows.execute("UPDATE position SET games = ?, place = ?", then)
        return True


def _take_in(rows: sqlite3.Connection, game: RatedGame, known: Skills, ends: Ends) -> None:
    """Read what has to be known before a game is counted."""
    for player in game.players:
        if (game.ruleset, player) not in known:
            known[game.ruleset, player] = _skill(rows, game.ruleset, player)
    name = repeats.alike(game)
    if name not in ends:
        found = rows.execute("SELECT told FROM ends WHERE name = ?", [name]).fetchone()
        ends[name] = repeats.load(None if found is None else found[0])


def _skill(rows: sqlite3.Connection, ruleset: str, player: str) -> Skill:
    """Return a player's skill after his last game."""
    query = (
        "SELECT told, seat, seat.nth FROM seat JOIN game ON game.number = seat.game"
        " WHERE seat.ruleset = ? AND player = ? ORDER BY seat.nth DESC LIMIT 1"
    )
    found = rows.execute(query, [ruleset, player]).fetchone()
    if found is None:
        return Skill()
    told, seat, games = found
    *_more, mean, deviation = _row(told, seat)
    return Skill(Rating(mean, deviation), games)


def _add(rows: sqlite3.Connection, counted: CountedGame) -> None:
    game = counted.game
    nth = _games_of(rows, game.ruleset) + 1
    query = "INSERT INTO game (id, ruleset, nth, told) VALUES (?, ?, ?, ?)"
    added = rows.execute(query, [game.id, game.ruleset, nth, counted.dump()])
    seats = enumerate(zip(game.players, counted.after, strict=True))
    rows.executemany(
        "INSERT INTO seat VALUES (?, ?, ?, ?, ?)",
        [
            [game.ruleset, player, skill.games, added.lastrowid, seat]
            for seat, (player, skill) in seats
        ],
    )


def _games_of(rows: sqlite3.Connection, ruleset: str) -> int:
    """Return the number of a ruleset's games."""
    (number,) = rows.execute("SELECT max(nth) FROM game WHERE ruleset = ?", [ruleset]).fetchone()
    return number or 0


def _row(told: bytes, seat: int) -> SeatRow:
    return rows_of(told)[seat]


def _position(rows: sqlite3.Connection) -> FoldPosition:
    games, place = rows.execute("SELECT games, place FROM position").fetchone()
    return FoldPosition(games, place)


@contextmanager
def _readable() -> Iterator[None]:
    """Return the context of work on rows: errors of their file become ArchiveBehindError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ArchiveBehindError(f"the rows of rated games cannot be used: {error}") from error
