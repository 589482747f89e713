"""Reports where they are asked for: the final one is made once, and the others cost little.

Resampling the blocks for bands takes seconds, so it is done once a tournament is over, by a worker,
and what comes out is kept. It follows from the stream: losing it loses nothing.
"""

import time
from collections import OrderedDict
from typing import NamedTuple, cast

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.ledger.keys import game_key, lease_key
from service.tournaments.report import report
from service.tournaments.tournament import Tournament

FINAL = "report_1"
"""The name under which a final report is kept; a report of another form gets another."""

REMEMBERED = 32
SHARE = 0.05
"""At most this share of a process's time goes into reports of one tournament."""


class _Made(NamedTuple):
    report: JsonObject
    good_until: float


class Reports:
    """The reports of the tournaments of one store."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._made: OrderedDict[str, _Made] = OrderedDict()

    def of(self, tournament: Tournament) -> JsonObject:
        """Return the final report if there is one; else one without bands, ``samples`` being 0.

        While the tournament goes on, what it shows may be a little old: ``version`` tells.
        """
        if tournament.over and (final := self.final(tournament.id)) is not None:
            return final
        made = self._made.get(tournament.id)
        if made is None or not _is_good(made, tournament):
            began = time.monotonic()
            found = report(tournament, samples=0)
            now = time.monotonic()
            made = self._made[tournament.id] = _Made(found, now + (now - began) / SHARE)
        self._made.move_to_end(tournament.id)
        if len(self._made) > REMEMBERED:
            self._made.popitem(last=False)
        return made.report

    def final(self, tournament_id: str) -> JsonObject | None:
        """Return the report of a tournament that is over, with bands, if it was made."""
        kept = cast("bytes | None", self._redis.get(game_key(tournament_id, FINAL)))
        return None if kept is None else cast("JsonObject", orjson.loads(kept))

    def is_being_made(self, tournament_id: str) -> bool:
        """Whether a worker is at the final report."""
        return bool(self._redis.exists(lease_key(tournament_id, FINAL)))

    def make_final(self, tournament: Tournament) -> JsonObject:
        """Make the report of a tournament that is over, and keep it."""
        found = report(tournament)
        self._redis.set(game_key(tournament.id, FINAL), orjson.dumps(found))
        return found


def _is_good(made: _Made, tournament: Tournament) -> bool:
    if made.report["version"] == tournament.version:
        return True
    return not tournament.over and time.monotonic() < made.good_until
