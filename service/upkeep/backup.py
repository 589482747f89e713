"""Writes a consistent backup of the underived data of a store in use.

The service goes on meanwhile. Streams only grow, by whole batches. So the backup has each stream as
it was when the reading of this stream began. The order of reading ensures consistency: if an object
refers to a second object, the first object is read before the second. So a tournament is read
before its games, and only the games that its stream names are included. All games are read before
the players. Objects that are created meanwhile are left to the next backup.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from secrets import token_hex
from typing import IO, Any, NamedTuple

from redis.exceptions import ResponseError

from rules.kernel.record.game import GAP
from service.following.lease import lease_of
from service.following.telling import NoticeWriter
from service.ledger.exits import MOVED
from service.ledger.feeds import TOLD
from service.ledger.outages import OUTAGES
from service.ledger.places import PackPlaces
from service.ledger.raw import PAGE, RawStream, RawStreams, StreamEntry
from service.ledger.store import LOWERED, ONLINE, Store, stored_entries
from service.ledger.streams import game_ids, ids_with_tables, tournament_ids
from service.ledger.terms import BESIDE
from service.ledger.unlisting import INDEXES, UNLISTED
from service.publishing.marker import DIVERGED, DUE, MARKER, NAME
from service.redis.client import is_of_another_type
from service.redis.format import FORMAT_KEY, INDEXED
from service.redis.keys import BACKED_UP, RESTARTS, WRITABLE, game_key, meta_key
from service.tournaments import global_ratings
from service.tournaments.record import export as record
from service.tournaments.tournament import Tournament, TournamentDamagedError
from service.tournaments.unended import games_without_result
from service.upkeep import backup_file
from service.upkeep.backup_file import Writer
from service.upkeep.due import LAST_RUN
from service.upkeep.inspection import WRONG_TYPE, Finding
from service.upkeep.scrub import BEGUN, LAST_SCRUB, SCRUBBED

_LEFT_OUT = frozenset(
    (
        FORMAT_KEY,
        INDEXED,
        WRITABLE,
        LOWERED,
        ONLINE,
        TOLD,
        lease_of(NoticeWriter.name),
        RESTARTS,
        BACKED_UP,
        OUTAGES,
        global_ratings.KEPT,
        MOVED,
        lease_of(NAME),
        MARKER,
        DUE,
        DIVERGED,
        UNLISTED,
        INDEXES,
        LAST_RUN,
        BEGUN,
        LAST_SCRUB,
        SCRUBBED,
    )
)
"""Keys of the installation that are not backed up: they are derived, or belong only to one store.

