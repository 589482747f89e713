"""The marker: the newest signed tree of the public log, as the store knows it.

A signature leaves the memory of a process only with the script that moves the marker. The script
compares and sets, so a tree never gets two signed successors on one store.
"""

import time
from collections.abc import Iterable
from importlib import resources
from itertools import islice
from typing import Any, NamedTuple

from redis import Redis

from service.following.consumer import Lead, LostLeadError
from service.following.cursors import FeedCursors
from service.following.lease import Lease, lease_of
from service.publishing.errors import UnfitError
from service.redis.commands import Word
from service.redis.keys import ALL_SHARDS, meta_key, shard_key
from service.redis.scripts import Script
from service.tlog.keys import TIME_BYTES
from service.tlog.merkle import EMPTY_ROOT
from service.tlog.notes import Note

NAME = "public_log"
"""The name of the builder as a consumer of feeds; it must never change."""
MARKER = meta_key(NAME)
"""The Redis hash of the marker: size, root, note, ``indexed`` and ``scanned``."""
DUE = meta_key("public_log_due")
"""The games that are not public and have moved: a sorted set, by the time (ms) of their leaf."""
DIVERGED = meta_key("public_log_diverged")
"""The ids whose streams are not those of their leaves, though the store did not go back: a set."""
LOGGED = "logged"
"""The Redis hash in each shard: id → what the log has of it (``service.publishing.index``)."""

_TAKE_SECONDS = 2.0
"""Time for which ``adopt`` tries to take the lead; a builder that stands still gives it back."""
_PAGE = 500
_MOVE, _NOTE = (
    resources.files("service.publishing").joinpath(name).read_text()
    for name in ("marker.lua", "noted.lua")
)


class Mark(NamedTuple):
    """A tree of ``size`` leaves with the head ``root`` (32 bytes), and its signed checkpoint."""

    size: int
    root: bytes
    note: bytes

    @property
    def at(self) -> int | None:
        """The time of the checkpoint (seconds since 1970), unverified; None without one."""
        if not self.note:
            return None
        *_log, timed = Note.parse(self.note).signatures
        return int.from_bytes(timed.value[:TIME_BYTES], "big")


class StoredMarker(NamedTuple):
    """What the store has of the log.

    All leaves before the leaf ``indexed`` are in the hashes ``LOGGED``; None: no log is kept on
    this store, as far as it knows. ``scanned`` is whether all streams that are older than the log
    have been read.
    """

    mark: Mark | None
    indexed: int | None
    scanned: bool


class MarkerMovedError(UnfitError):
    """The marker is not the one that is known: the store went back, or another process wrote it."""


class BeingBuiltError(Exception):
    """A process builds the public log on this store."""


class Marker:
    """The marker in one store."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._move, self._note = Script(redis, _MOVE), Script(redis, _NOTE)

    def read(self) -> StoredMarker:
        """Return the marker, and how far the store's index of the log goes."""
        found: Any = self._redis.hmget(MARKER, "size", "root", "note", "indexed", "scanned")
        size, root, note, indexed, scanned = found
        mark = None if size is None else Mark(int(size), bytes.fromhex(root.decode()), note)
        known = None if indexed is None else int(indexed)
        return StoredMarker(mark, known, scanned is not None)

    def move(self, lead: Lead, known: Mark | None, new: Mark) -> None:
        """Replace the marker ``known`` by ``new``.

        Raises:
            LostLeadError: another process leads, or may lead.
            MarkerMovedError: the store has another marker.
        """
        words = [lead.token, *_tree(known), *_tree(new), new.note]
        _check(self._move([MARKER, lease_of(NAME)], words))

    def note(
        self,
        lead: Lead,
        known: Mark | None,
        indexed: int | None,
        waiting: Iterable[tuple[str, int | None]] = (),
        *,
        scanned: bool | None = None,
    ) -> None:
        """Note beside the marker ``known`` what ``StoredMarker`` has; ``scanned`` None keeps it.

        ``waiting`` are ids of games that are not public, with the times (ms since 1970) of their
        next leaves; None: the game does not wait.

        Raises:
            LostLeadError: another process leads, or has led.
            MarkerMovedError: the store has another marker.
        """
        left = iter(waiting)
        page, is_first = [*islice(left, _PAGE)], True
        while page or is_first:
            words: list[Word] = [
                lead.token, *_tree(known),
                "" if indexed is None else indexed,
                "" if scanned is None else int(scanned),
            ]  # fmt: skip
            for id_, due in page:
                words += id_, "" if due is None else due
            _check(self._note([MARKER, lease_of(NAME), DUE], words))
            page, is_first = [*islice(left, _PAGE)], False


def adopt(redis: Redis, *, keeps_log: bool) -> None:
    """Make the store one that knows nothing of a log, and may be compared with any.

    The next builder reads the whole log in its folder, and confesses what the store has lost.
    ``keeps_log``: whether this installation has a log, for which games that are over have to wait
    before they leave the store.

    Raises:
        BeingBuiltError: another process leads.
    """
    lease, marker = Lease(redis, NAME), Marker(redis)
    lead = _lead(lease)
    try:
        FeedCursors(redis, NAME).claim(lead)  # no process that led before writes any more
        known = marker.read().mark
        # First of all, so that after a kill here all leaves are compared again.
        marker.note(lead, known, 0 if keeps_log else None, scanned=False)
        redis.unlink(DUE, DIVERGED)
        for shard in ALL_SHARDS:
            redis.unlink(shard_key(shard, LOGGED))
        marker.move(lead, known, Mark(0, EMPTY_ROOT, b""))
    finally:
        lease.give_back()


def _lead(lease: Lease) -> Lead:
    until = time.monotonic() + _TAKE_SECONDS
    while (lead := lease.take()) is None:
        if time.monotonic() > until:
            raise BeingBuiltError("another process builds the public log on this store")
        time.sleep(0.1)
    return lead


def _tree(mark: Mark | None) -> tuple[Word, Word]:
    return ("", "") if mark is None else (mark.size, mark.root.hex())


def _check(answer: bytes) -> None:
    if answer == b"lost":
        raise LostLeadError("another process leads, and may build the public log")
    if answer != b"done":
        raise MarkerMovedError("the store has another marker of the public log")
