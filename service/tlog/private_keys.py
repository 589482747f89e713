"""Private keys that sign notes, in the form in which C2SP's programs keep them.

Errors quote nothing of such a text, because any part of it may be the key.
"""

from typing import NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, from_base64, is_name, to_base64

_PREFIX = "PRIVATE+KEY"
_SEED_BYTES = 32


class SigningKey(NamedTuple):
    """A private key that signs under ``name``, in the way of ``algorithm``."""

    name: str
    algorithm: Algorithm
    private_key: Ed25519PrivateKey

    @classmethod
    def generate(cls, name: str, algorithm: Algorithm) -> Self:
        """Return a new key. Raises TlogError: no key may have this name."""
        if not is_name(name):
            raise TlogError(f"{name!r:.200} is no name of a key: it has a space or +, or nothing")
        return cls(name, algorithm, Ed25519PrivateKey.generate())

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read what ``dump`` returns.

        Raises:
            TlogError: it is something else, or not whole.
        """
        prefix, word, name, key_id, encoded = [*line.split("+", 4), "", "", "", ""][:5]
        try:
            material = from_base64(encoded)
        except TlogError:
            raise TlogError("a line is no private key") from None
        if f"{prefix}+{word}" != _PREFIX or not is_name(name) or len(material) != 1 + _SEED_BYTES:
            raise TlogError("a line is no private key")
        if material[0] not in [*Algorithm]:
            raise TlogError(f"a key is for signatures of the type {material[0]:#04x}")
        seed = Ed25519PrivateKey.from_private_bytes(material[1:])
        key = cls(name, Algorithm(material[0]), seed)
        if key.verifier.id.hex() != key_id:
            raise TlogError("a private key has the id of another one")
        return key

    def dump(self) -> str:
        """Return the secret form ``PRIVATE+KEY+NAME+ID+KEY``, in one line without its end."""
        material = bytes([self.algorithm]) + self.private_key.private_bytes_raw()
        return f"{_PREFIX}+{self.name}+{self.verifier.id.hex()}+{to_base64(material)}"

    @property
    def verifier(self) -> VerifierKey:
        """The public key."""
        public = self.private_key.public_key().public_bytes_raw()
        return VerifierKey(self.name, self.algorithm, public)
