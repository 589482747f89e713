"""Standings of tournaments, stored beside their streams, so that readers need not fold events.

Each append updates the fields, so they are always up to date. The fields are derived, so they may
be lost; a worker that finds them missing rebuilds them. A standing is a hash with these fields:

- ``made`` and ``now`` are the two parts of a summary.
- ``lineup:N`` has the entries of block N.
- ``ended:N`` is the ``seq`` of the event that ended block N.
- ``try:N`` is the number of the current try of block N. It exists only if a try was abandoned.
- ``paired:N`` is the ``seq`` of the event that paired round N. Release 0.2.0 did not store it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

import orjson
import structlog
from redis.exceptions import ResponseError

from rules.kernel.canonical import JsonObject, in_order
from rules.kernel.record.events import Event
from service.ledger.origin import IMPORTED, Origin
from service.ledger.store import KEPT, Store
from service.ledger.unlisting import ArchiveBehindError
from service.process.fair_queue import paced
from service.records.past_tournament import PastTournament
from service.redis.client import is_of_another_type
from service.redis.keys import game_key
from service.tournaments import report, waiting
from service.tournaments.plan import Plan
from service.tournaments.tournament import (
    CANCELLED,
    ENDED,
    Block,
    Disqualification,
    GameResult,
    Part,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)

log = structlog.get_logger(__name__)

MADE, NOW = "made", "now"
_STOPPED = "stopped_after"
PAGE = 500
_KEPT_PAST = 16
"""Number of tournaments that have left the store whose fields a process keeps."""


class TournamentStanding(NamedTuple):
    """The standing of a tournament as of its newest event.

    ``is_kept`` is true if the whole standing is stored. If it is false, ``now`` has the values as
    of the first event. ``origin`` says where an imported tournament comes from; it is None for any
    other.
    """

    made: JsonObject
    now: JsonObject
    stopped_after: int | None
    waits_for: str | None
    origin: Origin | None = None
    is_kept: bool = True

    @property
    def id(self) -> str:
        """The tournament's id."""
        return str(self.made["id"])

    @property
    def version(self) -> int:
        """The number of its events."""
        return int(self.now["version"])

    @property
    def head(self) -> bytes:
        """The hash of its newest event."""
        return bytes.fromhex(self.now["head"])

    @property
    def at(self) -> str:
        """The time of its newest event."""
        return str(self.now["at"])

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.now["status"] in (ENDED, CANCELLED)

    @property
    def plan(self) -> Plan:
        """The host's plan."""
        return Plan.from_json(self.made["plan"])

    def summary(self) -> JsonObject:
        """Return the report's summary, with the reason why the tournament waits, and its origin.

        Objects have their members in order, as in the record of a tournament that has left.
        """
        imported = None if self.origin is None else self.origin.to_json()
        told = {"waits_for": self.waits_for, "imported": imported}
        summary: JsonObject = in_order({**self.made, **self.now, **told})
        return summary

    def without_blocks(self) -> Tournament:
        """Return the tournament, folded without its pairings."""
        made, now = self.made, self.now
        found = Tournament(self.id)
        found.plan = self.plan
        found.scope, found.commitment = made["chance"]["scope"], made["chance"]["commitment"]
        found.created_at, found.created_by = made["created_at"], {"player": made["created_by"]}
        found.version, found.head, found.at = self.version, self.head, self.at
        found.status, found.reason = now["status"], now["reason"] or ""
        found.stopped_after = self.stopped_after
        if part := now.get("part"):
            found.part = Part(part["number"], None, [0] * len(found.plan.entries), [])
        place = {entry.name: number for number, entry in enumerate(found.plan.entries)}
        for out in now["disqualified"]:
            entry = place[out["entry"]]
            found.disqualified[entry] = Disqualification(entry, out["after_block"], out["reason"])
        return found


def fields(tournament: Tournament, events: Iterable[Event]) -> dict[str, bytes]:
    """Return the fields to store together with ``events``.

    ``tournament`` is the state after the last of these events.
    """
    now = {**report.now(tournament), _STOPPED: tournament.stopped_after}
    new = [*events]
    found = {NOW: orjson.dumps(now), **_fields_of_blocks(new)}
    if any(event.kind in ("created", "entered") for event in new):
        found[MADE] = orjson.dumps(report.made(tournament))
    return found


