"""The keys of the public log, which stay on its disk: an emptied store must not take them along.

One key signs checkpoints. The other one co-signs them as a witness does, with the time, because a
checkpoint has none: "at T this was the largest tree that I knew". So a log that stands still, or
that goes back, contradicts itself.
"""

import secrets
from typing import NamedTuple, Self

from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, Signature, VerifierKey, cosign, sign
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey


class LogKeys(NamedTuple):
    """The private keys of a log: of its signature, and of its time."""

    log: SigningKey
    time: SigningKey

    @classmethod
    def generate(cls, origin: str | None) -> Self:
        """Return new keys; a log that has no name gets one that no other has."""
        name = origin or f"lonja/{secrets.token_hex(8)}"
        return cls(
            SigningKey.generate(name, Algorithm.ED25519),
            SigningKey.generate(time_name_of(name), Algorithm.COSIGNATURE_V1),
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``dump`` returns.

        Raises:
            TlogError: it is something else.
        """
        lines = text.split("\n")
        if len(lines) != 3 or lines[2]:
            raise TlogError("it has not two lines with keys")
        log, time = map(SigningKey.parse, lines[:2])
        if (log.algorithm, time.algorithm) != (Algorithm.ED25519, Algorithm.COSIGNATURE_V1):
            raise TlogError("a key is for signatures of another type, or the keys are exchanged")
        if time.name != time_name_of(log.name):
            raise TlogError("the second key has not the name of the first one and /time")
        return cls(log, time)

    def dump(self) -> str:
        """Return both keys, each in a line."""
        return f"{self.log.dump()}\n{self.time.dump()}\n"

    @property
    def origin(self) -> str:
        """The name of the log."""
        return self.log.name

    @property
    def verifiers(self) -> tuple[VerifierKey, VerifierKey]:
        """The public keys: of the log's signature, and of its time."""
        return self.log.verifier, self.time.verifier

    def signed(self, size: int, root: bytes, at: int) -> bytes:
        """Return the signed checkpoint of a tree, with the time ``at`` (seconds since 1970)."""
        text = Checkpoint(self.origin, size, root).text
        return bytes(Note(text, self.signatures(text, at)))

    def signatures(self, text: str, at: int) -> tuple[Signature, Signature]:
        """Return the signatures of the text of a checkpoint, at ``at`` (seconds since 1970)."""
        signed = sign(text, self.origin, self.log.private_key)
        return signed, cosign(text, self.time.name, self.time.private_key, at)


def time_name_of(origin: str) -> str:
    """Return the name of the key by which a log says the time."""
    return f"{origin}/time"
