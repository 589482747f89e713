"""The checkpoints that the log keeps for tables that wait for a beacon, with their co-signatures.

There are as many as ``MOST``; the oldest go first.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from service.process.disk import appearing
from service.tlog.closed import FOLDER, path_of
from service.tlog.errors import TlogError
from service.tlog.notes import Note

MOST = 50_000
"""Maximum number of leaves for which a checkpoint is kept. It is a file of about a kilobyte, which
has a name for each of its leaves.
"""


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
        again = dict(self._of(note))
        for before in {*again.values()}:
            note = _merged(before, note)
        new = sorted({*indices} - again.keys())
        stale = [*new, *(index for index, before in again.items() if before != note)]
        if stale:
            self._write(stale, bytes(note))
        last = self._known[-1] if self._known else -1
        self._known.extend(index for index in new if index > last)
        while len(self._known) > MOST:
            (self._public / path_of(self._known.popleft())).unlink(missing_ok=True)

    def _of(self, note: Note) -> Iterator[tuple[int, Note]]:
        """Yield the leaves for which a checkpoint with this text is kept, which are the newest.

        Each comes with the note that is kept for it.
        """
        for index in reversed(self._known):
            kept = self._read(index)
            if kept is None or kept.text != note.text:
                return
            yield index, kept

    def _read(self, index: int) -> Note | None:
        with suppress(OSError, TlogError):
            return Note.parse((self._public / path_of(index)).read_bytes())
        return None

    def _write(self, indices: Sequence[int], content: bytes) -> None:
        """Write one file, and give it the names of all these leaves.

        Many tables may be closed within one checkpoint: a file of its own for each would keep the
        checkpoint, and so its witnesses, from whoever waits for it.
        """
        first, *others = (self._public / path_of(index) for index in indices)
        first.parent.mkdir(parents=True, exist_ok=True)
        with appearing(first) as file:
            file.write(content)
        for path in others:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f".{path.name}.link")
            try:
                draft.hardlink_to(first)
                draft.replace(path)
            except OSError:  # no file system has to give a file several names
                draft.unlink(missing_ok=True)
                with appearing(path) as file:
                    file.write(content)


def _merged(before: Note, note: Note) -> Note:
    """Return the note that is kept, with the signatures of other keys in one of the same text."""
    known = {(one.name, one.key_id) for one in before.signatures}
    more = (one for one in note.signatures if (one.name, one.key_id) not in known)
    return before._replace(signatures=(*before.signatures, *more))


def _indices(folder: Path) -> Iterator[int]:
    for path in folder.glob("**/[0-9][0-9][0-9]"):
        yield int("".join(path.relative_to(folder).parts).replace("x", ""))
