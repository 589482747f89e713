"""The list of games as clients ask for it, and how all lists are made again from the streams."""

from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.game import ABORTED, ENDED, LOBBY, Game
from service.ids import is_tournament, shard_of
from service.ledger import lists
from service.ledger.ledger import Ledger
from service.ledger.lists import Listing
from service.ledger.origin import Origin
from service.redis.keys import ALL_SHARDS, shard_key
from service.upkeep.maintenance import game_ids, tournament_ids

SUSPENDED = "suspended"
"""Status in lists of a game that no installed rules can play."""

_AT_ONCE = 100
_SCANNED = 1_000
"""How many games that it was not asked for one page skips, at most."""
_RELIST = lists.SCRIPT + resources.files("service.games").joinpath("relist.lua").read_text()


class Page(NamedTuple):
    """Some games, newest first; ``place`` is where the next page starts, None at the end."""

    games: list[JsonObject]
    place: str | None


class GameList:
    """Games by status, ruleset and player, newest first."""

    def __init__(self, redis: Redis, ledger: Ledger) -> None:
        self._redis = redis
        self._ledger = ledger
        self._relist = redis.register_script(_RELIST)

    def page(
        self,
        limit: int,
        *,
        after: str | None = None,
        status: str | None = None,
        ruleset: str | None = None,
        player: str | None = None,
    ) -> Page:
        """Return up to ``limit`` games that match, from ``after`` on.

        A page may be shorter than ``limit`` and still have a next one.
        """
        name = lists.games_list(player, None if status == SUSPENDED else status)
        found: list[JsonObject] = []
        scanned = 0
        while scanned < _SCANNED:
            places = lists.newest(self._redis, name, limit, after)
            shown = lists.summaries(self._redis, map(lists.id_at, places))
            for place, summary in zip(places, shown, strict=True):
                after = place
                game = None if summary is None else self._shown(summary)
                if game is None or status not in (None, game["status"]):
                    continue  # it has just left this list, or is suspended here
                if ruleset in (None, game["ruleset"]):
                    found.append(game)
                    if len(found) == limit:
                        return Page(found, after)
            if len(places) < limit:
                return Page(found, None)
            scanned += len(places)
        return Page(found, after)

    def every(self, *, player: str, status: str) -> Iterator[JsonObject]:
        """Yield all games of a player with a status, newest first; a page at a time is read."""
        place: str | None = None
        while True:
            games, place = self.page(_AT_ONCE, after=place, status=status, player=player)
            yield from games
            if place is None:
                return

    def _shown(self, summary: JsonObject) -> JsonObject:
        """Return what this process shows of a game: it may lack the rules that others have."""
        summary = {"imported": None, **summary}  # those of 0.2.0 do not say
        try:
            self._ledger.registry.find(summary["ruleset"], summary["rules_version"])
        except UnknownRulesetError:
            over = summary["status"] in (ENDED, ABORTED)
            return summary if over else {**summary, "status": SUSPENDED}
        return summary

    def look_up(self, game_ids: set[str]) -> dict[str, JsonObject]:
        """Return what the lists say now of those of the games that they hold."""
        ids = sorted(game_ids)
        found = zip(ids, lists.summaries(self._redis, ids), strict=True)
        return {game_id: summary for game_id, summary in found if summary is not None}

    def waiting_since(self, before_ms: int) -> Iterator[str]:
        """Yield the ids of tables opened before a time (ms since 1970) that have not started."""
        return lists.made_before(self._redis, lists.games_list(None, LOBBY), before_ms)

    # Making the lists again

    def rebuild(self) -> Iterator[str]:
        """Make all lists again from the streams; yields the id of each game done."""
        for shard in ALL_SHARDS:
            self._redis.delete(shard_key(shard, lists.LISTS), shard_key(shard, lists.LISTED))
        for tournament_id in tournament_ids(self._redis):
            self.list_again(tournament_id)
        for game_id in game_ids(self._redis):
            self.list_again(game_id)
            yield game_id

    def list_again(self, stream_id: str) -> None:
        """Have the lists show a game or tournament as its stream says."""
        first = next((event for event, _prev_hash in self._ledger.events(stream_id, 0, 1)), None)
        if is_tournament(stream_id):
            if first is not None and first.kind == "created":
                self._put(stream_id, lists.tournament_listing(stream_id, first.at))
            return
        if first is not None and "tournament" in first.by:
            return  # its games are in no list, and there are many
        game = self._as_listed(stream_id)
        if game.created and game.scope == stream_id:
            self._put(stream_id, lists.game_listing(game, Origin.of(self._redis, stream_id)))

    def _put(self, stream_id: str, listing: Listing) -> None:
        keys = [shard_key(shard_of(stream_id), name) for name in (lists.LISTS, lists.LISTED)]
        self._relist(keys, [stream_id, listing.version, listing.dump()])

    def _as_listed(self, game_id: str) -> Game:
        """Return a game as it was when lists last had to show something else of it."""
        events = [event for event, _retry in self._ledger.store.read_all(game_id)]
        changes = (event.last for event in events if event.kind in lists.CHANGE_LISTS)
        version = max(changes, default=0)
        try:
            return self._ledger.game_at(game_id, version)
        except UnknownRulesetError:
            game, event = Game(game_id, self._ledger.registry), events[0]
            game.created, game.created_at, game.created_by = (
                event.body["game"].value, event.at, event.by
            )  # fmt: skip
            game.at, game.status, game.version = event.at, SUSPENDED, version
            return game
