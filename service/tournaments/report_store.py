"""Stored reports: workers make them, requests only read them.

While a tournament runs, its workers refresh the report, using a small share of their time. After
its end the bands are drawn in parts. Each finished part is stored until all parts are finished, so
that another worker can continue if one worker stops or crashes. All these data are derived from the
stream, so they may be lost. The report of a tournament that has left the store is that of its
record.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import resources
from typing import Any, cast

import orjson

from rules.kernel.canonical import JsonObject, in_order
from service.ledger.store import REPORT, Store
from service.ledger.unlisting import ArchiveBehindError
from service.records.past_tournament import leaders_in
from service.redis.keys import game_key, lease_key
from service.redis.scripts import Script
from service.tournaments.figures import table_bands
from service.tournaments.figures.bands import SAMPLES
from service.tournaments.figures.table_bands import Bootstrap
from service.tournaments.report import drawing, figures
from service.tournaments.standing import TournamentStanding
from service.tournaments.tournament import Tournament

REFRESH_MS = 1_000
"""Minimum interval between two reports of a running tournament, over all workers."""

SHARE = 0.05
"""Maximum share of a process's time for reports of one running tournament."""

PREPARED = 4
"""Number of tournaments whose inputs for bands a process caches."""

PART = 25
"""Number of drawings in one part."""

DRAWN_SECONDS = 86_400
"""Lifetime of abandoned drawings."""

_KEEP = resources.files("service.tournaments").joinpath("keep_report.lua").read_text()


