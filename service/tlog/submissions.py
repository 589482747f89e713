"""What logs and witnesses say to each other (c2sp.org/tlog-witness)."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple, Self

from service.tlog.checkpoints import LARGEST
from service.tlog.errors import TlogError
from service.tlog.keys import Signature, from_base64, to_base64
from service.tlog.merkle import HASH_BYTES
from service.tlog.notes import MOST_BYTES as LARGEST_NOTE
from service.tlog.notes import parse_signature

ADD_CHECKPOINT = "/add-checkpoint"
SIZE_TYPE = "text/x.tlog.size"
"""The media type of the answer 409, which has the size that the witness has co-signed."""
MOST_HASHES = 63
MOST_BYTES = LARGEST_NOTE + 4096
"""Maximum number of bytes of a submission: a note, and the longest proof."""
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})", re.ASCII)
_SIZE = re.compile(rb"(0|[1-9][0-9]{0,18})\n")


class Submission(NamedTuple):
    """A checkpoint for a witness, with the proof that the ``old`` one is its beginning."""

    old: int
    proof: tuple[bytes, ...]
    note: bytes

    @classmethod
    def parse(cls, body: bytes) -> Self:
        """Read the body of a request. Nothing is known yet of the note.

        Raises:
            TlogError: it is no submission.
        """
        head, blank, note = body.partition(b"\n\n")
        if not blank or not head.isascii():
            raise TlogError(f"{body!r:.80} is no submission: no checkpoint follows an empty line")
        first, *lines = head.decode().split("\n")
        old = _OLD.fullmatch(first)
        if old is None or int(old[1]) > LARGEST:
            raise TlogError(f"{first!r:.80} is not `old`, a space and a size")
        if len(lines) > MOST_HASHES:
            raise TlogError(f"a proof has {len(lines)} hashes, and {MOST_HASHES} are the most")
        proof = tuple(map(from_base64, lines))
        for hash_ in proof:
            if len(hash_) != HASH_BYTES:
                raise TlogError(f"{hash_.hex()!r:.80} is no hash of {HASH_BYTES} bytes")
        return cls(int(old[1]), proof, note)

    def __bytes__(self) -> bytes:
        lines = f"old {self.old}", *map(to_base64, self.proof), ""
        return "".join(f"{line}\n" for line in lines).encode() + self.note


def checkpoint_path(origin: str) -> str:
    """Return the path at which a witness shows the newest checkpoint that it has co-signed."""
    return f"/{sha256(origin.encode()).hexdigest()}/checkpoint"


def cosignatures(body: bytes) -> Sequence[Signature]:
    """Return the signatures in a witness's answer, of which nothing is known yet.

    Raises:
        TlogError: it has something else.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = ""
    if not text.endswith("\n"):
        raise TlogError(f"{body!r:.80} has no lines of signatures")
    return [*map(parse_signature, text[:-1].split("\n"))]


def size_body(size: int) -> bytes:
    """Return the body of the answer 409."""
    return f"{size}\n".encode()


def size_of(body: bytes) -> int:
    """Return the size in the answer 409. Raises TlogError."""
    found = _SIZE.fullmatch(body)
    if found is None or int(found[1]) > LARGEST:
        raise TlogError(f"{body!r:.80} is no size of a log")
    return int(found[1])
