"""Rotations of a log's keys: checkpoints that name new keys, signed by the old and the new ones.

The extension lines of such a checkpoint (c2sp.org/tlog-checkpoint) are ``from KEY`` for each old
key and ``to KEY`` for each new one, in the form of verifier keys. All of them have signed it, so
whoever trusts the old keys knows the new ones, and their owner has them. It is a checkpoint of the
log like every other one, and stands in a file of its own below the log, ``rotations/1``, ``2``, ….
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.notes import MOST_BYTES, Note
from service.tlog.reading import ReadFile

FOLDER = "rotations"
MOST = 100
"""Maximum number of rotations of a log that are read."""
_FROM, _TO = "from ", "to "


class Rotation(NamedTuple):
    """The old keys of a log, and the new ones; all of them have signed this."""

    old: tuple[VerifierKey, ...]
    new: tuple[VerifierKey, ...]

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        """Read the note of a rotation.

        Raises:
            TlogError: it is none, or one of the keys that it names has not signed it.
        """
        note = Note.parse(raw)
        origin, *_tree, lines = Checkpoint.parse(note.text)
        old, new = (tuple(_keys(lines, word)) for word in (_FROM, _TO))
        named = {*old, *new}
        if not old or not new or len(lines) != len(named):
            raise TlogError("its lines do not name old and new keys")
        if any(key.name not in (origin, f"{origin}/time") for key in named):
            # A witness signs any lines of a log: they must not bind its key to another one.
            raise TlogError(f"it names keys that are none of the log {origin!r:.200}")
        if missing := named - note.verify(named).keys():
            raise TlogError(f"{min(map(str, missing))} has not signed the rotation")
        return cls(old, new)


def extensions(old: Iterable[VerifierKey], new: Iterable[VerifierKey]) -> tuple[str, ...]:
    """Return the extension lines of a rotation."""
    return (*(f"{_FROM}{key}" for key in old), *(f"{_TO}{key}" for key in new))


def path_of(number: int) -> str:
    """Return the path of a rotation below the log; the first one has the number 1."""
    return f"{FOLDER}/{number}"


def is_path(name: str) -> bool:
    """Whether a file of a log has the name of a rotation."""
    return name in {path_of(number) for number in range(1, MOST + 1)}


def followed(keys: Iterable[VerifierKey], read: ReadFile) -> tuple[VerifierKey, ...]:
    """Return keys of a log, and those that its rotations bind to them.

    A rotation counts if all of its old keys with the name of a known key are known, and at least
    one is.

    Raises:
        TlogError: the file of a rotation is none.
    """
    known = [*keys]
    for number in range(1, MOST + 1):
        raw = read(path_of(number), MOST_BYTES)
        if raw is None:
            break
        found = Rotation.parse(raw)
        names = {key.name for key in known}
        ours = [key for key in found.old if key.name in names]
        if ours and all(key in known for key in ours):
            bound = {(key.name, key.algorithm) for key in ours}
            known += [
                key for key in found.new
                if (key.name, key.algorithm) in bound and key not in known
            ]  # fmt: skip
    return tuple(known)


def _keys(lines: Iterable[str], word: str) -> Iterator[VerifierKey]:
    return (VerifierKey.parse(line.removeprefix(word)) for line in lines if line.startswith(word))
