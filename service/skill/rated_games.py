"""The games that ratings follow from, and their order: by the time of their end, then by id.

A rated game that has ended is in a list of its own, which the script that appends its end writes
too. So the order does not depend on who looks when, and whatever counts the games begins anew if
the list says that it missed one.
"""

from typing import NamedTuple, Self

from redis import Redis

from rules.kernel.canonical import JsonObject
from service.clock import TOLERANCE_MS
from service.ledger import lists
from service.ledger.lists import RATED, place_of


class RatedGame(NamedTuple):
    """A rated game that has ended: who played, by seat, and each seat's rank."""

    id: str
    ruleset: str
    ended_at: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, summary: JsonObject) -> Self:
        """Return the game of which lists show this, which they have as a rated one."""
        ranks = {one["side"]: one["rank"] for one in summary["result"]["standings"]}
        seats = [seat["player"] for seat in summary["seats"]]
        return cls(
            summary["id"],
            summary["ruleset"],
            summary["changed_at"],
            tuple(seats),
            tuple(ranks[f"seat:{seat}"] for seat in range(len(seats))),
        )

    @property
    def place(self) -> str:
        """Its place in the order."""
        return place_of(self.ended_at, self.id)


class Ended(NamedTuple):
    """The next rated games after a place, and how many there are up to it, that one included."""

    before: int
    places: list[str]
    games: list[RatedGame]


def ended(redis: Redis, after: str, now_ms: int, limit: int) -> Ended:
    """Return up to ``limit`` rated games, in their order.

    What ended less than ``TOLERANCE_MS`` ago waits: a game may still be appended that ended before,
    by its own time.
    """
    until = f"{now_ms - TOLERANCE_MS:015d}"
    before, places = lists.oldest(redis, RATED, after, until, limit)
    shown = lists.summaries(redis, map(lists.id_at, places))
    games = [RatedGame.of(one) for one in shown if one is not None and lists.counts(one)]
    return Ended(before, places, games)
