"""Removes from the store what is in packs, and takes aside what contradicts a pack."""

from collections.abc import Mapping
from importlib import resources
from itertools import chain
from typing import Any

from redis import Redis

from service.ids import shard_of
from service.ledger import lists
from service.ledger.lists import LISTED, LISTS, WAITING
from service.ledger.places import PACKED_SCRIPT, PackedStream, PackPlaces, buckets, field
from service.ledger.store import DAMAGED, KEPT, REPORT
from service.redis.commands import Word
from service.redis.keys import game_key, meta_key, shard_key
from service.redis.scripts import Script

MOVED = meta_key("packs_moved")
"""The numbers of the packs whose games have left the store: a set.

A store that is rewound to a time before they left does not have the number either.
"""
ASIDE = meta_key("archive_aside")
"""How many streams were taken aside, because a pack had the end of a game that went on."""

GONE = "gone"
"""The outcome for a game that has left the store; the others are those of ``places``."""

_SCRIPTS = resources.files("service.ledger")
_LEAVE = PACKED_SCRIPT + _SCRIPTS.joinpath("leave.lua").read_text()
_TAKE_ASIDE = lists.SCRIPT + PACKED_SCRIPT + _SCRIPTS.joinpath("take_aside.lua").read_text()


class Exits:
    """The games of one store that leave it because they are in packs."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._places = PackPlaces(redis)
        self._leave = Script(redis, _LEAVE)
        self._take_aside = Script(redis, _TAKE_ASIDE)

    def let_leave(self, one: PackedStream, table: Mapping[str, bytes]) -> str:
        """Remove a noted game or tournament from the store, except from its lists.

        ``table`` are the fields of its table that the archive has. Return GONE, ELSEWHERE, or OTHER
        if the store has another stream or table, or nothing of it.
        """
        shard = shard_of(one.id)
        beside = ("damage", "table", "secrets", "index", "snapshots", "imported", KEPT, REPORT)
        names = ("events", *beside)
        keys = [
            *(game_key(one.id, name) for name in names),
            *(shard_key(shard, name) for name in ("due", "deadlines")),
            *buckets(one.id),
        ]
        words: list[Word] = [one.id, field(one.id), one.place.dump(), one.version, one.head]
        words += chain.from_iterable(table.items())
        outcome: bytes = self._leave(keys, words)
        return outcome.decode()

    def take_aside(self, one: PackedStream, version: int) -> None:
        """Take aside what the store has of a stream whose end is in a pack, and note its place.

        ``version`` is that of the stream in the store. What is taken aside is kept under the names
        ``aside_<version>_events``, ``…_secrets`` and ``…_table``. If the store has nothing, or
        exactly what the pack has, nothing is taken aside.
        """
        shard = shard_of(one.id)
        kept = ("events", "secrets", "table")
        names = (*kept, *(f"aside_{version}_{name}" for name in kept))
        derived = ("damage", "index", "snapshots", KEPT, REPORT)
        in_shard = ("due", "deadlines", LISTS, LISTED, WAITING, DAMAGED)
        keys = [
            *(game_key(one.id, name) for name in (*names, *derived)),
            *(shard_key(shard, name) for name in in_shard),
        ]
        if self._take_aside(keys, [one.id, one.version, one.head]):
            self._redis.incr(ASIDE)
        self._places.note([one], absent=True)

    def taken_aside(self) -> int:
        """Return the total number of streams that were taken aside."""
        found: Any = self._redis.get(ASIDE)
        return int(found or 0)

    def moved(self) -> set[int]:
        """Return the numbers of the packs whose games have left the store."""
        found: Any = self._redis.smembers(MOVED)
        return {int(number) for number in found}

    def note_moving(self, pack: int) -> None:
        """Store that games of a pack may still have to leave."""
        self._redis.srem(MOVED, pack)

    def note_moved(self, pack: int) -> None:
        """Store that the games of a pack have left."""
        self._redis.sadd(MOVED, pack)
