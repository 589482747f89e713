"""What the store keeps of games that are in packs: where they are, in some 40 bytes each.

Each shard has a few hashes, small enough for the server to keep them as listpacks: one for its
first games, then 32, 1,024 and 32,768, by the first characters of the ids. A game stays in the hash
that it was noted in, so a look-up tries all of them.
"""

import base64
import struct
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple, Self

from redis import Redis

from service.ids import is_tournament, shard_of
from service.redis.keys import game_key, meta_key, shard_key
from service.redis.scripts import Call, Script

LEVELS = range(4)
"""How many characters of an id the name of its hash has."""

IN_A_HASH = 375
"""Mean number of games in the hashes of a level when the next level begins; listpacks have 512."""

HEAD_BYTES = 8

_PACKS = meta_key("packs")
"""The number of each pack, by name: a hash."""

_PLACE = struct.Struct(">III8s")
_NOTE = resources.files("service.ledger").joinpath("note_place.lua").read_text()

NOTED, ELSEWHERE, OTHER = "noted", "elsewhere", "other"
"""Outcomes: the game is noted in this place, or was in another one, or the store has another
history of it, or none.
"""


class PackPlace(NamedTuple):
    """Where the record of a game or tournament is: the number of the pack, and a range of bytes.

    ``head`` are the first bytes of the hash of its last event.
    """

    pack: int
    offset: int
    length: int
    head: bytes

    def dump(self) -> bytes:
        """Return the stored form, of 20 bytes."""
        return _PLACE.pack(*self)

    @classmethod
    def load(cls, raw: bytes) -> Self:
        """Read the stored form. Raises struct.error."""
        return cls(*_PLACE.unpack(raw))


class Places:
    """The places of one store's games and tournaments in packs."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._note = Script(redis, _NOTE)

    def number(self, pack: str) -> int:
        """Return the number of a pack, which it gets now if it has none."""
        known: Any = self._redis.hget(_PACKS, pack)
        if known is None:
            # Two processes may both take a number: the one that comes second is never used.
            number = int(self._redis.hincrby(_PACKS, "next", 1)) - 1
            self._redis.hsetnx(_PACKS, pack, number)
            known = self._redis.hget(_PACKS, pack)
        return int(known)

    def packs(self) -> dict[int, str]:
        """Return the names of packs by their numbers."""
        found: Any = self._redis.hgetall(_PACKS)
        return {int(n): name.decode() for name, n in found.items() if name != b"next"}

    def of(self, stream_id: str) -> PackPlace | None:
        """Return the place of a game or tournament, None if it is in no pack."""
        pipe = self._redis.pipeline(transaction=False)
        for key in buckets(stream_id):
            pipe.hget(key, field(stream_id))
        found: list[Any] = pipe.execute()
        return next((PackPlace.load(raw) for raw in found if raw is not None), None)

    def note(self, each: Sequence[tuple[str, int, bytes, PackPlace]]) -> list[str]:
        """Note the places of streams, given as (id, version, hash of the last event, place).

        Return NOTED, ELSEWHERE or OTHER for each. What is noted is noted again without effect.
        """
        calls: list[Call] = []
        for stream_id, version, head, place in each:
            shard = shard_of(stream_id)
            keys = [
                *(game_key(stream_id, name) for name in ("events", "damage")),
                shard_key(shard, "packed"),
                *buckets(stream_id),
            ]
            calls.append((keys, [field(stream_id), place.dump(), version, head, IN_A_HASH]))
        return [outcome.decode() for outcome in self._note.each(calls)]


def buckets(stream_id: str) -> list[str]:
    """Return the hashes that may have a game or tournament, one for each level."""
    shard, text = shard_of(stream_id), stream_id[4:]
    return [shard_key(shard, f"packed:{text[:level]}") for level in LEVELS]


def field(stream_id: str) -> bytes:
    """Return the field of a game or tournament in its hash: 100 bits of its id, and its kind."""
    raw = bytearray(base64.b32decode(f"{stream_id[4:].upper()}AAAA")[:13])
    raw[-1] |= is_tournament(stream_id)
    return bytes(raw)
