"""The games that count for ratings, ordered by the time of their end, then by id.

The script that appends a rated game's end also adds the game to a list. So the order is the same
whenever the list is read. A game may join the list before games that were already counted; then the
counting starts over.

A game leaves this list of the store once it has counted, and is in the index of packs then. So who
counts on reads the store alone, and who starts over reads both.
"""

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple, Self

from redis import Redis

from rules.kernel.canonical import JsonObject
from service.clock import TOLERANCE_MS
from service.ledger import lists
from service.ledger.lists import RATED, place_of
from service.ledger.terms import FIRST_RULE
from service.ledger.unlisting import RATED_GONE, PastLists
from service.redis.keys import ALL_SHARDS, shard_key

_AT_ONCE = 100
_BEHIND = "~"
"""What sorts behind all that may follow a place."""


class RatedGame(NamedTuple):
    """A rated game that has ended: players and ranks by seat, and the rule of its weight."""

    id: str
    ruleset: str
    ended_at: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]
    rule: int

    @classmethod
    def of(cls, summary: JsonObject) -> Self:
        """Return the game of a row in the list of rated games."""
        ranks = {one["side"]: one["rank"] for one in summary["result"]["standings"]}
        seats = [seat["player"] for seat in summary["seats"]]
        return cls(
            summary["id"],
            summary["ruleset"],
            summary["changed_at"],
            tuple(seats),
            tuple(ranks[f"seat:{seat}"] for seat in range(len(seats))),
            summary.get("rating_rule") or FIRST_RULE,
        )

    @property
    def place(self) -> str:
        """The game's place in the order."""
        return place_of(self.ended_at, self.id)


class RatedGamePage(NamedTuple):
    """The rated games that follow a place in the list.

    ``before`` is the number of games in the store's list up to that place, including the game at
    the place. ``gone`` is the number of those that had left this list, wherever they were in it.
    ``past`` is the number of ``places`` that are in the index of packs alone.
    """

    before: int
    gone: int
    places: list[str]
    games: list[RatedGame]
    past: int = 0


def ended(
    redis: Redis, after: str, now_ms: int, limit: int, past: PastLists | None = None
) -> RatedGamePage:
    """Return up to ``limit`` rated games, in their order; with ``past``, also those that have left.

    Games that ended less than ``TOLERANCE_MS`` ago are left out, because the end of an earlier game
    may still be appended. What has left had counted, so what ended before it is never left out,
    whatever the clock says now.

    Raises:
        ArchiveBehindError: it cannot be said which games have left.
    """
    until = f"{now_ms - TOLERANCE_MS:015d}"
    if past is not None:
        until = max(until, _behind_last(past))
    return between(redis, after, until, limit, past)


def between(
    redis: Redis, after: str, until: str, limit: int, past: PastLists | None
) -> RatedGamePage:
    """Return up to ``limit`` rated games, as ``ended`` does, after a place and before another one.

    Raises ArchiveBehindError.
    """
    while True:
        gone = _gone(redis)
        before, places = lists.oldest(redis, RATED, after, until, limit)
        if _gone(redis) == gone:  # else games have left between the two
            break
    shown = lists.summaries(redis, map(lists.id_at, places))
    rows = dict(zip(places, shown, strict=True))
    if past is not None:
        rows = _with_past(rows, past, after, until, limit)
    games = [RatedGame.of(one) for one in rows.values() if one is not None and lists.counts(one)]
    return RatedGamePage(before, gone, [*rows], games, len(rows.keys() - {*places}))


def behind(place: str) -> str:
    """Return what sorts right behind a place."""
    return place + _BEHIND


def _gone(redis: Redis) -> int:
    """Return the number of rated games that have left the store's lists, ever."""
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        pipe.get(shard_key(shard, RATED_GONE))
    return sum(int(number or 0) for number in pipe.execute())


def _behind_last(past: PastLists) -> str:
    """Return what sorts right behind the place of the last rated game that has left; "" if none."""
    after: str | None = None
    while True:
        page = past.newest([RATED], _AT_ONCE, after)
        if page.games:
            return behind(page.games[0].place)
        if page.until is None:
            return ""
        after = page.until


def _with_past(
    rows: Mapping[str, JsonObject | None], past: PastLists, after: str, until: str, limit: int
) -> dict[str, JsonObject | None]:
    """Return the first ``limit`` summaries of the store's list and of the past's, by place.

    ``rows`` are the first ones of the store's. The past's are read last: a game is in them before
    it leaves the store's.
    """
    end = max(rows, default=None)
    while True:
        page = past.oldest(RATED, after, until, limit)
        ends = [one for one in (end, page.until) if one is not None]
        known = {game.place: game.summary for game in page.games}
        found = {
            place: rows.get(place) or known.get(place)
            for place in sorted({*rows, *known})
            if not ends or place <= min(ends)
        }
        if found or page.until is None:
            return dict(islice(found.items(), limit))
        after = page.until  # none of these games counts, but the lists go on