Keys that expire are not backed up either: tickets, locks, notes of requests.
"""
_READ = {
    b"string": ("GET",), b"hash": ("HGETALL",), b"set": ("SMEMBERS",),
    b"stream": ("XRANGE", "-", "+"),
}  # fmt: skip
"""The functions that read a key of the installation, by its type."""


_FOR_EVER = -1
"""The answer of PTTL for a key that does not expire."""


class UnknownTypeError(RuntimeError):
    """A key of the installation has a type that backups do not support."""


class _OpenStream(NamedTuple):
    """A stream, and its entries as they are read."""

    stream: RawStream
    first: list[StreamEntry]
    rest: Iterator[list[StreamEntry]]


class Backup:
    """A backup that is being written; ``findings`` are the data that cannot be included."""

    def __init__(self, store: Store, public_key: str) -> None:
        self.id = token_hex(8)
        self.began_at = self.ended_at = ""
        self.counts = Counter(tournaments=0, games=0, events=0, players=0)
        self.findings: list[Finding] = []
        self._store = store
        self._redis = store.redis
        self._streams = RawStreams(store.redis)
        self._places = PackPlaces(store.redis)
        self._public_key = public_key
        self._writer: Writer
        self._written: set[str] = set()
        """Games that were written with their tournament."""
        self._packed: Counter[str] = Counter()
        """The number of games with a result of each tournament that have left the store."""
        self._damaged: set[str] = set()
        """Damaged tournaments, whose games are therefore unknown."""

    def write(self, file: IO[bytes]) -> Iterator[str]:
        """Write the whole backup; yields the id of each finished game and tournament.

        Raises:
            UnknownTypeError: the store has a key of an unsupported type.
        """
        self.began_at = self._store.clock.now()
        writer = self._writer = Writer(file, self.id, self.began_at, self._public_key)
        writer.begin(backup_file.INSTALLATION)
        self._keys("*", without=("key:", "keys:", "kind:", "player:", "webhook"))
        writer.begin(backup_file.TOURNAMENTS)
        for tournament_id in sorted(set(tournament_ids(self._redis))):
            yield from self._tournament(tournament_id)
        writer.begin(backup_file.GAMES)
        for game_id in sorted(set(game_ids(self._redis)) - self._written):
            game = self._found(game_id)
            if game is not None and not self._is_of_a_newer_block(game):
                self._write(game)
            yield game_id
        self._write_keys(self._tables_of_packed())
        writer.begin(backup_file.PLAYERS)
        self._keys("key:*")
        self._keys("keys:*")
        self._keys("kind:*")
        self.counts["players"] = self._keys("player:*")
        self._keys("webhooks*")  # a restored webhook begins with ``resync``
        self.ended_at = self._store.clock.now()
        writer.end(self.ended_at, self.counts, self._packed)

    # Streams

    def _tournament(self, tournament_id: str) -> Iterator[str]:
        found = self._found(tournament_id)
        if found is None:
            return
        tournament = Tournament(tournament_id)
        self._write(found, tournament)
        yield tournament_id
        if tournament_id in self._damaged:
            return
        ended = dict.fromkeys(record.game_ids(tournament))
        for game_id in chain(ended, games_without_result(tournament)):
            game = self._found(game_id)
            if game is not None:
                self._write(game)
                self._written.add(game_id)
                yield game_id
            elif game_id in ended and self._places.of(game_id) is not None:
                self._packed[tournament_id] += 1

    def _found(self, stream_id: str) -> _OpenStream | None:
        """Return a stream; add a finding and return None if it cannot be copied."""
        try:
            stream = self._streams.find(stream_id)
        except ResponseError as error:
            if not is_of_another_type(error):
                raise
            detail = "its stream or its secrets are of another type, and are not in the backup"
            self.findings.append(Finding(stream_id, WRONG_TYPE, detail))
            return None
        if stream is None:
            return None
        pages = self._streams.pages(stream)
        first = next(pages, None)
        if first is None and self._places.of(stream_id) is not None:
            return None  # it has just left the store
        if first is None:
            detail = "the stream has no events, and is not in the backup"
            self.findings.append(Finding(stream_id, GAP, detail))
            return None
        return _OpenStream(stream, first, pages)

    def _is_of_a_newer_block(self, game: _OpenStream) -> bool:
        """Whether a game's block began after its tournament had been written to the backup.

        If so, the backup does not include the game, and the game is played again after a restore.
        The answer is false if the game belongs to no tournament, or if the tournament is damaged or
        does not exist any more; then the backup includes the game.
        """
        (first,) = stored_entries(game.first[:1])
        owner = first.event.by.get("tournament")
        if owner is None or owner in self._damaged:
            return False
        return self._store.here.newest(owner) > 0

    def _write(self, found: _OpenStream, tournament: Tournament | None = None) -> None:
        """Write a stream; if it is the stream of a ``tournament``, also fold it."""
        self._writer.stream(found.stream)
        self.counts["games" if tournament is None else "tournaments"] += 1
        for page in chain((found.first,), found.rest):
            self._writer.page(page)
            self.counts["events"] += len(page)
            if tournament is not None:
                self._fold(tournament, page)

    def _fold(self, tournament: Tournament, page: list[StreamEntry]) -> None:
        try:
            for stored in stored_entries(page):
                tournament.take(stored.event)
        except TournamentDamagedError:
            self._damaged.add(tournament.id)

    # Keys of the installation

    def _keys(self, pattern: str, without: tuple[str, ...] = ()) -> int:
        """Write the keys that match ``pattern``, and return their number.

        Keys that begin with a name in ``without`` are left out.
        """
        found = self._redis.scan_iter(match=meta_key(pattern), count=2 * PAGE)
        names = sorted(set(map(bytes.decode, found)) - _LEFT_OUT)
        left_out = tuple(map(meta_key, without))
        return self._write_keys(name for name in names if not name.startswith(left_out))

    def _tables_of_packed(self) -> Iterator[str]:
        """Yield the keys with what tables got since their games left the store."""
        for game_id in sorted(set(ids_with_tables(self._redis))):
            is_here = self._redis.exists(game_key(game_id, "events"))
            if not is_here and self._places.of(game_id) is not None:
                yield game_key(game_id, BESIDE)

    def _write_keys(self, names: Iterable[str]) -> int:
        """Write these keys, except those that expire, and return their number."""
        kept = iter(names)
        written = 0
        while page := list(islice(kept, PAGE)):
            for name, type_, value in self._values(page):
                self._writer.key(name, type_, value)
                written += 1
        return written

    def _values(self, names: Sequence[str]) -> Iterator[tuple[str, str, Any]]:
        """Yield the name, type and value of each of these keys that does not expire."""
        pipe = self._redis.pipeline(transaction=False)
        for name in names:
            pipe.type(name)
            pipe.pttl(name)
        told = pipe.execute()
        types = dict(zip(names, told[::2], strict=True))
        staying = [name for name, left in zip(names, told[1::2], strict=True) if left == _FOR_EVER]
        for name in staying:
            if types[name] not in _READ:
                raise UnknownTypeError(f"{name} is a {types[name].decode()}, which no backup has")
            command, *arguments = _READ[types[name]]
            pipe.execute_command(command, name, *arguments)
        for name, value in zip(staying, pipe.execute(), strict=True):
            if value:  # unless the key was removed meanwhile
                yield name, types[name].decode(), value
