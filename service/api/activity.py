"""The front page's overview: the newest running games, open tables and running tournaments."""

import threading
import time
from typing import NamedTuple

from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import LOBBY, RUNNING
from service.games import exhibition
from service.games.listing import GameList
from service.ledger.lists import TOURNAMENTS, games_list, id_at, sizes
from service.runtime import Runtime
from service.tournaments.tournament import RUNNING as UNDER_WAY

SHOWN = 5
"""Maximum number of games, of tables and of tournaments in the overview."""
_LOOKED_AT = 20
"""Number of newest tournaments among which the running ones are searched."""
FRESH_FOR = 3.0
"""Seconds for which a result is reused for all visitors."""


class GameLine(NamedTuple):
    """A game or a table in one line: its bots, and its numbers of people and of open seats.

    People are not named: otherwise a page in a browser's cache could name people who have deleted
    their accounts.
    """

    id: str
    ruleset: str
    title: str | None
    bots: list[str]
    people: int
    open: int
    since: str


class RecentActivity(NamedTuple):
    """Counts of games, tables and tournaments, and the newest of each, newest first."""

    running: int
    waiting: int
    tournaments: int
    exhibition: str | None
    games: list[GameLine]
    tables: list[GameLine]
    cups: list[JsonObject]


class ActivityWindow:
    """Reads the overview at most once in ``FRESH_FOR`` seconds, for any number of visitors."""

    def __init__(self, runtime: Runtime, games: GameList) -> None:
        self._runtime = runtime
        self._games = games
        self._lock = threading.Lock()
        self._until = 0.0
        self._seen: RecentActivity | None = None

    def look(self) -> RecentActivity | None:
        """Return the overview; None while the store does not answer."""
        with self._lock:
            if time.monotonic() >= self._until:
                try:
                    self._seen = self._read()
                except RedisError:
                    self._seen = None
                self._until = time.monotonic() + FRESH_FOR
            return self._seen

    def _read(self) -> RecentActivity:
        runtime = self._runtime
        names = (games_list(None, RUNNING), games_list(None, LOBBY), TOURNAMENTS)
        running, waiting, tournaments = sizes(runtime.redis, names)
        games = self._games.page(SHOWN, status=RUNNING).games
        tables = self._games.page(SHOWN, status=LOBBY).games
        newest = [id_at(place) for place in runtime.director.newest(_LOOKED_AT)]
        cups = [standing.summary() for standing in runtime.standings.of_all(newest)]
        return RecentActivity(
            running,
            waiting,
            tournaments + runtime.ledger.store.past_lists.size(TOURNAMENTS),
            exhibition.current(runtime.redis),
            [_told(game) for game in games],
            [_told(game) for game in tables],
            [cup for cup in cups if cup["status"] == UNDER_WAY][:SHOWN],
        )


def _told(game: JsonObject) -> GameLine:
    seats = game["seats"]
    bots = [seat["bot"] for seat in seats if "bot" in seat]
    held = sum(seat["holder"] != "open" for seat in seats)
    return GameLine(
        game["id"],
        game["ruleset"],
        game["title"],
        bots,
        held - len(bots),
        len(seats) - held,
        game["created_at"],
    )
