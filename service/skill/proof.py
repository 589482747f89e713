"""Checks that the bytes of the stored ratings follow from the games."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from redis import Redis

from service.skill import repeats
from service.skill.fold import Skills, count, place_of
from service.skill.host_rows import HostRows
from service.skill.progress import CountKeys, RatingState, ms_at
from service.skill.rated_games import RatedGame
from service.skill.repeats import Ends

Contents = dict[str, Any]
"""Contents of Redis keys by name, as bytes: a hash is a dict, any other type a list."""


def expected(games: Iterable[RatedGame], keys: CountKeys) -> Contents:
    """Return the expected contents of the store after these games, given in any order."""
    known: Skills = {}
    ends: Ends = {}
    found: Contents = {}
    for game in sorted(games, key=lambda game: game.place):
        counted = count(game, known, ends)
        found.setdefault(keys.games, {})[game.id.encode()] = counted.dump()
        found.setdefault(keys.counted(game.ruleset), []).append(game.id.encode())
        for player, row in zip(game.players, counted.rows(), strict=True):
            found.setdefault(keys.history(game.ruleset, player), []).append(row)
    for (ruleset, player), skill in known.items():
        found.setdefault(keys.of(player), {})[ruleset.encode()] = skill.dump()
        found.setdefault(keys.order(ruleset), []).append(place_of(player, skill).encode())
        found[keys.order(ruleset)].sort()
    for name, times in ends.items():
        found.setdefault(keys.ends, {})[name.encode()] = repeats.dump(times)
    return found


class RatingSnapshot(NamedTuple):
    """All stored ratings at one moment, and the place of the last game counted."""

    keys: CountKeys
    last: str
    contents: Contents


def stored(redis: Redis, host: HostRows | None) -> RatingSnapshot:
    """Return the stored ratings; empty if none have been counted yet.

    Once rows of games have left the store, those of this host are returned in their keys.

    Raises ArchiveBehindError: this host cannot have all rows now.
    """
    while True:
        state = RatingState.of(redis)
        keys = CountKeys(state.progress.number)
        names = sorted(redis.scan_iter(match=f"{keys.all}*", count=1000))
        contents = {name.decode(): _contents(redis, name) for name in names}
        if state.rows_gone and host is not None:
            contents |= host.contents(keys)
        if RatingState.of(redis) == state:
            return RatingSnapshot(keys, state.progress.place, contents)


def differing(found: RatingSnapshot, games: Iterable[RatedGame]) -> list[str]:
    """Return the names of the keys whose contents do not follow from the games.

    ``games`` are all rated games that had ended when ``found`` was read; those after its last
    counted game are ignored.
    """
    wanted = expected((game for game in games if game.place <= found.last), found.keys)
    told = {**found.contents}
    for each in (wanted, told):
        each[found.keys.ends] = _lasting(each.get(found.keys.ends, {}), found.last)
    names = wanted.keys() | told.keys()
    return sorted(name for name in names if wanted.get(name) != told.get(name))


def _lasting(ends: dict[bytes, bytes], last: str) -> dict[bytes, bytes]:
    """Return those of the ends of alike games that may not have been forgotten."""
    now = ms_at(last)
    return {name: raw for name, raw in ends.items() if not repeats.are_over(repeats.load(raw), now)}


def _contents(redis: Redis, name: bytes) -> Any:
    read: dict[bytes, Callable[[], Any]] = {
        b"hash": lambda: redis.hgetall(name),
        b"list": lambda: redis.lrange(name, 0, -1),
        b"zset": lambda: redis.zrange(name, 0, -1),
    }
    kind: Any = redis.type(name)
    return read[kind]() if kind in read else None
