"""Reads lists of games for clients' requests, and rebuilds all lists from the streams."""

from collections.abc import Iterator
from importlib import resources
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.batch import REVEAL, RefusedError
from rules.kernel.record.game import ABORTED, CLOSED, ENDED, LOBBY, RUNNING, Game
from service.ids import is_tournament, shard_of
from service.ledger import lists
from service.ledger.damage import GameDamagedError
from service.ledger.exits import Exits
from service.ledger.ledger import GameNotFoundError, Ledger
from service.ledger.lists import EVER, GAMES, HIDDEN, WAITING, Listing, Span
from service.ledger.places import PackPlaces
from service.ledger.streams import game_ids, tournament_ids
from service.ledger.terms import HOST, PUBLIC, SETTLED, TERMS, TableTerms
from service.ledger.unlisting import RATED_GONE, ListExits
from service.redis.format import NEWEST, is_indexed, level_of, note_indexed
from service.redis.keys import ALL_SHARDS, game_key, shard_key
from service.redis.scripts import Script

SUSPENDED = "suspended"
"""The status that lists show for a game whose rules are not installed."""

_AT_ONCE = 100
_SCANNED = 1_000
"""Maximum number of games that one page skips because they do not match."""
_ATTEMPTS = 32
"""The maximum number of attempts to list a game to which events are added all the time."""
_RELIST = lists.SCRIPT + resources.files("service.games").joinpath("relist.lua").read_text()


_UNSAID: JsonObject = {
    "imported": None, "visibility": PUBLIC, "title": None, "tags": [], "rated": False,
    "rating_rule": None, "entropy_mode": REVEAL,
}  # fmt: skip
"""Values for the members that summaries of 0.2.0 do not have."""


class GamePage(NamedTuple):
    """A page of games, newest first.

    ``place`` is where the next page begins; None if there is no next page.
    """

    games: list[JsonObject]
    place: str | None


