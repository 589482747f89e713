"""The checkpoints that the log keeps for tables that wait for a beacon, with their co-signatures.

There are as many as ``MOST``; the oldest go first.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from service.process.disk import appearing
from service.tlog.closed import FOLDER, path_of
from service.tlog.errors import TlogError
from service.tlog.notes import Note

MOST = 50_000
"""Maximum number of checkpoints that are kept; each takes about a kilobyte of a file."""
MOST_AT_ONCE = 500
"""Maximum number of leaves of one checkpoint for which it is kept."""


class KeptCheckpoints:
    """The files below ``public/closed/``, which this process writes alone."""

    def __init__(self, public: Path) -> None:
        self._public = public
        for draft in (public / FOLDER).glob("**/.*"):
            draft.unlink()
        self._known = deque(sorted(_indices(public / FOLDER)))

    def keep(self, indices: Iterable[int], checkpoint: bytes) -> None:
        """Keep a checkpoint for these new leaves, and for those for which it is kept already.

        A co-signature that is kept stays: a later one by the same witness has a later time.

        Raises:
            OSError: it cannot be written.
        """
        note = Note.parse(checkpoint)
        again = [*self._of(note)]
        new = [index for index in indices if index not in again][:MOST_AT_ONCE]
        for index in (*again, *new):
            self._write(index, note)
        last = self._known[-1] if self._known else -1
        self._known.extend(index for index in sorted(new) if index > last)
        while len(self._known) > MOST:
            (self._public / path_of(self._known.popleft())).unlink(missing_ok=True)

    def _of(self, note: Note) -> Iterator[int]:
        """Yield the leaves for which a checkpoint with this text is kept; they are the newest."""
        for index in reversed(self._known):
            kept = self._read(index)
            if kept is None or kept.text != note.text:
                return
            yield index

    def _read(self, index: int) -> Note | None:
        with suppress(OSError, TlogError):
            return Note.parse((self._public / path_of(index)).read_bytes())
        return None

    def _write(self, index: int, note: Note) -> None:
        path, before = self._public / path_of(index), self._read(index)
        if before is not None and before.text == note.text:
            known = {(one.name, one.key_id) for one in before.signatures}
            more = (one for one in note.signatures if (one.name, one.key_id) not in known)
            note = before._replace(signatures=(*before.signatures, *more))
            if note == before:
                return
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as file:
            file.write(bytes(note))


def _indices(folder: Path) -> Iterator[int]:
    for path in folder.glob("**/[0-9][0-9][0-9]"):
        yield int("".join(path.relative_to(folder).parts).replace("x", ""))
