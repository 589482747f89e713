"""The lists of what has left the store: the index of packs, checked against the store."""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from socket import gethostname
from threading import Lock
from typing import NamedTuple

import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive import beside
from service.archive.beside import Beside, BesideError
from service.archive.files import Files
from service.archive.index import (
    IndexContents,
    IndexedGame,
    IndexedGames,
    PackedListing,
    PackIndex,
    listings,
)
from service.archive.pack import Pack, PackError, is_private
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
    PastPage,
)
from service.process.threads import in_thread

log = structlog.get_logger(__name__)

_REPORT_MS = LIVE_MS // 6
"""Time after which a host says again what it has said before."""
_REREAD_MS = 30_000
"""Time after which names of packs are read, even if there are as many: the store may be another."""
_ATTEMPTS = 16
"""Maximum number of times that a page is read because the packs that it needs are others by now."""
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0
"""Seconds after which a pack that could not be read is tried again; each pause is twice as long."""


class _Unreadable(NamedTuple):
    """Why a pack could not be put into the index, and the pause after which it is tried again."""

    why: str
    pause: float
    until: float


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
        self._unreadable: dict[str, _Unreadable] = {}
        """The packs that could not be put into the index, by name."""
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
    ) -> PastPage:
        return _page(self._read(lambda: self._index.newest(names, limit, after, span)))

    def oldest(self, name: str, after: str, until: str, limit: int) -> PastPage:
        return _page(self._read(lambda: self._index.oldest(name, after, until, limit)))

    def find(self, ids: Collection[str]) -> dict[str, JsonObject]:
        page = self._read(lambda: self._index.find(ids))
        return {game.id: game.summary for game in page.games}

    def size(self, name: str) -> int:
        with _readable():
            return 0 if self._mark() is None else self._index.size(name)

    def _read(self, ask: Callable[[], IndexedGames]) -> IndexedGames:
        """Return a page of the index with the games that count; it lacks none that has left."""
        for _ in range(_ATTEMPTS):
            # Whether the index was whole is taken first: it may have become so since it was read.
            whole = self._whole
            with _readable():
                page = ask()
            mark = self._mark()
            if mark is None:
                return page._replace(games=[], until=None)
            if whole == (page.id, mark):
                return page._replace(games=self._counting(page.games))
            self._expect_whole()
        raise ArchiveBehindError("packs are marked all the time")

    def _mark(self) -> bytes | None:
        """Return the mark, None if nothing has ever left the lists.

        It is read after a page of the index. So it stands for the packs of all games that had left
        the lists of the store before those were read.
        """
        mark: bytes | None = self._redis.hget(UNLISTED, MARK)  # type: ignore[assignment]
        return mark

    def _counting(self, games: Sequence[IndexedGame]) -> list[IndexedGame]:
        """Return those of the games that count."""
        places = self._places.of_each([game.id for game in games])
        return [
            game
            for game, place in zip(games, places, strict=True)
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

    def catch_up(
        self, *, again: bool = False, announce: bool = False, complete: bool = True
    ) -> int:
        """Put the packs into the index that it lacks; return their number.

        Packs that are in it are put in again if the file beside them has changed while games of
        theirs may leave; all of them with ``again``. A pack that cannot be read is left out and
        logged, and tried again ever later. With ``announce``, tell the store what this host has:
        games wait for it from then on. It has nothing as long as it is not ``complete``, because it
        lacks something else. Raises ArchiveBehindError if the index cannot be written.

        This may be called every second: names of packs are read only if there are others.
        """
        with self._lock, _readable():
            packs, moved, now_ms = self._count()
            began = time.monotonic()
            known = self._index.contents(self._open.values())
            counted = known.id, packs, moved, now_ms // _REREAD_MS
            if again or counted != self._counted:
                known = self._reread(again=again)
                self._counted = known.id, *counted[1:]
            put = 0
            for name in self._open.values():
                if self._put(name, known.packs.get(name), again=again):
                    put += 1
                    if announce:  # also while there is much to do
                        self._report(
                            now_ms + round(1000 * (time.monotonic() - began)), complete=complete
                        )
            if announce:
                self._report(now_ms + round(1000 * (time.monotonic() - began)), complete=complete)
            return put

    def unreadable(self) -> dict[str, str]:
        """Return why packs could not be put into the index, by name."""
        with self._lock:
            return {name: found.why for name, found in self._unreadable.items()}

    def _reread(self, *, again: bool) -> IndexContents:
        """Read the names of packs, and what the index has."""
        names, gone = self._places.packs(), self._exits.moved()
        held = self._index.contents()
        self._moving = {n: name for n, name in names.items() if n not in gone}
        lacking = {n: name for n, name in names.items() if name not in held.packs}
        self._open = names if again else self._moving | lacking
        return held

    def _count(self) -> tuple[int, int, int]:
        """Return the number of packs, of those whose games have left, and the time in ms."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.hlen(PACKS)
        pipe.scard(MOVED)
        pipe.time()
        packs, moved, (seconds, microseconds) = pipe.execute()
        return packs, moved, 1000 * seconds + microseconds // 1000

    def _put(self, name: str, known: str | None, *, again: bool) -> bool:
        before = self._unreadable.get(name)
        if before is not None and not again and time.monotonic() < before.until:
            return False
        try:
            # It is long work without pauses, and waits for disks.
            put = in_thread(partial(self._index_pack, name, known, again=again))
        except (BesideError, KeyError, OSError, PackError, TypeError, ValueError) as error:
            pause = _FIRST_PAUSE if before is None else min(2 * before.pause, _LONGEST_PAUSE)
            self._unreadable[name] = _Unreadable(str(error), pause, time.monotonic() + pause)
            if before is None or before.why != str(error):
                log.warning("pack_not_indexed", pack=name, reason=str(error))
            return False
        self._unreadable.pop(name, None)
        return put

    def _index_pack(self, name: str, known: str | None, *, again: bool) -> bool:
        """Put a pack into the index unless it is there as it is now; return whether it was put."""
        version = self._files.beside_version(name)
        if not again and known is not None and self._besides.get(name) == (version, known):
            return False
        raw = self._files.beside(name)
        digest = "" if raw is None else sha256(raw).hexdigest()
        self._besides[name] = version, digest
        if not again and known == digest:
            return False

        def games() -> Iterator[PackedListing]:
            # This is read only if no other process of this host has put the pack in meanwhile.
            kept = {} if raw is None else {one.id: one for one in beside.read(raw)}
            pack = Pack(self._files.opened(name))
            for row in pack.rows if is_private(name) else ():
                kept.get(row.id, Beside(row.id)).expect_terms()
            yield from listings(pack, kept)

        return self._index.put(name, digest, games(), again=again)

    def _report(self, now_ms: int, *, complete: bool) -> None:
        """Tell the store which packs with games that may leave are in the index, if it is news."""
        held = self._index.contents(self._moving.values())
        moving = self._moving if complete else {}
        told = held.id, {str(n): held.packs[o] for n, o in moving.items() if o in held.packs}
        # If the store's clock has gone back, what was said is in the future.
        if told != self._told or not self._told_ms <= now_ms < self._told_ms + _REPORT_MS:
            self._unlisting.report(held.id, IndexReport(now_ms, gethostname(), told[1]))
            self._told, self._told_ms = told, now_ms


def _page(found: IndexedGames) -> PastPage:
    """Return games of the index, each of them once."""
    games = {game.place: PastGame(game.place, game.summary) for game in found.games}
    return PastPage([*games.values()], found.until)


@contextmanager
def _readable() -> Iterator[None]:
    """Return the context of work on the index: its errors become ArchiveBehindError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ArchiveBehindError(f"the index of packs cannot be used: {error}") from error