def _fields_of_blocks(events: Iterable[Event]) -> dict[str, bytes]:
    """Return the fields that say where the blocks and rounds of these events are."""
    found: dict[str, bytes] = {}
    for event in events:
        value: Any = event.body[event.kind].value if event.kind in event.body else {}
        match event.kind:
            case "paired":
                found[f"paired:{value['round']}"] = b"%d" % event.seq
                for number, lineup in enumerate(value["lineups"], value["first_block"]):
                    found[f"lineup:{number}"] = orjson.dumps(lineup)
            case "block_abandoned":
                found[f"try:{value['block']}"] = b"%d" % (value["try"] + 1)
            case "block_ended":
                found[f"ended:{value['block']}"] = b"%d" % event.seq
    return found


class TournamentStandings:
    """The standings of one store's tournaments; only ``make_again`` folds a stream."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._past: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        """The fields of blocks of tournaments that have left the store and were read lately."""
        self._lock = Lock()

    def of(self, tournament_id: str) -> TournamentStanding:
        """Return the standing of one tournament.

        Raises:
            TournamentNotFoundError: there is no such tournament.
            TournamentDamagedError: no standing is stored, and the stream cannot be folded.
        """
        (replies,) = self._ask([tournament_id])
        return self._read(tournament_id, replies)

    def of_all(self, tournament_ids: Sequence[str]) -> list[TournamentStanding]:
        """Return the standings in one round trip; unreadable tournaments are left out."""
        found = []
        asked = dict(zip(tournament_ids, self._ask(tournament_ids), strict=True))
        missing = [
            name
            for name, (kept, *_) in asked.items()
            if not isinstance(kept, Exception) and kept[0] is None
        ]
        past: dict[str, JsonObject] = {}
        # A worker may have no index; the records in packs say the same.
        with suppress(ArchiveBehindError):
            past = self._store.past_lists.find(missing) if missing else {}
        for name, replies in asked.items():
            try:
                if name in past:
                    found.append(_of_past(past[name]))
                else:
                    found.append(self._read(name, replies))
            except (TournamentNotFoundError, TournamentDamagedError, ResponseError) as error:
                if isinstance(error, ResponseError) and not is_of_another_type(error):
                    raise
                log.error("tournament_damaged", tournament=name, error=str(error))  # noqa: TRY400 - known
        return found

    def _ask(self, tournament_ids: Sequence[str]) -> list[tuple[Any, Any, Any]]:
        """Return each tournament's stored standing, its reason to wait, and its origin.

        Each of the three values is a reply of the server, or an error.
        """
        pipe = self._store.redis.pipeline(transaction=False)
        for name in tournament_ids:
            pipe.hmget(_key(name), MADE, NOW)
            pipe.get(waiting.key(name))
            pipe.get(game_key(name, IMPORTED))
        replies: list[Any] = pipe.execute(raise_on_error=False)
        return list(zip(replies[::3], replies[1::3], replies[2::3], strict=True))

    def _read(self, tournament_id: str, replies: tuple[Any, Any, Any]) -> TournamentStanding:
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        (made, now), waits, raw = replies
        origin = Origin.load(raw)
        if made is None or now is None:
            return self._of_record(tournament_id) or self._first(tournament_id, origin)
        found = orjson.loads(now)
        stopped_after = found.pop(_STOPPED)
        reason = waiting.shown(found["status"], waits)
        return TournamentStanding(orjson.loads(made), found, stopped_after, reason, origin)

    def _of_record(self, tournament_id: str) -> TournamentStanding | None:
        """Return the standing of a tournament in the archive; None if it is not there."""
        published = self._store.report(tournament_id)
        last = None if published is None else self._store.newest_event(tournament_id)
        if published is None or last is None:
            return None
        past = PastTournament.of(published, last.body[last.kind].value)
        return _standing(past, self._store.origin(tournament_id))

    def _first(self, tournament_id: str, origin: Origin | None) -> TournamentStanding:
        """Return the standing after the first event, for a tournament that has no stored one."""
        stored = self._store.read(tournament_id, 0, 1)
        if not stored:
            raise TournamentNotFoundError(tournament_id)
        tournament = Tournament(tournament_id)
        tournament.take(stored[0].event)
        made, now = report.made(tournament), report.now(tournament)
        return TournamentStanding(made, now, None, None, origin, is_kept=False)

    def with_blocks(self, standing: TournamentStanding, first: int, last: int) -> Tournament:
        """Return the tournament with only the blocks from ``first`` to ``last``."""
        found, numbers = standing.without_blocks(), range(first, last + 1)
        names = [f"{name}:{number}" for name in ("lineup", "try", "ended") for number in numbers]
        kept = self._fields_of(found.id, names)
        count = len(numbers)
        lineups, tries, ended = kept[:count], kept[count : 2 * count], kept[2 * count :]
        for number, lineup, try_ in zip(numbers, lineups, tries, strict=True):
            if lineup is not None:
                entries = tuple(orjson.loads(lineup))
                found.blocks[number] = Block(number, 0, entries, int(try_ or 1))
        seqs = [int(seq) for seq in ended if seq is not None and int(seq) <= found.version]
        for event in self._store.events_at(found.id, seqs):
            value: Any = event.body["block_ended"].value
            found.results[value["block"]] = [GameResult(**game) for game in value["games"]]
        return found

    def rounds(self, standing: TournamentStanding, after: int, limit: int) -> list[JsonObject]:
        """Return the pairings of up to ``limit`` stored rounds after round ``after``.

        Each has the form of its event ``paired``: ``round``, ``first_block``, ``lineups``,
        ``byes``.
        """
        numbers = range(after + 1, min(after + limit, standing.now["rounds"]) + 1)
        names = [f"paired:{number}" for number in numbers]
        kept = self._fields_of(standing.id, names)
        seqs = [int(seq) for seq in kept if seq is not None]
        found: Any = [
            event.body["paired"].value for event in self._store.events_at(standing.id, seqs)
        ]
        return list(found)

    def _fields_of(self, tournament_id: str, names: Sequence[str]) -> Sequence[bytes | None]:
        """Return stored fields; those of a tournament that has left the store out of its record."""
        if not names:
            return []
        kept: Any = self._store.redis.hmget(_key(tournament_id), names)
        if any(value is not None for value in kept):
            found: list[bytes | None] = kept
            return found
        past = self._past_fields(tournament_id)
        return [past.get(name) for name in names]

    def _past_fields(self, tournament_id: str) -> dict[str, bytes]:
        with self._lock:
            known = self._past.get(tournament_id)
            if known is not None:
                self._past.move_to_end(tournament_id)
                return known
        if self._store.report(tournament_id) is None:
            return {}
        events = [stored.event for stored in self._store.read_all(tournament_id)]
        found = _fields_of_blocks(paced(events))
        with self._lock:
            self._past[tournament_id] = found
            while len(self._past) > _KEPT_PAST:
                self._past.popitem(last=False)
        return found

    def make_again(self, tournament: Tournament) -> None:
        """Store the missing fields of a tournament.

        The newer values that a concurrent append stores are kept.
        """
        redis, key = self._store.redis, _key(tournament.id)
        if redis.hlen(key) >= _count_of_fields(tournament):
            return
        if self._store.is_archived(tournament.id):
            return
        for page in pages(self._store, tournament.id, tournament.version):
            found: Any = fields(tournament, page)
            redis.hsetnx(key, NOW, found.pop(NOW))
            if found:
                redis.hset(key, mapping=found)


def _of_past(summary: JsonObject) -> TournamentStanding:
    """Return the standing of a tournament in the index of packs."""
    origin = summary["origin"]
    return _standing(PastTournament.listed(summary), origin and Origin(**origin))


def _standing(past: PastTournament, origin: Origin | None) -> TournamentStanding:
    return TournamentStanding(past.made, past.now, past.stopped_after, None, origin)


def pages(store: Store, tournament_id: str, until: int) -> Iterator[list[Event]]:
    """Yield the events up to ``until`` in pages; other requests get a turn in between."""
    known = 0
    while known < until and (found := store.read(tournament_id, known, min(PAGE, until - known))):
        known = found[-1].event.seq
        yield [stored.event for stored in found]


def _count_of_fields(tournament: Tournament) -> int:
    """Return how many fields the store needs for a tournament.

    The store may have more fields, if events were appended after the tournament was read.
    """
    blocks = len(tournament.blocks) + tournament.retried + len(tournament.results)
    return len((MADE, NOW)) + tournament.rounds + blocks


def _key(tournament_id: str) -> str:
    return game_key(tournament_id, KEPT)
