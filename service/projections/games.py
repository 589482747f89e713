"""The list of games: a projection of the shards' feeds that catches up whenever it is read.

Nothing but ``rebuild`` looks at all games. What is stored follows from the streams alone, and
projecting an event twice changes nothing, so processes need not agree who does it.
"""

from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.game import Game
from rules.registry import UnknownRulesetError
from service import clock
from service.ledger import feeds
from service.ledger.ledger import Ledger
from service.ledger.maintenance import game_ids

PREFIX = "lonja:{games}:"
SUMMARIES = f"{PREFIX}summaries"
CURSORS = f"{PREFIX}cursors"
SUSPENDED = "suspended"
"""Status in lists of a game that no installed rules can play."""

_ENTRIES = 200
"""How many entries of a feed one round trip brings."""
_ROUNDS = 20
"""How many round trips one read spends on catching up, at most."""
_SCANNED = 1_000
"""How many games of other rulesets one page skips, at most."""
_SCRIPT = resources.files("service.projections").joinpath("project.lua").read_text()


class Page(NamedTuple):
    """Some games, newest first; ``place`` is where the next page starts, None at the end."""

    games: list[JsonObject]
    place: str | None


class GameList:
    """Games by status, ruleset and player, newest first."""

    def __init__(self, redis: Redis, ledger: Ledger) -> None:
        self._redis = redis
        self._ledger = ledger
        self._project = redis.register_script(_SCRIPT)

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
        self.catch_up()
        name = PREFIX + _list_name(player, status)
        found: list[JsonObject] = []
        scanned = 0
        while scanned < _SCANNED:
            newest = "+" if after is None else f"({after}"
            places: Any = self._redis.zrevrangebylex(name, newest, "-", 0, limit)
            if not places:
                return Page(found, None)
            for place, summary in zip(places, self._summaries(places), strict=True):
                after = place.decode()
                if summary is not None and ruleset in (None, summary["ruleset"]):
                    found.append(summary)
                    if len(found) == limit:
                        return Page(found, after)
            scanned += len(places)
        return Page(found, after)

    def _summaries(self, places: list[bytes]) -> list[JsonObject | None]:
        ids = [place.decode().partition(":")[2] for place in places]
        entries: Any = self._redis.hmget(SUMMARIES, ids)
        return [
            None if entry is None else orjson.loads(orjson.loads(entry)["summary"])
            for entry in entries
        ]

    # Following the feeds

    def catch_up(self) -> None:
        """Project what the feeds tell of since the last time, within bounds."""
        for _ in range(_ROUNDS):
            places = feeds.stored(self._redis.hgetall(CURSORS))
            before = places.copy()
            news = feeds.read(self._redis, feeds.FEED, places, count=_ENTRIES)
            if not news:
                return
            for game_id, version in dict(news).items():
                self._put(game_id, version)
            moved = {str(shard): at for shard, at in places.items() if before.get(shard) != at}
            self._redis.hset(CURSORS, mapping=moved)  # type: ignore[arg-type]  # str is fine

    def _put(self, game_id: str, version: int | None) -> None:
        game = self._fold(game_id, version)
        if game.version == 0 or game.scope != game.id:  # tournaments list theirs themselves
            return
        summary = summarise(game)
        players = [s["player"] for s in summary["seats"] if "player" in s]
        lists = {
            _list_name(player, status)
            for player in (None, *players)
            for status in (None, game.status)
        }
        place = f"{clock.to_ms(game.created_at):015d}:{game_id}"
        self._project(
            [SUMMARIES],
            [game_id, game.version, orjson.dumps(summary), place, PREFIX, *sorted(lists)],
        )

    def _fold(self, game_id: str, version: int | None) -> Game:
        try:
            return self._ledger.game_at(game_id, version)
        except UnknownRulesetError:
            event, _prev_hash = self._ledger.events(game_id, 0, 1)[0]
            game = Game(game_id, self._ledger.registry)
            game.created, game.created_at, game.created_by = (
                event.body["game"].value, event.at, event.by
            )  # fmt: skip
            game.at, game.status, game.version = event.at, SUSPENDED, version or event.seq
            return game

    def rebuild(self) -> Iterator[str]:
        """Make the list again from the games' own streams; yields the id of each game done."""
        places = feeds.newest(self._redis, feeds.FEED)
        for key in self._redis.scan_iter(match=f"{PREFIX}*", count=1000):
            self._redis.delete(key)
        for game_id in game_ids(self._redis):
            self._put(game_id, None)
            yield game_id
        cursors = {str(shard): place for shard, place in places.items()}
        self._redis.hset(CURSORS, mapping=cursors)  # type: ignore[arg-type]  # str is fine


def summarise(game: Game) -> JsonObject:
    """Return what a list shows of a game: facts that change only with who sits and the status."""
    return {
        "id": game.id,
        "ruleset": game.created["ruleset"],
        "rules_version": game.created["rules_version"],
        "status": game.status,
        "created_at": game.created_at,
        "created_by": game.created_by.get("player"),
        "changed_at": game.at,
        "seats": [
            {"seat": number, **_holder(seat.holder)} for number, seat in enumerate(game.seats)
        ],
        "result": game.result,
    }


def _holder(holder: JsonObject | None) -> JsonObject:
    if holder is None:
        return {"holder": "open"}
    return {**holder, "holder": "bot" if "bot" in holder else "player"}


def _list_name(player: str | None, status: str | None) -> str:
    return f"list:{player or '*'}:{status or '*'}"
