"""What the store notes of the log for each id, so that a leaf costs few reads.

Each shard has a hash of its ids. A game has an entry while its stream is in the store, and none
once it has left for a pack. Only the process that leads writes entries.
"""

import struct
from collections.abc import Iterable
from importlib import resources
from itertools import groupby, islice
from typing import NamedTuple, Self

from redis import Redis

from rules.kernel.record.events import Event
from service.following.consumer import LostLeadError, Renewed
from service.following.cursors import FOLLOWED
from service.ids import shard_of
from service.publishing.marker import LOGGED, NAME
from service.redis.commands import Word
from service.redis.keys import shard_key
from service.redis.scripts import Call, Script

HEAD_BYTES = 8
PAGE = 500
"""Maximum number of ids in one round trip."""
_ENTRY = struct.Struct(f">I{HEAD_BYTES}s")
_COUNT = struct.Struct(">I")
_SCRIPT = resources.files("service.publishing").joinpath("logged.lua").read_text()


class Entry(NamedTuple):
    """The event ``seq`` for which the newest leaf of an id stands.

    ``head`` are the first bytes of the event's hash. ``counted`` is the number of leaves of a
    pseudonym, and 0 for an id that stands in the log itself.
    """

    seq: int
    head: bytes
    counted: int

    @classmethod
    def of(cls, seq: int, hash_: str, counted: int) -> Self:
        """Return the entry of an event with this hash, in hex."""
        return cls(seq, bytes.fromhex(hash_)[:HEAD_BYTES], counted)

    def dump(self) -> bytes:
        """Return the stored form."""
        known = _ENTRY.pack(self.seq, self.head)
        return known + (_COUNT.pack(self.counted) if self.counted else b"")

    @classmethod
    def load(cls, raw: bytes) -> Self:
        """Read the stored form. Raises struct.error."""
        seq, head = _ENTRY.unpack_from(raw)
        (counted,) = _COUNT.unpack_from(raw, _ENTRY.size) if len(raw) > _ENTRY.size else (0,)
        return cls(seq, head, counted)

    def is_of(self, event: Event) -> bool:
        """Whether the entry is of this event."""
        return self.seq == event.seq and event.hash.startswith(self.head)


def logged_key(stream_id: str) -> str:
    """Return the key of the hash that has the entry of an id."""
    return shard_key(shard_of(stream_id), LOGGED)


class LogIndex:
    """The entries of one store."""

    def __init__(self, redis: Redis) -> None:
        self._script = Script(redis, _SCRIPT)

    def note(self, renewed: Renewed, entries: Iterable[tuple[str, Entry | None]]) -> None:
        """Note entries by id; None removes one.

        Raises:
            LostLeadError: another process leads, or has led.
        """
        left = iter(entries)
        while page := sorted(islice(left, PAGE), key=lambda each: shard_of(each[0])):
            token = renewed().token
            calls: list[Call] = []
            for shard, each in groupby(page, key=lambda each: shard_of(each[0])):
                words: list[Word] = [f"{NAME}:token", token]
                for id_, entry in each:
                    words += id_, b"" if entry is None else entry.dump()
                calls.append(([shard_key(shard, LOGGED), shard_key(shard, FOLLOWED)], words))
            if None in self._script.each(calls):
                raise LostLeadError("another process leads, and may build the public log")
