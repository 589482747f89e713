"""Estimates what leaves the store if games go into packs, from a sample of them."""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain, islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.proof.verdicts import NotARecordError, Report
from rules.kernel.record.instants import to_ms
from service.archive.beside import Beside, packed
from service.archive.index import INDEX, PackedListing, PackIndex, listing_of
from service.archive.pack import PackWriter, Row
from service.ids import is_tournament, shard_of
from service.ledger import export
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.lists import LISTED
from service.ledger.raw import RawStreams
from service.records.game_file import Record, RecordError
from service.redis.keys import game_key, shard_key
from service.tournaments.record.export import TournamentRecordSource, game_ids
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError
from service.tournaments.unended import games_without_result
from service.upkeep.archiving import REST_MS, finished
from service.upkeep.besides import beside_of

SAMPLE = 100
"""Number of games that are packed for an estimate."""

_STAYS = (
    GameDamagedError, GameNotFoundError, LookupError, NotARecordError, RecordError,
    UnknownRulesetError, ValueError,
)  # fmt: skip
"""Errors of games that are not put into packs."""
STAYS_BYTES = 64
"""The most that the store keeps of a game that has left, in its hashes of places by shard."""
_INDEXED = 1_000
"""Number of rows with which the growth of an index is measured: each page of its file has some."""
_AT_ONCE = 200
_ENTRY_BYTES = 40
"""About what a member of a large sorted set takes besides its text."""
_KEYS = ("events", "secrets", "table", "index", "snapshots", "imported")


class ArchiveEstimate(NamedTuple):
    """What packs would take over: public games, also of tournaments, that ended ten minutes ago.

    ``games`` are in the store, and ``due`` of them ended so long ago that they have to leave. All
    of them take about ``store_bytes`` of its memory, and would take ``pack_bytes`` in packs and the
    files beside them, after ``seconds`` of processor time, and ``index_bytes`` in the index of each
    host. ``sampled`` games were measured.
    """

    games: int
    due: int
    sampled: int
    store_bytes: int
    pack_bytes: int
    index_bytes: int
    seconds: float

    def history(self, games: int) -> "HistoryEstimate | None":
        """Return what so many games like these cost once they have left; None if none was measured.

        All of it grows with the number of games alone.
        """
        if not self.sampled:
            return None
        share = games / self.games
        return HistoryEstimate(
            games,
            games * STAYS_BYTES,
            round(share * self.pack_bytes),
            round(share * self.index_bytes),
            round(share * self.seconds, 1),
        )


class HistoryEstimate(NamedTuple):
    """What many ``games`` that have left cost.

    The store keeps at most ``store_bytes`` of them, a folder ``pack_bytes`` in packs and the files
    beside them, and each host ``index_bytes``. It takes ``seconds`` of processor time to pack them.
    """

    games: int
    store_bytes: int
    pack_bytes: int
    index_bytes: int
    seconds: float


def estimate(
    stored: TournamentRecordSource, verify_game: Callable[[Record], Report], rest_ms: int
) -> ArchiveEstimate:
    """Look through all games that are over, and measure some of them, chosen at random.

    Games are due ``rest_ms`` after their end. For ``verify_game`` see ``Packer``.
    """
    now = stored.ledger.store.clock.ask()
    streams = RawStreams(stored.ledger.store.redis)
    chosen: list[str] = []
    games = due = 0
    for game_id, ended in _over(stored, now):
        if ended > now - REST_MS:
            continue
        games += 1
        due += ended <= now - rest_ms
        place = secrets.randbelow(games)  # so each of them is in the sample with the same chance
        if len(chosen) < SAMPLE:
            chosen.append(game_id)
        elif place < SAMPLE:
            chosen[place] = game_id
    pack = PackWriter(BytesIO())
    stored_bytes, besides = 0, []
    begin, began = pack.size, time.process_time()
    for game_id in chosen:
        try:
            table = stored.ledger.table(game_id)
            first, *copies = export.lines(stored, table, None)
            verify_game(Record(first, copies))
            beside = beside_of(streams, game_id)
            pack.add(first, copies)
        except _STAYS:
            continue
        besides.append(beside)
        stored_bytes += _stored_bytes(stored, game_id)
    seconds = time.process_time() - began
    share = games / len(besides) if besides else 0.0
    return ArchiveEstimate(
        games,
        due,
        len(besides),
        round(share * stored_bytes),
        round(share * (pack.size - begin + len(packed(besides)))),
        round(share * _index_bytes(pack.rows, {each.id: each for each in besides})),
        round(share * seconds, 1),
    )


def _index_bytes(rows: Sequence[Row], besides: Mapping[str, Beside]) -> int:
    """Return how much an index grows by these games.

    They are put in many times over, because a page of its file holds several rows.
    """
    listed = [
        PackedListing(row.id, bytes.fromhex(row.facts["head"]), listing_of(row, besides[row.id]))
        for row in rows
        if row.facts["tournament"] is None
    ]
    if not listed:
        return 0
    times = -(-_INDEXED // len(listed))
    with TemporaryDirectory() as folder:
        index = PackIndex(Path(folder) / INDEX)
        sizes = []
        for name in ("first", "second"):
            copies = enumerate(chain.from_iterable(repeat(listed, times)))
            # Each has an id of its own in its pack, which is as long.
            index.put(name, "", (one._replace(id=f"{i:0{len(one.id)}}") for i, one in copies))
            sizes.append(sum(each.stat().st_size for each in Path(folder).iterdir()))
    return round((sizes[1] - sizes[0]) / times)


def _over(stored: TournamentRecordSource, now: int) -> Iterator[tuple[str, int]]:
    """Yield the games that are over and in the store, with the times of their ends (ms)."""
    ids = chain.from_iterable(_games(stored, id_) for id_ in finished(stored, now))
    while chunk := [*islice(ids, _AT_ONCE)]:
        newest = stored.ledger.store.here.newest_events(chunk)
        for game_id, event in zip(chunk, newest, strict=True):
            if event is not None and event.at:
                yield game_id, to_ms(event.at)


def _games(stored: TournamentRecordSource, id_: str) -> Iterator[str]:
    """Yield the id of a game, or those of the games of a tournament that is over."""
    if not is_tournament(id_):
        yield id_
        return
    with suppress(TournamentDamagedError, TournamentNotFoundError):
        tournament = stored.director.find(id_)
        if tournament.over:
            yield from chain(game_ids(tournament), games_without_result(tournament))


def _stored_bytes(stored: TournamentRecordSource, game_id: str) -> int:
    """Return about how much memory of the store a game takes."""
    pipe = stored.ledger.store.redis.pipeline(transaction=False)
    for name in _KEYS:
        pipe.memory_usage(game_key(game_id, name))
    pipe.hget(shard_key(shard_of(game_id), LISTED), game_id)
    *sizes, listing = pipe.execute()
    found: Any = {"entries": []} if listing is None else orjson.loads(listing)
    entries = sum(len(entry) + _ENTRY_BYTES for entry in found["entries"])
    return sum(size or 0 for size in sizes) + len(listing or b"") + entries
