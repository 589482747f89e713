"""The lists of games that have left the store: the index of packs, checked against the store."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from socket import gethostname
from threading import Lock

import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive import beside
from service.archive.beside import BesideError
from service.archive.files import Files
from service.archive.index import IndexedGame, IndexedGames, PackIndex, listings
from service.archive.pack import Pack, PackError
from service.ledger.exits import MOVED, Exits
from service.ledger.lists import EVER, Span
from service.ledger.places import PACKS, PackPlaces
from service.ledger.unlisting import (
    LIVE_MS,
    MARK,
    UNLISTED,
    ArchiveBehindError,
    IndexReport,
    ListExits,
    PastGame,
)

log = structlog.get_logger(__name__)

_REPORT_MS = LIVE_MS // 6
"""Time after which a host says again what it has said before."""
_REREAD_MS = 30_000
"""Time after which names of packs are read, even if there are as many: the store may be another."""


class PackLists:
    """The lists of the games of one store that are in packs; thread-safe.

    A row of the index counts if the store knows the game as one that is in a pack, and with this
    end. So packs of another installation, and other histories, may be in the folder.
    """

    def __init__(self, redis: Redis, files: Files, index: PackIndex) -> None:
        self._redis = redis
        self._files = files
        self._index = index
        self._places = PackPlaces(redis)
        self._exits = Exits(redis)
        self._unlisting = ListExits(redis)
        self._whole: tuple[str, bytes] | None = None
        """An index and a mark: the index has all packs of the mark."""
        self._besides: dict[str, tuple[str, str]] = {}
        """For each pack, the version of the file beside it, and its SHA-256."""
        self._unreadable: dict[str, str] = {}
        """Why packs could not be put into the index."""
        self._lock = Lock()
        """Guards indexing, and what follows: one thread of a process does it."""
        self._counted: tuple[str, int, int, int] | None = None
        """The index, the numbers of packs, and the time, at which names of packs were read last."""
        self._moving: dict[int, str] = {}
        """The packs whose games have not all left, by number."""
        self._open: dict[int, str] = {}
        """These, and the packs that the index lacked."""
        self._told: tuple[str, dict[str, str]] | None = None
        self._told_ms = 0
        """What the store was told last, and when."""

    # Reading

    def newest(
        self, names: Sequence[str], limit: int, after: str | None = None, span: Span = EVER
    ) -> list[PastGame]:
        found: dict[str, PastGame] = {}
        while True:
            with _readable():
                page = self._index.newest(names, limit, after, span)
            mark = self._mark()
            if mark is None:
                return []
            games = self._checked(page, mark)
            if games is None:
                continue
            found |= {game.place: PastGame(game.place, game.summary) for game in games}
            if len(found) >= limit or len(page.games) < limit:
                return [*found.values()][:limit]
            after = page.games[-1].place

    def find(self, ids: Collection[str]) -> dict[str, JsonObject]:
        while True:
            with _readable():
                page = self._index.find(ids)
            mark = self._mark()
            if mark is None:
                return {}
            games = self._checked(page, mark)
            if games is not None:
                return {game.id: game.summary for game in games}

    def _mark(self) -> bytes | None:
        """Return the mark, None if nothing has ever left the lists.

        It is read after a page of the index. So it stands for the packs of all games that had left
        the lists of the store before those were read.
        """
        mark: bytes | None = self._redis.hget(UNLISTED, MARK)  # type: ignore[assignment]
        return mark

    def _checked(self, page: IndexedGames, mark: bytes) -> list[IndexedGame] | None:
        """Return the games of a page that count; None if it must be read again."""
        if self._whole != (page.id, mark):
            self._expect_whole()
            return None
        places = self._places.of_each([game.id for game in page.games])
        return [
            game
            for game, place in zip(page.games, places, strict=True)
            if place is not None and game.head.startswith(place.head)
        ]

    def _expect_whole(self) -> None:
        """Raise ArchiveBehindError unless the index has all packs whose games may have left."""
        mark, numbers = self._unlisting.marked()
        names = self._places.packs()
        with _readable():
            contents = self._index.contents()
        lacking = [number for number in numbers if names.get(number) not in contents.packs]
        if lacking or mark is None:
            raise ArchiveBehindError(f"the index of packs lacks {len(lacking)} of {len(numbers)}")
        self._whole = contents.id, mark

    # Keeping the index

    def catch_up(self, *, again: bool = False) -> int:
        """Put the packs into the index that it lacks; return their number, and tell the store.

        Packs that are in it are put in again if the file beside them has changed while games of
        theirs may leave; all of them with ``again``. A pack that cannot be read is left out, and
        logged. Raises ArchiveBehindError if the index cannot be written.

        This may be called every second: names of packs are read only if there are others.
        """
        with self._lock, _readable():
            packs, moved, now_ms = self._count()
            known = self._index.contents(self._open.values())
            counted = known.id, packs, moved, now_ms // _REREAD_MS
            if again or counted != self._counted:
                names, gone = self._places.packs(), self._exits.moved()
                held = self._index.contents()
                self._counted = held.id, *counted[1:]
                self._moving = {n: name for n, name in names.items() if n not in gone}
                lacking = {n: name for n, name in names.items() if name not in held.packs}
                self._open = names if again else self._moving | lacking
                known = held
            opened = self._open.values()
            put = sum(self._put(name, known.packs.get(name), again=again) for name in opened)
            self._report(now_ms)
            return put

    def _count(self) -> tuple[int, int, int]:
        """Return the number of packs, of those whose games have left, and the time in ms."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.hlen(PACKS)
        pipe.scard(MOVED)
        pipe.time()
        packs, moved, (seconds, microseconds) = pipe.execute()
        return packs, moved, 1000 * seconds + microseconds // 1000

    def _put(self, name: str, known: str | None, *, again: bool) -> bool:
        try:
            version = self._files.beside_version(name)
            if not again and known is not None and self._besides.get(name) == (version, known):
                return False
            raw = self._files.beside(name)
            digest = "" if raw is None else sha256(raw).hexdigest()
            self._besides[name] = version, digest
            if not again and known == digest:
                return False
            kept = {} if raw is None else {one.id: one for one in beside.read(raw)}
            games = listings(Pack(self._files.source(name)).rows, kept)
            return self._index.put(name, digest, games, again=again)
        except (BesideError, KeyError, OSError, PackError, TypeError, ValueError) as error:
            if self._unreadable.get(name) != str(error):
                self._unreadable[name] = str(error)
                log.warning("pack_not_indexed", pack=name, reason=str(error))
            return False

    def _report(self, now_ms: int) -> None:
        """Tell the store which packs with games that may leave are in the index, if it is news."""
        held = self._index.contents(self._moving.values())
        told = held.id, {str(n): held.packs[o] for n, o in self._moving.items() if o in held.packs}
        if told != self._told or now_ms >= self._told_ms + _REPORT_MS:
            self._unlisting.report(held.id, IndexReport(now_ms, gethostname(), told[1]))
            self._told, self._told_ms = told, now_ms


@contextmanager
def _readable() -> Iterator[None]:
    """Return the context of work on the index: its errors become ArchiveBehindError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ArchiveBehindError(f"the index of packs cannot be used: {error}") from error
