"""Lets finished games and tournaments leave the store once they are in packs.

A game leaves if its pack was read back now, and would give back exactly what the store has: its
events, secrets, answered requests, terms and origin. Then it leaves the store's lists, if the index
of packs lists it in the same way, and has it on each live host. Each step may be repeated: a run
that was killed is finished by the next one.

The games of a tournament leave as single games do, also those that its record does not have. The
tournament follows when all of them have left, and nothing is left to do for it: without it, nobody
would know the ids of the others. Games that were ended as damaged stay. What is rated stays in its
lists until it has counted.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import to_ms
from service.archive import beside
from service.archive.archive import ReadBackError
from service.archive.beside import Beside
from service.archive.files import Files
from service.archive.index import listing_of, tournament_listing_of
from service.archive.pack import GAME, TOURNAMENT, Pack, PackError, Row, digest_in
from service.archive.past import archived
from service.clock import TOLERANCE_MS
from service.following.cursors import behind_since
from service.following.telling import NoticeWriter
from service.ids import is_tournament, shard_of
from service.ledger.damage import GameDamagedError
from service.ledger.exits import GONE, Exits
from service.ledger.ledger import GameNotFoundError, Ledger
from service.ledger.lists import RATED, Listing
from service.ledger.past import ArchivedStream
from service.ledger.places import HEAD_BYTES, NOTED, PackedStream, PackPlace, PackPlaces
from service.ledger.raw import RawStreams
from service.ledger.unlisting import GONE as UNLISTED
from service.ledger.unlisting import ArchiveBehindError, ListExits
from service.ledger.vault import VaultError
from service.players.departed import departed
from service.publishing.index import logged_key
from service.publishing.marker import MARKER, NAME
from service.records.game_file import RecordError
from service.records.past_tournament import PastTournament
from service.redis.keys import shard_key
from service.skill.ratings import PlayerRatings
from service.tournaments import global_ratings
from service.tournaments.course import LAST
from service.tournaments.record.export import game_ids
from service.tournaments.report_store import Reports
from service.tournaments.standing import TournamentStandings
from service.tournaments.tournament import Tournament
from service.upkeep.archiving import (
    ARCHIVED,
    MISSING,
    OTHER,
    REWOUND,
    SAME,
    StoreComparison,
    begun_without_result,
    compare,
    was_ended_as_damaged,
)
from service.upkeep.besides import BesideFiles, beside_of

INDEXED_SECONDS = 30.0
"""Maximum time that a run waits for the indexes of hosts, for each pack."""

_AT_ONCE = 200
_LOOK_SECONDS = 0.2
_SIGNED = 20
"""Number of records of a pack whose keys are looked at: those of imported games are others."""


class ForeignPackError(PackError):
    """Another installation has written the pack."""


class MoveOutcome(NamedTuple):
    """The result of moving a game: if it has not ``gone`` from the store, it ``stays``, and why.

    ``noted`` is true if the store had nothing of it, and now knows its place. ``aside`` is true if
    the game went on in the store, and that was taken aside. ``other`` is true if the store and the
    pack have different histories of a finished game. A game that has left the store is ``unlisted``
    if it has now left the store's lists, else ``listed`` says why it could not.
    """

    id: str
    gone: bool = False
    noted: bool = False
    aside: bool = False
    stays: str = ""
    other: bool = False
    unlisted: bool = False
    listed: str = ""


class Mover:
    """Moves the games in the packs of a place out of the store."""

    def __init__(
        self,
        ledger: Ledger,
        files: Files,
        besides: BesideFiles,
        list_again: Callable[[str], None],
        public_key: str,
    ) -> None:
        """``list_again`` updates the lists from the events of a game.

        ``public_key`` is that of the installation, in hex.
        """
        self._ledger = ledger
        self._here = ledger.store.here
        self._files = files
        self._besides = besides
        self._list_again = list_again
        self._public_key = public_key
        self._places = PackPlaces(self._here.redis)
        self._exits = Exits(self._here.redis)
        self._unlisting = ListExits(self._here.redis)
        self._patience = INDEXED_SECONDS
        """How long this run waits for the indexes of hosts; not any more after it has in vain."""
        self._open: list[str] | None = None
        """The packs whose games have not all left, once they are known."""
        self._seen: set[str] = set()
        """The packs that this run knows of."""
        self._sound: set[str] = set()
        """Those of which it has read all bytes."""
        self._ratings = PlayerRatings(self._here.redis, ledger.store.past_lists)
        self._standings = TournamentStandings(self._here)
        self._reports = Reports(self._here)
        self._streams = RawStreams(self._here.redis)
        self._left = departed(self._here.redis).players

    def adopt(self, disputed: Collection[str]) -> Iterator[MoveOutcome]:
        """Note where all games are that the store lacks; let packs decide about those that go on.

        This is for a store that was restored. Games of which packs have different histories, the
        ``disputed`` ones, are not noted: somebody has to remove the wrong pack.

        Raises:
            PackError, BesideError: a pack, or the file beside it, is damaged.
            ForeignPackError: a pack is of another installation; then nothing was noted.
            OSError: one cannot be read.
        """
        for name in self._files.names():
            self._expect_own(name)
        known = self._numbers()
        for name in self._files.names():
            number = self._number(name, known)
            besides = self._besides_of(name)
            compared = compare(self._here, Pack(self._files.opened(name)))
            for one in compared:
                stream = _stream(one.row, number)
                if one.found == MISSING and one.row.id in disputed:
                    why = f"packs have different histories of it, one of them {name}"
                    yield MoveOutcome(one.row.id, stays=why, other=True)
                    continue
                if one.found == MISSING:
                    self._indexed(number, besides.digest)
                    self._unlisting.mark(number)  # for it is not in the store's lists
                    self._places.note([stream], absent=True)
                    yield MoveOutcome(one.row.id, noted=True)
                elif one.found in (REWOUND, OTHER):
                    yield self._settle(one, stream)
        if self._unlisting.marked()[0] is not None:
            self._ratings.let_rows_leave()
        # For what is rated may be noted now that never counted here.
        self._ratings.count_again()
        global_ratings.count_again(self._here.redis)

    def expect_new_ones_own(self) -> None:
        """Expect the packs that the store does not know to be of this installation.

        What leaves the store goes into this place, which may be that of another installation.

        Raises:
            ReadBackError: one is not what was written; and as ``adopt``.
        """
        known = self._numbers()
        for name in filter(self._files.can_open, self._files.names()):
            if name not in known:
                self._expect_sound(name)
                self._expect_own(name)

    def _expect_sound(self, name: str) -> None:
        """Raise ReadBackError unless a pack has the bytes that its name tells."""
        if name not in self._sound and self._files.digest(name) != digest_in(name):
            raise ReadBackError(f"{self._files.path_of(name)} is not what was written")
        self._sound.add(name)

    def _expect_own(self, name: str) -> None:
        """Raise ForeignPackError if records of a pack are signed, and none of them by us.

        Records of games that were imported have the key of where they were played.
        """
        pack, besides = Pack(self._files.opened(name)), self._besides_of(name)
        rows = (row for row in pack.rows if besides.of(row).origin is None)
        key = None
        for row in islice(rows, _SIGNED):
            key = pack.record(row).header["public_key"]
            if key == self._public_key:
                return
        if key is not None:
            raise ForeignPackError(
                f"{self._files.path_of(name)} is of another installation, with the key {key}:"
                " take it away from there, or set LONJA_ARCHIVE to another place"
            )

    def move(self, written: Iterable[str] = (), *, again: bool = False) -> Iterator[MoveOutcome]:
        """Move what is in packs of which not all has left; yield what became of each.

        Private packs are left for a process that has keys.

        With ``again``, look at every pack. The place is asked for its packs once: this may be
        called again for packs that were ``written`` since.

        Raises:
            PackError, BesideError: a pack, or the file beside it, is damaged.
            ReadBackError: one is not what was written; OSError: one cannot be read or written.
            TooFewReplicasError: too few replicas hold what the store has.
        """
        if self._open is None:
            self._ratings.forget_ends()
            known, moved = self._numbers(), self._exits.moved()
            names = [*filter(self._files.can_open, self._files.names())]
            self._seen = {*names}
            self._open = [n for n in names if again or known.get(n) not in moved]
        self._open += [n for n in written if n not in self._seen]
        self._seen.update(written)
        stay: set[str] = set()
        numbers: dict[str, int] = {}
        for name in self._open:
            self._expect_sound(name)
            # It has a number only now: what is no pack of ours would be missed for ever.
            numbers[name] = number = self._places.number(name)
            self._exits.note_moving(number)
            self._here.await_replicas()
            for outcome in self._move(name, number, GAME):
                stay |= {name} if outcome.stays else set()
                yield outcome
        # The games of a tournament may be in several packs, and leave before it.
        for name, number in numbers.items():
            for outcome in chain(self._move(name, number, TOURNAMENT), self._unlist(name, number)):
                stay |= {name} if outcome.stays or outcome.listed else set()
                yield outcome
            if name not in stay:
                self._exits.note_moved(number)
                self._open.remove(name)

    def _numbers(self) -> dict[str, int]:
        """Return the numbers of the packs that have one, by name."""
        return {name: number for number, name in self._places.packs().items()}

    def _number(self, name: str, known: Mapping[str, int]) -> int:
        return known[name] if name in known else self._places.number(name)

    def _move(self, name: str, number: int, kind: str) -> Iterator[MoveOutcome]:
        """Move what is of a kind in a pack, GAME or TOURNAMENT."""
        pack = Pack(self._files.opened(name))
        if all(row.kind != kind for row in pack.rows):
            return
        raw = self._files.beside(name)
        kept = None if raw is None else {one.id: one for one in beside.read(raw)}
        found = (one for one in compare(self._here, pack) if one.row.kind == kind)
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
        if redis.hexists(MARKER, "indexed"):  # else this installation keeps no log
            found["the public log has not its end yet"] = behind_since(redis, NAME)
        return found

    def _unlist(self, name: str, number: int) -> Iterator[MoveOutcome]:
        """Let the games of a pack that have left the store leave its lists, too."""
        besides = self._besides_of(name)
        pack = Pack(self._files.opened(name))
        rows = iter(pack.rows)
        while page := [*islice(rows, _AT_ONCE)]:
            streams = {row.id: _stream(row, number) for row in page}
            places = self._places.of_each([*streams])
            gone = [
                row
                for row, place in zip(page, places, strict=True)
                if place == streams[row.id].place
            ]
            alike = self._listed_alike(gone, pack, besides)
            for row in gone:
                if row.id in alike and alike[row.id] is None:
                    yield MoveOutcome(row.id, listed="its pack would list it in another way")
            leaving = {id_: listing for id_, listing in alike.items() if listing is not None}
            for id_ in self._uncounted(leaving):
                yield MoveOutcome(id_, listed="it has not counted for ratings yet")
                del leaving[id_]
            if not leaving:
                continue
            behind = self._indexed(number, besides.digest)
            if behind:
                told = f"the index of packs is behind on {', '.join(sorted(behind))}"
                yield from (MoveOutcome(id_, listed=told) for id_ in leaving)
                continue
            self._unlisting.mark(number)
            self._ratings.let_rows_leave()
            each = [(streams[id_], listing) for id_, listing in leaving.items()]
            for id_, outcome in zip(leaving, self._unlisting.unlist(each), strict=True):
                if outcome == UNLISTED:
                    yield MoveOutcome(id_, unlisted=True)
                else:
                    yield MoveOutcome(id_, listed="it has just changed")

    def _uncounted(self, listings: Mapping[str, bytes]) -> list[str]:
        """Return the rated games, of these listings, that have not counted for ratings yet."""
        places = {id_: place for id_, raw in listings.items() if (place := _rated_place(raw))}
        cups = [*filter(is_tournament, listings)]
        counted = global_ratings.counted(self._here.redis) if cups else frozenset()
        if places and max(places.values()) > self._ratings.counted_until():
            with suppress(ArchiveBehindError):
                self._ratings.catch_up(self._here.clock.ask())
        until = self._ratings.counted_until() if places else ""
        late = [id_ for id_, place in places.items() if place > until]
        return [*late, *(id_ for id_ in cups if id_ not in counted)]

    def _listed_alike(
        self, rows: Sequence[Row], pack: Pack, besides: "_Besides"
    ) -> dict[str, bytes | None]:
        """Return the listings of those of the games and tournaments that the store lists.

        None stands for one that the index of packs would list in another way.
        """
        ids = [row.id for row in rows]
        found = zip(rows, self._unlisting.listings(ids), strict=True)
        alike: dict[str, bytes | None] = {}
        for row, raw in found:
            if raw is None:
                continue
            there = _listing_in(pack, row, besides)
            alike[row.id] = raw if _is_alike(there, raw) else self._list_anew(row.id, there)
        return alike

    def _list_anew(self, id_: str, there: Listing) -> bytes | None:
        """List again what an older release may have listed; return it as above."""
        self._list_again(id_)
        (raw,) = self._unlisting.listings([id_])
        return raw if raw is not None and _is_alike(there, raw) else None

    def _indexed(self, number: int, beside_digest: str) -> list[str]:
        """Wait until all live hosts have indexed a pack; return those that have not.

        That is INDEXED_SECONDS at most, and nothing once a run has waited in vain. Once games of a
        pack may have left the lists, no host shows lists without it, and nothing is waited for.
        """
        until = time.monotonic() + self._patience
        while not self._unlisting.is_marked(number):
            live = self._unlisting.live(self._here.clock.now_ms())
            behind = [one.host for one in live if not one.has(number, beside_digest)]
            if not behind:
                return []
            if time.monotonic() > until:
                self._patience = 0.0
                return behind
            time.sleep(_LOOK_SECONDS)
        return []

    def _besides_of(self, name: str) -> "_Besides":
        raw = self._files.beside(name)
        if raw is None:
            return _Besides("", {})
        return _Besides(sha256(raw).hexdigest(), {one.id: one for one in beside.read(raw)})

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
        if row.kind == TOURNAMENT and (why := self._why_needed(gone)):
            return MoveOutcome(row.id, stays=why)
        if self._places.note([stream]) != [NOTED]:
            return MoveOutcome(row.id, stays="it is noted in another pack, or has just changed")
        if self._exits.let_leave(stream, table) != GONE:
            return MoveOutcome(row.id, stays="it has just changed")
        self._here.redis.hdel(logged_key(row.id), row.id)
        return MoveOutcome(row.id, gone=True)

    def _why_needed(self, gone: ArchivedStream) -> str:
        """Return why a tournament stays although its pack has all of it; "" if it may leave."""
        tournament = Tournament(gone.id)
        for stored in gone.events:
            tournament.take(stored.event)
        ids = game_ids(tournament)
        while page := [*islice(ids, _AT_ONCE)]:
            if None in self._places.of_each(page) or any(self._here.newest_events(page)):
                return "not all of its games have left"
        for id_, newest in begun_without_result(self._here, tournament):
            if not was_ended_as_damaged(self._here, id_, newest):
                return "not all of its games have left"
        due = self._here.redis.zscore(shard_key(shard_of(gone.id), "due"), gone.id)
        if due is not None:
            return "workers have to conclude it"
        report, shown = self._reports.kept(gone.id), self._standings.of(gone.id)
        past = PastTournament.of(gone.report or {}, _last_value(gone))
        is_alike = (past.made, past.now, past.stopped_after) == (
            shown.made, shown.now, shown.stopped_after
        )  # fmt: skip
        if not is_alike or (report is not None and report["samples"] and report != gone.report):
            return "the archive would not give back what the store has"
        return ""

    def _settle(self, one: StoreComparison, stream: PackedStream) -> MoveOutcome:
        """Let the pack decide about a stream of which the store has something else, or nothing."""
        id_ = one.row.id
        if one.found == MISSING:
            return MoveOutcome(id_, stays="the store does not have it")
        if one.found == OTHER and (one.version == 0 or not self._goes_on(one.row)):
            return MoveOutcome(id_, stays="the store has another history of it", other=True)
        self._exits.take_aside(stream, one.version)
        self._list_again(id_)
        return MoveOutcome(id_, aside=True)

    def _goes_on(self, row: Row) -> bool:
        if row.kind == TOURNAMENT:
            newest = self._here.newest_event(row.id)
            return newest is not None and newest.kind not in LAST
        try:
            return not self._ledger.table(row.id).game.over
        except (GameDamagedError, GameNotFoundError):
            return False  # it may be evidence


def _waits(behind: Mapping[str, int | None], row: Row) -> str:
    """Return what has to be done about the end of a game before it leaves, "" if nothing."""
    ended = to_ms(row.facts["at"]) + TOLERANCE_MS  # when its entry was in a feed
    return next((what for what, at in behind.items() if at is not None and at <= ended), "")


class _Besides(NamedTuple):
    """What is beside a pack, by id, and the file's SHA-256; "" without a file."""

    digest: str
    each: Mapping[str, Beside]

    def of(self, row: Row) -> Beside:
        """Return what is beside a game."""
        return self.each.get(row.id, Beside(row.id))


