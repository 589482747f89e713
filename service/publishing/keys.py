"""The keys of the public log, which stay on its disk: an emptied store must not take them along.

One key signs checkpoints. The other one co-signs them as a witness does, with the time, because a
checkpoint has none: "at T this was the largest tree that I knew". So a log that stands still, or
that goes back, contradicts itself.
"""

import secrets
from typing import NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, cosign, from_base64, is_name, sign, to_base64
from service.tlog.notes import Note

_PREFIX = "PRIVATE+KEY"
_SEED_BYTES = 32


class LogKeys(NamedTuple):
    """The private keys of the log ``origin``."""

    origin: str
    log: Ed25519PrivateKey
    time: Ed25519PrivateKey

    @classmethod
    def generate(cls, origin: str | None) -> Self:
        """Return new keys; a log that has no name gets one that no other has."""
        made = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
        return cls(origin or f"lonja/{secrets.token_hex(8)}", *made)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``dump`` returns.

        Raises:
            TlogError: it is something else.
        """
        lines = text.split("\n")
        if len(lines) != 3 or lines[2]:
            raise TlogError("it has not two lines with keys")
        (origin, log), (time_name, time) = (
            _parse(line, algorithm) for line, algorithm in zip(lines, Algorithm, strict=False)
        )
        if time_name != time_name_of(origin):
            raise TlogError("the second key has not the name of the first one and /time")
        return cls(origin, log, time)

    def dump(self) -> str:
        """Return both keys, each as ``PRIVATE+KEY+NAME+ID+KEY``."""
        found = self.verifiers
        seeds = (key.private_bytes_raw() for key in (self.log, self.time))
        return "".join(
            f"{_PREFIX}+{one.name}+{one.id.hex()}+{to_base64(bytes([one.algorithm]) + seed)}\n"
            for one, seed in zip(found, seeds, strict=True)
        )

    @property
    def verifiers(self) -> tuple[VerifierKey, VerifierKey]:
        """The public keys: of the log's signature, and of its time."""
        log, time = (key.public_key().public_bytes_raw() for key in (self.log, self.time))
        return (
            VerifierKey(self.origin, Algorithm.ED25519, log),
            VerifierKey(time_name_of(self.origin), Algorithm.COSIGNATURE_V1, time),
        )

    def signed(self, size: int, root: bytes, at: int) -> bytes:
        """Return the signed checkpoint of a tree, with the time ``at`` (seconds since 1970)."""
        text = Checkpoint(self.origin, size, root).text
        timed = cosign(text, time_name_of(self.origin), self.time, at)
        return bytes(Note(text, (sign(text, self.origin, self.log), timed)))


def time_name_of(origin: str) -> str:
    """Return the name of the key by which a log says the time."""
    return f"{origin}/time"


def _parse(line: str, algorithm: Algorithm) -> tuple[str, Ed25519PrivateKey]:
    """Read a line of ``LogKeys.dump``. Errors quote nothing of it: any part may be the key."""
    prefix, key, name, _id, encoded = [*line.split("+", 4), "", "", "", ""][:5]
    try:
        material = from_base64(encoded)
    except TlogError:
        raise TlogError("a line is no private key") from None
    if f"{prefix}+{key}" != _PREFIX or not is_name(name) or len(material) != 1 + _SEED_BYTES:
        raise TlogError("a line is no private key")
    if material[0] != algorithm:
        raise TlogError("a key is for signatures of another type, or the keys are exchanged")
    return name, Ed25519PrivateKey.from_private_bytes(material[1:])
