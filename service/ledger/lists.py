"""The lists of games and tournaments, newest first.

The script that appends an event also updates the stream's entries, so lists are always up to date.
Each shard has one sorted set with its part of every list, in the same cluster slot as its streams;
a page merges the parts of all shards.

An entry of a list is ``<list>:<place>``. Places are ordered by creation time, and within a
millisecond by id.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import islice
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED, ENDED, Game
from rules.kernel.record.instants import to_ms
from service.ids import shard_of
from service.ledger.origin import Origin
from service.ledger.terms import DEFAULT_TERMS, FIRST_RULE, PUBLIC, TableTerms
from service.redis.keys import ALL_SHARDS, shard_key

LISTS = "lists"
"""The sorted set of a shard, with its part of every list."""
WAITING = "asked"
"""The Redis hash of a shard: for each game that waits for people, its positions in the lists."""
LISTED = "listed"
"""The Redis hash of a shard: for each stream, its summary and its positions in the lists."""
SCRIPT = resources.files("service.ledger").joinpath("lists.lua").read_text()
"""Lua functions for scripts that list streams."""

GAMES, HIDDEN, ASKED = "games", "hidden", "asked"
"""Three kinds of lists: public games, hidden games, and games that wait for a player.

Hidden games are only in the lists of their players. Each player has a list of the games that wait
for this player.
"""
RATED = "rated"
"""The list of rated games, by the time of their end (``service.skill``)."""
TOURNAMENTS, HELD = "tournaments", "held"
"""The list of all tournaments, and the lists of the tournaments that a player hosts or hosted."""
CHANGE_LISTS = frozenset(("created", "seated", "left", "closed", "started", "ended", "aborted"))
"""Kinds of events that change a game's entries or summary in lists."""
_AT_ONCE = 500
"""Number of entries of a list that are read at once."""


class Listing(NamedTuple):
    """A stream's ``entries`` in lists as of a ``version``, and its ``summary``."""

    version: int
    entries: list[str]
    summary: JsonObject | None = None

    def dump(self) -> bytes:
        """Return the listing in the form that the scripts read."""
        return orjson.dumps(self._asdict())


def place_of(created_at: str, stream_id: str) -> str:
    """Return a stream's place in lists, from its creation time and id."""
    return f"{to_ms(created_at):015d}:{stream_id}"


def id_at(place: str) -> str:
    """Return the id of the stream at a place."""
    return place.partition(":")[2]


def tournament_listing(
    tournament_id: str, created_at: str, by: JsonObject, origin: Origin | None = None
) -> Listing:
    """Return a tournament's listing; ``by`` is the actor of its first event.

    Hosts on another installation are not players of this one: see ``game_listing``.
    """
    is_foreign = origin is not None and not origin.is_own
    names = [TOURNAMENTS]
    if "player" in by and not is_foreign:
        names.append(held_list(by["player"]))
    place = place_of(created_at, tournament_id)
    return Listing(1, [f"{name}:{place}" for name in names])


def held_list(player: str) -> str:
    """Return the name of the list of tournaments that a player hosts or hosted."""
    return f"{HELD}:{player}"


def game_listing(
    game: Game, origin: Origin | None = None, terms: TableTerms = DEFAULT_TERMS
) -> Listing:
    """Return a game's listing, which is empty for a game without a readable event.

    A table cancelled before its start is only in the lists of aborted games. An imported game is in
    no player's list: its players belong to another installation, and its record could name anybody.
    """
    if not game.created:
        return Listing(game.version, [])
    summary = summarise(game, origin, terms)
    is_foreign = origin is not None and not origin.is_own
    never_started = game.status == ABORTED and game.state is None
    where = entries(summary, is_foreign=is_foreign, never_started=never_started)
    return Listing(game.version, where, summary)


def entries(summary: JsonObject, *, is_foreign: bool, never_started: bool) -> list[str]:
    """Return the entries of a game with this summary; see ``game_listing``."""
    players = {seat["player"] for seat in summary["seats"] if "player" in seat}
    if is_foreign:
        players = set()
    status = summary["status"]
    statuses = (status,) if never_started else (None, status)
    if summary.get("visibility", PUBLIC) == PUBLIC:
        tags = [tag_list(tag) for tag in summary.get("tags", ())]
        bots = [bot_list(bot) for bot in bots_in(summary)]
        who = [None, *players, *bots, *tags, ruleset_list(summary["ruleset"])]
        names = {games_list(one, status) for one in who for status in statuses}
    else:
        who = [None, summary["created_by"], *players]
        names = {games_list(one, status, HIDDEN) for one in who for status in statuses}
    place = place_of(summary["created_at"], summary["id"])
    found = [f"{name}:{place}" for name in sorted(names)]
    if counts(summary):
        found.append(f"{RATED}:{place_of(summary['changed_at'], summary['id'])}")
    return found


