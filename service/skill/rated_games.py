"""The games that count for ratings, ordered by the time of their end, then by id.

The script that appends a rated game's end also adds the game to a list. So the order is the same
whenever the list is read. A game may join the list before games that were already counted; then the
counting starts over.
"""

from typing import NamedTuple, Self

from redis import Redis

from rules.kernel.canonical import JsonObject
from service.clock import TOLERANCE_MS
from service.ledger import lists
from service.ledger.lists import RATED, place_of
from service.ledger.terms import FIRST_RULE


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

    ``before`` is the number of games in the list up to that place, including the game at the place.
    """

    before: int
    places: list[str]
    games: list[RatedGame]


def ended(redis: Redis, after: str, now_ms: int, limit: int) -> RatedGamePage:
    """Return up to ``limit`` rated games, in their order.

    Games that ended less than ``TOLERANCE_MS`` ago are left out, because the end of an earlier game
    may still be appended.
    """
    until = f"{now_ms - TOLERANCE_MS:015d}"
    before, places = lists.oldest(redis, RATED, after, until, limit)
    shown = lists.summaries(redis, map(lists.id_at, places))
    games = [RatedGame.of(one) for one in shown if one is not None and lists.counts(one)]
    return RatedGamePage(before, places, games)