def _listing_in(pack: Pack, row: Row, besides: _Besides) -> Listing:
    """Return how the index of packs lists a game or tournament, as the store would."""
    if row.kind == TOURNAMENT:
        return tournament_listing_of(row, besides.of(row), pack.record(row))._replace(summary=None)
    return listing_of(row, besides.of(row))


def _is_alike(there: Listing, raw: bytes) -> bool:
    """Whether the index of packs lists something as the store does."""
    here = orjson.loads(raw)
    return sorted(here["entries"]) == sorted(there.entries) and here["summary"] == there.summary


def _last_value(gone: ArchivedStream) -> JsonObject:
    last = gone.events[-1].event
    value: JsonObject = last.body[last.kind].value
    return value


def _rated_place(listing: bytes) -> str | None:
    """Return a game's place in the list of rated games; None if it is not in it."""
    entries: list[str] = orjson.loads(listing)["entries"]
    return next((e.removeprefix(f"{RATED}:") for e in entries if e.startswith(f"{RATED}:")), None)


def _stream(row: Row, pack: int) -> PackedStream:
    head = bytes.fromhex(row.facts["head"])
    place = PackPlace(pack, row.offset, row.length, head[:HEAD_BYTES])
    return PackedStream(row.id, row.facts["version"], head, place)
