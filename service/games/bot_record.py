"""The record of a bot account: its newest games, counted by version, ruleset and seats."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ENDED
from service.games.listing import GameList
from service.players.bot_accounts import BotVersion

COUNTED = 200
"""Maximum number of games that are counted: the newest."""
_AT_ONCE = 100


class RecordRow(NamedTuple):
    """The games of a version of a bot with a ruleset and a number of seats.

    ``won`` is the number of games in which the bot came first, alone or with others.
    """

    version: str
    ruleset: str
    seats: int
    games: int
    won: int

    def to_json(self) -> JsonObject:
        """Return the form that everybody sees."""
        return self._asdict()


def record_of(games: GameList, bot_id: str, versions: Sequence[BotVersion]) -> list[RecordRow]:
    """Return the record of a bot over its newest ``COUNTED`` public games that have ended.

    ``versions`` are the bot's, newest first. A game counts for the version that the bot had when
    the table was opened. Imported games do not count.
    """
    oldest_first = [*reversed(versions)]
    begins = [version.since for version in oldest_first]
    played: Counter[tuple[str, str, int]] = Counter()
    won: Counter[tuple[str, str, int]] = Counter()
    for row in _newest(games, bot_id):
        if row["imported"]:
            continue
        # Times are texts of equal length, so their order is that of the texts.
        place = max(0, bisect_right(begins, row["created_at"]) - 1)
        which = oldest_first[place].version, row["ruleset"], len(row["seats"])
        played[which] += 1
        won[which] += _has_won(row, bot_id)
    return [RecordRow(*which, count, won[which]) for which, count in sorted(played.items())]


def _newest(games: GameList, bot_id: str) -> list[JsonObject]:
    found: list[JsonObject] = []
    place: str | None = None
    while len(found) < COUNTED:
        page, place = games.page(_AT_ONCE, after=place, status=ENDED, player=bot_id)
        found += page
        if place is None:
            break
    return found[:COUNTED]


def _has_won(row: JsonObject, bot_id: str) -> bool:
    own = {f"seat:{seat['seat']}" for seat in row["seats"] if seat.get("player") == bot_id}
    standings = row["result"]["standings"]
    return any(side["rank"] == 1 and side["side"] in own for side in standings)