class Reports:
    """The reports of the tournaments of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis = store.redis
        self._keep = Script(store.redis, _KEEP)
        self._again: dict[str, float] = {}
        """By tournament, the monotonic time before which this process makes no new report."""
        self._drawings: OrderedDict[tuple[str, bytes], Bootstrap] = OrderedDict()

    # Reading

    def kept(self, tournament_id: str) -> JsonObject | None:
        """Return the newest stored report; None if there is none.

        If the report has no bands, its ``samples`` is 0.
        """
        kept: Any = self._redis.hget(game_key(tournament_id, REPORT), "report")
        if kept is None:
            return self._store.report(tournament_id)
        return cast("JsonObject", orjson.loads(kept))

    def of(self, standing: TournamentStanding) -> JsonObject:
        """Return the newest report of a tournament, as the API shows it.

        The status is current. ``as_of`` has two fields: ``version``, the number of events that the
        figures cover, and ``at``, the time of the last of these events. Before there are any
        figures, ``version`` is 0 and ``at`` is None. Objects have their members in order, as in the
        record of a tournament that has left.
        """
        found = self.kept(standing.id)
        if found is None or found["version"] > standing.version:
            found = figures(standing.without_blocks(), table_bands.none(standing.plan), 0)
            as_of: JsonObject = {"version": 0, "at": None}
        else:
            as_of = {"version": found["version"], "at": found["at"]}
        shown: JsonObject = in_order({**found, **standing.summary(), "as_of": as_of})
        return shown

    def leaders(self, tournament_ids: Sequence[str]) -> list[list[str]]:
        """Return the leaders in each tournament's newest report; empty before the first games."""
        pipe = self._redis.pipeline(transaction=False)
        for name in tournament_ids:
            pipe.hget(game_key(name, REPORT), "report")
        found = dict(zip(tournament_ids, pipe.execute(), strict=True))
        past = self._past_leaders([name for name, kept in found.items() if kept is None])
        return [
            past.get(name, []) if kept is None else leaders_in(orjson.loads(kept))
            for name, kept in found.items()
        ]

    def _past_leaders(self, names: Collection[str]) -> Mapping[str, list[str]]:
        """Return the leaders of those that have left the store; others may be left out."""
        if not names:
            return {}
        try:
            found = self._store.past_lists.find(names)
        except ArchiveBehindError:  # their records tell it, too, each with more to read
            return {name: leaders_in(self._store.report(name)) for name in names}
        return {name: summary["leaders"] for name, summary in found.items()}

    def final(self, tournament: Tournament) -> JsonObject | None:
        """Return the report of a finished tournament, with bands, if it exists."""
        found = self.kept(tournament.id) if tournament.over else None
        is_final = found is not None and found["samples"] and found["head"] == tournament.head.hex()
        return found if is_final else None

    def drawn(self, tournament: Tournament) -> int:
        """Return the number of finished parts of the drawings.

        The parts are deleted when all of them are finished.
        """
        return self._redis.hlen(_drawn_key(tournament))

    def is_being_made(self, tournament_id: str) -> bool:
        """Whether a worker is computing the bands."""
        return bool(self._redis.exists(lease_key(tournament_id, REPORT)))

    # Making

    def refresh(self, tournament: Tournament) -> None:
        """Store the report of a running tournament, unless that was done a moment ago."""
        if time.monotonic() < self._again.get(tournament.id, 0.0):
            return
        key = lease_key(tournament.id, "refresh")
        if self._redis.set(key, b"", nx=True, px=REFRESH_MS):
            began = time.monotonic()
            self.catch_up(tournament)
            self._rest(tournament, (time.monotonic() - began) / SHARE)
        else:
            self._rest(tournament, 0.0)

    def _rest(self, tournament: Tournament, seconds: float) -> None:
        self._again[tournament.id] = time.monotonic() + max(REFRESH_MS / 1000, seconds)

    def catch_up(self, tournament: Tournament) -> None:
        """Store the report of a tournament, unless it is stored."""
        kept: Any = self._redis.hget(game_key(tournament.id, REPORT), "head")
        if kept is None and self._store.is_archived(tournament.id):
            return
        if kept is None or kept.decode() != tournament.head.hex():
            self.put(tournament, figures(tournament, table_bands.none(tournament.plan), 0))
        if tournament.over:
            self._again.pop(tournament.id, None)

    def draw_on(self, tournament: Tournament, go_on: Callable[[], bool]) -> bool:
        """Draw the bands of a finished tournament; return whether all bands are drawn now.

        A call draws at least one part of the bands. The next call continues where this call
        stopped. When all bands are drawn, the final report is stored.
        """
        which, key = (tournament.id, tournament.head), _drawn_key(tournament)
        made = self._prepared(tournament)
        parts = range(0, SAMPLES, PART)
        known = {int(first) for first in cast("list[bytes]", self._redis.hkeys(key))}
        for first in (first for first in parts if first not in known):
            drawn = made.draw(first, min(first + PART, SAMPLES))
            self._redis.hset(key, str(first), orjson.dumps(drawn))
            self._redis.expire(key, DRAWN_SECONDS)
            if not go_on():
                break
        drawn_parts: Any = self._redis.hgetall(key)
        if len(drawn_parts) < len(parts):
            return False
        uncertain = made.bands(orjson.loads(drawn_parts[b"%d" % first]) for first in parts)
        self.put(tournament, figures(tournament, uncertain, SAMPLES))
        self._redis.delete(key)
        del self._drawings[which]
        return True

    def _prepared(self, tournament: Tournament) -> Bootstrap:
        """Return the prepared bootstrap; a process caches the bootstraps of a few tournaments."""
        which = tournament.id, tournament.head
        if which not in self._drawings:
            self._drawings[which] = drawing(tournament)
            if len(self._drawings) > PREPARED:
                self._drawings.popitem(last=False)
        return self._drawings[which]

    def put(self, tournament: Tournament, found: JsonObject) -> None:
        """Store a report, unless a newer one is stored."""
        keys = [game_key(tournament.id, REPORT), game_key(tournament.id, "events")]
        self._keep(keys, list(fields(found).values()))


def fields(found: JsonObject) -> dict[str, Any]:
    """Return the fields of the hash that holds a report."""
    told = {name: found[name] for name in ("version", "samples", "head")}
    return {**told, "report": orjson.dumps(found)}


def _drawn_key(tournament: Tournament) -> str:
    """Return the key of the drawings. It contains the head of the tournament's history."""
    return game_key(tournament.id, f"drawn:{tournament.head.hex()[:16]}")
