"""Writes the files beside packs from the store, and takes out of them who has left."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import orjson
from redis.exceptions import ResponseError

from rules.kernel.record.events import UNREADABLE
from service.archive import beside
from service.archive.archive import ReadBackError
from service.archive.beside import AnsweredRequest, Beside, BesideError
from service.archive.files import Files
from service.archive.pack import Pack
from service.ledger.raw import RawStreams
from service.ledger.store import Store, stored_entries
from service.players.departed import departed
from service.redis.client import is_of_another_type
from service.upkeep.archiving import SAME, compare


class LackingPack(NamedTuple):
    """A pack that has no file beside it, and the reason why it gets none."""

    name: str
    why: str


class BesideFiles:
    """The files beside the packs of one store."""

    def __init__(self, store: Store, files: Files) -> None:
        self._store = store
        self._files = files
        self._streams = RawStreams(store.redis)
        self.written = self.rewritten = 0
        """The number of files that this object has written for the first time, and again."""

    def complete(self, names: Iterable[str] | None = None) -> Iterator[LackingPack]:
        """Write the file beside each pack that has none; yield the packs that stay without one.

        With ``names``, do so for these packs alone.

        As long as nothing of a pack has left the store, this may be repeated at any time.

        Raises:
            PackError: a pack is damaged; OSError: a file cannot be read or written.
            ReadBackError: a file is not what was written.
        """
        left = departed(self._store.redis).players
        for name in self._files.names() if names is None else names:
            if self._files.has_beside(name):
                continue
            if not self._files.can_open(name):
                yield LackingPack(name, "LONJA_ARCHIVE_KEYS has no key to read it with")
                continue
            pack = Pack(self._files.opened(name))
            if any(found != SAME for _row, found, _version in compare(self._store, pack)):
                yield LackingPack(name, "the store does not have all of its records")
                continue
            try:
                each = [beside_of(self._streams, row.id).without(left) for row in pack.rows]
            except (LookupError, ValueError) as error:
                yield LackingPack(name, str(error))
                continue
            self._put(name, beside.packed(each), None)
            self.written += 1

    def forget_departed(self) -> None:
        """Take what is only about players who have left out of the files.

        Those beside private packs are left for a process that has keys.

        Raises:
            BesideError: a file is damaged; the message names its pack. The others are rewritten.
            OSError, ReadBackError: as ``complete``.
        """
        left = departed(self._store.redis, self._files.left())
        if not left.players:
            return
        damaged = []
        names = [*self._files.names()]
        for name in filter(self._files.can_open, names):
            try:
                self._forget(name, left.players)
            except BesideError as error:
                damaged.append(f"the file beside {name} cannot be read: {error}")
        if damaged:
            raise BesideError(damaged[0])
        if all(map(self._files.can_open, names)):
            self._files.note_left(left.until)

    def put(self, name: str, each: Iterable[Beside], before: bytes) -> bytes:
        """Write the file beside a pack again, with these lines, and return its contents.

        Raises OSError, which is a ChangedError if its contents are not ``before``; ReadBackError.
        """
        raw = beside.packed(each)
        self._put(name, raw, before)
        self.rewritten += 1
        return raw

    def _forget(self, name: str, players: frozenset[str]) -> None:
        raw = self._files.beside(name)
        if raw is None or players.isdisjoint(beside.players_in(raw)):
            return
        changed = beside.packed(one.without(players) for one in beside.read(raw))
        if changed != raw:
            self._put(name, changed, raw)
            self.rewritten += 1

    def _put(self, name: str, raw: bytes, before: bytes | None) -> None:
        self._files.put_beside(name, raw, before)
        if self._files.beside(name) != raw:
            raise ReadBackError(f"the file beside {name} was read back, and is another one")


def beside_of(streams: RawStreams, stream_id: str) -> Beside:
    """Return what the store has beside the record of a finished game or tournament.

    Raises:
        LookupError: it is not in the store.
        ValueError: a key of it has another type, or holds what is no text.
    """
    try:
        stream = streams.find(stream_id)
    except ResponseError as error:
        if is_of_another_type(error):
            raise ValueError(f"a key of {stream_id} has another type") from None
        raise
    if stream is None:
        raise LookupError(f"{stream_id} is not in the store")
    entries = (entry for page in streams.pages(stream) for entry in page if len(entry.words) > 4)
    requests = []
    for event, retry in stored_entries(entries):
        if event.kind == UNREADABLE:
            raise ValueError(f"the event {event.seq} of {stream_id} cannot be read")
        if retry is not None and not retry.is_own:
            requests.append(AnsweredRequest(event.seq, event.by.get("player"), retry))
    try:
        table = {name.decode(): value.decode() for name, value in stream.table.items()}
    except UnicodeDecodeError:
        raise ValueError(f"what is beside {stream_id} is no text") from None
    origin = None if stream.origin is None else orjson.loads(stream.origin)
    return Beside(stream_id, tuple(requests), table, origin)