def counts(summary: JsonObject) -> bool:
    """Whether a game with this summary counts for ratings."""
    return bool(summary.get("rated")) and summary["status"] == ENDED and not summary["imported"]


def games_list(who: str | None, status: str | None, kind: str = GAMES) -> str:
    """Return the name of a list: all games, or only those of ``who``, or with a ``status``.

    ``who`` is a player, or the value of ``tag_list``, ``ruleset_list`` or ``bot_list``.
    """
    return f"{kind}:{who or '*'}:{status or '*'}"


def tag_list(tag: str) -> str:
    """Return the value to pass as ``who`` to ``games_list`` for a tag's lists."""
    return f"#{tag}"


def ruleset_list(ruleset: str) -> str:
    """Return the value to pass as ``who`` to ``games_list`` for a ruleset's lists."""
    return f"@{ruleset}"


def bot_list(bot: str) -> str:
    """Return the value to pass as ``who`` to ``games_list`` for a bot's lists, of all versions."""
    return f"%{bot}"


def bots_in(summary: JsonObject) -> set[str]:
    """Return the names of the bots of the service that sit at a listed game.

    An imported game has none: its record could name any.
    """
    if summary.get("imported"):
        return set()
    return {seat["bot"] for seat in summary["seats"] if "bot" in seat}


def asked_list(player: str) -> str:
    """Return the name of the list of games that wait for a player."""
    return f"{ASKED}:{player}"


def asked_entries(game: Game) -> list[str]:
    """Return a game's entries in the lists of games that wait for people."""
    players = players_asked(game)
    place = place_of(game.created_at, game.id) if players else ""
    return [f"{asked_list(player)}:{place}" for player in sorted(players)]


def players_asked(game: Game) -> set[str]:
    """Return the people for whom a game waits, without those who resigned."""
    if game.suspended_at:
        return set()
    return {
        holding.holder["player"]
        for seat in game.asked
        if not (holding := game.seats[seat]).automatic and holding.holder is not None
    }


class ListedFacts(NamedTuple):
    """What lists say of a game out of its events; ``holders`` are those of its seats, or None."""

    id: str
    ruleset: str
    rules_version: str
    status: str
    created_at: str
    created_by: str | None
    changed_at: str
    holders: Sequence[JsonObject | None]
    result: JsonObject | None
    entropy_mode: str


def summarise(
    game: Game, origin: Origin | None = None, terms: TableTerms = DEFAULT_TERMS
) -> JsonObject:
    """Return a game's summary in lists, which changes only with its seats and status."""
    facts = ListedFacts(
        game.id,
        game.created["ruleset"],
        game.created["rules_version"],
        game.status,
        game.created_at,
        game.created_by.get("player"),
        game.at,
        [holding.holder for holding in game.seats],
        game.result,
        game.created["entropy"]["mode"],
    )
    return summary_of(facts, origin, terms)


def summary_of(facts: ListedFacts, origin: Origin | None, terms: TableTerms) -> JsonObject:
    """Return the summary in lists of a game with these facts, as ``summarise`` does."""
    return {
        "id": facts.id,
        "ruleset": facts.ruleset,
        "rules_version": facts.rules_version,
        "status": facts.status,
        "created_at": facts.created_at,
        "created_by": facts.created_by,
        "changed_at": facts.changed_at,
        "seats": [{"seat": seat, **_holder(holder)} for seat, holder in enumerate(facts.holders)],
        "result": facts.result,
        "imported": None if origin is None else origin.to_json(),
        "visibility": terms.visibility,
        "title": terms.title,
        "tags": list(terms.tags),
        "rated": terms.rated,
        "rating_rule": (terms.rating_rule or FIRST_RULE) if terms.rated else None,
        "entropy_mode": facts.entropy_mode,
    }


def _holder(holder: JsonObject | None) -> JsonObject:
    if holder is None:
        return {"holder": "open"}
    return {**holder, "holder": "bot" if "bot" in holder else "player"}


def may_leave(name: str) -> bool:
    """Whether games may leave a list of games while they are listed in it; others never do."""
    kind, _, rest = name.partition(":")
    return kind in (GAMES, HIDDEN) and rest.rpartition(":")[2] in ("*", ENDED, ABORTED)


# Reading


class Span(NamedTuple):
    """A range of a list by creation time: from ``since`` to before ``until`` (ms since 1970)."""

    since: int | None = None
    until: int | None = None


EVER = Span()


