"""Reads the games and tournaments that have left the store out of packs.

One that was not read lately takes a question to the store, where it is, and two reads of files: its
record out of the pack, and the file beside the pack if that was not read lately.
"""

import time
from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple

from redis import Redis

from rules.kernel.record.events import from_copy
from service.archive import beside
from service.archive.beside import Beside, BesideError
from service.archive.files import Files
from service.archive.pack import GAME, TOURNAMENT, is_private, record_of
from service.ids import is_tournament
from service.ledger.origin import Origin
from service.ledger.past import ArchivedStream, ArchiveUnreadableError
from service.ledger.places import HEAD_BYTES, PackPlace, PackPlaces
from service.ledger.store import StoredEvent
from service.process.fair_queue import paced
from service.records.game_file import Record, RecordError, secrets_of

KEPT_EVENTS = 10_000
"""Number of events of archived streams that a process keeps in memory, some 4 kB each."""

CURRENT_SECONDS = 30.0
"""Time for which a process does not look whether the file beside a pack has changed.

Of a game that it has in memory, that is: what is beside it may change if it comes back into the
store, and leaves again.
"""

KEPT_BESIDES = 8
"""Number of files beside packs that a process keeps in memory, some MB each."""


class _Kept(NamedTuple):
    """A stream in memory: its pack, the version of the file beside that, and until when it counts.

    After that time, by the monotonic clock, the version is looked at again.
    """

    stream: ArchivedStream
    pack: str
    beside: str
    until: float


class PackReader:
    """The games and tournaments of a store that are in packs; thread-safe.

    Two threads may read one game at the same time: if one waited for the other, a caller could make
    others wait.
    """

    def __init__(self, redis: Redis, files: Files, kept_events: int = KEPT_EVENTS) -> None:
        self._places = PackPlaces(redis)
        self._files = files
        self._names: dict[int, str] = {}
        """The names of packs by their numbers, as far as they are known."""
        self._most = kept_events
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._kept_events = 0
        self._besides: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        """The version and the lines of files beside packs, by the name of the pack."""
        self._lock = Lock()
        """Guards what is kept; no thread holds it while it reads."""

    def find(self, stream_id: str) -> ArchivedStream | None:
        """Return a game or tournament that has left the store; None if it has not.

        Raises:
            ArchiveUnreadableError: its record cannot be read.
        """
        with self._lock:
            kept = self._kept.get(stream_id)
            if kept is not None:
                self._kept.move_to_end(stream_id)
        if kept is not None and self._is_current(kept):
            return kept.stream
        place = self._places.of(stream_id)
        if place is None:
            return None
        try:
            found = self._read(stream_id, place)
        except (LookupError, OSError, BesideError, RecordError, TypeError, ValueError) as error:
            raise ArchiveUnreadableError(
                f"{stream_id} cannot be read from the archive: {error}"
            ) from error
        self._keep(found)
        return found.stream

    def _is_current(self, kept: _Kept) -> bool:
        """Whether what is beside a stream in memory is as it was, as far as that can be read."""
        now = time.monotonic()
        if now < kept.until:
            return True
        with suppress(OSError):
            if self._files.beside_version(kept.pack) != kept.beside:
                return False
        with self._lock:
            if self._kept.get(kept.stream.id) == kept:
                self._kept[kept.stream.id] = kept._replace(until=now + CURRENT_SECONDS)
        return True

    def _read(self, stream_id: str, place: PackPlace) -> _Kept:
        name = self._name(place.pack)
        packed = self._files.opened(name).read(place.offset, place.length)
        kind = TOURNAMENT if is_tournament(stream_id) else GAME
        record = record_of(packed, kind, stream_id)
        if bytes.fromhex(record.copies[-1]["hash"])[:HEAD_BYTES] != place.head:
            raise RecordError(f"{name} has another history of it than was noted")
        until = time.monotonic() + CURRENT_SECONDS
        version, own = self._beside(name, stream_id)
        if is_private(name):
            own.expect_terms()
        return _Kept(archived(stream_id, record, own), name, version, until)

    def _name(self, number: int) -> str:
        """Return the name of a pack. Raises LookupError."""
        if number not in self._names:
            self._names = self._places.packs()
        if number not in self._names:
            raise LookupError(f"the store does not name the pack {number}")
        return self._names[number]

    def _beside(self, name: str, stream_id: str) -> tuple[str, Beside]:
        """Return the version of the file beside a pack, and what it has of a stream."""
        version = self._files.beside_version(name)
        with self._lock:
            known, lines = self._besides.get(name, ("", b""))
        if known != version:
            raw = self._files.beside(name)
            lines = b"" if raw is None else beside.unpacked(raw)
            with self._lock:
                self._besides[name] = version, lines
                self._besides.move_to_end(name)
                if len(self._besides) > KEPT_BESIDES:
                    self._besides.popitem(last=False)
        return version, beside.find(lines, stream_id)

    def _keep(self, found: _Kept) -> None:
        with self._lock:
            if found.stream.id not in self._kept:
                self._kept_events += len(found.stream.events)
            self._kept[found.stream.id] = found
            while self._kept_events > self._most and len(self._kept) > 1:
                _id, old = self._kept.popitem(last=False)
                self._kept_events -= len(old.stream.events)


def archived(stream_id: str, record: Record, own: Beside) -> ArchivedStream:
    """Return a game or tournament as the store had it, from its record and what is beside it.

    Raises:
        KeyError, TypeError, ValueError: the record is none of what is over.
    """
    retries = {each.seq: each.retry for each in own.requests}
    events = [
        StoredEvent(from_copy(copy), retries.get(seq))
        for seq, copy in enumerate(paced(record.copies), 1)
    ]
    table = MappingProxyType({name: value.encode() for name, value in own.table.items()})
    origin = None if own.origin is None else Origin(**own.origin)
    report = record.header.get("report")  # a tournament's
    return ArchivedStream(stream_id, events, secrets_of(record.copies), table, origin, report)
