"""The marker: the newest signed tree of the public log, as the store knows it.

A signature leaves the memory of a process only with the script that moves the marker. The script
compares and sets, so a tree never gets two signed successors on one store.
"""

from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from service.following.consumer import Lead, LostLeadError
from service.following.lease import lease_of
from service.publishing.errors import UnfitError
from service.redis.keys import ALL_SHARDS, meta_key, shard_key
from service.redis.scripts import Script
from service.tlog.merkle import EMPTY_ROOT

NAME = "public_log"
"""The name of the builder as a consumer of feeds; it must never change."""
MARKER = meta_key(NAME)
"""The Redis hash of the marker: size, root, note, ``indexed`` and ``scanned``."""
DUE = meta_key("public_log_due")
"""The games that are not public and have moved: a sorted set, by the time (ms) of their leaf."""
DIVERGED = meta_key("public_log_diverged")
"""The ids whose streams are not those of their leaves, though the store did not go back: a set."""
LOGGED = "logged"
"""The Redis hash in each shard: id → what the log has of it (``service.publishing.heads``)."""

_SCRIPT = resources.files("service.publishing").joinpath("marker.lua").read_text()


class Mark(NamedTuple):
    """A tree of ``size`` leaves with the head ``root`` (32 bytes), and its signed checkpoint."""

    size: int
    root: bytes
    note: bytes

    def is_tree(self, size: int, root: bytes) -> bool:
        """Whether it is this tree."""
        return (self.size, self.root) == (size, root)


class StoredMarker(NamedTuple):
    """What the store has of the log.

    All leaves before the leaf ``indexed`` are in the hashes ``LOGGED``. ``scanned`` is whether all
    streams that are older than the log have been read.
    """

    mark: Mark | None
    indexed: int
    scanned: bool


class MarkerMovedError(UnfitError):
    """The marker is not the one that is known: the store went back, or another process wrote it."""


class Marker:
    """The marker in one store."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._script = Script(redis, _SCRIPT)

    def read(self) -> StoredMarker:
        """Return the marker, and how far the store's index of the log goes."""
        found: Any = self._redis.hmget(MARKER, "size", "root", "note", "indexed", "scanned")
        size, root, note, indexed, scanned = found
        mark = None if size is None else Mark(int(size), bytes.fromhex(root.decode()), note)
        return StoredMarker(mark, int(indexed or 0), scanned is not None)

    def move(self, lead: Lead, known: Mark | None, new: Mark) -> None:
        """Replace the marker ``known`` by ``new``.

        Raises:
            LostLeadError: another process leads, or may lead.
            MarkerMovedError: the store has another marker.
        """
        before = ("", "") if known is None else (known.size, known.root.hex())
        words = [lead.token, *before, new.size, new.root.hex(), new.note]
        answer: bytes = self._script([MARKER, lease_of(NAME)], words)
        if answer == b"lost":
            raise LostLeadError("another process leads, and may build the public log")
        if answer != b"done":
            raise MarkerMovedError("the store has another marker of the public log")


def adopt(redis: Redis) -> None:
    """Make the store one that knows nothing of a log, and may be compared with any.

    The next builder reads the whole log in its folder, and confesses what the store has lost.
    """
    pipe = redis.pipeline(transaction=False)
    pipe.delete(*(shard_key(shard, LOGGED) for shard in ALL_SHARDS), DUE, DIVERGED, MARKER)
    pipe.hset(MARKER, mapping={"size": 0, "root": EMPTY_ROOT.hex(), "note": b""})
    pipe.execute()
