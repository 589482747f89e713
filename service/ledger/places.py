"""The store's index of packed games: the pack and the range of bytes of each, in some 40 bytes.

Each shard has a few hashes, small enough for the server to keep them as listpacks: one for its
first games, then 32, 1,024 and 32,768, by the first characters of the ids. A game stays in the hash
that it was noted in, so a look-up tries all of them.
"""

import base64
import struct
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any, NamedTuple, Self

from redis import Redis

from service.ids import is_tournament, shard_of
from service.redis.commands import Word
from service.redis.keys import ALL_SHARDS, game_key, meta_key, shard_key
from service.redis.scripts import Call, Script

LEVELS = range(4)
"""How many characters of an id the name of its hash has."""

IN_A_HASH = 375
"""Mean number of games in the hashes of a level when the next level begins; listpacks have 512."""

HEAD_BYTES = 8

PACKS = meta_key("packs")
"""The number of each pack, by name: a hash. There is none before a game has left the store."""
_PLACE = struct.Struct(">III8s")
_SCRIPTS = resources.files("service.ledger")
PACKED_SCRIPT = _SCRIPTS.joinpath("packed.lua").read_text()
"""Lua functions for scripts that know which streams are in packs."""
_NOTE = PACKED_SCRIPT + _SCRIPTS.joinpath("note_place.lua").read_text()

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


class PackedStream(NamedTuple):
    """A finished game or tournament in a pack: its last event, and its place."""

    id: str
    version: int
    head: bytes
    place: PackPlace


class PackPlaces:
    """The places of one store's games and tournaments in packs."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._note = Script(redis, _NOTE)

    def number(self, pack: str) -> int:
        """Return the number of a pack, which it gets now if it has none."""
        known: Any = self._redis.hget(PACKS, pack)
        if known is None:
            # Two processes may both take a number: the one that comes second is never used.
            number = int(self._redis.hincrby(PACKS, "next", 1)) - 1
            self._redis.hsetnx(PACKS, pack, number)
            known = self._redis.hget(PACKS, pack)
        return int(known)

    def packs(self) -> dict[int, str]:
        """Return the names of packs by their numbers."""
        found: Any = self._redis.hgetall(PACKS)
        return {int(n): name.decode() for name, n in found.items() if name != b"next"}

    def of(self, stream_id: str) -> PackPlace | None:
        """Return the place of a game or tournament, None if it is in no pack."""
        return self.of_each([stream_id])[0]

    def of_each(self, stream_ids: Sequence[str]) -> list[PackPlace | None]:
        """Return the places of games and tournaments, as ``of`` does, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for stream_id in stream_ids:
            for key in buckets(stream_id):
                pipe.hget(key, field(stream_id))
        found: list[Any] = pipe.execute()
        each = [found[first : first + len(LEVELS)] for first in range(0, len(found), len(LEVELS))]
        return [
            next((PackPlace.load(raw) for raw in raws if raw is not None), None) for raws in each
        ]

    def ids(self) -> Iterator[str]:
        """Yield the ids of all games and tournaments that are noted."""
        for shard in ALL_SHARDS:
            for key in self._redis.scan_iter(match=shard_key(shard, "packed:*"), count=1_000):
                for raw, _place in self._redis.hscan_iter(key, count=500):
                    yield _id_of(shard, raw)

    def count(self) -> int:
        """Return the number of games and tournaments that are noted."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in ALL_SHARDS:
            pipe.get(_count_key(shard))
        return sum(int(number or 0) for number in pipe.execute())

    def note(self, each: Sequence[PackedStream], *, absent: bool = False) -> list[str]:
        """Note the places of streams that the store has.

        With ``absent``, also of those of which the store has nothing. Return NOTED, ELSEWHERE or
        OTHER for each. What is noted is noted again without effect.
        """
        calls: list[Call] = []
        for one in each:
            keys = [
                *(game_key(one.id, name) for name in ("events", "damage")),
                _count_key(shard_of(one.id)), *buckets(one.id),
            ]  # fmt: skip
            words: list[Word] = [
                field(one.id), one.place.dump(), one.version, one.head, IN_A_HASH,
                "1" if absent else "",
            ]  # fmt: skip
            calls.append((keys, words))
        return [outcome.decode() for outcome in self._note.each(calls)]


def _count_key(shard: int) -> str:
    return shard_key(shard, "packed")


def buckets(stream_id: str) -> list[str]:
    """Return the hashes that may have a game or tournament, one for each level."""
    shard, text = shard_of(stream_id), stream_id[4:]
    return [shard_key(shard, f"packed:{text[:level]}") for level in LEVELS]


def field(stream_id: str) -> bytes:
    """Return the field of a game or tournament in its hash: 100 bits of its id, and its kind."""
    raw = bytearray(base64.b32decode(f"{stream_id[4:].upper()}AAAA")[:13])
    raw[-1] |= is_tournament(stream_id)
    return bytes(raw)


def _id_of(shard: int, raw: bytes) -> str:
    """Return the id with this ``field`` in a hash of the shard."""
    text = base64.b32encode(raw).decode().lower()[:20]
    return f"{'t' if raw[-1] & 1 else 'g'}{shard:02d}-{text}"