def newest(
    redis: Redis,
    names: str | Sequence[str],
    limit: int,
    after: str | None = None,
    span: Span = EVER,
) -> list[str]:
    """Return up to ``limit`` places of the lists ``names``, the newest first.

    If a place is given as ``after``, the result begins with the place that follows it. If ``after``
    is None, the result begins with the newest place. The lists must have no place in common.
    """
    names = [names] if isinstance(names, str) else names
    places: list[str] = []
    more = True
    while more and len(places) < limit:
        found, more = _merged(redis, names, limit, after, span)
        places += found
        after = places[-1] if places else None
    return places[:limit]


def _merged(
    redis: Redis, names: Sequence[str], limit: int, after: str | None, span: Span
) -> tuple[list[str], bool]:
    """Return the next places for ``newest``, read in one round trip, and whether there are more."""
    # A list's newest entries are spread over 64 shards, so few are read from each.
    count = limit // 16 + 4
    pipe = redis.pipeline(transaction=False)
    for name in names:
        top, bottom = _bounds(name, after, span)
        for shard in ALL_SHARDS:
            pipe.zrevrangebylex(shard_key(shard, LISTS), top, bottom, 0, count)
    replies: list[list[bytes]] = pipe.execute()
    parts = [
        [entry.decode()[len(name) + 1 :] for entry in reply]
        for name, reply in zip(
            (name for name in names for _shard in ALL_SHARDS), replies, strict=True
        )
    ]
    known_to = max((part[-1] for part in parts if len(part) == count), default=None)
    places = sorted(
        (place for part in parts for place in part if known_to is None or place >= known_to),
        reverse=True,
    )
    return places, known_to is not None


def oldest(redis: Redis, name: str, after: str, until: str, limit: int) -> tuple[int, list[str]]:
    """Return a number of entries of the list ``name``, and some of its places, oldest first.

    The number is that of all entries up to the place ``after``, including the entry at ``after``.
    The places are the first ones after ``after`` and before ``until``. At most ``limit`` places are
    returned. If there are any, at least one is returned.
    """
    count = limit // 16 + 4
    pipe = redis.pipeline(transaction=False)
    for shard in ALL_SHARDS:
        key = shard_key(shard, LISTS)
        pipe.zlexcount(key, f"[{name}:", f"[{name}:{after}")
        pipe.zrangebylex(key, f"({name}:{after}", f"({name}:{until}", 0, count)
    replies: list[Any] = pipe.execute()
    parts = [[entry.decode()[len(name) + 1 :] for entry in part] for part in replies[1::2]]
    known_to = min((part[-1] for part in parts if len(part) == count), default=None)
    places = sorted(
        place for part in parts for place in part if known_to is None or place <= known_to
    )
    return sum(replies[::2]), places[:limit]


def _bounds(name: str, after: str | None, span: Span) -> tuple[str, str]:
    """Return two bounds, the upper one first. The entries between them are to be read."""
    # ";" sorts right after ":", so "name;" is the end of the list.
    top = f"({name};" if span.until is None else f"({name}:{span.until:015d}"
    if after is not None:
        top = min(top, f"({name}:{after}")
    bottom = f"[{name}:" if span.since is None else f"[{name}:{span.since:015d}"
    return top, bottom


def sizes(redis: Redis, names: Iterable[str]) -> list[int]:
    """Return the number of entries of each list, in one round trip."""
    asked, pipe = list(names), redis.pipeline(transaction=False)
    for name in asked:
        for shard in ALL_SHARDS:
            pipe.zlexcount(shard_key(shard, LISTS), f"[{name}:", f"({name};")
    counts: list[int] = pipe.execute()
    return [sum(counts[n * len(ALL_SHARDS) :][: len(ALL_SHARDS)]) for n in range(len(asked))]


def made_before(redis: Redis, name: str, before_ms: int) -> Iterator[str]:
    """Yield the ids of the streams in the list ``name`` that were created before ``before_ms``.

    ``before_ms`` is in milliseconds since 1970.
    """
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
    """Return the number of streams in each list, without reading the lists."""
    pipe = redis.pipeline(transaction=False)
    for name in names:
        for shard in ALL_SHARDS:
            pipe.zlexcount(shard_key(shard, LISTS), f"[{name}:", f"({name};")
    parts = iter(pipe.execute())
    return {name: sum(islice(parts, len(ALL_SHARDS))) for name in names}


def summaries(redis: Redis, stream_ids: Iterable[str]) -> list[JsonObject | None]:
    """Return the summary of each of these games, in their order; None if a game is not listed."""
    pipe = redis.pipeline(transaction=False)
    for stream_id in stream_ids:
        pipe.hget(shard_key(shard_of(stream_id), LISTED), stream_id)
    found: list[Any] = pipe.execute()
    return [None if entry is None else orjson.loads(entry)["summary"] for entry in found]
