"""Lets finished games leave the store once they are in packs.

A game leaves if its pack was read back now, and would give back exactly what the store has: its
events, secrets, answered requests, terms and origin. Each step may be repeated: a run that was
killed is finished by the next one. Tournaments, their games, and games that are not for everybody
stay in the store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from rules.kernel.record.instants import to_ms
from service.archive import beside
from service.archive.archive import ReadBackError
from service.archive.beside import Beside
from service.archive.files import Files
from service.archive.pack import GAME, Pack, Row, digest_in
from service.archive.past import archived
from service.following.cursors import behind_since
from service.following.telling import NoticeWriter
from service.ledger.damage import GameDamagedError
from service.ledger.exits import GONE, Exits
from service.ledger.ledger import GameNotFoundError, Ledger
from service.ledger.places import HEAD_BYTES, NOTED, PackedStream, PackPlace, PackPlaces
from service.ledger.raw import RawStreams
from service.ledger.vault import VaultError
from service.players.departed import departed
from service.publishing.heads import logged_key
from service.publishing.marker import MARKER, NAME
from service.records.game_file import RecordError
from service.upkeep.archiving import (
    ARCHIVED,
    MISSING,
    OTHER,
    REWOUND,
    SAME,
    StoreComparison,
    compare,
)
from service.upkeep.besides import BesideFiles, beside_of

_AT_ONCE = 200


class MoveOutcome(NamedTuple):
    """The result of moving a game: if it has not ``gone`` from the store, it ``stays``, and why.

    ``noted`` is true if the store had nothing of it, and now knows its place. ``aside`` is true if
    the game went on in the store, and that was taken aside. ``other`` is true if the store and the
    pack have different histories of a finished game.
    """

    id: str
    gone: bool = False
    noted: bool = False
    aside: bool = False
    stays: str = ""
    other: bool = False


class Mover:
    """Moves the games in the packs of a place out of the store."""

    def __init__(
        self,
        ledger: Ledger,
        files: Files,
        besides: BesideFiles,
        list_again: Callable[[str], None],
    ) -> None:
        """``list_again`` updates the lists from the events of a game."""
        self._ledger = ledger
        self._here = ledger.store.here
        self._files = files
        self._besides = besides
        self._list_again = list_again
        self._places = PackPlaces(self._here.redis)
        self._exits = Exits(self._here.redis)
        self._streams = RawStreams(self._here.redis)
        self._left = departed(self._here.redis).players

    def adopt(self) -> Iterator[MoveOutcome]:
        """Note where all games are that the store lacks; let packs decide about those that go on.

        This is for a store that was restored. Raises PackError, OSError.
        """
        for name in self._files.names():
            number = self._places.number(name)
            for one in compare(self._here, Pack(self._files.source(name))):
                stream = _stream(one.row, number)
                if one.found == MISSING and _is_live_game(one.row):
                    self._places.note([stream], absent=True)
                    self._list_again(one.row.id)
                    yield MoveOutcome(one.row.id, noted=True)
                elif one.found in (REWOUND, OTHER) and _is_live_game(one.row):
                    yield self._settle(one, stream)

    def move(self, *, again: bool = False) -> Iterator[MoveOutcome]:
        """Move the games of all packs whose games have not left; yield what became of each.

        With ``again``, look at every pack.

        Raises:
            PackError, BesideError: a pack, or the file beside it, is damaged.
            ReadBackError: one is not what was written; OSError: one cannot be read or written.
            TooFewReplicasError: too few replicas hold what the store has.
        """
        for name in self._files.names():
            number = self._places.number(name)
            if self._exits.is_moved(number) and not again:
                continue
            if self._files.digest(name) != digest_in(name):
                raise ReadBackError(f"{self._files.path_of(name)} is not what was written")
            self._here.await_replicas()
            stays = False
            for outcome in self._move(name, number):
                stays = stays or bool(outcome.stays)
                yield outcome
            if not stays:
                self._exits.note_moved(number)

    def _move(self, name: str, number: int) -> Iterator[MoveOutcome]:
        pack = Pack(self._files.source(name))
        raw = self._files.beside(name)
        kept = None if raw is None else {one.id: one for one in beside.read(raw)}
        found = (one for one in compare(self._here, pack) if _is_live_game(one.row))
        while page := [*islice(found, _AT_ONCE)]:
            tables = {
                one.row.id: self._here.whole_table(one.row.id) for one in page if one.found == SAME
            }
            if kept is not None and raw is not None:
                raw = self._refresh(name, raw, kept, tables)
            behind = self._behind()
            for one in page:
                row, stream = one.row, _stream(one.row, number)
                if one.found not in (SAME, ARCHIVED):
                    yield self._settle(one, stream)
                elif one.found == SAME and kept is None:
                    yield MoveOutcome(row.id, stays="no file is beside its pack")
                elif one.found == SAME and (told := _waits(behind, row)):
                    yield MoveOutcome(row.id, stays=told)
                elif one.found == SAME and kept is not None:
                    own = kept.get(row.id, Beside(row.id))
                    yield self._let_leave(pack, row, stream, own, tables[row.id])

    def _behind(self) -> dict[str, int | None]:
        """Return what consumers of the feeds have not done yet, in words, each since when (ms)."""
        redis = self._here.redis
        telling = behind_since(redis, NoticeWriter.name)
        found = {"players have not been told of its end yet": telling}
        if redis.exists(MARKER):
            found["the public log has not its end yet"] = behind_since(redis, NAME)
        return found

    def _refresh(self, name: str, raw: bytes, kept: dict[str, Beside], ids: Iterable[str]) -> bytes:
        """Write the file beside a pack again if the store has something else beside these games.

        Return its contents, which are now ``raw``.
        """
        changed = False
        for id_ in ids:
            try:
                now = beside_of(self._streams, id_).without(self._left)
            except (LookupError, ValueError):
                continue  # it stays, because the archive has something else
            if now != kept.get(id_, Beside(id_)):
                kept[id_] = now
                changed = True
        return self._besides.put(name, kept.values(), raw) if changed else raw

    def _let_leave(
        self, pack: Pack, row: Row, stream: PackedStream, own: Beside, table: dict[str, bytes]
    ) -> MoveOutcome:
        try:
            gone = archived(row.id, pack.record(row), own)
            secrets, origin = self._here.secrets(row.id), self._here.origin(row.id)
        except (RecordError, TypeError, ValueError, VaultError) as error:
            return MoveOutcome(row.id, stays=str(error))
        events = [stored.event for stored in self._here.read_all(row.id)]
        kept = own._replace(table={name: value.decode() for name, value in table.items()})
        if (
            [stored.event for stored in gone.events] != events
            or (gone.secrets, gone.origin) != (secrets, origin)
            or kept.without(self._left).table != own.table
        ):
            return MoveOutcome(row.id, stays="the archive would not give back what the store has")
        if self._places.note([stream]) != [NOTED]:
            return MoveOutcome(row.id, stays="it is noted in another pack, or has just changed")
        if self._exits.let_leave(stream, table) != GONE:
            return MoveOutcome(row.id, stays="it has just changed")
        self._here.redis.hdel(logged_key(row.id), row.id)
        return MoveOutcome(row.id, gone=True)

    def _settle(self, one: StoreComparison, stream: PackedStream) -> MoveOutcome:
        """Let the pack decide about a game of which the store has something else, or nothing."""
        id_ = one.row.id
        if one.found == MISSING:
            return MoveOutcome(id_, stays="the store does not have it")
        if one.found == OTHER and (one.version == 0 or not self._goes_on(id_)):
            return MoveOutcome(id_, stays="the store has another history of it", other=True)
        self._exits.take_aside(stream, one.version)
        self._list_again(id_)
        return MoveOutcome(id_, aside=True)

    def _goes_on(self, game_id: str) -> bool:
        try:
            return not self._ledger.table(game_id).game.over
        except (GameDamagedError, GameNotFoundError):
            return False  # it may be evidence


def _waits(behind: Mapping[str, int | None], row: Row) -> str:
    """Return what has to be done about the end of a game before it leaves, "" if nothing."""
    ended = to_ms(row.facts["at"])
    return next((what for what, at in behind.items() if at is not None and at <= ended), "")


def _is_live_game(row: Row) -> bool:
    return row.kind == GAME and row.facts["tournament"] is None


def _stream(row: Row, pack: int) -> PackedStream:
    head = bytes.fromhex(row.facts["head"])
    place = PackPlace(pack, row.offset, row.length, head[:HEAD_BYTES])
    return PackedStream(row.id, row.facts["version"], head, place)
