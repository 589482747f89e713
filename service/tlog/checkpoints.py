"""Checkpoints: signed heads of logs (c2sp.org/tlog-checkpoint)."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple, Self

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, from_base64, to_base64
from service.tlog.merkle import HASH_BYTES
from service.tlog.notes import Note

LARGEST = (1 << 63) - 1
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class Checkpoint(NamedTuple):
    """The head ``root`` (32 bytes) of the first ``size`` leaves of the log named ``origin``.

    Lines of ``extensions`` are signed with it, and say nothing about the log.
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text of a note.

        Raises:
            TlogError: it is no checkpoint.
        """
        *lines, end = text.split("\n")
        if end or len(lines) < 3 or "" in lines:
            raise TlogError(f"{text!r:.200} is no checkpoint of three lines or more")
        origin, size, root, *extensions = lines
        if not _SIZE.fullmatch(size) or int(size) > LARGEST:
            raise TlogError(f"{size!r:.80} is no size of a log")
        hash_ = from_base64(root)
        if len(hash_) != HASH_BYTES:
            raise TlogError(f"{root!r:.80} is no hash of {HASH_BYTES} bytes")
        return cls(origin, int(size), hash_, tuple(extensions))

    @property
    def text(self) -> str:
        """The text that is signed."""
        lines = self.origin, str(self.size), to_base64(self.root), *self.extensions
        return "".join(f"{line}\n" for line in lines)


class OpenedCheckpoint(NamedTuple):
    """A checkpoint that its log has signed, and the times at which known witnesses saw it."""

    checkpoint: Checkpoint
    note: Note
    seen: Mapping[VerifierKey, int]
    """Seconds since 1970, by the key of each witness that has co-signed."""

    @property
    def seen_ms(self) -> int | None:
        """The first of these times, in ms since 1970; None if there is none."""
        return min((1000 * seen for seen in self.seen.values()), default=None)


def open_checkpoint(
    raw: bytes, log: Collection[VerifierKey], witnesses: Collection[VerifierKey] = ()
) -> OpenedCheckpoint:
    """Return the checkpoint in a note.

    ``log`` are the keys of one log; its origin is their name. How many of the ``witnesses`` must
    have co-signed is for the caller to say.

    Raises:
        TlogError: it is no checkpoint of this log, or a signature is wrong.
    """
    note = Note.parse(raw)
    signed = note.verify([*log, *witnesses])
    checkpoint = Checkpoint.parse(note.text)
    by_log = [key for key in signed if key in log and key.algorithm is Algorithm.ED25519]
    if not any(key.name == checkpoint.origin for key in by_log):
        raise TlogError(f"the log {checkpoint.origin!r:.200} has not signed its checkpoint")
    seen = {key: at for key, at in signed.items() if at is not None and key in witnesses}
    return OpenedCheckpoint(checkpoint, note, seen)