class GameList:
    """Games by status, ruleset and player, newest first."""

    def __init__(self, redis: Redis, ledger: Ledger) -> None:
        self._redis = redis
        self._ledger = ledger
        self._past = ledger.store.past_lists
        self._relist = Script(redis, _RELIST)

    def page(
        self,
        limit: int,
        *,
        after: str | None = None,
        status: str | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        tag: str | None = None,
        bot: str | None = None,
        span: Span = EVER,
        viewer: str | None = None,
        asked: bool = False,
    ) -> GamePage:
        """Return up to ``limit`` matching games, from ``after`` on.

        A ``viewer`` who lists his own games also sees tables that are not public; ``asked`` selects
        games that wait for the viewer. A page may be shorter than ``limit`` and still have a next
        one.

        Raises:
            RefusedError: ``upgrade_unfinished``: open decisions are not indexed yet.
        """
        if asked:
            need_indexes(self._redis)
        names = self._names(status, ruleset, player, tag, bot, viewer, asked=asked)

        def fits(game: JsonObject) -> bool:
            return (
                status in (None, game["status"])
                and ruleset in (None, game["ruleset"])
                and (tag is None or tag in game["tags"])
                and (bot is None or bot in lists.bots_in(game))
                and (game["visibility"] == PUBLIC or self._has(game, viewer))
            )

        found: list[JsonObject] = []
        scanned, more = 0, limit
        while scanned < _SCANNED:
            rows, until = self._newest_rows(names, more, after, span)
            for place, summary in rows:
                game = None if summary is None else self._shown(summary)
                if game is not None and fits(game):  # the game may just have left this list
                    found.append(game)
                    if len(found) == limit:
                        return GamePage(found, place)
            after = until
            if after is None:
                break
            scanned += more
            more = max(limit, min(2 * more, _AT_ONCE))  # few of them match
        return GamePage(found, after)

    def _newest_rows(
        self, names: list[str], limit: int, after: str | None, span: Span
    ) -> tuple[list[tuple[str, JsonObject | None]], str | None]:
        """Return the next places with their summaries, of the store's lists and of the past's.

        Also return the place up to which all are there; None at the end of the lists. The past's
        lists are read last: a game is in them before it leaves the store's.
        """
        places = lists.newest(self._redis, names, limit, after, span)
        shown = lists.summaries(self._redis, map(lists.id_at, places))
        rows = dict(zip(places, shown, strict=True))
        ends = places[-1:] if len(places) == limit else []
        may_lack = [name for name in names if lists.may_leave(name)]
        if may_lack:
            past = self._past.newest(may_lack, limit, after, span)
            ends += [] if past.until is None else [past.until]
            for game in past.games:
                rows[game.place] = rows.get(game.place) or game.summary
        until = max(ends, default=None)
        known = (row for row in rows.items() if until is None or row[0] >= until)
        return sorted(known, key=itemgetter(0), reverse=True), until

    def every(self, *, player: str, status: str) -> Iterator[JsonObject]:
        """Yield all games of a player with a status, hidden ones too, newest first.

        The lists are read page by page.
        """
        place: str | None = None
        while True:
            games, place = self.page(
                _AT_ONCE, after=place, status=status, player=player, viewer=player
            )
            yield from games
            if place is None:
                return

    def _names(
        self,
        status: str | None,
        ruleset: str | None,
        player: str | None,
        tag: str | None,
        bot: str | None,
        viewer: str | None,
        *,
        asked: bool,
    ) -> list[str]:
        """Return the names of the shortest lists that hold all matching games."""
        listed = None if status == SUSPENDED else status
        if asked and viewer is not None:
            return [lists.asked_list(viewer)]
        if player is not None:
            own = [lists.games_list(player, listed, HIDDEN)] if player == viewer else []
            return [lists.games_list(player, listed), *own]
        if tag is not None:
            return [lists.games_list(lists.tag_list(tag), listed)]
        if bot is not None and is_indexed(self._redis):
            return [lists.games_list(lists.bot_list(bot), listed)]
        if ruleset is not None and is_indexed(self._redis):
            return [lists.games_list(lists.ruleset_list(ruleset), listed)]
        return [lists.games_list(None, listed)]

    def _shown(self, summary: JsonObject) -> JsonObject:
        """Return the row of a game, with SUSPENDED if its rules are not installed here."""
        summary = {**_UNSAID, **summary}
        try:
            self._ledger.registry.find(summary["ruleset"], summary["rules_version"])
        except UnknownRulesetError:
            over = summary["status"] in (ENDED, ABORTED)
            return summary if over else {**summary, "status": SUSPENDED}
        return summary

    def look_up(self, game_ids: set[str]) -> dict[str, JsonObject]:
        """Return the rows of those of the games that are in the store's lists."""
        ids = sorted(game_ids)
        found = zip(ids, lists.summaries(self._redis, ids), strict=True)
        return {game_id: summary for game_id, summary in found if summary is not None}

    def over(self, game_ids: set[str]) -> set[str]:
        """Return those of the games that are over; they may have left the store's lists."""
        listed = self.look_up(game_ids)
        ended = {id_ for id_, row in listed.items() if row["status"] in (ENDED, ABORTED)}
        others = sorted(game_ids - listed.keys())
        places = PackPlaces(self._redis).of_each(others)
        return ended | {id_ for id_, place in zip(others, places, strict=True) if place is not None}

    def unfinished(self, player: str, most: int, without: str) -> int:
        """Return the number of a player's unfinished games except ``without``; ``most`` at most."""
        names = [
            lists.games_list(player, status, kind)
            for status in (LOBBY, CLOSED, RUNNING)
            for kind in (GAMES, HIDDEN)
        ]
        found = {lists.id_at(place) for place in lists.newest(self._redis, names, most + 1)}
        return len([*found - {without}][:most])

    def is_of(self, game_id: str, player: str | None) -> bool:
        """Whether the lists name a player as one of a game's players, or as its opener."""
        found = self.look_up({game_id}) or self._past.find([game_id])
        summary = found.get(game_id)
        return summary is not None and self._has(summary, player)

    def _has(self, summary: JsonObject, player: str | None) -> bool:
        """Whether a player sits at a listed game, or opened and hosts it."""
        if player is None:
            return False
        if any(seat.get("player") == player for seat in summary["seats"]):
            return True
        (handed_to,) = self._ledger.store.table(summary["id"], (HOST,))
        return summary["created_by"] == player and handed_to is None

    def waiting_since(self, before_ms: int) -> Iterator[str]:
        """Yield the ids of tables opened before a time (ms since 1970) that have not started."""
        for kind in (GAMES, HIDDEN):
            name = lists.games_list(None, LOBBY, kind)
            yield from lists.made_before(self._redis, name, before_ms)

    # Rebuilding the lists

    def rebuild(self) -> Iterator[str]:
        """Rebuild all lists from the streams; yields the id of each finished game.

        Games that had left the lists stay out of them. Raises ArchiveBehindError, before anything
        is changed, if the index of packs lacks any.
        """
        self._past.catch_up()
        self._past.find(())
        for shard in ALL_SHARDS:
            self._redis.delete(*(shard_key(shard, n) for n in (lists.LISTS, lists.LISTED, WAITING)))
        for tournament_id in tournament_ids(self._redis):
            self.list_again(tournament_id)
        for game_id in game_ids(self._redis):
            self.list_again(game_id)
            yield game_id
        yield from self._list_those_gone()
        if level_of(self._redis) == NEWEST:
            note_indexed(self._redis)

    def add_indexes(self) -> None:
        """Add the index entries that older releases did not write.

        No older release may still be running when this is called. The lists of games by ruleset and
        by bot are made from the rows of the other lists. The lists of open decisions are made from
        the running games. The lists of tournaments by host are made from the tournaments' first
        events.
        """
        for shard in ALL_SHARDS:
            listed = shard_key(shard, lists.LISTED)
            for stream_id, _entry in self._redis.hscan_iter(listed, count=500):
                if is_tournament(stream_id.decode()):
                    self.list_again(stream_id.decode())
                else:
                    self._list_further(stream_id.decode())
        now = self._ledger.store.clock.now_ms() + 1
        for game_id in list(lists.made_before(self._redis, lists.games_list(None, RUNNING), now)):
            self.list_again(game_id)
        note_indexed(self._redis)

    def _list_further(self, game_id: str) -> None:
        """Add a game to the lists of its ruleset and its bots."""
        raw: Any = self._redis.hget(shard_key(shard_of(game_id), lists.LISTED), game_id)
        entry: JsonObject | None = None if raw is None else orjson.loads(raw)
        if entry is None or not entry["summary"]:
            return
        everywhere = f"{GAMES}:*:"
        summary = entry["summary"]
        bots = map(lists.bot_list, lists.bots_in(summary))
        more = [
            f"{GAMES}:{who}:{name.removeprefix(everywhere)}"
            for who in (lists.ruleset_list(summary["ruleset"]), *bots)
            for name in entry["entries"]
            if name.startswith(everywhere)
        ]
        where = sorted({*entry["entries"], *more})
        self._put(game_id, Listing(entry["version"], where, entry["summary"]))

    def _list_those_gone(self) -> Iterator[str]:
        """List again what left the store, but not its lists; yield the ids of all that has left."""
        _mark, unlisted = ListExits(self._redis).marked()
        moved = Exits(self._redis).moved()
        ids = self._gone()
        while page := [*islice(ids, _AT_ONCE)]:
            past = self._past.find(page)
            for game_id, place in zip(page, PackPlaces(self._redis).of_each(page), strict=True):
                left = place is not None and place.pack in unlisted and game_id in past
                # Of a pack that has moved, all have left the lists, or were in none.
                if not left and (place is None or place.pack not in moved):
                    self.list_again(game_id)
                yield game_id

    def _gone(self) -> Iterator[str]:
        """Yield the ids of the games and tournaments that have left the store."""
        for id_ in PackPlaces(self._redis).ids():
            if not self._redis.exists(game_key(id_, "events")):
                yield id_

    def list_again(self, stream_id: str, *, is_back: bool = False) -> None:
        """Update the lists from the stream of a game or tournament.

        ``is_back`` is true if it has come back into the store.
        """
        first = next((event for event, _prev_hash in self._ledger.events(stream_id, 0, 1)), None)
        if is_tournament(stream_id):
            if first is not None and first.kind == "created":
                origin = self._ledger.store.origin(stream_id)
                listing = lists.tournament_listing(stream_id, first.at, first.by, origin)
                self._put(stream_id, listing)
            return
        if first is not None and "tournament" in first.by:
            return  # a tournament's games are in no list
        for _ in range(_ATTEMPTS):
            game = self._as_listed(stream_id)
            if not game.created or game.scope != stream_id:
                return
            terms = self._ledger.terms(game)
            listing = lists.game_listing(game, self._ledger.store.origin(stream_id), terms)
            if self._put(stream_id, listing, self._newest(stream_id), is_back=is_back):
                return

    def ended_rated(self) -> Iterator[JsonObject]:
        """Yield the rows of all rated games that have ended, derived from their streams."""
        store = self._ledger.store
        gone = (id_ for id_ in self._gone() if not is_tournament(id_))
        for game_id in chain(game_ids(self._redis), gone):
            terms = TableTerms.load(*store.table(game_id, (TERMS, SETTLED)))
            if terms.rated:
                origin = store.origin(game_id)
                summary = lists.summarise(self._as_listed(game_id), origin, terms)
                if lists.counts(summary):
                    yield summary

    def _newest(self, game_id: str) -> Game | None:
        """Return a game's newest version, None if it cannot be folded."""
        try:
            return self._ledger.table(game_id).game
        except (GameDamagedError, GameNotFoundError, UnknownRulesetError):
            # GameDamagedError: its stream is damaged, or its secrets are missing.
            return None

    def _put(
        self, stream_id: str, listing: Listing, now: Game | None = None, *, is_back: bool = False
    ) -> bool:
        """List a stream; return whether it was listed.

        ``now`` is a game. If it is given and the stream has another version than this game, change
        nothing and return False.
        """
        shard = shard_of(stream_id)
        keys = [
            *(shard_key(shard, name) for name in (lists.LISTS, lists.LISTED, WAITING)),
            game_key(stream_id, "events"),
            shard_key(shard, RATED_GONE),
        ]
        asked = [] if now is None else lists.asked_entries(now)
        version = "" if now is None else now.version
        words: list[bytes | str | int] = [
            stream_id,
            listing.version,
            listing.dump(),
            version,
            orjson.dumps(asked),
            "1" if is_back else "",
        ]
        return bool(self._relist(keys, words))

    def _as_listed(self, game_id: str) -> Game:
        """Return a game as it was after the newest event that changed its entries in the lists."""
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


def need_indexes(redis: Redis) -> None:
    """Raise RefusedError (``upgrade_unfinished``) while indexes of this release are missing."""
    if not is_indexed(redis):
        raise RefusedError(
            "upgrade_unfinished",
            "the lists do not say who is asked: `lonja admin finish-upgrade` makes them",
        )
