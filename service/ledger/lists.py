"""The lists of games and tournaments, newest first.

The script that appends an event also puts the stream where the lists now have it, so a list is
never behind. A shard has one sorted set with its part of every list, in one slot of a cluster with
its streams; a page merges the parts.

An entry of a list is ``<list>:<place>``. Places order by the time that something was made and then,
for many things are made in one millisecond, by its id.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import islice
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED, Game
from rules.kernel.record.instants import to_ms
from service.ids import shard_of
from service.ledger.origin import Origin
from service.redis.keys import ALL_SHARDS, shard_key

LISTS = "lists"
"""The sorted set of a shard."""
LISTED = "listed"
"""The hash of a shard: what its lists show of each stream, and where they have it."""
SCRIPT = resources.files("service.ledger").joinpath("lists.lua").read_text()
"""Defines what other scripts call to list something."""

GAMES, TOURNAMENTS = "games", "tournaments"
CHANGE_LISTS = frozenset(("created", "seated", "left", "closed", "started", "ended", "aborted"))
"""The kinds of events after which lists show something else of a game."""
_AT_ONCE = 500
"""So many entries of a list are read at once."""


class Listing(NamedTuple):
    """Where lists have a stream as of a ``version``, and the ``summary`` that they show of it."""

    version: int
    entries: list[str]
    summary: JsonObject | None = None

    def dump(self) -> bytes:
        """Return it as the scripts take it."""
        return orjson.dumps(self._asdict())


def place_of(created_at: str, stream_id: str) -> str:
    """Return where lists have what was made at this time."""
    return f"{to_ms(created_at):015d}:{stream_id}"


def id_at(place: str) -> str:
    """Return the id of what is there."""
    return place.partition(":")[2]


def tournament_listing(tournament_id: str, created_at: str) -> Listing:
    """Return how a tournament is listed, from its first event on."""
    return Listing(1, [f"{TOURNAMENTS}:{place_of(created_at, tournament_id)}"])


def game_listing(game: Game, origin: Origin | None = None) -> Listing:
    """Return how a game is listed: nowhere, if not even its first event is known.

    A table that was cancelled before it started is in the lists of aborted games alone. One that
    was imported from another installation is in no list of a player here: the players of its
    events are that one's, and whoever made it can name anybody.
    """
    if not game.created:
        return Listing(game.version, [])
    summary = summarise(game, origin)
    players = {seat["player"] for seat in summary["seats"] if "player" in seat}
    if origin is not None and not origin.is_own:
        players = set()
    place = place_of(game.created_at, game.id)
    never_started = game.status == ABORTED and game.state is None
    statuses = (game.status,) if never_started else (None, game.status)
    lists = {games_list(player, status) for player in (None, *players) for status in statuses}
    return Listing(game.version, [f"{name}:{place}" for name in sorted(lists)], summary)


def games_list(player: str | None, status: str | None) -> str:
    """Return the name of the list of all games, or of those of a player or with a status."""
    return f"{GAMES}:{player or '*'}:{status or '*'}"


def summarise(game: Game, origin: Origin | None = None) -> JsonObject:
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
            {"seat": seat, **_holder(holding.holder)} for seat, holding in enumerate(game.seats)
        ],
        "result": game.result,
        "imported": None if origin is None else origin.to_json(),
    }


def _holder(holder: JsonObject | None) -> JsonObject:
    if holder is None:
        return {"holder": "open"}
    return {**holder, "holder": "bot" if "bot" in holder else "player"}


# Reading


def newest(redis: Redis, name: str, limit: int, after: str | None = None) -> list[str]:
    """Return up to ``limit`` places of a list, the newest first, from ``after`` on."""
    places: list[str] = []
    more = True
    while more and len(places) < limit:
        found, more = _merged(redis, name, limit, after)
        places += found
        after = places[-1] if places else None
    return places[:limit]


def _merged(redis: Redis, name: str, limit: int, after: str | None) -> tuple[list[str], bool]:
    """Return the next places of a list, in one round trip; and whether there are more."""
    count = limit // 16 + 4  # of 64 shards, hardly one has so many of the newest
    top = f"({name};" if after is None else f"({name}:{after}"  # ";" comes after ":"
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        pipe.zrevrangebylex(shard_key(shard, LISTS), top, f"[{name}:", 0, count)
    parts: list[list[bytes]] = pipe.execute()
    known_to = max((part[-1] for part in parts if len(part) == count), default=None)
    entries = sorted(
        (entry for part in parts for entry in part if known_to is None or entry >= known_to),
        reverse=True,
    )
    return [entry.decode()[len(name) + 1 :] for entry in entries], known_to is not None


def sizes(redis: Redis, names: Iterable[str]) -> list[int]:
    """Return how many entries each of these lists has, in one round trip."""
    asked, pipe = list(names), redis.pipeline(transaction=False)
    for name in asked:
        for shard in ALL_SHARDS:
            pipe.zlexcount(shard_key(shard, LISTS), f"[{name}:", f"({name};")
    counts: list[int] = pipe.execute()
    return [sum(counts[n * len(ALL_SHARDS) :][: len(ALL_SHARDS)]) for n in range(len(asked))]


def made_before(redis: Redis, name: str, before_ms: int) -> Iterator[str]:
    """Yield the ids of what is in a list and was made before a time (ms since 1970)."""
    end = f"({name}:{before_ms:015d}"
    for shard in ALL_SHARDS:
        after = f"[{name}:"
        while True:
            found: Any = redis.zrangebylex(shard_key(shard, LISTS), after, end, 0, _AT_ONCE)
            for entry in found:
                yield id_at(entry.decode()[len(name) + 1 :])
            if len(found) < _AT_ONCE:
                break
            after = f"({found[-1].decode()}"


def count(redis: Redis, names: Sequence[str]) -> dict[str, int]:
    """Return how many streams each of these lists has; no list is gone through for that."""
    pipe = redis.pipeline(transaction=False)
    for name in names:
        for shard in ALL_SHARDS:
            pipe.zlexcount(shard_key(shard, LISTS), f"[{name}:", f"({name};")
    parts = iter(pipe.execute())
    return {name: sum(islice(parts, len(ALL_SHARDS))) for name in names}


def summaries(redis: Redis, stream_ids: Iterable[str]) -> list[JsonObject | None]:
    """Return what lists show of these games; None of those that are in no list."""
    pipe = redis.pipeline(transaction=False)
    for stream_id in stream_ids:
        pipe.hget(shard_key(shard_of(stream_id), LISTED), stream_id)
    found: list[Any] = pipe.execute()
    return [None if entry is None else orjson.loads(entry)["summary"] for entry in found]
