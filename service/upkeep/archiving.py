"""Puts finished games and tournaments into packs, and compares packs with the store.

What everybody may read and what is proved goes into packs. Nothing is removed from the store here
(``service.upkeep.moving``).
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.proof.verdicts import PROVED, NotARecordError, Report
from rules.kernel.record.events import UNREADABLE, Event
from rules.kernel.record.game import ABORTED, ENDED, sound_before_end
from rules.kernel.record.instants import to_ms
from service.archive.archive import Archive, OtherHistoryError, WrittenPack
from service.archive.pack import Pack, Row
from service.ids import is_tournament
from service.ledger import export, lists
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, RewoundError
from service.ledger.lists import HIDDEN, TOURNAMENTS, games_list, id_at
from service.ledger.places import PackPlace, PackPlaces
from service.ledger.store import Store
from service.ledger.terms import PUBLIC, TableTerms
from service.records.game_file import Record, RecordError
from service.records.tournament_file import TournamentRecord
from service.tournaments.record import export as tournament_export
from service.tournaments.record.export import TournamentRecordSource
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import (
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)
from service.tournaments.unended import games_without_result

REST_MS = 600_000
"""Time since its end after which a game or tournament may go into a pack."""

_AT_ONCE = 200
_LISTS = (TOURNAMENTS, games_list(None, ENDED), games_list(None, ABORTED))
_PRIVATE_LISTS = (games_list(None, ENDED, HIDDEN), games_list(None, ABORTED, HIDDEN))


class PackingOutcome(NamedTuple):
    """The result of packing a game or tournament.

    ``packed`` is the number of records that were added. ``later`` is true if it is not over, or
    ended less than REST_MS ago, and ``damaged`` if it was ended as damaged: no pack takes it.
    ``left`` is any other reason why it was left out; ``other`` is true if a pack has another
    history of it. ``packs`` are those that became full.
    """

    id: str
    packed: int = 0
    later: bool = False
    damaged: bool = False
    left: str = ""
    other: bool = False
    packs: tuple[WrittenPack, ...] = ()


def finished(
    stored: TournamentRecordSource, until_ms: int, *, private: bool = False
) -> Iterator[str]:
    """Yield the ids of tournaments, then those of public games that are over, oldest first.

    With ``private``, those of games follow that are not for everybody. All of them were created
    before ``until_ms`` (ms since 1970).
    """
    redis = stored.ledger.store.redis
    until = f"{until_ms:015d}"
    for name in _lists(private=private):
        after = ""
        while True:
            _number, places = lists.oldest(redis, name, after, until, _AT_ONCE)
            if not places:
                break
            yield from map(id_at, places)
            after = places[-1]


def count(redis: Redis, *, private: bool = False) -> int:
    """Return the number of ids that ``finished`` yields."""
    return sum(lists.sizes(redis, _lists(private=private)))


def _lists(*, private: bool) -> tuple[str, ...]:
    return (*_LISTS, *_PRIVATE_LISTS) if private else _LISTS


class Packer:
    """Puts the records of one store into packs."""

    def __init__(
        self,
        stored: TournamentRecordSource,
        archive: Archive,
        verify_game: Callable[[Record], Report],
        rest_ms: int | None = None,
    ) -> None:
        """``verify_game`` verifies a game's record as `lonja verify` does.

        ``rest_ms`` is the time since the end after which something is packed, by default REST_MS.
        """
        self._stored = stored
        self._archive = archive
        self._verify_game = verify_game
        rest_ms = REST_MS if rest_ms is None else rest_ms
        self._rested = stored.ledger.store.clock.now_ms() - rest_ms

    def pack(self, stream_ids: Iterable[str]) -> Iterator[PackingOutcome]:
        """Put the records of games, and of tournaments with their games, into packs.

        After a tournament come its games that its record does not have, each with a record of its
        own. What is there already is not written again, so this may be repeated at any time.

        Raises:
            ReadBackError: a pack is not what was written; OSError: one cannot be written.
        """
        ids = iter(stream_ids)
        while chunk := [*islice(ids, _AT_ONCE)]:
            store = self._stored.ledger.store.here
            newest, places = store.newest_events(chunk), PackPlaces(store.redis).of_each(chunk)
            for id_, event, place in zip(chunk, newest, places, strict=True):
                if event is not None or place is None:  # else it has left the store
                    yield from self._pack(id_, event)
                else:
                    yield PackingOutcome(id_)

    def _pack(self, stream_id: str, newest: Event | None) -> Iterator[PackingOutcome]:
        if newest is None or newest.kind == UNREADABLE:
            told = "its newest event is lost, or cannot be read"
            yield PackingOutcome(stream_id, left=told)
            return
        try:
            if to_ms(newest.at) > self._rested:
                yield PackingOutcome(stream_id, later=True)
            elif is_tournament(stream_id):
                yield from self._pack_tournament(stream_id, newest)
            else:
                yield self._pack_game(stream_id, newest)
        except OtherHistoryError as error:
            yield PackingOutcome(stream_id, left=str(error), other=True)
        except (GameNotFoundError, TournamentNotFoundError, RewoundError):
            told = "a stream of it is not there, or has just changed"
            yield PackingOutcome(stream_id, left=told)
        except (GameDamagedError, TournamentDamagedError) as error:
            yield PackingOutcome(stream_id, left=f"it is damaged: {error}")
        except (RecordError, NotARecordError, UnknownRulesetError) as error:
            yield PackingOutcome(stream_id, left=str(error))

    def _pack_game(self, game_id: str, newest: Event) -> PackingOutcome:
        stored = self._stored
        if self._archive.has(game_id, newest.seq, newest.hash.hex()):
            return PackingOutcome(game_id)
        private = TableTerms.of(stored.ledger.store.redis, game_id).visibility != PUBLIC
        if private and not self._archive.takes_private:
            return PackingOutcome(game_id, left="it is not for everybody")
        if was_ended_as_damaged(stored.ledger.store.here, game_id, newest):
            return PackingOutcome(game_id, damaged=True)
        table = stored.ledger.table(game_id)
        if table.damage is not None:
            raise GameDamagedError(game_id, table.damage)
        if not table.game.over:
            return PackingOutcome(game_id, later=True)
        first, *copies = export.lines(stored, table, None)
        record = Record(first, copies)
        if unproved := _why_not(self._verify_game(record)):
            return PackingOutcome(game_id, left=unproved)
        return self._added(game_id, [record], private=private)

    def _pack_tournament(self, tournament_id: str, newest: Event) -> Iterator[PackingOutcome]:
        tournament = self._stored.director.find(tournament_id)
        others = [*begun_without_result(self._stored.ledger.store.here, tournament)]
        ends = (to_ms(event.at) for _id, event in others if event.kind != UNREADABLE)
        if not tournament.over or any(end > self._rested for end in ends):
            yield PackingOutcome(tournament_id, later=True)
            return
        yield self._pack_record(tournament, newest)
        for game_id, event in others:
            yield from self._pack(game_id, event)

    def _pack_record(self, tournament: Tournament, newest: Event) -> PackingOutcome:
        """Pack a tournament and the games in its record."""
        tournament_id = tournament.id
        last, ids = (newest.seq, newest.hash.hex()), tournament_export.game_ids(tournament)
        if self._archive.has_whole(tournament_id, *last, ids):
            return PackingOutcome(tournament_id)
        verified = verify_tournament(self._read(tournament), self._stored.ledger.registry)
        if unproved := _why_not(verified):
            return PackingOutcome(tournament_id, left=unproved)
        header, copies, games, _flaws = self._read(tournament)
        return self._added(tournament_id, chain([Record(header, copies)], games))

    def _read(self, tournament: Tournament) -> TournamentRecord:
        lines = tournament_export.lines(self._stored, tournament)
        header = next(lines)
        copies = [*islice(lines, header["version"])]
        return TournamentRecord(header, copies, _games(lines))

    def _added(
        self, stream_id: str, records: Iterable[Record], *, private: bool = False
    ) -> PackingOutcome:
        packed, packs = 0, []
        for record in records:
            last = record.copies[-1]
            id_ = record.header.get("game_id", stream_id)
            if self._archive.has(id_, last["seq"], last["hash"]):
                continue
            full = self._archive.add(record, private=private)
            packed += 1
            packs += [] if full is None else [full]
        return PackingOutcome(stream_id, packed, packs=tuple(packs))


def begun_without_result(store: Store, tournament: Tournament) -> Iterator[tuple[str, Event]]:
    """Yield the games of a tournament in ``store`` that are in no result, with their newest events.

    See ``games_without_result``.
    """
    ids = games_without_result(tournament)
    while chunk := [*islice(ids, _AT_ONCE)]:
        for id_, event in zip(chunk, store.newest_events(chunk), strict=True):
            if event is not None:
                yield id_, event


def was_ended_as_damaged(store: Store, game_id: str, newest: Event) -> bool:
    """Whether a game in ``store``, with this newest event, was ended as damaged.

    Its seed may have been revealed after that.
    """
    before = store.events_at(game_id, [newest.seq - 1]) if newest.kind == "chance_revealed" else []
    return any(sound_before_end(event) is not None for event in (*before, newest))


def _games(lines: Iterator[JsonObject]) -> Iterator[Record]:
    for header in lines:
        yield Record(header, [*islice(lines, header["version"])])


def _why_not(report: Report) -> str:
    """Return why a record is not proved, "" if it is."""
    if report.verdict == PROVED:
        return ""
    failed = [f"{check.name}: {told}" for check in report.checks for told in check.failures]
    return f"it is not proved: {[*failed, *report.missing, *report.newer.told()][0]}"


# Comparing

SAME, ARCHIVED, MISSING = "same", "archived", "missing"
REWOUND, OTHER = "rewound", "other"
"""Findings of the comparison of a packed record with the store: stored whole, only its place noted,
not stored; stored up to an earlier event, stored with another history.
"""


class StoreComparison(NamedTuple):
    """What the store has of a game or tournament in a pack: its newest ``version``, 0 if none."""

    row: Row
    found: str
    version: int


def compare(store: Store, pack: Pack) -> Iterator[StoreComparison]:
    """Compare each record of a pack with the store.

    Raises:
        PackError: a record that has to be read is damaged; OSError: it cannot be read.
    """
    rows, places = iter(pack.rows), PackPlaces(store.redis)
    while chunk := [*islice(rows, _AT_ONCE)]:
        ids = [row.id for row in chunk]
        newest, noted = store.here.newest_events(ids), places.of_each(ids)
        for row, event, place in zip(chunk, newest, noted, strict=True):
            if event is None:
                yield StoreComparison(row, _as_noted(row, place), 0)
            else:
                yield StoreComparison(row, _compared(pack, row, event), event.seq)


def _as_noted(row: Row, place: PackPlace | None) -> str:
    if place is None:
        return MISSING
    is_same = bytes.fromhex(row.facts["head"]).startswith(place.head)
    return ARCHIVED if is_same else OTHER


def _compared(pack: Pack, row: Row, newest: Event) -> str:
    version, head = newest.seq, newest.hash.hex()
    if (version, head) == (row.facts["version"], row.facts["head"]):
        return SAME
    if version < row.facts["version"] and pack.record(row).copies[version - 1]["hash"] == head:
        return REWOUND
    return OTHER
